"""Shared by filter and map_values on a KTable: a table with rows computed from those of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from designer.issues import Issue
from designer.reasons import Reason
from designer.topology.catalogue import Flows
from designer.topology.ports import KTable
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.records.record import Entry, View, ViewAsOf
from runner.engine.tasks.processor import TableProcessor
from runner.engine.tasks.processor_context import ProcessorContext


class DerivedTable(TableProcessor):
    """Forwards each row as `row(key, value, timestamp)` makes it. A deleted row stays deleted without a call.

    With its own store, the result is kept. Without one, each lookup computes rows from the parent's.
    """

    skips_nothing_to_nothing = False
    silence = Reason.NO_ROW

    def __init__(self, context: ProcessorContext, row: Callable[[Any, Any, int], Any]) -> None:
        super().__init__(context.store(), context.sends_old_values)
        self.row = row
        self.processor_context = context
        self.late_updates = "passed" if self.store is None else "taken"

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        new = None if new is None else self.row(key, new, timestamp)
        if self.sends_old_values:
            old = self._compute_old(key, old, timestamp)
            if self.skips_nothing_to_nothing and old is None and new is None:
                self.silent += 1
                return
        else:
            old = None
        if self.store is not None:
            self.store.put(self.store.handle(key), new, timestamp)
        if self.forwards_at_once:
            self.forward_update(key, new, old, timestamp)

    def view(self) -> View:
        if self.store is not None:
            return self.store.view()
        parent = self.processor_context.view(next(iter(self.processor_context.inputs)))

        def look_up(key: Any) -> Entry | None:
            entry = parent(key)
            value = None if entry is None else self.row(key, *entry)
            return None if entry is None or value is None else (value, entry[1])

        return look_up

    def view_as_of(self) -> ViewAsOf:
        parent = self.processor_context.view_as_of(next(iter(self.processor_context.inputs)))

        def look_up(key: Any, time: int) -> Entry | None:
            entry = parent(key, time)
            value = None if entry is None else self.row(key, *entry)
            return None if entry is None or value is None else (value, entry[1])

        return look_up

    def _compute_old(self, key: Any, old: Any, timestamp: int) -> Any:
        if self.store is None:
            return None if old is None else self.row(key, old, timestamp)
        entry = self.store.get(self.store.handle(key))
        return None if entry is None else entry[0]


def choose_history(store: str | None, inputs: Flows) -> int | None:
    """The history of a table computed from the input. A table with its own store is not versioned."""
    return None if store is not None else inputs.only.history_ms


def refuse_store_on_stream(store: str | None, inputs: Flows) -> Iterator[Issue]:
    """The issue of a store named on a stream, which keeps no rows."""
    if store is not None and inputs.only.type is not KTable:
        yield Issue(OperatorIssueCode.STORE_OF_STREAM, field="store")
