from __future__ import annotations

from collections.abc import Callable
from typing import Any

from designer.topology.catalogue import register
from runner.engine.java.writer import PLAIN, RECORD, JavaWriter
from runner.engine.operators.shared.records import GivesRecords
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext


@register
class Map(GivesRecords):
    """Give each record a new key and a new value, both computed from the old ones; its time stays.

    The next grouping, join or table sends records to the task of their new key, and drops null keys. Records with a
    null value are mapped, too. If only the value changes, use map_values, which needs no shuffle.
    """

    icon = "shuffle"
    step_prefixes = ("KSTREAM-MAP",)

    def java(self, writer: JavaWriter) -> None:
        key, shape, source = writer.expression("key"), self.java_shape(writer, "value"), writer.source("stream")
        pair = f"KeyValue.<{writer.result_types}>pair"
        if key.needs_record or shape.needs_record:
            writer.use("Records")
            mapper = f"record -> {pair}({key.write_call(RECORD)}, {shape.write_call(RECORD)})"
            types = f"{writer.types}, {writer.result_types}"
            writer.give(f"{source}.process(Records.<{types}>map({mapper}), {writer.name_argument})")
        else:
            writer.give(
                f"{source}.map((key, value) -> {pair}({key.write_call(PLAIN)}, {shape.write_call(PLAIN)}), "
                f"{writer.name_argument})"
            )

    def processor(self, context: ProcessorContext) -> NewRecord:
        select = context.expression("key", "key", "value", "timestamp")
        return NewRecord(select, self.shape(context, "value", "key", "value", "timestamp"))


class NewRecord(Processor):
    """Forwards the computed key and value of each record (KStreamMap)."""

    def __init__(self, select: Callable[[Any, Any, int], Any], shape: Callable[[Any, Any, int], Any]) -> None:
        self.select = select
        self.shape = shape

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        self.forward(self.select(key, value, timestamp), self.shape(key, value, timestamp), timestamp)
