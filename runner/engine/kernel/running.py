"""Batches that run in the kernel, and what they add to the Python task beside it.

The kernel processes a batch whole, or not at all. Or it leaves single records to the Python engine,
which processes them with exact errors. That is possible where such a record cannot have changed state:

- in a sub-topology without state, any record may be left;
- in others, only a record that the Python engine cannot decode either. Any other such record gives it the batch.

The Python task counts: the kernel's counts are added to its processors.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypedDict

from designer.reasons import Reason
from designer.values.tuples import Windowed
from runner import kernel
from runner.engine.counts.drops import SAMPLES, LostRow
from runner.engine.formats import DecodeError
from runner.engine.kernel.planning import KernelPlan, plan
from runner.engine.operators.joins.stream_stream import StreamJoin
from runner.engine.operators.joins.stream_table import BufferedLookup
from runner.engine.operators.shared.record_logging import LogProcessor
from runner.engine.operators.split import DEFAULT
from runner.engine.planning.parts import find_owner
from runner.engine.records.codecs import unpack
from runner.engine.records.context import NO_ROW
from runner.engine.records.record import HEADERS, KEY, ORIGIN, TARGET, TIME, VALUE, Row
from runner.engine.stores.state import State
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.task import Task

log = logging.getLogger(__name__)
Sample = tuple[int, int, int, int | None]
"""Node, counter, number of the row, and how much more grace would have kept it."""
SILENT, EXTRA, NULL_KEY, NULL_VALUE, LATE, NO_MATCH, BEFORE_SHUFFLE, FORWARDED = range(8)
OPENED, MERGED, EMITTED, EXPIRED, WAITING, FREED, OTHER_RESULT, DELETED, LOGGED = range(8, 17)
OLDER_DROPPED, OLDER, NULL_FOREIGN_KEY, NEWER_LEFT_ROW, LEFT_ROW_GONE, NO_RIGHT_ROW, BRANCHES = range(17, 24)
"""The kernel's counters, as in `runner/kernel/src/task.rs`."""
DROPS = {
    NULL_KEY: Reason.NULL_KEY,
    NULL_VALUE: Reason.NULL_VALUE,
    LATE: Reason.LATE,
    BEFORE_SHUFFLE: Reason.NULL_KEY_BEFORE_SHUFFLE,
    OLDER_DROPPED: Reason.OLDER_THAN_ROW,
    NULL_FOREIGN_KEY: Reason.NULL_FOREIGN_KEY,
    NEWER_LEFT_ROW: Reason.NEWER_LEFT_ROW,
}

NO_RESULT = {
    EXPIRED: Reason.END_OF_RETENTION,
    OTHER_RESULT: Reason.OTHER_RESULT,
    DELETED: Reason.DELETION,
    OLDER: Reason.OLDER_THAN_ROW,
    LEFT_ROW_GONE: Reason.END_OF_LEFT_ROW,
    NO_RIGHT_ROW: Reason.NO_RIGHT_ROW,
}


Blobs = tuple[int, bytes, bytes, Any]
"""A column of bytes or text: the number of nulls, the bits of those that are none, the ends, and a buffer."""


class Outcome(TypedDict):
    """What the kernel gives for a batch of a task (`runner/kernel/src/bindings.rs`). Nodes are places in its plan."""

    count: int
    """Of the rows that left. Their columns follow: numbers are in little-endian order."""
    targets: bytes
    timestamps: bytes
    keys: Blobs
    values: Blobs
    headers: Blobs
    numbers: bytes
    offsets: bytes
    for_python: list[tuple[int, int]]
    """Rows that the Python engine must run, and how many of the kernel's rows left before each."""
    counters: list[tuple[int, int, int]]
    """Node, counter and count."""
    inputs: list[tuple[int, int]]
    """Target and count."""
    samples: list[Sample]
    last_samples: list[Sample]
    lines: list[tuple[int, bytes | None, tuple[int, int] | None, bytes | None, int, str | None]]
    """Lines of the log: node, key, window, value, time (ms) and headers."""
    seconds: list[float]
    """Processor time of each node."""
    writes: list[tuple[bytes, bytes | None]]
    """Keys of the state with their new values. None: deleted."""
    deleted_ranges: list[tuple[bytes, bytes]]
    seen: list[tuple[int, int, list[tuple[bytes, int]]]]
    """Node of a deduplication, its stream time (ms), and the identities that it saw first, with their times."""


class KernelResult(NamedTuple):
    """What left the kernel, in the columns of `Outcome`, and the rows that the Python engine made.

    Each of the latter comes with the number of the kernel's rows that left before it.
    """

    outcome: Outcome
    python_rows: list[tuple[int, Row]]


def find_plan(task: Task) -> KernelPlan | None:
    """The kernel's plan of a task. None if Python runs it."""
    if not task.may_use_kernel or kernel.load() is None:
        return None
    found = plan(task.layout, task.options, task.sub_topology.number)
    return found if isinstance(found, KernelPlan) and not found.broken else None


def run(
    compiled: KernelPlan,
    task: Task,
    call: Callable[[Any, State | None], Outcome | None],
    row_at: Callable[[int], Row],
    emitted: list[Row],
    charge: Callable[[str, float], None],
) -> KernelResult | None:
    """Runs rows in the kernel: `call(plan, state)` gives them to it. None if Python must run all of them.

    `row_at` gives one of them to Python, whose results go to `emitted`, which is empty. `charge` takes the seconds of a
    node. Ends the batch of a task with state, but for `task.flush()`.
    """
    module = kernel.load()
    assert module is not None
    try:
        outcome = call(compiled.compiled, None if compiled.is_stateless else task.state)
    except module.Panicked as panic:
        compiled.broken = str(panic)
        log.warning("The kernel failed at %s. The Python engine runs these nodes from now on.", panic)
        return None
    if outcome is None:
        return None
    if not compiled.is_stateless and any(_is_readable(task, row_at(index)) for index, _ in outcome["for_python"]):
        return None
    _write_state(task.state, outcome)
    counting = _Counting(compiled, task)
    counting.add_seen(outcome)
    counting.read_again()
    counting.write_lines(outcome)
    samples: Iterator[Sample] = iter(sorted(outcome["samples"], key=lambda sample: sample[2]))
    waiting = next(samples, None)
    python_rows: list[tuple[int, Row]] = []
    for index, left_before in outcome["for_python"]:
        while waiting is not None and waiting[2] < index:
            counting.add_sample(waiting, row_at)
            waiting = next(samples, None)
        task.run((row_at(index),))
        python_rows += [(left_before, row) for row in emitted]
        emitted.clear()
    while waiting is not None:
        counting.add_sample(waiting, row_at)
        waiting = next(samples, None)
    for sample in outcome["last_samples"]:
        counting.add_sample(sample, row_at)
    counting.add_counts(
        outcome
    )  # at last: by their counts, processors decide whether to keep an example of a left record
    for node, seconds in zip(compiled.nodes, outcome["seconds"], strict=True):
        if seconds:
            charge(find_owner(node.name), seconds)
    return KernelResult(outcome, python_rows)


def _is_readable(task: Task, row: Row) -> bool:
    """True if the Python engine can decode a row. Then only it knows what the row does to state."""
    decode_key, decode_value, _ = task.entrances[row[TARGET]]
    try:
        if row[KEY] is not None:
            decode_key(row[KEY])
        if row[VALUE] is not None:
            decode_value(row[VALUE])
    except DecodeError:
        return False
    return row[TIME] >= 0


def _write_state(state: State, outcome: Outcome) -> None:
    put, delete = state.put, state.delete
    for key, value in outcome["writes"]:
        if value is None:
            delete(key)
        else:
            put(key, value)
    for start, end in outcome["deleted_ranges"]:
        state.delete_range(start, end)


class _Counting:
    """Adds the kernel's counts to the processors of the Python task."""

    def __init__(self, compiled: KernelPlan, task: Task) -> None:
        self.task = task
        shuffles = {processor.target: processor for _, processor in reversed(task.shuffles)}
        self.processors: list[Processor | None] = [
            task.processors[node.name] if node.shuffle is None else shuffles[node.shuffle] for node in compiled.nodes
        ]

    def add_counts(self, outcome: Outcome) -> None:
        for target, count in outcome["inputs"]:
            self.task.input_counts[target] += count
        for node, counter, count in outcome["counters"]:
            if counter != LOGGED:
                self._add(self.processors[node], counter, count)

    def add_seen(self, outcome: Outcome) -> None:
        """Tells deduplications what the batch saw first. Their flush forgets, and then remembers it."""
        for node, stream_time, first in outcome["seen"]:
            processor: Any = self.processors[node]
            processor.time.observe(stream_time)
            processor.looked_up |= first
            processor.new_identities |= {identity for identity, _ in first}

    def read_again(self) -> None:
        """Lets stores that know the state by heart read what the kernel wrote. Their flush would write the old."""
        for processor in self.processors:
            if isinstance(processor, StreamJoin) and processor.unmatched_store is not None:
                processor.unmatched_store.read_earliest()
            if isinstance(processor, BufferedLookup):
                processor.buffer.read_again()

    def write_lines(self, outcome: Outcome) -> None:
        """Writes the lines of the log that the kernel's records give, and counts those that are left out."""
        told = Counter[int]()
        context = self.task.record_context
        row = context.row
        for node, key, window, value, timestamp, headers in outcome["lines"]:
            processor: Any = self.processors[node]
            told[node] += 1
            context.row = (*NO_ROW[:HEADERS], headers, *NO_ROW[ORIGIN:])
            shown_key = None if key is None else unpack(key)
            shown_key = shown_key if window is None else Windowed(shown_key, *window)
            LogProcessor.process(processor, shown_key, None if value is None else unpack(value), timestamp)
        context.row = row
        for node, counter, count in outcome["counters"]:
            if counter == LOGGED:
                processor = self.processors[node]
                processor.log.left_out += count - told[node]

    def _add(self, processor: Any, counter: int, count: int) -> None:
        if counter == SILENT:
            processor.silent += count
        elif counter == EXTRA:
            processor.extra += count
        elif counter == NO_MATCH:
            processor.no_match += count
        elif counter == FORWARDED:
            processor.store.forwarded_count += count
        elif counter == OPENED:
            processor.opened_count += count
        elif counter == MERGED:
            processor.opened_count -= count
        elif counter == EMITTED:
            processor.emitted_count += count
        elif counter == WAITING:
            processor.waiting += count
        elif counter == FREED:
            processor.waiting -= count
        elif counter in NO_RESULT:
            if counter == EXPIRED:
                processor.expired_count += count
            for _ in range(count):
                processor.count_no_result(NO_RESULT[counter])
        elif counter >= BRANCHES:
            names = [*(name for _, name in processor.rules), DEFAULT]
            processor.counts[names[counter - BRANCHES]] += count
        else:
            text = DROPS[counter].text
            processor.drop_count += count
            processor.reasons = {**processor.reasons, text: processor.reasons.get(text, 0) + count}

    def add_sample(self, sample: Sample, row_at: Callable[[int], Row]) -> None:
        """Keeps an example of a reason, unless there are enough."""
        node, counter, index, late_ms = sample
        processor = self.processors[node]
        assert processor is not None
        text = (processor.silence if counter == NO_MATCH else DROPS[counter]).text
        if not processor.lost_rows:
            processor.lost_rows = {}
        kept = processor.lost_rows.setdefault(text, [])
        if len(kept) < SAMPLES:
            kept.append(LostRow(row_at(index), late_ms))
