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
        description="With a GlobalKTable: the key to look up, over the stream's record.",
        json_schema_extra={"shown": {"right": ["GlobalKTable"]}, "empty_means": "the record's own key"},
    )
    foreign_key: ExpressionText | None = Field(
        None,
        description="Between two KTables: the key of the right row, over key and value of the left row.",
        json_schema_extra={"shown": {"left": ["KTable"]}, "empty_means": "the left row's own key"},
    )
    before_ms: TimeApart | None = Field(
        None,
        description="Between two KStreams: how long before the record on the left the one on the right may be. "
        "Less than 0: it must be later.",
        json_schema_extra=BETWEEN_STREAMS,
    )
    after_ms: TimeApart | None = Field(
        None,
        description="Between two KStreams: how long after the record on the left the one on the right may be. "
        "Less than 0: it must be earlier.",
        json_schema_extra=BETWEEN_STREAMS,
    )
    grace_ms: Duration | None = Field(
        None,
        description=(
            "Between two KStreams: for how long records that come late still find partners "
            "(empty: 0). With a KTable that has a history: for how long records wait, so that "
            "late rows are found."
        ),
        json_schema_extra={
            "shown": {"left": ["KStream"], "right": ["KStream", "KTable"]},
            "empty_means": "they do not wait",
        },
    )
    eager: bool = Field(
        False,
        description="Between two KStreams of a left or outer join: a record without a partner comes at once with null, "
        "and again once a partner comes, as under the deprecated JoinWindows.of.",
        json_schema_extra=BETWEEN_STREAMS,
    )
    store: StoreName | None = Field(
        None,
        description="Between two KTables: name it to keep the result in a store, which stays when the node is renamed.",
        json_schema_extra={"shown": {"left": ["KTable"]}},
    )
    value: ExpressionText | None = Field(
        None, description="The whole result as one expression over left and right, the values of both sides."
    )
    keep: bool = Field(True, description="Keep the fields of the left value; those named above replace or follow them.")

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
                    message=f"`{field}` is for a join of two KTables, and here a KStream arrives.",
                    hint=f"Empty `{field}`.",
                    field=field,
                )

    def _of(self, inputs: Flows) -> JoinOfTypes:
        if self.foreign_key is not None and inputs["left"].type is KTable:
            return foreign_key
        return BY_TYPES[inputs["left"].type, inputs["right"].type]
