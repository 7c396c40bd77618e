"""`python -m runner.spark.fetching`: reads the rows of a job that has stopped on a Spark cluster from its checkpoint.

Its input is the plan. The rows are then in the working copies of this host, where the past of the job opens as that of
any other, until its next run forgets them (`forget_places`). Spark's state source reads them: Spark's own files are
where the cluster has written them, on any file system that holds checkpoints.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from runner.plan import Plan
from runner.spark.checkpoint.hadoop import add_settings
from runner.spark.program import Program, make_program
from runner.spark.session.session import start_session
from runner.spark.stage.slot_entries import Slots, map_slots
from runner.spark.state import fill_copy, read_head_key
from runner.spark.state.copy_file import copy_file
from runner.spark.state.far import AWAY


def main() -> None:
    """Reads all slots that are away. Raises any error of Spark."""
    plan = Plan.model_validate_json(sys.stdin.buffer.read())
    with TemporaryDirectory(dir=Path(plan.state_dir).parent, prefix="fetch-") as folder:
        fetch(make_program(plan), Path(folder))


def fetch(program: Program, scratch: Path) -> None:
    """Puts the rows of each slot into its folder.

    1. Make the working copy in `scratch`, then move it. A crash before leaves the slot away.
    2. Forget the executor last: as long as it is named, nobody opens the copy.
    """
    plan = program.plan
    spark = start_session(plan.model_copy(update={"executors": None, "state_dir": str(scratch)}))
    add_settings(plan.hadoop)
    folders = program.stages_by_folder
    filled = map_slots(spark, plan.checkpoint, range(len(folders)), partial(_fill, scratch), "operator int, head long")
    for operator, head_key in filled.collect():
        stage, slot = read_head_key(head_key)
        _put(_choose_copy(scratch, operator, head_key), program.kept_directory(folders[operator][stage].depth, slot))
    for each in program.stateful:
        for slot in program.slot_ids:
            if (program.kept_directory(each.depth, slot) / AWAY).exists():  # it never changed a row
                copy_file(copy := scratch / "empty" / f"{each.depth}-{slot}")
                _put(copy, program.kept_directory(each.depth, slot))
    spark.stop()


def _fill(scratch: Path, slots: Slots) -> Iterator[pa.RecordBatch]:
    """In a worker of this host: makes the working copies of slots, and names these."""
    for operator, head_key, pieces in slots:
        fill_copy(pieces, _choose_copy(scratch, operator, head_key)).close()
        columns = [pa.array([operator], pa.int32()), pa.array([head_key], pa.int64())]
        yield pa.RecordBatch.from_arrays(columns, names=["operator", "head"])


def _choose_copy(scratch: Path, operator: int, head_key: int) -> Path:
    return scratch / f"{operator}-{head_key}"


def _put(copy: Path, directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    shutil.move(copy / "data.mdb", directory / "data.mdb")  # 1
    (directory / AWAY).unlink(missing_ok=True)  # 2


if __name__ == "__main__":
    main()
