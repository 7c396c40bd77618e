"""The test driver with the kernel: each task takes the rows of a batch at its end, as a slot on Spark does.

Tests of equality run the Python engine in the same way (`engine="python"`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any, Literal

from runner.engine.counts.drops import add as add_drops
from runner.engine.counts.outcomes import merge_outcomes
from runner.engine.driver import Driver, add_counts
from runner.engine.kernel.planning import InPython, KernelPlan, plan
from runner.engine.kernel.running import Outcome, find_plan, run
from runner.engine.records.record import Emit, Row
from runner.engine.stores.state import State
from runner.engine.tasks.task import Task


class KernelDriver(Driver):
    """Runs in the kernel what it knows, or all in Python. Tasks live for one batch."""

    def __init__(self, *args: Any, engine: Literal["kernel", "python"] = "kernel", **options: Any) -> None:
        self.engine = engine
        self.rows_in_kernel = self.rows_in_python = 0
        super().__init__(*args, **options | {"is_one_life": False})

    def move_to(self, engine: Literal["kernel", "python"]) -> None:
        """Lets that engine run the next batches."""
        self.engine = engine
        self._end()
        self._start()

    def list_reasons(self) -> list[str]:
        """Why sub-topologies run in Python."""
        plans = [plan(self.layout, self.options, each.number) for each in self.layout.sub_topologies]
        return [each.reason for each in plans if isinstance(each, InPython)]

    def flush(self) -> None:
        """The same, but a task lives until its flush. A loop that brings more rows gives them to a new one."""
        self.globals.flush()
        self.to_flush = set(range(len(self.tasks)))
        while self.to_flush:
            for number in sorted(self.to_flush):
                self.to_flush.discard(number)
                self.tasks[number].flush()
                self._replace(number)
                self._process_waiting()
        self._end()
        self._start()

    def _replace(self, number: int) -> None:
        """Puts a new task in the place of one, whose counts are kept."""
        counts = self.tasks[number].count_passed()
        add_counts(self.earlier_counts.counters, counts.counters)
        merge_outcomes(self.earlier_counts.outcomes, counts.outcomes)
        add_drops(self.earlier_drops, self.tasks[number].drops())
        self.tasks[number] = self._make_task(number)

    def _end(self) -> None:
        self.globals.flush()  # rows that the tasks gave it at the end of this batch
        super()._end()

    def _make_task(self, number: int) -> Task:
        return KernelTask(
            self, self.layout, number, 0, self.state, self._emit, self.options, self.globals, self.wall_clock
        )


class KernelTask(Task):
    """A task of one batch, whose rows wait for its end if the kernel knows it."""

    def __init__(self, driver: KernelDriver, layout: Any, number: int, task: int, state: State, emit: Emit, *rest: Any):
        self.driver = driver
        self.waiting_rows: list[Row] = []
        self.give = emit
        self.collected: list[Row] | None = None
        super().__init__(layout, number, task, state, self._pass_on, *rest)
        self.plan = find_plan(self) if driver.engine == "kernel" else None

    def run(self, rows: Iterable[Row]) -> None:
        if self.collected is not None:
            super().run(rows)
        else:
            self.waiting_rows += rows

    def flush(self) -> None:
        if self.waiting_rows:
            rows, self.waiting_rows = self.waiting_rows, []
            if self.plan is not None and self._run_in_kernel(self.plan, rows):
                self.driver.rows_in_kernel += len(rows)
            else:
                self.driver.rows_in_python += len(rows)
                self.collected = []
                super().run(rows)
                rows_out, self.collected = self.collected, None
                for row in rows_out:
                    self.give(row)
        super().flush()

    def _pass_on(self, row: Row) -> None:
        if self.collected is None:
            self.give(row)
        else:
            self.collected.append(row)

    def _run_in_kernel(self, plan: KernelPlan, rows: Sequence[Row]) -> bool:
        def call(compiled: Any, state: State | None) -> Outcome | None:
            outcome: Outcome | None = compiled.run(self.number, state, len(rows), *make_columns(rows))
            return outcome

        self.collected = []
        try:
            result = run(plan, self, call, rows.__getitem__, self.collected, lambda node, seconds: None)
        finally:
            self.collected = None
        if result is None:
            return False
        ordered = [(2 * place + 1, row) for place, row in enumerate(read_rows(result.outcome))]
        ordered += [(2 * left_before, row) for left_before, row in result.python_rows]
        for _, row in sorted(ordered, key=lambda each: each[0]):
            self.give(row)
        return True


def read_rows(outcome: Outcome) -> list[Row]:
    """The rows that left the kernel."""
    targets, numbers = array("i", outcome["targets"]), array("i", outcome["numbers"])
    timestamps, offsets = array("q", outcome["timestamps"]), array("q", outcome["offsets"])
    keys, values, headers = (_read_blobs(outcome[name]) for name in ("keys", "values", "headers"))
    texts = [None if each is None else each.decode() for each in headers]
    return list(zip(targets, keys, values, timestamps, texts, numbers, offsets, strict=True))


def make_columns(rows: Sequence[Row]) -> tuple[Any, ...]:
    """Rows as `Plan.run` takes them."""
    targets, keys, values, timestamps, headers, numbers, offsets = zip(*rows, strict=True)
    texts = [None if each is None else each.encode() for each in headers]
    return (
        (_view(array("i", targets)), 0),
        (_view(array("q", timestamps)), 0),
        _make_blobs(keys),
        _make_blobs(values),
        _make_blobs(texts),
        (_view(array("i", numbers)), 0),
        (_view(array("q", offsets)), 0),
    )


def _make_blobs(blobs: Sequence[bytes | None]) -> tuple[Any, Any, Any, int]:
    bits = sum(1 << place for place, each in enumerate(blobs) if each is not None)
    ends = array("i", [0, *accumulate(len(each or b"") for each in blobs)])
    data = b"".join(each or b"" for each in blobs)
    return _view(bits.to_bytes(len(blobs) // 8 + 1, "little")), _view(ends), _view(data), 0


def _view(buffer: Any) -> memoryview:
    return memoryview(buffer).cast("B").cast("b")


def _read_blobs(column: tuple[int, bytes, bytes, Any]) -> list[bytes | None]:
    _, valid, ends_data, data = (*column[:3], bytes(column[3]))
    ends, bits = array("i", ends_data), int.from_bytes(valid, "little")
    pairs = pairwise(ends)
    return [data[start:end] if bits >> place & 1 else None for place, (start, end) in enumerate(pairs)]
