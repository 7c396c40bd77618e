"""Follows a Kafka topic for one viewer: the newest records first, then new commits. Blocks, and knows no socket."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from heapq import nlargest
from typing import Literal

from typing_extensions import TypedDict

from designer.refusals import Refusal
from runner.control.clusters.schemas import MAX_BYTES, MessageOut
from runner.kafka import KafkaCluster, KafkaUnreachable, Message, Topic, TopicReader
from runner.watch.sockets.messages import TailMessage
from runner.watch.topics.decoding import DecodedMessageOut
from runner.watch.topics.searching import rank_age

FIRST, MAX_RECORDS = 50, 100
"""Records shown on connect and in each message after it."""
AT_ONCE, NEAR = 1_000, 100
"""Number of records to read at a time. A tail further behind continues this near to the end of each partition."""
DEPTHS, MAX_SCANNED = (100, 1_000, 4_000), 40_000
"""How far back to look for the first records: offsets of a partition, and of all together."""
FIRST_SECONDS, READ_SECONDS, LOOK_SECONDS = 5.0, 0.05, 2.0


class Records(TypedDict):
    """Records as they are tailed; `skipped` counts those that are not shown."""

    type: Literal["records"]
    records: list[MessageOut | DecodedMessageOut]
    skipped: int


def match_anything(message: Message) -> bool:
    return True


class TopicTail:
    """Follows a topic through pauses, a lost broker, and a topic that is created or recreated later.

    `skipped` counts records that were read but not shown. After a jump towards the end, it counts offsets.
    """

    def __init__(
        self,
        cluster: KafkaCluster,
        name: str,
        fits: Callable[[Message], bool] = match_anything,
        show: Callable[[Message], MessageOut] = MessageOut.of,
    ) -> None:
        self.cluster = cluster
        self.name = name
        self.fits = fits
        self.show = show
        self.topic: Topic | None = None
        self.reader: TopicReader | None = None
        self.at: dict[int, int] = {}
        self.behind = False
        self.last_message = ""
        self.looked_at = 0.0

    def read_next(self) -> list[TailMessage]:
        """New records, or once the reason for a wait. After a wait or a rest a message says that it continues."""
        try:
            if self.reader is None or self._is_changed():
                return [self._describe(*self._start())]
            skipped_count, records = self._read_more(self.reader)
        except Refusal as refusal:
            self.rest()
            return self._wait(self._explain(refusal))
        return [self._describe(skipped_count, records)] if records or skipped_count else []

    def rest(self) -> None:
        if self.reader is not None:
            self.reader.close()
            self.reader = None

    def _start(self) -> tuple[int, list[Message]]:
        """Continue at the former place, or at the newest records for a new topic.

        Returns the number of skipped offsets, and the records, as `_read_again` and `_read_more` do.
        """
        self.rest()
        topic = self.cluster.topic(self.name)
        self.reader = reader = TopicReader(self.cluster, topic)
        skipped_count, records = (
            self._read_again(reader) if self.topic and topic.id == self.topic.id else (0, self._read_first(reader))
        )
        self.topic, self.at, self.behind = topic, reader.at, True
        self.last_message, self.looked_at = "", time.monotonic()
        return skipped_count, records

    def _read_first(self, reader: TopicReader) -> list[Message]:
        """The newest records, searched further and further back."""
        starts, ends = reader.starts(), reader.ends()
        newest: list[Message] = []
        for depth in DEPTHS:
            back = min(depth, max(FIRST, MAX_SCANNED // len(ends)))
            places = {number: max(starts[number], end - back) for number, end in ends.items()}
            reader.go(places)
            newest = []
            for read in _to(ends, reader):
                newest = nlargest(FIRST, newest + self._of(read), key=rank_age)
            if len(newest) == FIRST or places == starts or _has_unread(ends, reader):
                break
        return newest

    def _read_again(self, reader: TopicReader) -> tuple[int, list[Message]]:
        reader.go({number: max(start, self.at.get(number, start)) for number, start in reader.starts().items()})
        skipped_count = _move_near_ends(reader)
        return skipped_count, [message for read in _to(reader.ends(), reader) for message in self._of(read)]

    def _read_more(self, reader: TopicReader) -> tuple[int, list[Message]]:
        skipped_count = _move_near_ends(reader) if self.behind else 0
        read = reader.read(AT_ONCE, READ_SECONDS)
        self.at, self.behind = reader.at, len(read) == AT_ONCE
        return skipped_count, self._of(read)

    def _of(self, read: list[Message]) -> list[Message]:
        """The requested records, without parts of long values that are never shown."""
        return [one.cut(MAX_BYTES) for one in read if self.fits(one)]

    def _describe(self, skipped_count: int, messages: list[Message]) -> TailMessage:
        newest = sorted(messages, key=rank_age)[-MAX_RECORDS:]
        skipped_count += len(messages) - len(newest)
        records = [self.show(message).model_dump() for message in newest]
        return {"type": "records", "records": records, "skipped": skipped_count}

    def _is_changed(self) -> bool:
        """Called every two seconds. Raises Refusal if the topic or the broker is gone."""
        if time.monotonic() - self.looked_at < LOOK_SECONDS:
            return False
        self.looked_at = time.monotonic()
        return self.cluster.topic(self.name) != self.topic

    def _explain(self, refusal: Refusal) -> Refusal:
        """A missing topic explains more than an error at its records or ends."""
        try:
            if not isinstance(refusal, KafkaUnreachable):
                self.cluster.topic(self.name)
        except Refusal as reason:
            return reason
        return refusal

    def _wait(self, refusal: Refusal) -> list[TailMessage]:
        """Say once why no records arrive. It waits for a lost broker. A user must fix anything else."""
        if refusal.message == self.last_message:
            return []
        self.last_message = refusal.message
        if isinstance(refusal, KafkaUnreachable):
            return [{"type": "waiting", "message": refusal.message}]
        waiting = f"The records of `{self.name}` are shown as soon as it can be read."
        return [{"type": "refused", **refusal.to_json()}, {"type": "waiting", "message": waiting}]


def _to(ends: dict[int, int], reader: TopicReader) -> Iterator[list[Message]]:
    """The records before these ends, as long as a viewer waits for them."""
    deadline = time.monotonic() + FIRST_SECONDS
    while _has_unread(ends, reader) and time.monotonic() < deadline:
        yield reader.read(AT_ONCE, READ_SECONDS)


def _has_unread(ends: dict[int, int], reader: TopicReader) -> bool:
    return any(reader.at[number] < end for number, end in ends.items())


def _move_near_ends(reader: TopicReader) -> int:
    """If much is unread, continue near the ends. Returns the number of skipped offsets."""
    ends, at = reader.ends(), reader.at
    if sum(end - at[number] for number, end in ends.items()) <= AT_ONCE:
        return 0
    near = {number: max(at[number], end - NEAR) for number, end in ends.items()}
    reader.go(near)
    return sum(near.values()) - sum(at.values())
