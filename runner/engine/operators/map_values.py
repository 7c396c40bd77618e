from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import Field

from designer.issues import Issue
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flows, register
from designer.topology.forms import StoreName
from designer.topology.ports import Input, KStream, KTable, Output
from designer.values.schemas import Schema
from runner.engine.operators.shared.deriving import DerivedTable, choose_history, refuse_store_on_stream
from runner.engine.operators.shared.shaping import ShapesValue
from runner.engine.planning.tables import NodeTables
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext


@register
class MapValues(ShapesValue):
    """Change the value of each record; key and time stay.

    A KStream maps null values, too. On a KTable a null value means a deleted row and stays null.
    """

    icon = "pencil"
    follows = 7
    step_prefixes = ("KSTREAM-MAPVALUES", "KTABLE-MAPVALUES", "KTABLE-TRANSFORMVALUES")
    family = "stateless"
    summary = ("value", "fields", "store")
    records = Input(KStream, KTable)
    result = Output(like="records")

    store: StoreName | None = Field(
        None,
        description="Keeps the resulting table in a store of this name, which you can query under Tables.",
        json_schema_extra={"empty_means": "no store", "shown": {"records": ["KTable"]}},
    )

    def output_schema(self, inputs: Flows) -> Schema:
        arriving = inputs.only.schema
        return replace(arriving, value=self.find_new_value(self.scope("value", inputs), arriving.value))

    def trace(self, tracing: Tracing) -> Columns:
        return replace(tracing.only, value=self.trace_value(tracing, tracing.only.value))

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from self.refuse_nothing_to_keep(inputs.only.schema.value.type)
        yield from refuse_store_on_stream(self.store, inputs)

    def history(self, inputs: Flows) -> int | None:
        return choose_history(self.store, inputs)

    def plan_tables(self, plan: NodeTables) -> None:
        if plan.inputs.only.type is KTable:
            plan.derive_table("records", is_named=self.store is not None)

    def processor(self, context: ProcessorContext) -> Processor:
        shape = self.shape(context, "value", "key", "value", "timestamp")
        return MapRecords(shape) if context.inputs.only.type is KStream else DerivedTable(context, shape)


class MapRecords(Processor):
    """Forwards each record with its computed value (KStreamMapValues)."""

    def __init__(self, shape: Callable[[Any, Any, int], Any]) -> None:
        self.shape = shape

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        self.forward(key, self.shape(key, value, timestamp), timestamp)
