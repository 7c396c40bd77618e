from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from designer.catalogue import Flows, register
from designer.issues import Issue
from designer.ports import Input, KStream, KTable, Output
from designer.schemas import Schema
from runner.operators.shaping import ShapesValue


@register
class MapValues(ShapesValue):
    """Change the value of each record; key and time stay.

    On a KStream null values are mapped too. On a KTable a null value means a deleted row and stays null.
    """

    icon = "pencil"
    family = "stateless"
    records = Input(KStream, KTable)
    result = Output(like="records")

    def schema(self, inputs: Flows) -> Schema:
        arriving = inputs.only.schema
        return replace(arriving, value=self.shaped(self.scope("value", inputs), arriving.value))

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from self.nothing_to_keep(inputs.only.schema.value.type)
