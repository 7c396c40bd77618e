from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pydantic import Field

from designer.catalogue import ExpressionText, Flows, Operator, register
from designer.expressions import check
from designer.formats import FormatName, fits, side_of
from designer.issues import Issue
from designer.ports import Input, KStream, Output
from designer.schemas import Schema, Side
from designer.topics import misfit
from runner.engine.place import Place
from runner.engine.processor import Processor


@register
class SelectKey(Operator):
    """Give each record a new key; value and time stay.

    The next grouping, join or table behind it sends records to the task of their new key. A null key is allowed
    and dropped there.
    """

    icon = "key"
    family = "stateless"
    rekeys = True
    stream = Input(KStream)
    result = Output(KStream)

    key: ExpressionText = Field(description="The new key.")
    key_format: FormatName | None = Field(
        None, description="How the new keys are written in bytes. Empty: as the old ones, where that fits."
    )

    def output_schema(self, inputs: Flows) -> Schema:
        """The new key is a plain one, even where the old was windowed."""
        arriving = inputs.only.schema
        selected = check(self.key, self.scope("key", inputs)).type
        chosen = Side(self.key_format, selected) if self.key_format else side_of(selected, arriving.key.format)
        return Schema(key=chosen, value=arriving.value)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        key = self.output_schema(inputs).key
        if not fits(key):
            yield misfit("key_format", key)

    def processor(self, place: Place) -> NewKey:
        return NewKey(place.expression("key", "key", "value", "timestamp"))


class NewKey(Processor):
    """Gives each record the key that is computed from it (KStreamMap)."""

    def __init__(self, select: Callable[[Any, Any, int], Any]) -> None:
        self.select = select

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        self.forward(self.select(key, value, timestamp), value, timestamp)
