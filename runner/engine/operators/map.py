from __future__ import annotations

from collections.abc import Callable
from typing import Any

from designer.topology.catalogue import register
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
