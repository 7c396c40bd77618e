from __future__ import annotations

from dataclasses import replace

from designer.catalogue import Flows, register
from designer.ports import Input, KStream, Output
from designer.schemas import Schema
from runner.engine.code.code_processor import CodeProcessor
from runner.engine.operators.shared.processing import RunsCode
from runner.engine.tasks.place import Place


@register
class ProcessValues(RunsCode):
    """As process, but each record keeps its key, so nothing behind it needs a shuffle (FixedKeyProcessor, KIP-820).

    What is forwarded must have the key of the record that is being processed; another one is an error of the record.
    A punctuator has no record and can forward nothing here.
    """

    kafka_names = ("transformValues", "flatTransformValues", "FixedKeyProcessor")

    stream = Input(KStream)
    result = Output(KStream)

    def output_schema(self, inputs: Flows) -> Schema:
        return replace(inputs.only.schema, value=self.value)

    def processor(self, place: Place) -> CodeProcessor:
        return self.made(place, None)
