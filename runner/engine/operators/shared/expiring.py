"""Shared by tables with a time to live: they delete rows that no one updated in time."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from designer.topology.forms import WindowSize
from runner.engine.stores import ExpiringStore
from runner.engine.tasks.processor import TableProcessor

TimeToLive = Annotated[
    WindowSize | None,
    Field(
        title="Time to live",
        description=(
            "How long a row lives without an update, in record time. Each update restarts this time. Then "
            "the row is deleted, also in the nodes that follow."
        ),
        json_schema_extra={"empty_means": "the row stays"},
    ),
]


class Expiring(TableProcessor):
    """Deletes the rows that are over: before each record, by its time, and after a record that came too late itself.

    It is a base before the class that handles records. Each deletion has the time at which its row ended.
    """

    store: ExpiringStore

    def __init__(self, store: ExpiringStore, *others: Any) -> None:
        super().__init__(store, *others)
        self.forwards_often = True

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        self.store.time.observe(timestamp)
        self._delete_over()
        super().process(key, value, timestamp)
        self._delete_over()

    def _delete_over(self) -> None:
        store = self.store
        for handle, (value, timestamp) in store.find_expired():
            end = timestamp + store.ttl_ms
            self.extra += 1
            store.put(handle, None, end)
            if self.forwards_at_once:
                old = self.present(value) if self.sends_old_values else None
                self.forward_update(store.key_of(handle), None, old, end)
