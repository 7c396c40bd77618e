from __future__ import annotations

from designer.topology.catalogue import register
from designer.topology.ports import Input, KStream
from runner.engine.operators.shared.record_logging import LogProcessor, LogsMessage, make_record_log
from runner.engine.tasks.processor_context import ProcessorContext


@register
class Foreach(LogsMessage):
    """Write a line for a record into the run's log; the stream ends here (KStreamForeach).

    Each task logs at most 5 lines a second.
    """

    icon = "message-square"
    step_prefixes = ("KSTREAM-FOREACH",)
    family = "sinks"
    summary = ("message",)
    stream = Input(KStream)

    def processor(self, context: ProcessorContext) -> LogProcessor:
        return LogProcessor(make_record_log(context), self.line(context))
