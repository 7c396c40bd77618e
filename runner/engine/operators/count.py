from __future__ import annotations

from dataclasses import replace
from typing import Any

from designer.topology.catalogue import Flows, register
from designer.values.schemas import INTEGER, Schema, Side
from runner.engine.operators.aggregations.aggregating import make_aggregation
from runner.engine.operators.aggregations.grouping import AggregatesGroups
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext


@register
class Count(AggregatesGroups):
    """Count records by key, or by key and window. Of a KTable, count the rows of each group.

    Without windows, records with a null value are dropped. In tumbling, hopping and session windows they count, as in
    Kafka Streams (KStreamAggregate). A group of a KTable keeps its count of 0 after its last row leaves.
    """

    icon = "hash"
    follows = 11
    step_prefixes = ("counted",)
    first_step = "count"
    takes_any_order = True

    def output_schema(self, inputs: Flows) -> Schema:
        return replace(inputs.only.schema, value=Side("long", INTEGER))

    def processor(self, context: ProcessorContext) -> Processor:
        return make_aggregation(context, Aggregator(init=int, add=add_one, subtract=subtract_one, merge=add_both))


def add_one(key: Any, value: Any, timestamp: int, count: int) -> int:
    return count + 1


def subtract_one(key: Any, value: Any, timestamp: int, count: int) -> int:
    return count - 1


def add_both(key: Any, count: int, other: int) -> int:
    return count + other
