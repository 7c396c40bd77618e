from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from designer.issues import Issue
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flows, register
from designer.topology.ports import Input, KStream, Output
from designer.values.schemas import Schema
from runner.engine.operators.shared.keying import GivesKey, find_key_misfits
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext


@register
class SelectKey(GivesKey):
    """Give each record a new key; value and time stay.

    The next grouping, join or table sends records to the task of their new key, and drops null keys. After a windowed
    aggregation, select_key replaces windowed keys with plain ones.
    """

    icon = "key"
    follows = 6
    step_prefixes = ("KSTREAM-KEY-SELECT",)
    first_step = "rekey"
    new_key_field = "key"
    family = "stateless"
    summary = ("key",)
    rekeys = True
    stream = Input(KStream)
    result = Output(KStream)

    def output_schema(self, inputs: Flows) -> Schema:
        arriving = inputs.only.schema
        return Schema(key=self.find_new_key(self.scope("key", inputs), arriving.key), value=arriving.value)

    def trace(self, tracing: Tracing) -> Columns:
        return replace(tracing.only, key=tracing.expression("key", self.key))

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from find_key_misfits(self.output_schema(inputs).key)

    def processor(self, context: ProcessorContext) -> NewKey:
        return NewKey(context.expression("key", "key", "value", "timestamp"))


class NewKey(Processor):
    """Gives each record its computed key (KStreamMap)."""

    def __init__(self, select: Callable[[Any, Any, int], Any]) -> None:
        self.select = select

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        self.forward(self.select(key, value, timestamp), value, timestamp)
