"""The form and the ports of join, left_join and outer_join."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.config import JsonDict

from designer.topology.forms import CENTURY_MS, Duration, ExpressionText, StoreName
from designer.topology.ports import GlobalKTable, Input, KStream, KTable, Output, make_case
from runner.engine.operators.shared.shaping import ShapesValue

TimeApart = Annotated[int, Field(ge=-CENTURY_MS, le=CENTURY_MS, json_schema_extra={"format": "milliseconds"})]
BETWEEN_STREAMS: JsonDict = {"shown": {"left": ["KStream"], "right": ["KStream"]}}

JAVA_NAMES = {"inner": "join", "left": "leftJoin", "outer": "outerJoin"}
"""Methods of KStream and KTable."""
BY_ARRIVAL = "depends on the order in which records of several inputs arrived."
"""Reason why no store of a join is rebuilt."""


class JoinForm(ShapesValue):
    """The settings of a join of any kind."""

    family = "join"
    summary = ("key", "value", "fields", "store")
    looked_up_input = "right"
    remembers = True
    more = ("eager", "store", "on_error")
    left = Input(KStream, KTable)
    right = Input(KStream, KTable, GlobalKTable)
    result = Output(
        make_case(KStream, left=KStream, right=KStream),
        make_case(KStream, left=KStream, right=KTable),
        make_case(KStream, left=KStream, right=GlobalKTable),
        make_case(KTable, left=KTable, right=KTable),
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
        None,
        description="Expression that gives the whole result. Use `left` and `right`, the values of both sides.",
        json_schema_extra={"empty_means": "the left value with the fields below"},
    )
    keep: bool = Field(
        True, description="Keeps the fields of the left value. The fields named above replace them or are added."
    )
