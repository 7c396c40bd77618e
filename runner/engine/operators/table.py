from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from designer.issues import Issue
from designer.reasons import LATE, NULL_KEY
from designer.streams.event_time import ReadsTimes
from designer.topology.catalogue import Flows, register
from designer.topology.forms import Duration, TableStoreName, make_error
from designer.topology.ports import KTable, Output
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.shared.expiring import Expiring, TimeToLive
from runner.engine.planning.tables import NodeTables
from runner.engine.records.context import RecordContext
from runner.engine.records.record import View, ViewAsOf
from runner.engine.stores import VersionedStore
from runner.engine.tasks.processor import TableProcessor
from runner.engine.tasks.processor_context import ProcessorContext


@register
class Table(ReadsTimes):
    """Read a topic as a KTable: each record is the newest value of its key.

    A record with a null value deletes the key. Records without a key are dropped. Updates apply in order of offsets,
    not of times, as in `StreamsBuilder.table`. The command `load TOPIC FILE --key FIELD` loads the rows of a
    file or a database into a topic.
    """

    icon = "table"
    step_prefixes = ("KTABLE-SOURCE",)
    kafka_names = ("KTable",)
    is_usual = True
    has_topic_of_rows = True
    remembers = True
    more = (
        *("key_type", "value_type", "timestamp_from", "timestamp_field", "timestamp_unit", "max_ahead_ms"),
        *("store", "start", "history_ms", "ttl_ms", "load_first", "on_error"),
    )

    result = Output(KTable)

    store: TableStoreName = None
    start: Literal["earliest", "latest"] | None = Field(
        None, description="Where the first run starts reading.", json_schema_extra={"empty_is": "earliest"}
    )
    history_ms: Duration | None = Field(
        None,
        description=(
            "How long the table keeps old values. A join with a stream then finds the row at the record's "
            "time. The value with the latest time is the newest."
        ),
        json_schema_extra={"empty_means": "only the last value read is kept"},
    )
    ttl_ms: TimeToLive = None
    load_first: bool = Field(
        False,
        description="Reads the topic's existing records before any stream when the job first starts. Kafka Streams "
        "does not: it processes records of streams and tables in order of time.",
    )

    @model_validator(mode="after")
    def _lives_or_has_a_history(self) -> Table:
        if self.ttl_ms is not None and self.history_ms is not None:
            raise make_error(Issue(OperatorIssueCode.TABLE_TTL), "ttl_ms")
        return self

    @property
    def is_read_first(self) -> bool:
        return self.load_first

    def choose_first_start(self, default: str) -> str:
        return self.start or "earliest"

    def history(self, inputs: Flows) -> int | None:
        return self.history_ms

    def plan_tables(self, plan: NodeTables) -> None:
        plan.source(is_named=self.store is not None, history_ms=self.history_ms, ttl_ms=self.ttl_ms)

    def processor(self, context: ProcessorContext) -> TableSource:
        versions = context.get_versioned_store()
        if versions is not None:
            return VersionedTableSource(versions, context.sends_old_values, context.record_context)
        return make_table_source(context)


def make_table_source(context: ProcessorContext) -> TableSource:
    """Turns records into the updates of a node's table."""
    expiring = context.get_expiring_store()
    if expiring is not None:
        return ExpiringTableSource(expiring, context.sends_old_values)
    return TableSource(context.store(), context.sends_old_values)


class TableSource(TableProcessor):
    """Turns records into updates (KTableSource). Without a store, even needless deletions pass."""

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop(NULL_KEY)
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

    def _forward_flushed(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        """A row of this table is the result of its record's bytes. A deletion may come from another record."""
        if new is not None:
            context = self.context
            context.read, context.key, context.value = context.row, key, new
        super()._forward_flushed(key, new, old, timestamp)


class ExpiringTableSource(Expiring, TableSource):
    """A source of a table whose rows have a time to live."""


class VersionedTableSource(TableSource):
    """A source of a table with a versioned store. A record too old for its history is dropped (KIP-889).

    A record older than the row of its key continues as an update that is not the latest.
    """

    store: VersionedStore

    def __init__(self, store: VersionedStore, sends_old_values: bool, context: RecordContext) -> None:
        super().__init__(store, sends_old_values)
        self.context = context

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop(NULL_KEY)
            return
        store = self.store
        if store.is_expired(timestamp):
            self.drop(LATE)
            return
        handle = store.handle(key)
        before = store.get(handle)
        old = before[0] if before is not None and self.sends_old_values else None
        self.context.is_latest = store.put_version(handle, value, timestamp)
        try:
            self.forward_update(key, value, old, timestamp)
        finally:
            self.context.is_latest = True

    def view_as_of(self) -> ViewAsOf:
        store = self.store
        return lambda key, time: store.as_of(store.handle(key), time)
