from __future__ import annotations

from dataclasses import replace

from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flows, register
from designer.topology.ports import Input, KStream, Output
from designer.values.schemas import Schema
from runner.engine.code.code_processor import CodeProcessor
from runner.engine.operators.shared.processing import RunsCode
from runner.engine.tasks.processor_context import ProcessorContext


@register
class ProcessValues(RunsCode):
    """Process each record in Python and keep its key, so that no shuffle follows (FixedKeyProcessor, KIP-820).

    It works like process. A forwarded record must have the key of the record that is being processed; another key is an
    error of the record. A punctuator has no record, so it cannot forward anything.
    """

    kafka_names = ("transformValues", "flatTransformValues", "FixedKeyProcessor")
    step_prefixes = ("KSTREAM-PROCESSVALUES", "KSTREAM-TRANSFORMVALUES")

    stream = Input(KStream)
    result = Output(KStream)

    def output_schema(self, inputs: Flows) -> Schema:
        return replace(inputs.only.schema, value=self.value)

    def trace(self, tracing: Tracing) -> Columns:
        return replace(super().trace(tracing), key=tracing.only.key)

    def processor(self, context: ProcessorContext) -> CodeProcessor:
        return self.make_processor(context, None)
