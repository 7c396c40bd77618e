"""Repairs a damaged checkpoint from other sources, so that nothing is lost and nothing written twice.

- The marker in Kafka holds the name of the query. The group of the application holds the offsets of its last batch.
  Spark's records of them are rewritten.
- An older snapshot and the changes after it give the state of a newer snapshot, which is removed.
- If the state of the last batch is lost, the repair goes back to an earlier batch. Later batches are executed
  again with the same offsets and batch times. They are not written, because the marker says that they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from runner.spark.checkpoint import whole
from runner.spark.checkpoint.batch_log import SourceEnd
from runner.spark.ends import list_groups
from runner.spark.repair.damage import Damage, Examination, find_newest
from runner.spark.sink.marker import Marker

COMMIT_CONTENT = b'v1\n{"nextBatchWatermarkMs":0}'
"""Spark's record of each batch that it executed. There are no watermarks here."""


@dataclass(frozen=True)
class Repair:
    """A way to repair a checkpoint. It continues after batch `back_to`, -1 before the first."""

    examination: Examination
    marker: Marker
    back_to: int

    @property
    def last_batch(self) -> int:
        return self.examination.last_batch

    @property
    def repeats(self) -> range:
        """The batches to execute again."""
        return range(self.back_to + 1, self.last_batch + 1)

    @classmethod
    def find(cls, examination: Examination, marker: Marker) -> Repair | None:
        """The repair that goes back least. None if there is none. The marker is that of the last batch."""
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
        """Goes back to the newest intact batch after which the plans of all batches are known."""
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
        # batch 0 of a seeded epoch began with state of an older epoch, which is gone
        return None if examination.program.plan.is_seeded or later is None else cls(examination, marker, -1)

    def carry_out(self, offsets: Mapping[str, list[int]]) -> None:
        """Repair the checkpoint. `offsets` are Kafka's for the last batch. The writer of the job must be fenced.

        1. Write the name of the query again if it is damaged, and remove a damaged schema that has an intact copy.
        2. Remove broken snapshots. Spark then restores from an older snapshot and the changes after it.
        3. If the state of the last batch is lost, plan the batches after `back_to` again, as they were
           (`Checkpoint.carry_out_again`).
        4. Write the offsets of the two newest batches again if they are damaged. Spark looks for both at a start.
        5. Write Spark's record that batch `back_to` is done. Without it Spark would execute that batch again, from the
           state before it, which may be damaged or gone.

        Only damaged files are removed, and what the batches of 3 make again. So a crash at any point leaves a
        checkpoint that the same repair completes: what is whole by then is not touched again. The marker in Kafka does
        not change.
        `test_each_kind_of_file_may_be_damaged_and_no_result_is_lost_or_written_twice` damages each kind of file.
        """
        for each in self.examination.damage:  # 1
            if each.kind == "metadata":
                whole.write(self.examination.folder / each.file, orjson.dumps({"id": self.marker.query_id}))
            elif each.kind == "schema":
                whole.remove(self.examination.folder / each.file)
        for store in self.examination.stores.values():  # 2
            store.remove_broken_snapshots()
        if self.repeats:  # 3
            if not self.examination.has_plan(self.last_batch):
                self._write_offsets(self.last_batch, offsets)
            self.examination.checkpoint.carry_out_again(self.back_to, self.last_batch, self.marker.fingerprint)
        # 4
        for batch in range(max(0, self.back_to - 1), self.back_to + 1):
            if not self.examination.has_log("offsets", batch):
                self._write_offsets(batch, offsets)
        if self.back_to >= 0 and not self.examination.has_log("commits", self.back_to):  # 5
            whole.write(self.examination.folder / "commits" / str(self.back_to), COMMIT_CONTENT)

    def _write_offsets(self, batch: int, offsets: Mapping[str, list[int]]) -> None:
        """Writes the offsets of the last batch, also for the one before it: Spark only asks whether it has some."""
        if (template := _find_template(self.examination)) is not None:
            whole.write(self.examination.folder / "offsets" / str(batch), _plan_batch(template, self.marker, offsets))


def _is_mendable(examination: Examination, damage: Damage) -> bool:
    """True if the file has a substitute elsewhere, or the repair can go back past it."""
    if damage.kind == "schema":
        file = examination.folder / damage.file
        return file.parent.name == "v2" and whole.find_fault(find_newest(file.parent, but=file)) is None
    return damage.kind != "state"


def _can_plan(examination: Examination) -> bool:
    """True if Kafka's offsets, one set for each topic, can plan the last batch as it was."""
    topics = [each.topic for each in examination.program.inputs]
    return len(set(topics)) == len(topics) and _find_template(examination) is not None


def _find_template(examination: Examination) -> list[bytes] | None:
    """The lines of a batch that was planned with the same settings: the newest intact one up to the last batch."""
    for batch in range(examination.last_batch, max(-1, examination.last_batch - 100), -1):
        if examination.has_log("offsets", batch):
            return (examination.folder / "offsets" / str(batch)).read_bytes().splitlines()
    return None


def _plan_batch(template: list[bytes], marker: Marker, offsets: Mapping[str, list[int]]) -> bytes:
    """Plans the last batch as it was. If the marker does not say its time, any time after the batch before will do."""
    end: SourceEnd = orjson.loads(template[-1])
    end.pop("reads_all", None)  # it is that of another batch
    end["time"] = end["time"] + 1 if marker.time is None else marker.time
    for group, topics in list_groups(end).items():
        end[group] = {topic: offsets.get(topic, places) for topic, places in topics.items()}
    return b"\n".join([*template[:-1], orjson.dumps(end)])
