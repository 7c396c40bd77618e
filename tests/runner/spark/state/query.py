"""A real query whose only work is on the state of its slots. Run as a program: `python -m … <folder> <jars>`.

`<folder>/in` holds a file per batch, with a line per operation. `<folder>/out/<batch>` gets a line per slot: a digest
of all its rows after the batch. `<folder>/die-after-commit` lets the worker of slot 0 die once, when its state is
written but its task not done; `<folder>/die-before-batch-ends` lets the query die once, when all state is committed
but the batch is not. `<folder>/tell-content` asks for `<folder>/content`: what the checkpoint says of each slot.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import Row as SparkRow
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from runner.spark.session import class_archive
from runner.spark.session.session import FIXED_SETTINGS, JAVA_OPTIONS, OF_ONE_HOST
from runner.spark.stage.slot_entries import read_stored_entries
from runner.spark.state import Changelog, ChangelogEntries, EntryVariable, SlotState, read_content

Row = tuple[bytes, bytes]


def digest(rows: Iterable[Row]) -> str:
    return hashlib.sha256(repr(list(rows)).encode()).hexdigest()


def once(order: Path) -> bool:
    """Whether the order is given; it is fulfilled once."""
    try:
        order.unlink()
    except FileNotFoundError:
        return False
    return True


class Operations(StatefulProcessor):
    """Executes the operations of its slot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def init(self, handle: Any) -> None:
        self.variable = EntryVariable(handle)

    def handleInputRows(self, key: Any, rows: Iterable[Any], timerValues: Any) -> Iterator[Any]:
        self.variable.key = slot = key[0]
        with SlotState.load(
            Changelog(ChangelogEntries(self.variable, slot)), self.folder / "state" / str(slot)
        ) as state:
            for row in sorted(rows, key=lambda row: row.seq):
                more = [row.argument.encode()] if row.operation != "delete" else []
                getattr(state, row.operation)(row.key.encode(), *more)
            seen = digest(state.range(b"", None))
            state.commit()
        if slot == 0 and once(self.folder / "die-after-commit"):
            os._exit(1)
        yield SparkRow(slot=slot, digest=seen, rows=state.size.rows)

    def close(self) -> None: ...


def session(jars: Path) -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    # a task may fail three times, so that a dead worker does not end the query
    builder = SparkSession.builder.master("local[2,4]").config("spark.sql.shuffle.partitions", "2")
    builder = builder.config("spark.driver.extraClassPath", str(next(jars.glob("*bare-naked-local-fs*.jar"))))
    java = " ".join((*JAVA_OPTIONS, *class_archive.make_java_options(jars, writes_classes=False)))
    builder = builder.config("spark.driver.extraJavaOptions", java)
    for name, value in (FIXED_SETTINGS | OF_ONE_HOST).items():
        builder = builder.config(name, value)
    return builder.config("spark.driver.memory", "512m").getOrCreate()


def run(spark: SparkSession, folder: Path) -> None:
    """Takes in the files that are there, one a batch."""
    schema = "seq LONG, slot LONG, operation STRING, key STRING, argument STRING"
    operations = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).json(str(folder / "in"))
    seen = operations.groupBy("slot").transformWithState(
        Operations(folder), "slot LONG, digest STRING, rows LONG", "append", "none"
    )

    def write(batch: DataFrame, number: int) -> None:
        lines = [row.asDict() for row in batch.collect()]
        if once(folder / "die-before-batch-ends"):
            os._exit(9)
        (folder / "out" / str(number)).write_text(json.dumps(lines))

    query = seen.writeStream.foreachBatch(write).option("checkpointLocation", str(folder / "checkpoint"))
    query.trigger(availableNow=True).start().awaitTermination()


def write_content(spark: SparkSession, folder: Path) -> None:
    """The digest of each slot as the checkpoint has it."""
    found = read_stored_entries(spark, str(folder / "checkpoint"))
    blobs: dict[int, list[tuple[int, bytes]]] = {}
    for slot, seq, entry in found.orderBy("seq").collect():
        blobs.setdefault(slot, []).append((seq, bytes(entry)))
    content = {slot: digest(read_content(held, folder / "scratch")) for slot, held in blobs.items()}
    (folder / "content").write_text(json.dumps(content))


if __name__ == "__main__":
    place = Path(sys.argv[1])
    with session(Path(sys.argv[2])) as started:
        run(started, place)
        if once(place / "tell-content"):
            write_content(started, place)
