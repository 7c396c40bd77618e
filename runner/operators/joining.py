"""What join and left_join of a stream with a table share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from designer.catalogue import ExpressionText, Flows, Scope, record_scope
from designer.expressions import check
from designer.issues import Issue
from designer.ports import GlobalKTable, Input, KStream, KTable, Output
from designer.schemas import Schema, Type, alike
from runner.engine.place import Place
from runner.engine.processor import Processor
from runner.engine.records import View
from runner.engine.tables import NodeTables
from runner.operators.shaping import ShapesValue


class StreamTableJoin(ShapesValue):
    """A stream whose records look up a row of a table; only the stream's records give results."""

    family = "join"
    stream = Input(KStream)
    table = Input(KTable, GlobalKTable)
    result = Output(KStream)

    is_left: ClassVar[bool] = False

    key: ExpressionText | None = Field(
        None,
        description="With a GlobalKTable: the key to look up, over the stream's record. Empty: the record's own key.",
    )
    value: ExpressionText | None = Field(
        None, description="The whole result as one expression over left (the stream's value) and right (the table's)."
    )
    keep: bool = Field(True, description="Keep the fields of the left value; those named above replace or follow them.")

    def output_schema(self, inputs: Flows) -> Schema:
        left = inputs["stream"].schema
        return replace(left, value=self.shaped(self.scope("value", inputs), left.value))

    def scope(self, field: str, inputs: Flows) -> Scope:
        """`key` sees the stream's record; the result sees left and right, and left's fields also bare."""
        stream = inputs["stream"].schema
        if field == "key":
            return record_scope(stream)
        scope = record_scope(stream, value="left")
        return scope._replace(names={**scope.names, "right": inputs["table"].schema.value.type})

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from self.nothing_to_keep(inputs["stream"].schema.value.type)
        is_global = inputs["table"].type is GlobalKTable
        if self.key is not None and not is_global:
            yield Issue(
                code="join.key_of_table",
                message="A KTable is looked up by the key of the stream's record; `key` is for a GlobalKTable.",
                hint="Empty `key` and put select_key before the join, or read the table with global_table.",
                field="key",
            )
        else:
            yield from self._keys_agree(inputs, is_global)

    def _keys_agree(self, inputs: Flows, is_global: bool) -> Iterator[Issue]:
        table = inputs["table"].schema
        looked_up = self._looked_up(inputs)
        if inputs["stream"].schema.window != table.window and self.key is None:
            yield _mismatch("Only one side of the join has windowed keys", "Give the stream a plain key by select_key.")
        elif not alike(looked_up, table.key.type):
            types = f"The stream's keys are {looked_up.kind.value}, the table's {table.key.type.kind.value}"
            hint = "Cast the key" if self.key else "Set `key`" if is_global else "Put a select_key with a cast"
            yield _mismatch(types, f"{hint} to get {table.key.type.kind.value}.")
        elif not is_global and inputs["stream"].schema.key.format != table.key.format:
            formats = f"The stream's keys are written as {inputs['stream'].schema.key.format}"
            yield _mismatch(
                f"{formats}, the table's as {table.key.format}",
                f"Put select_key with the key format {table.key.format} before the join.",
            )

    def keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return frozenset() if inputs["table"].type is GlobalKTable else frozenset({"stream"})

    def plan_tables(self, plan: NodeTables) -> None:
        plan.look_up("table")

    def processor(self, place: Place) -> Lookup:
        """Each record looks up its own key, or the key that `key` computes."""
        key = place.optional_expression("key", "key", "value", "timestamp")
        shape = self.shape(place, "left", "key", "left", "right", "timestamp")
        view = place.view("table")
        if key is None:
            return Lookup(view, shape, is_left=self.is_left)
        return KeyedLookup(view, shape, key, is_left=self.is_left)

    def _looked_up(self, inputs: Flows) -> Type:
        if self.key is None:
            return inputs["stream"].schema.key.type
        return check(self.key, self.scope("key", inputs)).type


def _mismatch(what: str, hint: str) -> Issue:
    return Issue(code="join.keys", message=f"{what}, so no record would find its row.", hint=hint)


class Lookup(Processor):
    """Joins each record with the row of its key (KStreamKTableJoinProcessor)."""

    def __init__(self, row_of: View, shape: Callable[[Any, Any, Any, int], Any], *, is_left: bool) -> None:
        self.row_of = row_of
        self.shape = shape
        self.is_left = is_left

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if value is None or key is None:
            self.without_row(key, key, value, timestamp)
            return
        row = self.row_of(key)
        if row is not None:
            self.forward(key, self.shape(key, value, row[0], timestamp), timestamp)
        else:
            self.without_row(key, key, value, timestamp)

    def without_row(self, wanted: Any, key: Any, value: Any, timestamp: int) -> None:
        """Nothing was found, or the record can find nothing: a left join goes on with null."""
        if value is None or (wanted is None and not self.is_left):
            self.dropped += 1
        elif self.is_left:
            self.forward(key, self.shape(key, value, None, timestamp), timestamp)
        else:
            self.silent += 1


class KeyedLookup(Lookup):
    """Joins each record with the row of a key that is computed from it (KStreamGlobalKTableJoin)."""

    def __init__(
        self,
        row_of: View,
        shape: Callable[[Any, Any, Any, int], Any],
        key: Callable[[Any, Any, int], Any],
        *,
        is_left: bool,
    ) -> None:
        super().__init__(row_of, shape, is_left=is_left)
        self.key = key

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        wanted = None if value is None else self.key(key, value, timestamp)
        row = None if wanted is None else self.row_of(wanted)
        if row is not None:
            self.forward(key, self.shape(key, value, row[0], timestamp), timestamp)
        else:
            self.without_row(wanted, key, value, timestamp)
