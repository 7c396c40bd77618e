"""Which stores can be taken over from Kafka Streams, and the rows that ours then hold.

The rows are made by our own stores: each record is decoded and put, as if a task had done it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from designer.topology.ports import COGROUPS
from designer.values.tuples import Windowed
from runner.engine.adopting.serialization import (
    ChangelogRecord,
    Unreadable,
    WindowKey,
    read_buffered_change,
    read_key_of_session_store,
    read_key_of_window,
    read_key_of_window_store,
)
from runner.engine.formats import DecodeError
from runner.engine.formats.sides import make_decoder_of
from runner.engine.operators.shared.buffering import BufferedUpdate, ChangeBuffer
from runner.engine.operators.suppress import Suppress
from runner.engine.planning.layout import Layout, Shuffle, Source, Store
from runner.engine.records.codecs import make_key_codec
from runner.engine.records.context import RecordContext
from runner.engine.records.record import Row, number_input
from runner.engine.stores import SessionStore, SlidingWindowStore, TimestampedStore, WindowStore
from runner.engine.stores.state import State
from runner.engine.stores.times import StreamTimes
from runner.engine.tasks.store_context import StoreContext

BY_TIME = "by_time"
"""The index of rows with a time to live. Its store makes it from the rows."""


def find_adoptable(layout: Layout) -> list[int]:
    """The numbers of the stores that Kafka Streams has, too. Global tables are read again, and indexes are made."""
    return [
        number for number, store in enumerate(layout.stores) if store.sub_topology is not None and store.part != BY_TIME
    ]


def find_obstacle(layout: Layout, store: Store) -> str | None:
    """Why the contents of a store cannot be taken over: a sentence. None if they can be."""
    at = layout.nodes[store.node]
    if store.part is not None:
        if isinstance(at.operator, Suppress) and store.part == "buffer":
            return _find_obstacle_of_sides(store)
        return f"`{store.node}` keeps `{store.part}` in a form that Streamwright cannot read from a changelog yet."
    if store.kind == "versioned":
        return f"`{store.name}` keeps earlier values of its rows, which Streamwright cannot take over yet."
    if getattr(at.operator, "functions", ()):
        return (
            f"`{store.node}` computes functions, whose intermediate values are not those of a Kafka Streams program. "
            "Write the aggregation as `init` and `add`."
        )
    if store.kind in ("window", "session") and store.window is not None:
        if store.window.emit == "on_close":
            return f"`{store.node}` emits on close, and what it has emitted is not in a changelog."
        if store.window.calendar is not None:
            return f"`{store.node}` has windows of a calendar, which Kafka Streams does not have."
        if at.inputs.only.type in COGROUPS:
            return f"`{store.node}` aggregates a windowed cogroup, which Streamwright cannot take over yet."
    return _find_obstacle_of_sides(store)


def _find_obstacle_of_sides(store: Store) -> str | None:
    for name, side in (("keys", store.key), ("values", store.value)):
        if side.schema is not None and side.schema.registry:
            return f"The {name} of `{store.name}` have schemas of a registry, which Streamwright cannot take over yet."
    return None


class AdoptedTask:
    """The state of one task, filled from changelogs. Its rows are in `state`, once it is closed.

    Put each store before those that follow it: suppress continues at the stream time of the table before it.
    """

    def __init__(self, layout: Layout, number: int, state: State) -> None:
        self.layout = layout
        self.number = number
        self.state = state
        self.times = StreamTimes(state, number)
        self.newest: dict[str, int] = {}
        """By node, the greatest time of the records of its store."""

    def put(self, store_number: int, records: Iterable[ChangelogRecord]) -> None:
        """Fill a store from the last records of its keys. Raises Unreadable and DecodeError."""
        store = self.layout.stores[store_number]
        context = StoreContext(
            self.layout, store.node, self.number, self.state, self.times, RecordContext(), is_cached=False
        )
        if store.part is not None:
            newest = self._put_buffer(store, context, records)
        elif store.kind == "key_value":
            newest = _put_rows(store, context.get_expiring_store() or context.store(), records)
        else:
            newest = _put_windows(store, context, records)
        self.newest[store.node] = max(newest, self.newest.get(store.node, -1))
        if store.part is not None or store.kind in ("window", "session"):
            context.stream_time().observe(self._find_time(store.node))

    def close(self) -> None:
        """Write what is left to the state."""
        self.times.flush()

    def _find_time(self, node: str) -> int:
        """The stream time at which a node continues: that of its store, and for suppress that of the tables before.

        Kafka Streams does not keep it. It is the greatest time of the records that a store took.
        """
        time = self.newest[node]
        if not isinstance(self.layout.nodes[node].operator, Suppress):
            return time
        before = [edge.source for edge in self.layout.graph.edges_into(node)]
        for each in before:
            if each in self.layout.store_of:
                time = max(time, self.newest.get(each, -1))
            else:
                before += [edge.source for edge in self.layout.graph.edges_into(each)]
        return time

    def _put_buffer(self, store: Store, context: StoreContext, records: Iterable[ChangelogRecord]) -> int:
        assert store.part is not None
        buffer = ChangeBuffer(context.get_own_state(store.part))
        arriving = self.layout.nodes[store.node].inputs.only.schema
        keys, decode = make_key_codec(arriving.key, arriving.window), _make_value_decoder(arriving.value)
        operator = self.layout.nodes[store.node].operator
        assert isinstance(operator, Suppress)
        size, decode_key, newest = operator.make_size(context, arriving), make_decoder_of(arriving.key), -1
        for record in records:
            if record.value is None:  # it has left
                continue
            change = read_buffered_change(record)
            key = record.key
            if arriving.window is not None:
                key = keys.encode(_make_windowed(decode_key, read_key_of_window(record.key, arriving.window)))
            values = (decode(change.prior), decode(change.old), decode(change.new))
            row: Row = (
                target := self._find_target(store, change.topic),
                None,
                None,
                change.timestamp,
                change.headers,
                number_input(target, change.partition),
                change.offset,
            )
            buffer.put(key, BufferedUpdate(change.time, *values, change.timestamp, row, size(key, *values, row)))
            newest = max(newest, change.timestamp)
        buffer.flush()
        return newest

    def _find_target(self, store: Store, topic: str) -> int:
        """The target that rows of a topic arrive at. An internal topic of Kafka Streams is a shuffle here."""
        assert store.sub_topology is not None
        targets = self.layout.targets_of((store.sub_topology,))
        for number in targets:
            target = self.layout.targets[number]
            if isinstance(target, Source) and target.topic == topic:
                return number
        return next((number for number in targets if isinstance(self.layout.targets[number], Shuffle)), targets[0])


def _put_rows(store: Store, rows: TimestampedStore | None, records: Iterable[ChangelogRecord]) -> int:
    assert rows is not None
    decode_key, decode, newest = make_decoder_of(store.key), _make_value_decoder(store.value), -1
    for record in records:
        newest = max(newest, record.timestamp)
        if record.value is not None:
            key = decode_key(record.key) if store.window is None else None
            if store.window is not None:
                key = _make_windowed(decode_key, read_key_of_window(record.key, store.window))
            rows.put(rows.handle(key), decode(record.value), record.timestamp)
    rows.flush()
    return newest


def _put_windows(store: Store, context: StoreContext, records: Iterable[ChangelogRecord]) -> int:
    """Window and session stores. Rows go in by time, so that none seems late."""
    window = store.window
    assert window is not None
    store_class: type[WindowStore] = (
        SessionStore if store.kind == "session" else SlidingWindowStore if window.kind == "sliding" else WindowStore
    )
    rows = context.window_store(store_class)
    rows.when_expired = lambda: None
    decode_key, decode, newest = make_decoder_of(store.key), _make_value_decoder(store.value), -1
    read: list[tuple[WindowKey, ChangelogRecord]] = []
    for record in records:
        if store.kind == "session":
            key = read_key_of_session_store(record.key)
            newest = max(newest, key.end)
        else:
            key = read_key_of_window_store(record.key, window)
            newest = max(newest, record.timestamp)
        if record.value is not None:
            read.append((key, record))
    read.sort(key=lambda pair: (pair[0].end, pair[0].start))
    for key, record in read:
        windowed = _make_windowed(decode_key, key)
        timestamp = key.end if store.kind == "session" else record.timestamp
        rows.put(rows.handle(windowed), decode(record.value), timestamp)
    rows.flush()
    return newest


def _make_windowed(decode_key: Any, key: WindowKey) -> Windowed:
    return Windowed(decode_key(key.key), key.start, key.end)


def _make_value_decoder(side: Any) -> Any:
    decode = make_decoder_of(side)
    return lambda data: None if data is None else decode(data)


def find_inner_key(layout: Layout, store: Store, key: bytes) -> bytes:
    """The key of a row without its window. It decides the task of a row. Raises Unreadable."""
    window = store.window if store.part is None else layout.nodes[store.node].inputs.only.schema.window
    if window is None:
        return key
    if store.kind == "session":
        return read_key_of_session_store(key).key
    read = read_key_of_window_store if store.kind == "window" else read_key_of_window
    return read(key, window).key


__all__ = [
    "AdoptedTask",
    "ChangelogRecord",
    "DecodeError",
    "Unreadable",
    "find_adoptable",
    "find_inner_key",
    "find_obstacle",
]
