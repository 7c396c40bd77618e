from __future__ import annotations

from designer.topology.catalogue import Operator, register
from designer.topology.ports import Input, KStream
from runner.engine.operators.shared.record_logging import LogProcessor, describe_key_and_value, make_record_log
from runner.engine.tasks.processor_context import ProcessorContext


@register
class Print(Operator):
    """Write key and value of a record into the run's log, as `Printed.toSysOut` does; the stream ends here.

    Each task logs at most 5 lines a second. A windowed key is shown as `[key@start/end]`.
    """

    icon = "printer"
    step_prefixes = ("KSTREAM-PRINTER",)
    family = "sinks"
    stream = Input(KStream)

    def processor(self, context: ProcessorContext) -> LogProcessor:
        return LogProcessor(make_record_log(context), describe_key_and_value)
