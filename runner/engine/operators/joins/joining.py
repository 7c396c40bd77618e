"""Shared by join, left_join and outer_join: the input types decide the kind of join."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Protocol

from designer.issues import Issue
from designer.streams.lineage import Columns, Tracing, join_columns
from designer.topology.catalogue import Flows, Scope, make_record_scope
from designer.topology.ports import GlobalKTable, KStream, KTable, PortType
from designer.values.schemas import Schema
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.joins import foreign_key, stream_stream, stream_table, table_table
from runner.engine.operators.joins.form import JoinForm
from runner.engine.planning.parts import Parts
from runner.engine.planning.tables import NodeTables
from runner.engine.records.record import MovedNumbers
from runner.engine.stores.buffer import convert_waiting
from runner.engine.stores.conversion import Convert
from runner.engine.stores.duplicates import convert_record
from runner.engine.stores.unmatched_store import convert_unmatched
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext


class JoinOfTypes(Protocol):
    """One kind of join: a module for two port types."""

    def find_issues(self, join: JoinForm, inputs: Flows, /) -> Iterator[Issue]: ...

    def find_keyed_inputs(self, inputs: Flows, /) -> frozenset[str]: ...

    def plan_tables(self, join: JoinForm, plan: NodeTables, /) -> None: ...

    def make_processor(self, join: JoinForm, context: ProcessorContext, /) -> Processor: ...


BY_TYPES: Mapping[tuple[PortType, PortType], JoinOfTypes] = {
    (KStream, KStream): stream_stream,
    (KStream, KTable): stream_table,
    (KStream, GlobalKTable): stream_table,
    (KTable, KTable): table_table,
}


class Joining(JoinForm):
    """A join. Its input types decide its kind."""

    kept_ports: ClassVar[Mapping[str, Sequence[str]]] = {
        "left": ("left",),
        "right": ("right",),
        "unmatched": ("left", "right"),
        "waiting": ("left",),
    }

    def output_schema(self, inputs: Flows) -> Schema:
        left, right = inputs["left"].schema, inputs["right"].schema
        value = self.find_new_value(self.scope("value", inputs), left.value)
        return replace(left, value=value, window=table_table.find_window(left, right))

    def scope(self, field: str, inputs: Flows) -> Scope:
        """The keys see the left record. The result sees left and right, and left's fields also bare."""
        left = inputs["left"].schema
        if field == "foreign_key":
            return foreign_key.make_scope(left)
        if field == "key":
            return make_record_scope(left)
        scope = make_record_scope(left, value="left")
        return scope._replace(names={**scope.names, "right": inputs["right"].schema.value.type})

    def trace(self, tracing: Tracing) -> Columns:
        left, right = tracing.arriving["left"], tracing.arriving["right"]
        looked_up = [
            tracing.expression(path, text, left)
            for path, text in (("key", self.key), ("foreign_key", self.foreign_key))
        ]
        matched = (*looked_up, left.key, right.key, left.timestamp, right.timestamp)
        value = self.trace_value(tracing, left.value, left, left=left.value, right=right.value)
        return replace(join_columns([left, right]), key=left.key, value=value).influenced("join", *matched)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from self.refuse_nothing_to_keep(inputs["left"].schema.value.type)
        yield from self._refuse_beside_streams(inputs)
        if (inputs["left"].type, inputs["right"].type) in BY_TYPES:  # the checks of edges refuse any other pair
            yield from self.choose_join(inputs).find_issues(self, inputs)

    def find_keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return self.choose_join(inputs).find_keyed_inputs(inputs)

    def convert_kept(
        self, part: str, converts: Mapping[str, Convert], moved: MovedNumbers, key: bytes, data: bytes
    ) -> tuple[bytes, bytes]:
        if part == "unmatched":
            return key, convert_unmatched(converts, key, data)
        if part == "waiting":
            return key, convert_waiting(converts.get("left"), moved, key, data)
        return convert_record(converts.get(part), stream_stream.find_window_ms(self), key, data)

    def plan_tables(self, plan: NodeTables) -> None:
        self.choose_join(plan.inputs).plan_tables(self, plan)

    def processor(self, context: ProcessorContext) -> Processor:
        return self.choose_join(context.inputs).make_processor(self, context)

    def parts(self, inputs: Flows) -> Parts | None:
        return foreign_key.plan_parts(self, inputs) if self.choose_join(inputs) is foreign_key else None

    def _refuse_beside_streams(self, inputs: Flows) -> Iterator[Issue]:
        """The issues of fields that are filled in although the inputs are not two KTables."""
        for field in ("foreign_key", "store"):
            # a field of the form, which the issue names
            if getattr(self, field) is not None and inputs["left"].type is not KTable:
                yield Issue(OperatorIssueCode.JOIN_OF_STREAM, {"field": field}, field=field)

    def choose_join(self, inputs: Flows) -> JoinOfTypes:
        if self.foreign_key is not None and inputs["left"].type is KTable:
            return foreign_key
        return BY_TYPES[inputs["left"].type, inputs["right"].type]
