"""Reads what rebuilds the state of a candidate: all records before the first compared batch, as a job would read them.

A job that begins at the earliest offsets has a backlog. The batches here are those of such a job: first the topics that
are loaded before others, then a share of every partition by its backlog, with the job's own limits
(`runner.spark.ends`). The backlog ends where the first compared batch begins. Each batch has a time of its own,
a second after the one before, as if the job had caught up just in time: windows and suppress follow the records, and
what asks the clock sees the time of the rebuilding.

Only large records make a difference: a batch then takes fewer of them than that of a job, so that memory is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from runner.spark.columns import RecordColumns
from runner.spark.ends import FIRST, GROUPS, TICK_MS, find_batch_end, is_below
from runner.spark.program import Program, TopicInput
from runner.spark.replay import Arrivals, BatchInputs, Read, read_columns
from runner.spark.source.reading import Range

MAX_BYTES = 64 << 20
"""About the most bytes of keys and values that a batch reads of each group."""
SAMPLE = 200
"""Records of each topic from which their size is estimated before the first batch."""
Places = Mapping[str, Sequence[int]]
"""Topic -> offset by partition."""


@dataclass
class Backlog:
    """The records of a program's topics from `starts` to `ends`, which a batch of the time `until` (ms) follows."""

    program: Program
    starts: Places
    ends: Places
    until: int
    done: int = 0
    """Offsets read so far."""
    since: dict[str, int] = field(default_factory=dict)
    """Topic -> the time of its oldest record, as far as it was read: that of the first record of each partition."""
    has_smaller_batches: bool = False
    """True if a batch took fewer records than that of a job, because they are large."""

    def __post_init__(self) -> None:
        self.sizes: dict[str, list[int]] = {group: [0, 0] for group in GROUPS}
        """By group: bytes of records, and their number."""

    @property
    def count(self) -> int:
        """Offsets from the starts to the ends."""
        return sum(self._count_left(group, self.starts) for group in GROUPS)

    def read(self, read: Read) -> Iterator[BatchInputs]:
        """The batches that rebuild the state, oldest first. Raises RunFailed if Kafka no longer has some records."""
        self._sample(read)
        at = {group: {each.topic: [*self.starts[each.topic]] for each in self._list_inputs(group)} for group in GROUPS}
        time, is_first = 0, True
        for groups in (("first",), GROUPS):  # as a run does (`Loading`)
            while any(self._count_left(group, at[group]) for group in groups):
                limits = {group: self._choose_limit(group, is_first=is_first) for group in GROUPS}
                end = at | {group: self._find_end(at[group], limits[group]) for group in groups}
                time = max(time, self.until - (1 + self._count_batches(end, limits)) * TICK_MS)
                counts = {group: self._count_left(group, at[group]) for group in GROUPS}
                is_caught_up = groups == GROUPS and self._is_end(end) and is_below(counts, limits)
                yield BatchInputs(time, self._read_batch(at, end, read), is_caught_up)
                at, is_first = end, is_first and groups != GROUPS

    def _is_end(self, at: Mapping[str, Places]) -> bool:
        return not any(self._count_left(group, at[group]) for group in GROUPS)

    def _count_batches(self, at: Mapping[str, Places], limits: Mapping[str, int]) -> int:
        """About how many batches follow."""
        first, *others = (-(-self._count_left(group, at[group]) // limits[group]) for group in GROUPS)
        return first + max(others)

    def _list_inputs(self, group: str) -> list[TopicInput]:
        return [each for each in self.program.inputs if each.group == group]

    def _count_left(self, group: str, at: Places) -> int:
        topics = [each.topic for each in self._list_inputs(group)]
        pairs = [zip(at[topic], self.ends[topic], strict=True) for topic in topics]
        return sum(max(0, end - start) for places in pairs for start, end in places)

    def _find_end(self, at: Mapping[str, list[int]], limit: int) -> dict[str, list[int]]:
        return find_batch_end(at, {topic: list(self.ends[topic]) for topic in at}, limit)

    def _choose_limit(self, group: str, *, is_first: bool) -> int:
        """Most records of a batch: those of a job, or fewer large ones."""
        most = self.program.plan.settings.records_per_batch
        most = min(most, FIRST) if is_first and group == "streams" else most
        size, number = self.sizes[group]
        bound = max(1, MAX_BYTES * number // size) if size else most
        self.has_smaller_batches |= bound < most and group != "first"
        return min(most, bound)

    def _sample(self, read: Read) -> None:
        for to in self.program.inputs:
            places = zip(self.starts[to.topic], self.ends[to.topic], strict=True)
            ranges = [
                Range(to.number, to.topic, partition, start, min(end, start + SAMPLE))
                for partition, (start, end) in enumerate(places)
                if start < end
            ]
            for records in read_columns(self.program.plan.kafka, ranges[:1], read).values():
                self._note_size(to.group, records)

    def _note_size(self, group: str, records: RecordColumns) -> None:
        self.sizes[group][0] += records.size
        self.sizes[group][1] += len(records.offsets)

    def _read_batch(
        self, at: Mapping[str, Mapping[str, list[int]]], end: Mapping[str, Mapping[str, list[int]]], read: Read
    ) -> list[Arrivals]:
        ranges = [
            Range(to.number, to.topic, partition, start, last)
            for to in self.program.inputs
            for partition, (start, last) in enumerate(zip(at[to.group][to.topic], end[to.group][to.topic], strict=True))
            if start < last
        ]
        columns = read_columns(self.program.plan.kafka, ranges, read)
        for to in self.program.inputs:
            for partition in range(len(self.starts[to.topic])):
                if records := columns.get((to.number, partition)):
                    self._note_size(to.group, records)
                    self._note_first(to.topic, partition, at[to.group][to.topic], records)
        self.done += sum(each.end - each.start for each in ranges)
        return [(number, partition, records) for (number, partition), records in sorted(columns.items())]

    def _note_first(self, topic: str, partition: int, at: Sequence[int], records: RecordColumns) -> None:
        if at[partition] == self.starts[topic][partition] and records.timestamps:
            first = records.timestamps[0]
            self.since[topic] = min(first, self.since.get(topic, first))


def find_own_topics(old: Program, new: Program) -> set[str]:
    """Topics that only the new version reads."""
    return {each.topic for each in new.inputs} - {each.topic for each in old.inputs}
