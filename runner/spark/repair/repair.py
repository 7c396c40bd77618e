"""Making a damaged checkpoint whole from what else is there, so that nothing is lost and nothing written twice.

- The marker in Kafka holds the name of the query, and the group of the application the offsets of its last batch:
  what Spark recorded of them is rewritten.
- An older snapshot and the changes behind it give the state that a newer snapshot held, which is removed.
- Where the state of the last batch cannot be had, a batch before it is gone back to. Those after it are executed
  again with the same offsets and batch times, and are not written, as the marker says that they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from runner.spark.checkpoint import whole
from runner.spark.repair.damage import Damage, Examination, find_newest
from runner.spark.sink.marker import Marker

COMMIT_CONTENT = b'v1\n{"nextBatchWatermarkMs":0}'
"""What Spark records of each batch that it executed: there are no watermarks here."""


@dataclass(frozen=True)
class Repair:
    """How a checkpoint can be made whole: `back_to` is the batch behind which it continues, -1 before the first."""

    examination: Examination
    marker: Marker
    back_to: int

    @property
    def last_batch(self) -> int:
        return self.examination.last_batch

    @property
    def repeats(self) -> range:
        """The batches to be executed again."""
        return range(self.back_to + 1, self.last_batch + 1)

    @classmethod
    def find(cls, examination: Examination, marker: Marker) -> Repair | None:
        """The repair that goes back least; None if there is none. The marker is that of the last batch."""
        if any(not _is_mendable(examination, each) for each in examination.damage):
            return None
        knows_offsets = examination.has_log("offsets", examination.last_batch) or _can_plan(examination)
        if examination.has_state(examination.last_batch) and knows_offsets:
            return cls(examination, marker, examination.last_batch)
        if examination.program.idling and any(each.group == "first" for each in examination.program.inputs):
            return None  # while tables load, no task is called for idle time
        return cls._repair_by_repeating(examination, marker) if knows_offsets else None

    @classmethod
    def _repair_by_repeating(cls, examination: Examination, marker: Marker) -> Repair | None:
        """Back to the newest batch that is whole and of which all behind it are known as they were planned."""
        later = (
            marker.time
            if not examination.has_plan(examination.last_batch)
            else examination.time_of(examination.last_batch)
        )
        for batch in range(examination.last_batch - 1, -1, -1):
            if later is None or not examination.has_plan(batch) or examination.time_of(batch) >= later:
                return None  # the source distinguishes batches by their times
            if examination.has_log("offsets", batch) and examination.has_state(batch):
                return cls(examination, marker, batch)
            later = examination.time_of(batch)
        return cls(examination, marker, -1) if examination.program.plan.seed is None and later is not None else None

    def carry_out(self, offsets: Mapping[str, list[int]]) -> None:
        """Makes it whole. `offsets` are those that Kafka holds for the last batch. May be done again at any point."""
        for each in self.examination.damage:
            if each.kind == "metadata":
                whole.write(self.examination.folder / each.file, orjson.dumps({"id": self.marker.query_id}))
            elif each.kind == "schema":
                whole.remove(self.examination.folder / each.file)
        for store in self.examination.stores.values():
            store.remove_broken_snapshots()
        if self.repeats:
            if not self.examination.has_plan(self.last_batch):
                self._write_offsets(self.last_batch, offsets)
            self.examination.checkpoint.carry_out_again(self.back_to, self.last_batch, self.marker.fingerprint)
        # the two newest batches, as Spark looks for them
        for batch in range(max(0, self.back_to - 1), self.back_to + 1):
            if not self.examination.has_log("offsets", batch):
                self._write_offsets(batch, offsets)
        if self.back_to >= 0 and not self.examination.has_log("commits", self.back_to):
            whole.write(self.examination.folder / "commits" / str(self.back_to), COMMIT_CONTENT)

    def _write_offsets(self, batch: int, offsets: Mapping[str, list[int]]) -> None:
        """Those of the last batch. For the one before it they do as well: Spark only asks whether it has some."""
        if (template := _find_template(self.examination)) is not None:
            whole.write(self.examination.folder / "offsets" / str(batch), _plan_batch(template, self.marker, offsets))


def _is_mendable(examination: Examination, damage: Damage) -> bool:
    """Whether it says nothing that is not said elsewhere, or can be gone back behind."""
    if damage.kind == "schema":
        file = examination.folder / damage.file
        return file.parent.name == "v2" and whole.find_fault(find_newest(file.parent, but=file)) is None
    return damage.kind != "state"


def _can_plan(examination: Examination) -> bool:
    """Whether the last batch can be planned as it was by the offsets in Kafka, which are one of each topic."""
    topics = [each.topic for each in examination.program.inputs]
    return len(set(topics)) == len(topics) and _find_template(examination) is not None


def _find_template(examination: Examination) -> list[bytes] | None:
    """The lines of a batch that was planned with the same settings: the newest that is intact, none that is later."""
    for batch in range(examination.last_batch, max(-1, examination.last_batch - 100), -1):
        if examination.has_log("offsets", batch):
            return (examination.folder / "offsets" / str(batch)).read_bytes().splitlines()
    return None


def _plan_batch(template: list[bytes], marker: Marker, offsets: Mapping[str, list[int]]) -> bytes:
    """The last batch as it was planned. Where the marker does not say its time, any after the one before will do."""
    end: dict[str, Any] = orjson.loads(template[-1])
    end["time"] = end["time"] + 1 if marker.time is None else marker.time
    for group, topics in end.items():
        if group != "time":
            end[group] = {topic: offsets.get(topic, places) for topic, places in topics.items()}
    return b"\n".join([*template[:-1], orjson.dumps(end)])
