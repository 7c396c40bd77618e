"""Shared by map and flat_map: records with a key and their own value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from designer.issues import Issue
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flows, Words
from designer.topology.ports import Input, KStream, Output
from designer.values.schemas import Schema
from runner.engine.operators.shared.keying import GivesKey, find_key_misfits
from runner.engine.operators.shared.shaping import ShapesValue


class GivesRecords(ShapesValue, GivesKey):
    """Computes keys and values from each record. The new key is plain, even if the old one was windowed."""

    family = "stateless"
    summary: ClassVar[tuple[str | Words, ...]] = ("key", "value", "fields")
    rekeys = True
    stream = Input(KStream)
    result = Output(KStream)

    def output_schema(self, inputs: Flows) -> Schema:
        arriving, scope = inputs.only.schema, self.scope("value", inputs)
        return Schema(key=self.find_new_key(scope, arriving.key), value=self.find_new_value(scope, arriving.value))

    def trace(self, tracing: Tracing) -> Columns:
        value = self.trace_value(tracing, tracing.only.value)
        return replace(tracing.only, key=tracing.expression("key", self.key), value=value)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from self.refuse_nothing_to_keep(inputs.only.schema.value.type)
        yield from find_key_misfits(self.output_schema(inputs).key)
