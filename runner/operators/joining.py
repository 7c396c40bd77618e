"""What join, left_join and outer_join share: the form, and which kind of join it is by what arrives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal, Protocol

from pydantic import Field

from designer.catalogue import ExpressionText, Flows, Scope, record_scope
from designer.issues import Issue
from designer.ports import GlobalKTable, Input, KStream, KTable, Output, PortType, case
from designer.schemas import Schema
from runner.engine.place import Place
from runner.engine.processor import Processor
from runner.engine.tables import NodeTables
from runner.operators import stream_table
from runner.operators.shaping import ShapesValue


class JoinOfTypes(Protocol):
    """One kind of join: a module that does it for two port types."""

    def issues(self, join: Joining, inputs: Flows, /) -> Iterator[Issue]: ...

    def keyed_inputs(self, inputs: Flows, /) -> frozenset[str]: ...

    def plan_tables(self, join: Joining, plan: NodeTables, /) -> None: ...

    def processor(self, join: Joining, place: Place, /) -> Processor: ...


BY_TYPES: Mapping[tuple[PortType, PortType], JoinOfTypes] = {
    (KStream, KTable): stream_table,
    (KStream, GlobalKTable): stream_table,
}


class Joining(ShapesValue):
    """A join; what arrives says which."""

    family = "join"
    left = Input(KStream, KTable)
    right = Input(KStream, KTable, GlobalKTable)
    result = Output(
        case(KStream, left=KStream, right=KStream),
        case(KStream, left=KStream, right=KTable),
        case(KStream, left=KStream, right=GlobalKTable),
        case(KTable, left=KTable, right=KTable),
    )

    kind: ClassVar[Literal["inner", "left", "outer"]]

    key: ExpressionText | None = Field(
        None,
        description="With a GlobalKTable: the key to look up, over the stream's record. Empty: the record's own key.",
    )
    value: ExpressionText | None = Field(
        None, description="The whole result as one expression over left and right, the values of both sides."
    )
    keep: bool = Field(True, description="Keep the fields of the left value; those named above replace or follow them.")

    def output_schema(self, inputs: Flows) -> Schema:
        left = inputs["left"].schema
        return replace(left, value=self.shaped(self.scope("value", inputs), left.value))

    def scope(self, field: str, inputs: Flows) -> Scope:
        """`key` sees the left record; the result sees left and right, and left's fields also bare."""
        left = inputs["left"].schema
        if field == "key":
            return record_scope(left)
        scope = record_scope(left, value="left")
        return scope._replace(names={**scope.names, "right": inputs["right"].schema.value.type})

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from self.nothing_to_keep(inputs["left"].schema.value.type)
        yield from self._of(inputs).issues(self, inputs)

    def keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return self._of(inputs).keyed_inputs(inputs)

    def plan_tables(self, plan: Any) -> None:
        self._of(plan.inputs).plan_tables(self, plan)

    def processor(self, place: Place) -> Processor:
        return self._of(place.inputs).processor(self, place)

    def _of(self, inputs: Flows) -> JoinOfTypes:
        return BY_TYPES[inputs["left"].type, inputs["right"].type]
