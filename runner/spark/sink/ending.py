"""End of a checkpoint's last run. A start needs it once Kafka has deleted the marker.

Brokers delete offsets that a group without members has not committed for `offsets.retention.minutes`. A marker is such
an offset, so a job that was stopped for longer has none. Without further knowledge that would look like a job that has
written nothing, and its results would be written twice. Therefore:

1. A run commits a marker to Kafka before its first batch, if only to say that nothing is written.
2. Then it writes a file, named like its generation, into `runs` of its checkpoint. From here on a missing marker was
   deleted. The other way round, a crash in between would leave a checkpoint whose marker seems to be lost.
3. A run that was asked to stop puts its marker into that file after its last batch.
4. The next run finds no marker in Kafka, and puts back the one in the newest file. Only the newest counts: an older run
   that ends late says nothing about later runs. It counts only if Spark has executed nothing since.
5. If no file has a marker, and the checkpoint or Postgres knows of batches, the run refuses to guess.

A crash between 2 and 3 leaves a file without a marker. That does no harm while Kafka has the marker, and a job that
crashed is started again long before Kafka deletes it. `test_writer.py` shows 4
(`test_a_marker_that_kafka_deleted_is_put_back_where_the_run_had_ended_in_order`,
`test_an_older_run_that_ends_late_says_nothing_of_the_one_after_it`) and 5
(`test_a_run_that_left_nothing_is_not_gone_on_with_once_kafka_has_deleted_its_marker`).
"""

from __future__ import annotations

from dataclasses import asdict

import orjson

from runner.spark.checkpoint import whole
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.checkpoint.hadoop import File
from runner.spark.codes import RunCode
from runner.spark.sink.marker import NO_MARKER, Marker, make_refusal

FOLDER = "runs"


def note_begin(checkpoint: Checkpoint, generation: int) -> None:
    """Note that a run may write from now on. Its marker must be in Kafka, so a missing marker was deleted."""
    (folder := checkpoint.folder / FOLDER).mkdir(parents=True, exist_ok=True)
    whole.write(folder / str(generation), b"null")
    for older in _list_runs(checkpoint)[:-1]:
        whole.remove(older)


def note_end(checkpoint: Checkpoint, generation: int, marker: Marker) -> None:
    """Leave the marker of a run that writes no more batches."""
    whole.write(checkpoint.folder / FOLDER / str(generation), orjson.dumps(asdict(marker)))


def find_left_marker(checkpoint: Checkpoint) -> Marker | None:
    """Return the marker that the last run left, if it was asked to stop and its checkpoint did not change since.

    It may say that nothing is written. None: no run left one, or it says nothing about the checkpoint as it is now.
    """
    if not (runs := _list_runs(checkpoint)) or whole.find_fault(runs[-1]):
        return None
    left = orjson.loads(runs[-1].read_bytes())
    committed_batch = checkpoint.find_last_committed()
    last_batch = -1 if committed_batch is None else committed_batch
    return Marker(**left) if left and left["batch"] == last_batch else None


def has_lost_marker(checkpoint: Checkpoint, *, has_begun: bool) -> bool:
    """Return whether Kafka deleted the marker and no one knows what is written. Only if Kafka has no marker.

    `has_begun`: Postgres knows of a committed batch, so a marker existed, whatever is left of the checkpoint.
    Runs before 2026-11-27 wrote no file. Spark was at most one batch ahead of their marker.
    """
    if find_left_marker(checkpoint) is not None:
        return False
    if has_begun:
        return True
    if _list_runs(checkpoint):
        return checkpoint.find_last_planned() is not None
    return checkpoint.find_last_committed() not in (None, 0)


def refuse_lost_marker(checkpoint: Checkpoint, *, has_begun: bool) -> None:
    """Raise RunFailed if continuing would be a guess. Only if Kafka has no marker."""
    if has_lost_marker(checkpoint, has_begun=has_begun):
        planned_batch = checkpoint.find_last_planned()
        known = "is empty" if planned_batch is None else f"ends at batch {planned_batch}"
        raise make_refusal(
            RunCode.MARKER_MISSING, f"The checkpoint {known}, but Kafka has no marker of the job.", NO_MARKER
        )


def _list_runs(checkpoint: Checkpoint) -> list[File]:
    """Return the files of runs, oldest first."""
    return sorted((path for path in (checkpoint.folder / FOLDER).glob("[0-9]*")), key=lambda path: int(path.name))
