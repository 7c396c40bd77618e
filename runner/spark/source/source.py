"""The Kafka topics of a query as one source of Spark's.

Spark asks `KafkaReader` for the end of the next batch and records it before any result of it leaves the run. The
workers then read their shares themselves and send packs. A small batch has no share for a worker: the source's own
process reads it while Spark plans it (`prefetch.py`). Spark's own Kafka source would put each record into the JVM as
a row and back to Python in Arrow. That takes longer than most of its processing (docs/benchmarks.md).
"""

from __future__ import annotations

import heapq
import logging
import math
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pydantic import BaseModel
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition

from runner.kafka import KafkaCluster, Topic
from runner.plan import Plan, TopicFacts
from runner.spark.columns import Records
from runner.spark.ends import (
    FIRST,
    TICK_MS,
    Offsets,
    count_offsets,
    find_batch_end,
    hold,
    is_below,
    limit_ends,
    list_groups,
)
from runner.spark.failures import carry_failures
from runner.spark.preparing import refuse_changed
from runner.spark.private import let_prefetch
from runner.spark.source.batch_clock import BatchClock
from runner.spark.source.extending import Extender, Newer
from runner.spark.source.looks import Looks
from runner.spark.source.prefetch import BATCHES_WITHOUT, MAX_BYTES, Arrival, EmittedCounts, Prefetch
from runner.spark.source.quiet import Quiet
from runner.spark.source.reading import Range, read
from runner.spark.source.sizes import RecordSizes
from runner.spark.stage.rows import PACK_DDL

SHARE = 2_000
"""Most records that are not worth their own task. Each task costs about 25 ms."""
NEW_PARTITIONS_SECONDS = 10.0
log = logging.getLogger(__name__)


class Limits(NamedTuple):
    """Most records that a batch reads from tables and from streams. Topics to load first have no limit."""

    tables: int
    streams: int

    def get_limit(self, group: str) -> int | None:
        return {"first": None, "tables": self.tables, "streams": self.streams}[group]


LOADING = Limits(0, 0)
"""Reads only the topics to load first."""


def choose_limits(plan: Plan) -> Limits:
    """The limits of a batch after all topics to load first are read."""
    most = max(1, plan.settings.records_per_batch // plan.batch_divisor)
    return Limits(most, most)


class ReadTopic(BaseModel):
    """A topic as one `Input` reads it."""

    input: int
    group: str
    topic: str


class Reading(BaseModel):
    """The task of the source as plain data, because Spark asks it in processes that know no topology."""

    kafka: dict[str, str]
    facts: dict[str, TopicFacts]
    topics: list[ReadTopic]
    limits: dict[str, int | None]
    bytes_per_batch: int
    slots: int
    ticks: list[int]
    """The depths of stages that are called each second."""
    idles: list[int] = []
    """The depths of stages that are called each second once all records of the topics were read."""
    called_once: list[int]
    """The depths of stages that the first batch calls, so their state exists with or without records."""
    again: list[Offsets] = []
    """Ends of earlier planned batches that are executed again, oldest first."""
    silent_until: dict[str, list[int]] = {}
    """By topic, offsets up to which no result is written. A batch ends there."""
    held: dict[str, dict[int, int]] = {}
    """By topic and partition, the first offset that waits for its schema. No batch reads it."""
    slot: int = 0
    """The slot of a job with one."""
    extends: str | None = None
    """The checkpoint, if small batches may take records that come while Spark plans them."""
    prefetches: bool = False
    """True if the source's process may read small batches, because it is where the tasks are."""
    look_ms: int | None = None
    """Time between two looks for records while there are none. None: only Spark asks for looks."""


class KafkaSource(DataSource):
    """Options: `reading`, the JSON of a Reading, and `plan`, the JSON of a plan without secrets."""

    @classmethod
    def name(cls) -> str:
        return cls.__name__

    def schema(self) -> str:
        return PACK_DDL

    def streamReader(self, schema: Any) -> KafkaReader:
        return KafkaReader(Reading.model_validate_json(self.options["reading"]), self.options["plan"].encode())


class Share(InputPartition):
    """The ranges that one task of a batch reads, and the depths of stages whose slots it calls without records.

    `idle` are the depths whose tasks may continue without records. No record of the batch came before `since` (ms of
    the monotonic clock), as far as is known. `unread` counts the offsets of each topic that the batch leaves for later
    ones. None: not known.
    """

    def __init__(
        self,
        time: int,
        ranges: Sequence[Range],
        calls: Sequence[int] = (),
        idle: Sequence[int] = (),
        since: int | None = None,
        unread: Mapping[str, int] | None = None,
    ) -> None:
        self.time = time
        self.ranges = ranges
        self.calls = calls
        self.idle = idle
        self.since = since
        self.unread = unread


@let_prefetch
class KafkaReader(DataSourceStreamReader):
    """Says what a batch reads, and reads it."""

    def __init__(self, reading: Reading, plan_json: bytes) -> None:
        self.reading = reading
        self.plan_json = plan_json
        self.group_of = {each.input: each.group for each in reading.topics}
        self.cluster = KafkaCluster.of(reading.kafka)
        self.topics: Mapping[str, Topic] = {}
        self.looked_at = -NEW_PARTITIONS_SECONDS
        self.looks = Looks()
        self.sizes = RecordSizes()
        self.first: Offsets | None = None
        """End of the first batch that was planned here."""
        self.planned: int | None = None
        """The time of the batch that the last look planned."""
        self.clock = BatchClock()
        self.quiet = Quiet(self.cluster, reading.look_ms)
        self.simple_reader = None
        """Spark looks for it in a reader that may prefetch (`let_prefetch`)."""
        self.prefetch: Prefetch | None = None
        self.packs: list[pa.RecordBatch] | None = None
        """The packs of the batch that Spark plans now, if it was prefetched."""
        self.batches_without = 0
        """Number of the next batches that are not prefetched, because their records are large."""
        self.emitted_counts: EmittedCounts = {}
        """Of the batch that was prefetched last."""
        self.extender = Extender(Path(reading.extends), self._find_newer) if reading.extends is not None else None

    def initialOffset(self) -> Offsets:
        with carry_failures():
            topics = self._read_topics().values()
            first, last = self.cluster.start_offsets(topics), self.cluster.end_offsets(topics)
            offset: Offsets = {"time": 0}
            for each in self.reading.topics:
                starts = zip(self.reading.facts[each.topic].start, first[each.topic], last[each.topic], strict=False)
                offsets = [{-2: low, -1: high}.get(start, start) for start, low, high in starts]
                offset.setdefault(each.group, {})[each.topic] = offsets
            return offset

    def latestOffset(self, start: Offsets, limit: Any) -> Offsets:
        with carry_failures():
            if again := next((each for each in self.reading.again if each["time"] > start["time"]), None):
                return again
            known, start = start, self._find_start(start)
            topics = self._read_topics().values()
            asked_at = int(time.monotonic() * 1_000)
            found = self.cluster.end_offsets(topics)
            ends = limit_ends(self.reading.silent_until, start, hold(self.reading.held, found))
            now = self.clock.read(start["time"])
            self.looks.note(asked_at, ends)
            groups = {
                group: find_batch_end(places, {topic: ends[topic] for topic in places}, self._find_limit(group, start))
                for group, places in list_groups(start).items()
            }
            ticks = self.reading.ticks or self.reading.idles
            is_new = groups != list_groups(start)
            is_due = bool(ticks) and now - start["time"] >= TICK_MS
            is_due = is_due or (self.reading.called_once and self.first is None)
            if is_new:
                self.quiet.end()
            elif not is_due:
                self._wait(found, ends, (start["time"] + TICK_MS - now) / 1_000 if ticks else math.inf)
                return known
            end = self._cut(start, {"time": now} | groups)
            if self.reading.idles:
                end["reads_all"] = self._reads_all(start, end)
            self.planned = now
            self._begin_prefetch(start, end)
            return end

    def _wait(self, found: Mapping[str, list[int]], ends: Mapping[str, list[int]], most_seconds: float) -> None:
        """Waits for a record behind `found`. `ends` are the ends that batches may read to.

        Spark asks again at once. It would count the time of the wait as that of a batch that this look plans.
        """
        for at in self.quiet.list_looks(found, most_seconds):
            self.looks.note(at, ends)

    def partitions(self, start: Offsets, end: Offsets) -> Sequence[Share]:
        with carry_failures():
            start = self._find_start(start)
            self.first = self.first or end
            ranges = list(self._list_ranges(start, end))
            since, unread = self.looks.find_since(ranges), self._count_unread(end)
            idle = self.reading.idles if self._reads_all(start, end) else []
            calls = sorted({*self.reading.ticks, *idle, *(self.reading.called_once if end == self.first else ())})
            share = Share(end["time"], ranges, calls, idle, since, unread)
            self.packs = self._make_packs(start, end, share)
            if self.packs is not None:
                if self.extender is not None and self._may_extend(end):
                    self.packs.append(self.extender.offer(self.reading.slot, start, end))
                return [share]
            shares = [
                Share(end["time"], each, since=since, unread=unread) for each in distribute(ranges, self.reading.slots)
            ]
            return [*shares, Share(end["time"], [], calls, idle)] if calls else shares

    def getCache(self, start: Offsets, end: Offsets) -> Iterator[pa.RecordBatch] | None:
        """The packs of the batch that `partitions` has just planned. None: its tasks read it."""
        return None if self.packs is None else iter(self.packs)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Share)
        with carry_failures():
            yield from self._take(partition, self.records(partition.ranges), {})

    def records(self, ranges: Sequence[Range]) -> Generator[tuple[int, int, Records], None, None]:
        """The records of ranges, with their input and partition."""
        return ((each.input, each.partition, records) for each, records in read(self.reading.kafka, ranges))

    def _take(
        self, share: Share, arrivals: Iterable[Arrival], emitted_counts: EmittedCounts
    ) -> Iterator[pa.RecordBatch]:
        # heavy, and needed only for records
        from runner.spark.source.intake import take

        calls = {depth: depth in share.idle for depth in share.calls}
        return take(self.plan_json, share.time, arrivals, calls, share.since, share.unread, emitted_counts)

    def _begin_prefetch(self, start: Offsets, end: Offsets) -> None:
        """Begins to read the batch from `start` to `end` if it is small. Spark names both again in `partitions`.

        What is read does not depend on who reads it: tasks read a batch that was planned before a restart. With one
        slot a batch has one task anyway, so more records count as few.
        """
        self.prefetch, self.batches_without = None, max(0, self.batches_without - 1)
        ranges = list(self._list_ranges(start, end))
        most = FIRST if self.reading.slots == 1 else SHARE
        is_small = sum(each.end - each.start for each in ranges) <= most
        if self.reading.prefetches and is_small and not self.batches_without:
            self.prefetch = Prefetch(start, end, lambda: self.records(ranges))

    def _make_packs(self, start: Offsets, end: Offsets, share: Share) -> list[pa.RecordBatch] | None:
        """The packs of the batch if it was prefetched.

        Tasks read a batch again that cannot be read or processed here. So it fails inside the batch, where the run
        knows its number and its offsets.
        """
        prefetch, self.prefetch = self.prefetch, None
        if prefetch is None or (prefetch.start, prefetch.end) != (start, end):
            return None
        try:
            arrivals = prefetch.wait()
            self.batches_without = BATCHES_WITHOUT if arrivals is None else 0
            self.emitted_counts = {}
            return None if arrivals is None else list(self._take(share, arrivals, self.emitted_counts))
        except Exception as error:
            log.info("Tasks read the batch up to %s again: %s", end, error)
            return None

    def _find_start(self, start: Offsets) -> Offsets:
        """Where a batch begins that Spark has begin at `start`."""
        return start if self.extender is None else self.extender.find_start(start)

    def _may_extend(self, end: Offsets) -> bool:
        """Whether the batch up to `end`, which was prefetched, may take newer records. Its end alone decides some."""
        reading = self.reading
        is_decided = reading.ticks or reading.idles or reading.silent_until or reading.held or end.get("is_cut")
        is_new = end != self.first and self.planned == end["time"]
        return is_new and not is_decided and reading.bytes_per_batch >= 2 * MAX_BYTES

    def _find_newer(self, start: Offsets, end: Offsets) -> Newer | None:
        """What came since the batch from `start` to `end` was planned.

        None if that is more than the batch may take: of some, one could come before another that it depends on.
        """
        asked_at = int(time.monotonic() * 1_000)
        ends = self.cluster.end_offsets(self.topics.values())
        self.looks.note(asked_at, ends)
        later = end | {
            group: find_batch_end(places, {topic: ends[topic] for topic in places}, None)
            for group, places in list_groups(end).items()
            if group != "first"
        }
        ranges = list(self._list_ranges(end, later))
        if not ranges or not self._has_room(start, end, later):
            return None
        arrivals = Prefetch(end, later, lambda: self.records(ranges)).wait()
        if not arrivals:
            return None
        share = Share(end["time"], ranges, since=self.looks.find_since(ranges), unread=self._count_unread(later))
        return Newer(later, list(self._take(share, arrivals, self.emitted_counts)))

    def _has_room(self, start: Offsets, end: Offsets, later: Offsets) -> bool:
        """Whether the records between two ends of a batch are few, and do not exceed its limits."""
        newer = {group: count_offsets(end[group], places) for group, places in list_groups(later).items()}
        limits = {group: self._find_limit(group, start) for group in newer}
        return sum(newer.values()) <= SHARE and all(
            limit is None or count_offsets(start[group], later[group]) <= limit for group, limit in limits.items()
        )

    def _cut(self, start: Offsets, end: Offsets) -> Offsets:
        """A batch that takes less, if its records are so large that they would be more than `bytes_per_batch`.

        Streams wait for topics to load first that are larger than a batch. The end says that it is cut: tasks that wait
        for other topics must not take it for all records, also if another process does the batch again and has not seen
        how large they are.
        """
        left, ranges = float(self.reading.bytes_per_batch), list(self._list_ranges(start, end))
        if self.sizes.estimate(ranges, self.records) <= left:
            return end
        for groups in (("first",), ("tables", "streams")):
            of_groups = [each for each in ranges if self.group_of[each.input] in groups]
            size = self.sizes.estimate(of_groups, self.records)
            if size > left:
                cut = {
                    group: find_batch_end(
                        start[group], ends, math.ceil(left / size * count_offsets(start[group], ends))
                    )
                    for group, ends in list_groups(end).items()
                    if group in groups
                }
                waiting = {group: start[group] for group in ("tables", "streams") if group in end and group not in cut}
                return end | waiting | cut | {"is_cut": True}
            left -= size
        return end

    def _reads_all(self, start: Offsets, end: Offsets) -> bool:
        """True if a batch takes all records, that is, fewer than its limit. See `find_batch_end`.

        Its end says so: limits may be others when the batch is done again, and records that waited have their schema.
        """
        if "reads_all" in end:  # older versions did not say it
            return bool(end["reads_all"])
        if end.get("is_cut") or self.reading.held:
            return False
        counts: Counter[str] = Counter()
        for each in self._list_ranges(start, end):
            counts[self.group_of[each.input]] += each.end - each.start
        return is_below(counts, {group: self._find_limit(group, start) for group in counts})

    def _count_unread(self, end: Offsets) -> dict[str, int] | None:
        """The offsets of each topic that the batch up to `end` leaves, at the look that planned it.

        Topics without any are left out. None for a batch that was planned before a restart: its look is forgotten.
        """
        if self.planned != end["time"]:
            return None
        ends = self.looks.looks[-1].ends
        unread = {
            topic: sum(max(0, last - until) for last, until in zip_longest(ends[topic], places, fillvalue=0))
            for of_group in list_groups(end).values()
            for topic, places in of_group.items()
        }
        return {topic: count for topic, count in unread.items() if count}

    def _find_limit(self, group: str, start: Offsets) -> int | None:
        limit = self.reading.limits[group]
        is_first = group == "streams" and start["time"] == 0
        return min(limit, FIRST) if is_first and limit is not None else limit

    def _read_topics(self) -> Mapping[str, Topic]:
        """The present topics. A topic may get more partitions."""
        if time.monotonic() - self.looked_at >= NEW_PARTITIONS_SECONDS:
            self.topics = refuse_changed(self.reading.facts, self.cluster)
            self.looked_at = time.monotonic()
        return self.topics

    def _list_ranges(self, start: Offsets, end: Offsets) -> Iterator[Range]:
        for each in self.reading.topics:
            pairs = zip_longest(start[each.group][each.topic], end[each.group][each.topic], fillvalue=0)
            for partition, (at, until) in enumerate(pairs):
                if until > at:
                    yield Range(each.input, each.topic, partition, at, until)


def distribute(ranges: Iterable[Range], slots: int) -> list[list[Range]]:
    """Ranges spread about evenly over at most `slots` tasks, or fewer tasks for few records."""
    largest_first = sorted(ranges, key=lambda each: each.start - each.end)
    records = sum(each.end - each.start for each in largest_first)
    shares: list[tuple[int, int, list[Range]]] = [(0, n, []) for n in range(min(slots, -(-records // SHARE)))]
    for each in largest_first:
        size, number, share = heapq.heappop(shares)
        heapq.heappush(shares, (size + each.end - each.start, number, [*share, each]))
    return [share for _, _, share in shares if share]
