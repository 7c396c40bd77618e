"""Steps of one record at each node that it reaches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

from designer.values.tuples import Windowed
from runner.engine.formats.display import write_shown
from runner.engine.planning.parts import find_owner
from runner.engine.queryable.query import WindowTimes
from runner.engine.records.record import Origin
from runner.engine.tasks.processor import Processor

MAX_LENGTH = 4_096
"""Most characters shown of a key or value."""
MAX_STEPS = 500


class ShownSides(TypedDict):
    """The key and the value of a record as texts."""

    key: str | None
    window: WindowTimes | None
    value: str | None


class ShownRecord(ShownSides):
    """A record as texts. The old value of an update is `old`."""

    timestamp: int
    old: NotRequired[str | None]


class ShownOutput(ShownRecord):
    """A record that leaves a node by a port."""

    port: str


class RowValue(TypedDict):
    """The value of a row as text, with its timestamp."""

    value: str | None
    timestamp: int | None


class RowChange(TypedDict):
    """A row of a table before and after a step. Null: there was none."""

    store: str
    key: str | None
    window: WindowTimes | None
    before: RowValue | None
    after: RowValue | None


@dataclass
class Step:
    """A record at an input port of a node, with its output and its other outcomes.

    `from_step` is the step whose output it is. None for the record of the topic. `dropped` and `no_result` are reasons
    in the form of the outcomes. `waits` counts the records held back since.
    """

    node: str
    port: str | None
    record: ShownRecord
    from_step: int | None
    outputs: list[ShownOutput] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    no_result: list[str] = field(default_factory=list)
    waits: int = 0
    error: str | None = None
    rows: list[RowChange] = field(default_factory=list)
    """The touched rows of its stores, before and after."""
    met: list[Origin] = field(default_factory=list)
    """The inputs that wrote the touched rows."""


class Trace:
    """The steps of the followed record, in the order in which they begin."""

    def __init__(self) -> None:
        self.is_on = False
        self.steps: list[Step] = []
        self.open: list[int] = []
        self.senders: dict[tuple[str, str], int] = {}
        """The last step that sent to a target node and port through a shuffle."""
        self.input: Origin | None = None
        """The input in process, followed or not."""
        self.newest: dict[str, Origin | None] = {}
        """The last input of which a record reached each node."""

    def watch(
        self, receive: Callable[..., None], node: str, port: str | None, processor: Processor | None
    ) -> Callable[..., None]:
        """The same receiver, which makes a step of each record while someone follows."""

        def take(key: Any, *rest: Any) -> None:
            self.newest[find_owner(node)] = self.input
            if self.is_on and len(self.steps) < MAX_STEPS:
                with self._trace_step(node, port, processor, key, rest):
                    receive(key, *rest)
            else:
                receive(key, *rest)

        return take

    def send(self, receive: Callable[..., None], node: str, port: str, processor: Processor) -> Callable[..., None]:
        """The same way into a shuffle. Records that leave it come from the open step, where drops are noted."""

        def take(*record: Any) -> None:
            if not self.is_on or not self.open:
                receive(*record)
                return
            self.senders[find_owner(node), port] = self.open[-1]
            before = _count(processor)
            try:
                receive(*record)
            finally:
                _note(self.steps[self.open[-1]], before, _count(processor))

        return take

    def give(self, node: str, port: str, record: ShownRecord) -> None:
        """A record leaves a node: at its open step, or as its own step."""
        at = next((each for each in reversed(self.open) if self.steps[each].node == node), None)
        if at is None:
            at = self._start_step(node, None, record)
        self.steps[at].outputs.append({"port": port, **record})

    @contextmanager
    def _trace_step(
        self, node: str, port: str | None, processor: Processor | None, key: Any, rest: tuple[Any, ...]
    ) -> Iterator[None]:
        at = self._start_step(find_owner(node), port, describe(key, *rest))
        self.open.append(at)
        before = _count(processor)
        try:
            yield
        finally:
            self.open.pop()
            _note(self.steps[at], before, _count(processor))

    def _start_step(self, node: str, port: str | None, record: ShownRecord) -> int:
        above = self.open[-1] if self.open else self.senders.get((node, port or ""))
        self.steps.append(Step(node, port, record, above))
        return len(self.steps) - 1


def describe(key: Any, value: Any, *rest: Any) -> ShownRecord:
    """A record, or an update with its old value, as texts."""
    *old, timestamp = rest
    window: WindowTimes | None = None
    if isinstance(key, Windowed):
        key, window = key.key, {"start": key.start, "end": key.end}
    record: ShownRecord = {
        "key": describe_value(key),
        "window": window,
        "value": describe_value(value),
        "timestamp": timestamp,
    }
    if old:
        record["old"] = describe_value(old[0])
    return record


def describe_value(value: Any) -> str | None:
    if value is None:
        return None
    text = write_shown(value)
    return text if len(text) <= MAX_LENGTH else f"{text[:MAX_LENGTH]}…"


Counts = tuple[Counter[str], Counter[str], int]
"""Counts of a processor: drops and records without a result by reason, and how many it holds back."""


def _count(processor: Processor | None) -> Counts:
    if processor is None:
        return Counter(), Counter(), 0
    return Counter(processor.reasons), Counter(processor.without_result(0, 0)), processor.waiting


def _note(step: Step, before: Counts, after: Counts) -> None:
    """The outcome of a step's record, which a processor counted in between."""
    step.dropped += sorted(after[0] - before[0])
    step.no_result += sorted(after[1] - before[1])
    step.waits += after[2] - before[2]
