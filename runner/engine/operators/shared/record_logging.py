"""Shared by peek, foreach and print: a sampled line in the run's log for a record."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from pydantic import Field

from designer.expressions.casts import to_string
from designer.expressions.errors import Fault, RecordError
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Operator
from designer.topology.forms import ExpressionText
from designer.values.tuples import Windowed
from runner.engine.counts.record_log import NoLog, RecordLog, format_value
from runner.engine.planning.layers import is_clone
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext

Line = Callable[[Any, Any, int], str]


class LogsMessage(Operator):
    """An operator that writes lines with a user's text."""

    message: ExpressionText | None = Field(
        None,
        description="Expression that gives the text of the line.",
        json_schema_extra={"empty_means": "the record's key, value, time (ms) and window"},
    )

    @classmethod
    def can_fail(cls) -> bool:
        """A message is only for the log, so a failed one is a line. As an error, results would depend on the clock."""
        return False

    def trace(self, tracing: Tracing) -> Columns:
        tracing.expression("message", self.message)
        return tracing.only

    def line(self, context: ProcessorContext) -> Line:
        """The function that formats the line of a record."""
        message = context.compile_optional("message", "key", "value", "timestamp")
        return write_record if message is None else lambda *record: _describe_value(message(*record))


class LogProcessor(Processor):
    """Writes lines and forwards nothing (KStreamForeach)."""

    def __init__(self, log: RecordLog, line: Line) -> None:
        self.log = log
        self.line = line

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if not self.log.has_room():
            return
        try:
            self.log.write(self.line(key, value, timestamp))
        except RecordError as error:
            self.log.write(f"the message cannot be computed: {error.message}", logging.WARNING)


def make_record_log(context: ProcessorContext) -> RecordLog:
    """The log of this node in this task. It outlives the task, so a recreated task does not write more."""
    if is_clone(context.node):
        return NoLog(context.owner)
    return context.task.program.record_log(context.node, context.task.number)


def write_record(key: Any, value: Any, timestamp: int) -> str:
    """`key="a" value={"id":1} timestamp=5`, and with a windowed key ` window=[0-10]`."""
    window = f" window=[{key.start}-{key.end}]" if isinstance(key, Windowed) else ""
    return f"key={format_value(_write_plain(key))} value={format_value(value)} timestamp={timestamp}{window}"


def describe_key_and_value(key: Any, value: Any, timestamp: int) -> str:
    """`"a", {"id":1}`, and with a windowed key `["a"@0/10], 1` (Windowed.toString)."""
    if isinstance(key, Windowed):
        return f"[{format_value(key.key)}@{key.start}/{key.end}], {format_value(value)}"
    return f"{format_value(key)}, {format_value(value)}"


def _write_plain(key: Any) -> Any:
    return key.key if isinstance(key, Windowed) else key


def _describe_value(message: Any) -> str:
    if message is None:
        return "null"
    try:
        return to_string(message)
    except Fault:
        return format_value(message)
