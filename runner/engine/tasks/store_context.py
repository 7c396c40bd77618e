"""The stores of a node in one task, made over the state of the task."""

from __future__ import annotations

from typing import TypeVar

from designer.topology.catalogue import Flows
from designer.topology.ports import COGROUPS
from designer.values.schemas import ANY, WindowSpec
from runner.engine.planning.layers import name_clone
from runner.engine.planning.layout import Layout, Store
from runner.engine.planning.parts import find_owner
from runner.engine.records.codecs import KeyCodec, make_key_codec
from runner.engine.records.context import RecordContext
from runner.engine.stores import ExpiringStore, TimestampedStore, VersionedStore, WindowStore
from runner.engine.stores.state import PREFIX, State, Within
from runner.engine.stores.times import StreamTime, StreamTimes

Windows = TypeVar("Windows", bound=WindowStore)


class StoreContext:
    """A node in the task of that number. `owner` is the node that a user drew."""

    def __init__(
        self,
        layout: Layout,
        node: str,
        number: int,
        state: State,
        times: StreamTimes,
        record_context: RecordContext,
        is_cached: bool,
    ) -> None:
        self.layout = layout
        self.node = node
        self.owner = find_owner(node)
        self.inputs: Flows = layout.nodes[node].inputs
        self.number = number
        self.state = state
        self.times = times
        self.record_context = record_context
        self.is_cached = is_cached

    def store(self) -> TimestampedStore | None:
        """The key-value store of this node's table, if it is materialised."""
        number = self.layout.store_of.get(self.node)
        if number is None:
            return None
        store = self.layout.stores[number]
        keys = self._make_keys(store, store.window)
        return TimestampedStore(
            self.state, self._make_prefix(number), keys, self.record_context, is_cached=self.is_cached
        )

    def get_expiring_store(self) -> ExpiringStore | None:
        """The key-value store of this node's table, if its rows have a time to live."""
        ttl_ms = self.layout.tables[self.node].ttl_ms
        if ttl_ms is None:
            return None
        number = self.layout.store_of[self.node]
        store = self.layout.stores[number]
        return ExpiringStore(
            self.state,
            self._make_prefix(number),
            self._make_keys(store, store.window),
            self.record_context,
            is_cached=self.is_cached,
            by_time=self.get_own_state("by_time"),
            ttl_ms=ttl_ms,
            time=self.stream_time("ttl"),
        )

    def get_versioned_store(self) -> VersionedStore | None:
        """The versioned store of this node's table. Its old versions are in its own store `history`."""
        number = self.layout.store_of.get(self.node)
        if number is None or self.layout.stores[number].kind != "versioned":
            return None
        store = self.layout.stores[number]
        assert store.retention_ms is not None
        return VersionedStore(
            self.state,
            self._make_prefix(number),
            make_key_codec(store.key, store.window),
            self.record_context,
            history=self.get_own_state("history"),
            history_ms=store.retention_ms,
            stream_time=self.stream_time("history"),
        )

    def window_store(self, store_class: type[Windows]) -> Windows:
        """The window or session store of this node's table. A store that emits on close has no cache."""
        number = self.layout.store_of[self.node]
        store: Store = self.layout.stores[number]
        assert store.window is not None
        assert store.retention_ms is not None
        return store_class(
            self.state,
            self._make_prefix(number),
            self._make_keys(store),
            self.record_context,
            is_cached=self.is_cached and store.window.emit == "on_update",
            window=store.window,
            retention_ms=store.retention_ms,
            latest=self.times.stream_time(f"{self.node}/start"),
        )

    def get_own_state(self, part: str) -> State:
        """The state of its own store, as `plan_tables` declared it by `keep`."""
        return Within(self.state, self._make_prefix(self.layout.own_store_of[self.owner + name_clone(self.node), part]))

    def stream_time(self, name: str = "") -> StreamTime:
        """The stream time of this processor. Names distinguish several."""
        return self.times.stream_time(f"{self.node}/{name}" if name else self.node)

    def prefix_of_table(self) -> bytes:
        """Prefix of the keys in the store of this node's table."""
        return self._make_prefix(self.layout.store_of[self.node])

    def _make_keys(self, store: Store, window: WindowSpec | None = None) -> KeyCodec:
        """The keys of its table. Those of inputs may be of other types, such as undeclared JSON beside integers.

        Then no key represents its bytes: in Python 1, 1.0 and true are equal.
        """
        keys = make_key_codec(store.key, window)
        may_differ = any(flow.type in COGROUPS or flow.schema.key.type == ANY for flow in self.inputs.values())
        return keys._replace(is_plain=False) if may_differ else keys

    def _make_prefix(self, store: int) -> bytes:
        return PREFIX.pack(self.number, store)
