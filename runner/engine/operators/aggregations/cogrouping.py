"""Leads several streams of groups to one aggregation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from designer.expressions import name_asker
from designer.topology.ports import PortType
from runner.engine.operators.aggregations.aggregates import Aggregation
from runner.engine.stores.times import StreamTime
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext

Add = Callable[[Any, Any, int, Any], Any]


class Cogrouping(Processor):
    """Passes records on, after setting the aggregation for their input (CogroupedStreamAggregateBuilder).

    Each input has an aggregator and, with windows, its own stream time. All share one store.
    """

    def __init__(self, adds: Mapping[str, Add]) -> None:
        self.adds = adds
        self.behind: list[tuple[Aggregation, Mapping[str, Add], Mapping[str, StreamTime]]] = []
        self.active_port = ""

    def serve(self, aggregation: Aggregation, context: ProcessorContext) -> None:
        """Precedes the aggregation at that place."""
        adds = {port: name_asker(add, context.node) for port, add in self.adds.items()}
        self.behind.append((aggregation, adds, {port: context.stream_time(port) for port in self.adds}))

    def receiver(self, port: str, arriving: PortType) -> Callable[..., None]:
        def receive(key: Any, value: Any, timestamp: int) -> None:
            if self.active_port != port:
                self.turn_to(port)
            self.forward(key, value, timestamp)

        return receive

    def turn_to(self, port: str) -> None:
        self.active_port = port
        for aggregation, adds, times in self.behind:
            aggregation.add, aggregation.time = adds[port], times[port]
