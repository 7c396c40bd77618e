"""Runs a candidate version beside the running one over the same batches, and says what differs.

1. Both begin with the state before the first batch: the running version with all of it, the candidate with the stores
   that fit (`Renumbering`, as a deploy would). Other stores of the candidate begin empty. Or all state of the candidate
   is rebuilt from the topics (`rebuilding.py`). Both at once would count records twice.
2. Each batch goes through both, with the same records and the same time. Nothing goes to Kafka.
3. The results of the running version are compared with the checksum that the run itself wrote. Only if they are equal
   does a comparison with them say something about the run. The report counts both.
4. What users' Python asked by `side_effect` is answered as the run was, in both. What was not asked then has no answer,
   and then the proof does not say that both are equal.
5. If users' Python runs in it, the running version is executed twice at first. What then differs by itself is noise.
6. The results of both are compared (`comparing.py`). Who wants to correct what the run has sent also gets what that
   takes (`corrections.py`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from designer.text import write_count
from designer.topology.user_code import find_nodes_with_code
from runner.engine.formats import DecodeError
from runner.engine.formats.display import write_shown
from runner.engine.planning.layout import Store
from runner.engine.records.record import Origin
from runner.engine.stores.conversion import can_keep_keys, can_keep_values
from runner.engine.stores.state import GLOBAL_TASK, PREFIX
from runner.engine.tasks.sources import make_decoders
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.columns import RecordColumns
from runner.spark.program import Place, Program
from runner.spark.proving.comparing import MAX_KEYS, MAX_RECORDS, Comparison, Difference
from runner.spark.proving.corrections import Correction, Corrections
from runner.spark.proving.observing import ObservedReplay
from runner.spark.proving.rebuilding import find_own_topics
from runner.spark.proving.report import (
    ComparedBatches,
    ProofDifference,
    ProofInput,
    ProofTopicCounts,
    ProofVersionCounts,
)
from runner.spark.proving.versions import DEAD_LETTERS, MAX_LENGTH, Outcome, describe_origin, show_finite
from runner.spark.replay import Arrivals, BatchInputs, KeptState, Replay
from runner.spark.stage.renumbering import Renumbering, make_chunks, make_conversions
from runner.spark.state.rows import Row

MAX_INPUTS = 10
"""Most input records of a key that are kept for test cases."""
TWIN_RECORDS = 2_000
"""About how many records the running version processes twice, to learn what differs by itself."""


@dataclass(frozen=True)
class KeptStores(Renumbering):
    """A renumbering that also keeps the rows of global tables, which a deploy would load again from their topics."""

    global_stores: dict[int, int] = field(default_factory=dict)

    @classmethod
    def find(cls, old: Program, new: Program, stores: Iterable[str]) -> KeptStores:
        move = Renumbering.renumber(old, new, stores)
        numbers = {store.name: number for number, store in enumerate(old.layout.stores) if store.sub_topology is None}
        global_stores = {
            numbers[store.name]: number
            for number, store in enumerate(new.layout.stores)
            if store.sub_topology is None
            and store.name in numbers
            and _has_same_contents(old.layout.stores[numbers[store.name]], store)
        }
        conversions = {**move.conversions, **make_conversions(old, new, global_stores)}
        return cls(move.new, move.stores, move.times, conversions, global_stores)

    def move_row(self, row: Row) -> Iterator[tuple[Place, Row]]:
        key, value = row
        task, store = PREFIX.unpack_from(key)
        if task != GLOBAL_TASK:
            yield from super().move_row(row)
        elif (number := self.global_stores.get(store)) is not None:
            layout, rest = self.new.layout, key[PREFIX.size :]
            if store in self.conversions:
                rest, value = self.conversions[store](rest, value)
            for depth in self.new.global_depths[layout.source_of[layout.stores[number].node]]:
                for slot in self.new.slot_ids:
                    yield (depth, slot), (PREFIX.pack(GLOBAL_TASK, number) + rest, value)


def _has_same_contents(old: Store, new: Store) -> bool:
    has_same_form = (old.kind, old.form) == (new.kind, new.form) and can_keep_keys(old.key, new.key)
    return has_same_form and can_keep_values(old.kind, old.value, new.value, holds_records=True)


class Input(NamedTuple):
    """An input record: its topic, partition and columns."""

    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: str | None


OfPartition = tuple[str, int, RecordColumns]
"""Topic, partition, and what a batch reads of it."""


@dataclass
class Seen:
    """Numbers of a proof so far. `same` batches of the running version gave what the run itself wrote."""

    batches: int = 0
    records: int = 0
    same: int = 0
    known: int = 0
    """Batches whose manifest says what the run wrote."""
    unobserved: int = 0
    """Batches with too many records to look at nodes."""
    twice: int = 0
    """Batches that the running version executed twice."""
    first_time: int = 0
    last_time: int = 0
    last_batch: int = -1
    empty: list[str] = field(default_factory=list)
    """Stores with which the candidate began empty, although the running version has rows in such a store."""
    topics_without_records: list[str] = field(default_factory=list)
    """Topics that only the candidate reads."""


class Proof:
    """Both versions at work. `stores` are the names of those that the candidate keeps. The caller must close it."""

    corrections: Corrections | None = None
    """What corrects the results of the running version, if someone wants to know it."""

    def __init__(self, old: Program, new: Program, stores: Iterable[str], folder: Path) -> None:
        self.old, self.new = ObservedReplay(old, folder / "old"), ObservedReplay(new, folder / "new")
        has_code = bool(find_nodes_with_code(old.plan.read_graph()))
        self.twin: Replay | None = ObservedReplay(old, folder / "twin") if has_code else None
        self.stores = sorted(stores)
        self.comparison = Comparison(old.layout, new.layout)
        self.with_itself = Comparison(old.layout, old.layout)
        self.recent: dict[bytes | None, deque[Input]] = {}
        """The newest input records of each key, for test cases."""
        self.seen = Seen()

    def begin(self, state: KeptState, *, is_rebuilt: bool = False) -> None:
        """Copy the state before the first batch. The candidate begins empty if its state is rebuilt (`rebuild`)."""
        self.old.begin(state.rows())
        if self.twin is not None:
            self.twin.begin(state.rows())
        if is_rebuilt:
            return
        self.seen.topics_without_records = sorted(find_own_topics(self.old.program, self.new.program))
        move = KeptStores.find(state.program, self.new.program, self.stores)
        for _, rows in state.rows():
            self.new.begin(make_chunks(rows, move))

    def rebuild(self, inputs: BatchInputs) -> None:
        """Let the candidate execute records from before the first batch. Its results are thrown away."""
        self.new.run_unseen(inputs)

    def run(self, manifest: Manifest, inputs: BatchInputs, more: Sequence[Arrivals] = ()) -> None:
        """Execute a batch in both versions, and compare their results.

        `more` has the records of topics that only the candidate reads, under its numbers.
        """
        seen, old_results = self.seen, self.old.run(inputs)
        new_results = self.new.run(self._make_inputs(inputs, more))
        if "checksum" in manifest.facts:
            seen.known += 1
            seen.same += manifest.facts["checksum"] == old_results.checksum()
        versions = self.comparison.versions
        outcomes = (
            Outcome(versions[0].group(old_results), self.old.given),
            Outcome(versions[1].group(new_results), self.new.given),
        )
        if self.twin is not None:
            self._run_twin(manifest, inputs, outcomes[0])
        self.comparison.add(manifest.number, manifest.time, outcomes)
        if self.corrections is not None:
            self.corrections.add(manifest.number, (old_results, new_results))
        seen.batches += 1
        seen.unobserved += not self.old.observes
        seen.records += sum(len(records.offsets) for _, _, records in (*inputs.arrivals, *more))
        seen.first_time = seen.first_time or manifest.time
        seen.last_time, seen.last_batch = manifest.time, manifest.number
        records = list(self._list_inputs(inputs, more))
        self._describe_newest(records)
        self._note_inputs(records)

    def correct(self, tables: Iterable[str], topic: str | None) -> None:
        """From the next batch on, work out what corrects the results that the running version has sent."""
        self.corrections = Corrections(*self.comparison.versions, frozenset(tables), topic)

    def find_corrections(self) -> list[Correction]:
        """Return the corrections of all batches so far, without topics that differ by themselves.

        Raises TooManyCorrections.
        """
        found = self.corrections.find() if self.corrections is not None else ()
        return [each for each in found if each.of not in self.comparison.noise]

    def close(self) -> None:
        for each in (self.old, self.new, self.twin):
            if each is not None:
                each.close()

    def _run_twin(self, manifest: Manifest, inputs: BatchInputs, outcome: Outcome) -> None:
        assert isinstance(self.twin, ObservedReplay)
        results = self.twin.run(inputs)
        other = Outcome(self.with_itself.versions[1].group(results), self.twin.given)
        self.with_itself.add(manifest.number, manifest.time, (outcome, other))
        self.comparison.ignore({topic for topic, of in self.with_itself.topics.items() if +of.grades})
        self.seen.twice += 1
        if self.seen.records >= TWIN_RECORDS:
            self.twin.close()
            self.twin = None

    def _make_inputs(self, inputs: BatchInputs, more: Sequence[Arrivals]) -> BatchInputs:
        """Return the records that the candidate reads, under its numbers."""
        topics = {each.number: each.topic for each in self.old.program.inputs}
        # either version may read a topic through several inputs
        by_place = {(topics[number], partition): records for number, partition, records in inputs.arrivals}
        arrivals = [
            (each.number, partition, records)
            for each in self.new.program.inputs
            for (topic, partition), records in by_place.items()
            if topic == each.topic
        ]
        return inputs._replace(arrivals=[*arrivals, *more])

    def _list_inputs(self, inputs: BatchInputs, more: Sequence[Arrivals]) -> Iterator[OfPartition]:
        for program, arrivals in ((self.old.program, inputs.arrivals), (self.new.program, more)):
            for number, partition, records in arrivals:
                yield program.inputs[number].topic, partition, records

    def _note_inputs(self, batch: Sequence[OfPartition]) -> None:
        for topic, partition, records in batch:
            for row in zip(*records, strict=True):
                record = Input(topic, partition, *row)
                if record.key in self.recent or len(self.recent) < MAX_KEYS:
                    self.recent.setdefault(record.key, deque(maxlen=MAX_INPUTS)).append(record)

    def _describe_newest(self, batch: Sequence[OfPartition]) -> None:
        """Put into each difference found in this batch its input record, while the records of the batch are at hand."""
        for difference in (*self.comparison.first, *self.comparison.newest):
            if difference.batch == self.seen.last_batch and difference.input is None:
                found = _find_input(difference.origin, batch)
                if found is not None:
                    difference.input = self._show(found)
                    difference.records = [self._show(each) for each in self._list_records_to(found, batch)]

    def _list_records_to(self, last: Input, batch: Sequence[OfPartition]) -> list[Input]:
        """Return the newest records of the key of `last`, a record of this batch, up to it."""
        of_batch = [
            record
            for topic, partition, records in batch
            for row in zip(*records, strict=True)
            if (record := Input(topic, partition, *row)).key == last.key
        ]
        of_batch.sort(key=lambda each: (each.timestamp, each.topic, each.partition, each.offset))
        until = of_batch.index(last) + 1
        return [*self.recent.get(last.key, ()), *of_batch[:until]][-MAX_INPUTS:]

    def _show(self, record: Input) -> ProofInput:
        """Decode an input record as the first node that reads it does."""
        program, number = next(
            (program, target)
            for program in (self.old.program, self.new.program)
            for each in program.inputs
            if each.topic == record.topic
            for target in each.targets[:1]
        )
        node = program.layout.node_entered(number)
        decoders = make_decoders(program.layout, node, lambda: record.headers)
        sides = record.key, record.value
        try:
            shown = [
                None if data is None else show_finite(decode(data))
                for decode, data in zip(decoders, sides, strict=True)
            ]
        except DecodeError:
            shown = [None if data is None else data[:MAX_LENGTH].decode(errors="replace") for data in sides]
        return {"topic": record.topic, "key": shown[0], "value": shown[1], "timestamp": record.timestamp}

    @property
    def is_equal(self) -> bool:
        """Whether all results so far are the same, and nothing had to be left open."""
        return self.comparison.equal and not self._count_not_recorded()

    def _count_not_recorded(self) -> dict[str, ProofVersionCounts]:
        old, new = self.old.not_recorded, self.new.not_recorded
        return {node: {"old": old[node], "new": new[node]} for node in sorted({*old, *new})}

    def report(self) -> ComparedBatches:
        """Return the report on all batches so far."""
        comparison, seen = self.comparison, self.seen
        topics = {topic: self._describe_topic(topic) for topic in sorted(comparison.topics)}
        first_node, by_node = comparison.find_first_node(), comparison.count_by_node()
        return {
            "equal": self.is_equal,
            "sentence": self._write_sentence(),
            "batches": seen.batches,
            "records": seen.records,
            "since": seen.first_time,
            "until": seen.last_time,
            "last_batch": seen.last_batch,
            "repeated": {"batches": seen.known, "same": seen.same, "twice": seen.twice},
            "noise": sorted(comparison.noise),
            "topics": topics,
            "nodes": {
                node: {
                    "inputs": counts.inputs,
                    "differing": counts.differing,
                    "share": counts.differing / counts.inputs if counts.inputs else 0.0,
                    "first": counts.first and describe_origin(counts.first),
                    "differences": by_node[node],
                }
                for node, counts in comparison.nodes.items()
            },
            "first_node": first_node,
            "count": comparison.count,
            "first": [self._describe(each) for each in comparison.first],
            "newest": [self._describe(each) for each in reversed(comparison.newest)],
            "topics_without_records": seen.topics_without_records,
            "unobserved": seen.unobserved,
            "not_recorded": self._count_not_recorded(),
        }

    def _describe_topic(self, topic: str) -> ProofTopicCounts:
        counts = self.comparison.topics[topic]
        keys = len(counts.keys)
        return {
            "results": {"old": counts.results[0], "new": counts.results[1]},
            "grades": dict(+counts.grades),
            "keys": keys,
            "differing_keys": len(counts.differing_keys),
            "fields": {
                name: {"keys": len(of), "share": len(of) / keys, "first": describe_origin(counts.first[name])}
                for name, of in counts.fields.items()
            },
            "first": describe_origin(counts.first[""]) if "" in counts.first and +counts.grades else None,
        }

    def _write_sentence(self) -> str:
        comparison, seen = self.comparison, self.seen
        if not seen.batches:
            return "No batch was compared yet."
        if asked := self._count_not_recorded():
            return f"Not comparable: `{'`, `'.join(asked)}` asked other servers for what was not recorded."
        if comparison.equal:
            noise = f" `{'`, `'.join(sorted(comparison.noise))}` differs by itself." if comparison.noise else ""
            records = write_count(seen.records, "record")
            batches = write_count(seen.batches, "batch", "batches")
            return f"Equal: all results of {records} in {batches} are the same.{noise}"
        differing = (topic for topic, of in comparison.topics.items() if +of.grades and topic not in comparison.noise)
        # noise may have taken all room before it was known
        topic = comparison.first[0].topic if comparison.first else next(differing)
        counts = comparison.topics[topic]
        node = comparison.find_first_node()
        share = _write_share(len(counts.differing_keys), len(counts.keys))
        fields = [name for name, keys in counts.fields.items() if keys == counts.differing_keys]
        grades = list(+counts.grades)
        words = _WORDS["other_value" if fields or len(grades) > 1 else grades[0]]
        what = words.format(next(iter(fields), topic) or topic)
        since = describe_origin(counts.first[""])
        return f"{what} in {share} of keys since {since}; first node that differs: {node}."

    def _describe(self, difference: Difference) -> ProofDifference:
        versions, topic = self.comparison.versions, difference.topic
        sides = [
            [version.show(topic, each) for each in results[-MAX_RECORDS:]]
            for version, results in zip(versions, difference.results, strict=True)
        ]
        key = next(each["key"] for side in sides for each in side)
        return {
            "grade": difference.grade,
            "topic": None if topic == DEAD_LETTERS else topic,
            "key": write_shown(key),
            "origin": difference.origin.to_json(),
            "at": describe_origin(difference.origin),
            "input": difference.input,
            "records": difference.records,
            "old": sides[0],
            "new": sides[1],
            "fields": difference.fields,
            "node": difference.node,
            "batch": difference.batch,
            "time": difference.time,
        }


def _find_input(origin: Origin, batch: Sequence[OfPartition]) -> Input | None:
    for topic, partition, records in batch:
        if (topic, partition) == origin[:2] and origin.offset in records.offsets:
            (row,) = (each for each in zip(*records, strict=True) if each[0] == origin.offset)
            return Input(topic, partition, *row)
    return None


_WORDS = {
    "same_last_value": "`{}` reaches the same values by other steps",
    "other_value": "`{}` differs",
    "missing": "`{}` lacks results",
    "extra": "`{}` has more results",
    "other_key": "`{}` has other keys",
    "other_order": "`{}` has another order",
    "other_time": "`{}` has results at other times",
    "other_failure": "`{}` differ",
}


def _write_share(part: int, whole: int) -> str:
    share = 100 * part / whole if whole else 0.0
    return f"{share:.1f} %" if share >= 0.1 or not share else "fewer than 0.1 %"
