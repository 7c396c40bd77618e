"""The read and end offsets of a topic: one topic of the live numbers. Pure: times are arguments (ms)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from typing_extensions import TypedDict

from runner.watch.live.lags import KEEP_MS, Poll

Change = Literal["gone", "recreated", "partitions"]
HELD_UP_MS = 5_000
"""Records of a transaction that is open for a shorter time are in transit, as with any producer."""
OLD_MS = 15_000
"""An end that Kafka named this long ago tells nothing about the present lag."""


class HeldBy(TypedDict):
    """The oldest open transaction of a topic: whose it is, and since when (ms since 1970).

    Without a `transactional_id` no coordinator knows it, and it never ends by itself. `timeout_ms` after its beginning
    Kafka aborts it.
    """

    partition: int
    producer_id: int
    transactional_id: str | None
    since: int
    timeout_ms: int | None


class AwaitedSchema(TypedDict):
    """The first record that waits for its schema, and why the registry did not give it (`since`: ms since 1970).

    `partitions` are all that wait. Their later records wait, too.
    """

    partition: int
    offset: int
    id: int | str
    why: str
    since: int
    partitions: list[int]


class Stop(NamedTuple):
    """The end of a partition that does not move, and since when."""

    end: int
    since: int


class TopicPosition:
    """The next offset to read and the ends, by partition.

    `ends` are after the last record that a read_committed reader can read (the last stable offset). `highs` are after
    the last record of any kind (the high watermark). Records in between wait for an open transaction.
    """

    def __init__(self, offsets: Sequence[int] = (), silent_until: Sequence[int] = ()) -> None:
        self.offsets = list(offsets)
        self.silent_until = silent_until
        """Offsets before which no results are written, by partition (`Plan.silent_until`)."""
        self.read = 0
        self.ends: list[int] = []
        self.highs: list[int] = []
        self.ended_at = 0
        self.polls: list[Poll] = []
        self.change: Change | None = None
        """The change of the topic since the run began."""
        self.stops: dict[int, Stop] = {}
        """By partition with waiting records."""
        self.held_by: HeldBy | None = None
        self.awaits_schema: AwaitedSchema | None = None

    def advance(self, offsets: Sequence[int]) -> None:
        """A committed batch has read to these offsets. A new partition is read from its start."""
        if self.offsets:
            self.read += sum(offsets) - sum(self.offsets)
        self.offsets = list(offsets)

    def reaches(self, ends: Sequence[int], highs: Sequence[int], now: int) -> None:
        self.ends, self.highs, self.ended_at = list(ends), list(highs), now
        waiting = self.count_waiting(now) or []
        fresh = {number: Stop(ends[number], now) for number, count in enumerate(waiting) if count}
        earlier = {number: self.stops.get(number, stop) for number, stop in fresh.items()}
        self.stops = {n: earlier[n] if earlier[n].end == stop.end else stop for n, stop in fresh.items()}
        self.held_by = self.held_by if self.stops else None
        lag = self.lag(now)
        if lag is not None:
            self.polls = [poll for poll in self.polls if poll.at >= now - KEEP_MS]
            self.polls.append(Poll(now, sum(ends), sum(lag)))

    def count_rereads(self) -> int:
        """The records that are read again only to build the state. 0 before the run's first batch."""
        return sum(max(0, until - at) for at, until in zip(self.offsets, self.silent_until, strict=False))

    def lag(self, now: int) -> list[int] | None:
        """Unread committed records by partition. None while either side is unknown.

        A partition without an offset is new, and read from its start.
        """
        if not self.offsets or not self.ends or now - self.ended_at > OLD_MS or len(self.ends) < len(self.offsets):
            return None
        return [max(0, end - offset) for end, offset in zip_longest(self.ends, self.offsets, fillvalue=0)]

    def count_waiting(self, now: int) -> list[int] | None:
        """Records behind an open transaction, by partition. None while unknown."""
        if not self.ends or now - self.ended_at > OLD_MS:
            return None
        return [max(0, high - end) for high, end in zip(self.highs, self.ends, strict=True)]

    def find_held_partition(self, now: int) -> int | None:
        """The partition with the longest-waiting records, if they are no longer in transit."""
        number = min(self.stops, key=lambda partition: self.stops[partition].since, default=None)
        return None if number is None or now - self.stops[number].since < HELD_UP_MS else number
