from __future__ import annotations

from collections.abc import Callable
from typing import Any

from designer.topology.catalogue import register
from runner.engine.java.place import PLAIN, RECORD, JavaPlace
from runner.engine.operators.shared.records import GivesRecords
from runner.engine.tasks.place import Place
from runner.engine.tasks.processor import Processor


@register
class Map(GivesRecords):
    """Give each record a new key and a new value, both computed from the old ones; its time stays.

    The next grouping, join or table sends records to the task of their new key, and drops null keys. Records with a
    null value are mapped, too. If only the value changes, use map_values, which needs no shuffle.
    """

    icon = "shuffle"
    step_prefixes = ("KSTREAM-MAP",)

    def java(self, place: JavaPlace) -> None:
        key, shape, source = place.expression("key"), self.java_shape(place, "value"), place.source("stream")
        pair = f"KeyValue.<{place.result_types}>pair"
        if key.needs_record or shape.needs_record:
            place.use("Records")
            mapper = f"record -> {pair}({key.write_call(RECORD)}, {shape.write_call(RECORD)})"
            place.give(
                f"{source}.process(Records.<{place.types}, {place.result_types}>map({mapper}), {place.name_argument})"
            )
        else:
            place.give(
                f"{source}.map((key, value) -> {pair}({key.write_call(PLAIN)}, {shape.write_call(PLAIN)}), "
                f"{place.name_argument})"
            )

    def processor(self, place: Place) -> NewRecord:
        select = place.expression("key", "key", "value", "timestamp")
        return NewRecord(select, self.shape(place, "value", "key", "value", "timestamp"))


class NewRecord(Processor):
    """Forwards the computed key and value of each record (KStreamMap)."""

    def __init__(self, select: Callable[[Any, Any, int], Any], shape: Callable[[Any, Any, int], Any]) -> None:
        self.select = select
        self.shape = shape

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        self.forward(self.select(key, value, timestamp), self.shape(key, value, timestamp), timestamp)
