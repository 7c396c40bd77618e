from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from designer.catalogue import register
from designer.forms import StoreName
from designer.ports import KTable, Output
from designer.topics import ReadsTopic
from runner.engine.place import Place
from runner.engine.processor import TableProcessor
from runner.engine.records import View
from runner.engine.tables import NodeTables


@register
class Table(ReadsTopic):
    """Read a topic as a KTable: each record is the newest value of its key.

    A null value deletes the key; a record without a key is dropped. Updates apply in the order of their offsets,
    not of their times, as in `StreamsBuilder.table`.
    """

    icon = "table"

    result = Output(KTable)

    store: StoreName | None = Field(None, description="Name it to query the table while the job runs.")
    start: Literal["earliest", "latest"] | None = Field(
        None, description="Where reading starts the first time. Empty: earliest."
    )
    load_first: bool = Field(
        False,
        description="Read what the topic holds when the job first starts before any stream. Kafka Streams does not: "
        "it takes records of streams and tables by their times.",
    )

    def plan_tables(self, plan: NodeTables) -> None:
        plan.source(named=self.store is not None)

    def processor(self, place: Place) -> TableSource:
        return TableSource(place.store(), place.sends_old_values)


class TableSource(TableProcessor):
    """Turns records into updates (KTableSource); without a store it passes even needless deletions."""

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop("null key")
            return
        store = self.store
        if store is None:
            self.forward_update(key, value, None, timestamp)
            return
        handle = store.handle(key)
        old = store.get(handle) if self.sends_old_values and self.forwards_at_once else None
        store.put(handle, value, timestamp)
        if self.forwards_at_once:
            self.forward_update(key, value, old[0] if old else None, timestamp)

    def view(self) -> View:
        assert self.store is not None
        return self.store.view()
