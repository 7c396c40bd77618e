"""Times by which a task orders its inputs, if a source reads the times of its records from elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from runner.engine.planning.layout import Source
from runner.engine.records.record import TARGET, Row
from runner.engine.tasks import program as engine
from runner.engine.tasks.event_time import Clock, find_time_of_rows
from runner.spark.murmur2 import Array
from runner.spark.program import Program
from runner.spark.stage.rows import get_column, make_engine_rows


class InputTimes:
    """The times by which rows are ordered among other inputs. With one input there is nothing to order."""

    def __init__(self, program: Program, wall_clock: Clock) -> None:
        expressions = engine.compile_program(program.layout)
        sources = (number for number, target in enumerate(program.layout.targets) if isinstance(target, Source))
        readers = {number: find_time_of_rows(program.layout, number, expressions, wall_clock) for number in sources}
        self.time_of: dict[int, Callable[[Row], int]] = {
            number: time_of for number, time_of in readers.items() if time_of is not None
        }

    def read_times(self, records: pa.RecordBatch) -> Array | None:
        """The times of one task's records. None if they are their timestamps."""
        if not self.time_of:
            return None
        targets, origins = get_column(records, "target"), get_column(records, "origin")
        timed_indexes = np.flatnonzero(np.isin(targets, list(self.time_of)))
        if not len(timed_indexes) or (len(np.unique(targets)) == 1 and len(np.unique(origins)) == 1):
            return None
        times: Array = get_column(records, "timestamp").copy()
        rows = make_engine_rows(records.take(pa.array(timed_indexes)))
        times[timed_indexes] = [self.time_of[row[TARGET]](row) for row in rows]
        return times
