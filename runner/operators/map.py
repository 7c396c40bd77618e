from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from designer.catalogue import Flows, register
from designer.issues import Issue
from designer.ports import Input, KStream, Output
from designer.schemas import Schema
from runner.engine.place import Place
from runner.engine.processor import Processor
from runner.operators.shared.keying import GivesKey, key_misfits
from runner.operators.shared.shaping import ShapesValue


@register
class Map(ShapesValue, GivesKey):
    """Give each record a new key and a new value, both computed from the old ones; its time stays.

    The next grouping, join or table behind it sends records to the task of their new key. A null key is allowed
    and dropped there; null values are mapped too. Where only the value changes, map_values spares the shuffle.
    """

    icon = "shuffle"
    family = "stateless"
    rekeys = True
    stream = Input(KStream)
    result = Output(KStream)

    def output_schema(self, inputs: Flows) -> Schema:
        """The new key is a plain one, even where the old was windowed."""
        arriving, scope = inputs.only.schema, self.scope("value", inputs)
        return Schema(key=self.keyed(scope, arriving.key), value=self.shaped(scope, arriving.value))

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from self.nothing_to_keep(inputs.only.schema.value.type)
        yield from key_misfits(self.output_schema(inputs).key)

    def processor(self, place: Place) -> NewRecord:
        select = place.expression("key", "key", "value", "timestamp")
        return NewRecord(select, self.shape(place, "value", "key", "value", "timestamp"))


class NewRecord(Processor):
    """Forwards the key and the value that are computed from each record (KStreamMap)."""

    def __init__(self, select: Callable[[Any, Any, int], Any], shape: Callable[[Any, Any, int], Any]) -> None:
        self.select = select
        self.shape = shape

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        self.forward(self.select(key, value, timestamp), self.shape(key, value, timestamp), timestamp)
