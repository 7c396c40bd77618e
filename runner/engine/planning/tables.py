"""Decides which tables keep a store and which send old values, as Kafka Streams does.

KTable nodes state their needs in order of definition, because the order matters: a filter sends
old values if its table was materialised *before* the filter was defined (KTableImpl, KTableSource, KTableFilter).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from designer.topology.catalogue import Flows
from designer.values.schemas import Side, WindowSpec


class TableKind(StrEnum):
    """How a node makes a table: reads it from a topic, aggregates it, computes it from another one, or joins two."""

    SOURCE = "source"
    AGGREGATE = "aggregate"
    DERIVED = "derived"
    JOINED = "joined"
    GLOBAL = "global"


@dataclass(slots=True)
class TablePlan:
    """A node's table. `is_materialized`: it has a store. `sends_old_values`: updates carry the value before."""

    kind: TableKind
    parent: TablePlan | None = None
    is_materialized: bool = False
    sends_old_values: bool = False
    other: TablePlan | None = None
    """The right parent of a join."""
    history_ms: int | None = None
    """Time over which it can be looked up as of an earlier time, itself or through its parent."""
    ttl_ms: int | None = None
    """Time for which its store keeps a row that no one updates."""
    skips_updates: bool = False
    """Some updates of its parent do not go out (suppress)."""
    is_read: bool = False
    """Someone looks up its rows."""

    @property
    def is_versioned(self) -> bool:
        """True if its updates may be older than the row of their key (GraphNode.isOutputVersioned)."""
        return self.history_ms is not None

    def read(self) -> None:
        """Someone looks up rows (KTableImpl.valueGetterSupplier): materialise the tables they are computed from."""
        if self.is_read:
            return
        self.is_read = True
        if self.kind is TableKind.SOURCE:
            self.is_materialized = True
        elif not self.is_materialized:
            for parent in self._find_parents():
                parent.read()

    def ask_old_values(self, *, is_forced: bool) -> bool:
        """Makes updates carry old values if possible. Returns whether they do (KTableImpl.enableSendingOldValues)."""
        if not self.sends_old_values:
            if self.kind is TableKind.JOINED:
                for parent in self._find_parents():
                    parent.ask_old_values(is_forced=True)
            elif not self.is_materialized and not self._can_know_old_values(is_forced):
                return False
            self.sends_old_values = True
        return True

    def ask_old_values_of_parent(self) -> None:
        """Send old values if the parent is already materialised (the constructor of KTableFilter)."""
        assert self.parent is not None
        self.sends_old_values = self.parent.ask_old_values(is_forced=False)

    def may_err_on_old_values(self) -> bool:
        """True if old values may differ from the last sent ones: after a suppress, and after a join of a table with
        itself (KAFKA-6443)."""
        return any(table.skips_updates or table.joins_itself() for table in self.find_lineage())

    def joins_itself(self) -> bool:
        """True if both sides of its join are computed from one table."""
        if self.parent is None or self.other is None:
            return False
        left, right = ({id(each) for each in side.find_lineage()} for side in (self.parent, self.other))
        return bool(left & right)

    def find_lineage(self) -> list[TablePlan]:
        """This table and all tables that it is computed from, each once: a chain of joins has them many times."""
        tables = {id(self): self}
        waiting = [self]
        while waiting:
            new_parents = {id(each): each for each in waiting.pop()._find_parents() if id(each) not in tables}
            tables |= new_parents
            waiting.extend(new_parents.values())
        return list(tables.values())

    def _can_know_old_values(self, is_forced: bool) -> bool:
        if self.parent is not None:
            return self.parent.ask_old_values(is_forced=is_forced)
        self.is_materialized = is_forced
        return is_forced

    def _find_parents(self) -> Iterator[TablePlan]:
        return (parent for parent in (self.parent, self.other) if parent is not None)


class StoreView(NamedTuple):
    """Kind of a user's store for queries from outside.

    `size_ms` is the length of its windows. `kept_ms` says how long windows or old versions are kept after the latest
    time put. For entries, it counts from their last write (None: until they are deleted).
    """

    name: str
    kind: Literal["key_value", "timestamped", "versioned", "window", "duplicates", "session"]
    size_ms: int
    kept_ms: int | None


class Contents(NamedTuple):
    """Content of a node's own store, as parts of sentences for users."""

    why_no_rebuild: str
    """Reason why it is not rebuilt from the topics. The node's name comes before it."""
    when_empty: str
    """Consequence of an empty start."""


class OwnStore(NamedTuple):
    """A node's data besides its table. Key, value and window must stay alike for old contents to fit."""

    part: str
    key: Side
    value: Side
    contents: Contents
    window: WindowSpec | None = None
    view: StoreView | None = None


@dataclass(frozen=True, slots=True)
class NodeTables:
    """The tables at the ports of one node. Through them its operator says what it gives and needs."""

    node: str
    inputs: Flows
    arriving: Mapping[str, TablePlan]
    tables: dict[str, TablePlan]
    looked_up: set[tuple[str, str]]
    own_stores: dict[str, list[OwnStore]]

    def keep(
        self,
        part: str,
        key: Side,
        value: Side,
        contents: Contents,
        window: WindowSpec | None = None,
        view: StoreView | None = None,
    ) -> None:
        """The node keeps its own store. `ProcessorContext.get_own_state(part)` then returns it."""
        self.own_stores.setdefault(self.node, []).append(OwnStore(part, key, value, contents, window, view))

    def source(self, *, is_named: bool, history_ms: int | None = None, ttl_ms: int | None = None) -> None:
        """The node makes a KTable from records. It is materialised if named, versioned, mortal or needed."""
        is_materialized = is_named or history_ms is not None or ttl_ms is not None
        table = TablePlan(TableKind.SOURCE, is_materialized=is_materialized, history_ms=history_ms, ttl_ms=ttl_ms)
        self.tables[self.node] = table

    def global_source(self) -> None:
        self.tables[self.node] = TablePlan(TableKind.GLOBAL, is_materialized=True)

    def aggregate(self, *, ttl_ms: int | None = None) -> None:
        """The node makes the table of an aggregation, which is always materialised."""
        self.tables[self.node] = TablePlan(TableKind.AGGREGATE, is_materialized=True, ttl_ms=ttl_ms)

    def derive_table(self, port: str, *, is_named: bool) -> TablePlan:
        """The node computes its table from the one at `port`. It is materialised if named, and then not versioned."""
        parent = self.arriving[port]
        history_ms = None if is_named else parent.history_ms
        table = TablePlan(TableKind.DERIVED, parent=parent, is_materialized=is_named, history_ms=history_ms)
        self.tables[self.node] = table
        return table

    def join_tables(self, *, is_named: bool, is_left_outer: bool, is_right_outer: bool) -> None:
        """The node joins the tables at left and right (KTableImpl.doJoin). The result is materialised if named."""
        left, right = self.arriving["left"], self.arriving["right"]
        if is_left_outer:
            left.ask_old_values(is_forced=True)
        if is_right_outer:
            right.ask_old_values(is_forced=True)
        left.read()
        right.read()
        self.tables[self.node] = TablePlan(TableKind.JOINED, parent=left, is_materialized=is_named, other=right)

    def look_up(self, port: str) -> None:
        """The node looks up rows of the table at `port`, but gets no updates from it."""
        self.looked_up.add((self.node, port))
        self.arriving[port].read()


@runtime_checkable
class PlansTables(Protocol):
    """An operator that keeps state, makes a table, or needs something from the tables at its ports."""

    def plan_tables(self, plan: NodeTables, /) -> None: ...
