"""Where a processor stands: what its operator gets to make it from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from designer.catalogue import Flows
from runner.engine.codecs import key_codec
from runner.engine.context import Context
from runner.engine.layers import again
from runner.engine.layout import Store
from runner.engine.parts import owner_of
from runner.engine.records import Emit, View, ViewAsOf
from runner.engine.state import PREFIX, State, Within
from runner.engine.stores import ExpiringStore, TimestampedStore, VersionedStore, WindowStore
from runner.engine.times import StreamTime

if TYPE_CHECKING:
    from runner.engine.processor import Processor
    from runner.engine.task import Task

Windows = TypeVar("Windows", bound=WindowStore)


class Place:
    """One node of one task, as `Operator.processor(place)` sees it; `owner` is the node that a user drew."""

    def __init__(self, task: Task, node: str) -> None:
        self.node = node
        self.owner = owner_of(node)
        self.task = task
        self.layout = task.layout
        self.context: Context = task.program.context
        self.inputs: Flows = self.layout.nodes[node].inputs

    def expression(self, field: str, *parameters: str) -> Callable[..., Any]:
        """The compiled expression of a field (a dotted path), over those roles in that order."""
        found = self.optional_expression(field, *parameters)
        if found is None:
            raise LookupError(f"The field {field} of {self.owner} is empty.")
        return found

    def optional_expression(self, field: str, *parameters: str) -> Callable[..., Any] | None:
        """The compiled expression of a field, or None where it is empty."""
        return self.task.program.expression(self.owner, field, parameters)

    def struct(
        self, fields: Mapping[str, str], parameters: Sequence[str], kept: str | None, one_by_one: Callable[..., Any]
    ) -> Callable[..., Any]:
        """A function that makes a struct at once, or else as `one_by_one` does (`Program.struct`)."""
        return self.task.program.struct(self.owner, fields, tuple(parameters), kept, one_by_one)

    @property
    def sends_old_values(self) -> bool:
        """Whether the updates of the table that this node gives carry the value before."""
        return self.layout.tables[self.node].sends_old_values

    def store(self) -> TimestampedStore | None:
        """The key-value store of the table that this node gives, if it is materialised."""
        number = self.layout.store_of.get(self.node)
        if number is None:
            return None
        store = self.layout.stores[number]
        keys = key_codec(store.key, store.window)
        return TimestampedStore(self.task.state, self._prefix(number), keys, self.context, cached=self._cached)

    def expiring_store(self) -> ExpiringStore | None:
        """The key-value store of the table that this node gives, if its rows have a time to live."""
        ttl_ms = self.layout.tables[self.node].ttl_ms
        if ttl_ms is None:
            return None
        number = self.layout.store_of[self.node]
        store = self.layout.stores[number]
        return ExpiringStore(
            self.task.state,
            self._prefix(number),
            key_codec(store.key, store.window),
            self.context,
            cached=self._cached,
            by_time=self.own_state("by_time"),
            ttl_ms=ttl_ms,
            time=self.stream_time("ttl"),
        )

    def versioned_store(self) -> VersionedStore | None:
        """The versioned store of the table that this node gives; its old versions lie in its own store `history`."""
        number = self.layout.store_of.get(self.node)
        if number is None or self.layout.stores[number].kind != "versioned":
            return None
        store = self.layout.stores[number]
        assert store.retention_ms is not None
        return VersionedStore(
            self.task.state,
            self._prefix(number),
            key_codec(store.key, store.window),
            self.context,
            history=self.own_state("history"),
            history_ms=store.retention_ms,
            observed=self.stream_time("history"),
        )

    def window_store(self, made: type[Windows]) -> Windows:
        """The window or session store of the table that this node gives; one that emits on close has no cache."""
        number = self.layout.store_of[self.node]
        store: Store = self.layout.stores[number]
        assert store.window is not None
        assert store.retention_ms is not None
        return made(
            self.task.state,
            self._prefix(number),
            key_codec(store.key),
            self.context,
            cached=self._cached and store.window.emit == "on_update",
            window=store.window,
            retention_ms=store.retention_ms,
            latest=self.task.times.named(f"{self.node}/start"),
        )

    def own_state(self, part: str) -> State:
        """The state of a store of its own, as `plan_tables` declared it by `keep`."""
        return Within(self.task.state, self._prefix(self.layout.own_store_of[self.owner + again(self.node), part]))

    def stream_time(self, name: str = "") -> StreamTime:
        """The stream time of this processor; one with several tells them apart by name."""
        return self.task.times.named(f"{self.node}/{name}" if name else self.node)

    def view(self, port: str) -> View:
        """Looks up rows of the table at an input port, whether it is materialised or computed from one that is."""
        return self.task.view(self._source(port))

    def view_as_of(self, port: str) -> ViewAsOf:
        """Looks up rows as of a time in the versioned table at an input port."""
        processor = self.task.processors[self._source(port)]
        assert processor is not None
        return processor.view_as_of()

    def feeding(self, port: str) -> Processor:
        """The processor whose records arrive at an input port in this task, past nodes that only pass them on."""
        node = self.node
        while True:
            node = next(edge.source for edge in self.layout.graph.edges_into(node) if port in (edge.target_port, ""))
            port, processor = "", self.task.processors[node]
            if processor is not None:
                return processor

    def _source(self, port: str) -> str:
        return next(edge.source for edge in self.layout.graph.edges_into(self.node) if edge.target_port == port)

    @property
    def emit(self) -> Emit:
        return self.task.emit

    @property
    def _cached(self) -> bool:
        return self.task.options.cache

    def _prefix(self, store: int) -> bytes:
        return PREFIX.pack(self.task.number, store)
