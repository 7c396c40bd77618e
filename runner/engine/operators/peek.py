from __future__ import annotations

from typing import Any

from designer.topology.catalogue import register
from designer.topology.ports import Input, KStream, Output
from runner.engine.operators.shared.record_logging import LogProcessor, LogsMessage, make_record_log
from runner.engine.tasks.processor_context import ProcessorContext


@register
class Peek(LogsMessage):
    """Write a line for a record into the run's log; every record passes unchanged.

    Each task logs at most 5 lines a second.
    """

    icon = "eye"
    step_prefixes = ("KSTREAM-PEEK",)
    family = "stateless"
    summary = ("message",)
    stream = Input(KStream)
    result = Output(KStream)

    def processor(self, context: ProcessorContext) -> LogAndForward:
        return LogAndForward(make_record_log(context), self.line(context))


class LogAndForward(LogProcessor):
    """Forwards its input (KStreamPeek)."""

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        super().process(key, value, timestamp)
        self.forward(key, value, timestamp)
