"""A KStream joined with a KTable or a GlobalKTable: each record of the stream looks up a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from designer.catalogue import Flows
from designer.expressions import check
from designer.issues import Issue
from designer.ports import GlobalKTable
from designer.schemas import Type, alike
from runner.engine.place import Place
from runner.engine.processor import Processor
from runner.engine.records import View
from runner.engine.tables import NodeTables

if TYPE_CHECKING:
    from runner.operators.joining import Joining


def issues(join: Joining, inputs: Flows) -> Iterator[Issue]:
    is_global = inputs["right"].type is GlobalKTable
    if join.key is not None and not is_global:
        yield Issue(
            code="join.key_of_table",
            message="A KTable is looked up by the key of the stream's record; `key` is for a GlobalKTable.",
            hint="Empty `key` and put select_key before the join, or read the table with global_table.",
            field="key",
        )
    else:
        yield from _keys_agree(join, inputs, is_global)


def keyed_inputs(inputs: Flows) -> frozenset[str]:
    return frozenset() if inputs["right"].type is GlobalKTable else frozenset({"left"})


def plan_tables(join: Joining, plan: NodeTables) -> None:
    plan.look_up("right")


def processor(join: Joining, place: Place) -> Processor:
    """Each record looks up its own key, or the key that `key` computes."""
    key = place.optional_expression("key", "key", "value", "timestamp")
    shape = join.shape(place, "left", "key", "left", "right", "timestamp")
    view = place.view("right")
    is_left = join.kind == "left"
    if key is None:
        return Lookup(view, shape, is_left=is_left)
    return KeyedLookup(view, shape, key, is_left=is_left)


def _keys_agree(join: Joining, inputs: Flows, is_global: bool) -> Iterator[Issue]:
    stream, table = inputs["left"].schema, inputs["right"].schema
    looked_up = _looked_up(join, inputs)
    if (stream.window is None) != (table.window is None) and join.key is None:
        yield _mismatch("Only one side of the join has windowed keys", "Give the stream a plain key by select_key.")
    elif not alike(looked_up, table.key.type):
        types = f"The stream's keys are {looked_up.kind.value}, the table's {table.key.type.kind.value}"
        hint = "Cast the key" if join.key else "Set `key`" if is_global else "Put a select_key with a cast"
        yield _mismatch(types, f"{hint} to get {table.key.type.kind.value}.")
    elif not is_global and stream.key.format != table.key.format:
        formats = f"The stream's keys are written as {stream.key.format}"
        yield _mismatch(
            f"{formats}, the table's as {table.key.format}",
            f"Put select_key with the key format {table.key.format} before the join.",
        )


def _looked_up(join: Joining, inputs: Flows) -> Type:
    if join.key is None:
        return inputs["left"].schema.key.type
    return check(join.key, join.scope("key", inputs)).type


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
            self.drop("null value" if value is None else "null key")
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
