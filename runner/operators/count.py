from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic import Field

from designer.catalogue import Flows, Operator, register
from designer.forms import StoreName
from designer.ports import Input, KGroupedStream, KTable, Output, TimeWindowedKStream
from designer.schemas import INTEGER, Schema, Side
from runner.engine.aggregator import Aggregator
from runner.engine.place import Place
from runner.engine.processor import Processor
from runner.engine.tables import NodeTables
from runner.operators.aggregating import aggregation


@register
class Count(Operator):
    """Count the records of each key, or of each key and window.

    Without windows a record with a null value is dropped; in windows it counts, as in Kafka Streams.
    """

    icon = "hash"
    family = "aggregate"
    grouped = Input(KGroupedStream, TimeWindowedKStream)
    result = Output(KTable)

    store: StoreName | None = Field(None, description="Name it to query the counts while the job runs.")

    def output_schema(self, inputs: Flows) -> Schema:
        return replace(inputs.only.schema, value=Side("long", INTEGER))

    def plan_tables(self, plan: NodeTables) -> None:
        plan.aggregate()

    def processor(self, place: Place) -> Processor:
        return aggregation(place, Aggregator(init=int, add=one_more))


def one_more(key: Any, value: Any, timestamp: int, count: int) -> int:
    return count + 1
