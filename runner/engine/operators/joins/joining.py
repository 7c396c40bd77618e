"""What join, left_join and outer_join share: the form, and which kind of join it is by what arrives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, Protocol

from pydantic import Field
from pydantic.config import JsonDict

from designer.catalogue import Flows, Scope, record_scope
from designer.forms import CENTURY_MS, Duration, ExpressionText, StoreName
from designer.issues import Issue
from designer.ports import GlobalKTable, Input, KStream, KTable, Output, PortType, case
from designer.schemas import Schema
from runner.engine.operators.joins import foreign_key, stream_stream, stream_table, table_table
from runner.engine.operators.shared.shaping import ShapesValue
from runner.engine.planning.parts import Parts
from runner.engine.planning.tables import NodeTables
from runner.engine.tasks.place import Place
from runner.engine.tasks.processor import Processor

TimeApart = Annotated[int, Field(ge=-CENTURY_MS, le=CENTURY_MS, json_schema_extra={"format": "milliseconds"})]
BETWEEN_STREAMS: JsonDict = {"shown": {"left": ["KStream"], "right": ["KStream"]}}


class JoinOfTypes(Protocol):
    """One kind of join: a module that does it for two port types."""

    def issues(self, join: Joining, inputs: Flows, /) -> Iterator[Issue]: ...

    def keyed_inputs(self, inputs: Flows, /) -> frozenset[str]: ...

    def plan_tables(self, join: Joining, plan: NodeTables, /) -> None: ...

    def processor(self, join: Joining, place: Place, /) -> Processor: ...


BY_TYPES: Mapping[tuple[PortType, PortType], JoinOfTypes] = {
    (KStream, KStream): stream_stream,
    (KStream, KTable): stream_table,
    (KStream, GlobalKTable): stream_table,
    (KTable, KTable): table_table,
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
        description="With a GlobalKTable: expression over the stream's record that gives the key to look up.",
        json_schema_extra={"shown": {"right": ["GlobalKTable"]}, "empty_means": "the record's key"},
    )
    foreign_key: ExpressionText | None = Field(
        None,
        description="With two KTables: expression over the left row that gives the key of the right row.",
        json_schema_extra={"shown": {"left": ["KTable"]}, "empty_means": "the left row's key"},
    )
    before_ms: TimeApart | None = Field(
        None,
        description="With two KStreams: the longest time that the right record may be before the left one. Below 0: "
        "it must be later.",
        json_schema_extra=BETWEEN_STREAMS,
    )
    after_ms: TimeApart | None = Field(
        None,
        description="With two KStreams: the longest time that the right record may be after the left one. Below 0: "
        "it must be earlier.",
        json_schema_extra=BETWEEN_STREAMS,
    )
    grace_ms: Duration | None = Field(
        None,
        description=(
            "With two KStreams: how long late records can still match (empty: 0). With a KTable that has a "
            "history: how long records wait for late rows."
        ),
        json_schema_extra={
            "shown": {"left": ["KStream"], "right": ["KStream", "KTable"]},
            "empty_means": "they do not wait",
        },
    )
    eager: bool = Field(
        False,
        description="With two KStreams in a left or outer join: a record without a match gives a result with null at "
        "once, and another one when a match arrives. The deprecated JoinWindows.of does the same.",
        json_schema_extra=BETWEEN_STREAMS,
    )
    store: StoreName | None = Field(
        None,
        description="With two KTables: names the store of the result. The store is kept even if you rename the node.",
        json_schema_extra={"shown": {"left": ["KTable"]}, "empty_means": "no store"},
    )
    value: ExpressionText | None = Field(
        None, description="Expression that gives the whole result. Use `left` and `right`, the values of both sides."
    )
    keep: bool = Field(
        True, description="Keeps the fields of the left value. The fields named above replace them or are added."
    )

    def output_schema(self, inputs: Flows) -> Schema:
        left, right = inputs["left"].schema, inputs["right"].schema
        shaped = self.shaped(self.scope("value", inputs), left.value)
        return replace(left, value=shaped, window=table_table.window(left, right))

    def scope(self, field: str, inputs: Flows) -> Scope:
        """The keys see the left record; the result sees left and right, and left's fields also bare."""
        left = inputs["left"].schema
        if field == "foreign_key":
            return foreign_key.scope(left)
        if field == "key":
            return record_scope(left)
        scope = record_scope(left, value="left")
        return scope._replace(names={**scope.names, "right": inputs["right"].schema.value.type})

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from self.nothing_to_keep(inputs["left"].schema.value.type)
        yield from self._only_between_tables(inputs)
        if (inputs["left"].type, inputs["right"].type) in BY_TYPES:  # the checks of edges refuse any other pair
            yield from self._of(inputs).issues(self, inputs)

    def keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return self._of(inputs).keyed_inputs(inputs)

    def plan_tables(self, plan: Any) -> None:
        self._of(plan.inputs).plan_tables(self, plan)

    def processor(self, place: Place) -> Processor:
        return self._of(place.inputs).processor(self, place)

    def parts(self, inputs: Flows) -> Parts | None:
        return foreign_key.parts(self, inputs) if self._of(inputs) is foreign_key else None

    def _only_between_tables(self, inputs: Flows) -> Iterator[Issue]:
        """The issues of what is filled in although no two KTables arrive."""
        for field in ("foreign_key", "store"):
            if getattr(self, field) is not None and inputs["left"].type is not KTable:
                yield Issue(
                    code="join.of_stream",
                    message=f"`{field}` is for a join of two KTables, but here a KStream arrives.",
                    hint=f"Empty `{field}`.",
                    field=field,
                )

    def _of(self, inputs: Flows) -> JoinOfTypes:
        if self.foreign_key is not None and inputs["left"].type is KTable:
            return foreign_key
        return BY_TYPES[inputs["left"].type, inputs["right"].type]
