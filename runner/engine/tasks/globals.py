"""The global tables of a slot: whole topics, the same in every task."""

from __future__ import annotations

from collections import Counter

from designer.reasons import Reason
from runner.engine.counts.drops import SAMPLES, Drops, LostRow, describe_drops
from runner.engine.counts.outcomes import Outcomes, add_outcomes
from runner.engine.counts.record_log import RecordLog
from runner.engine.formats import DecodeError
from runner.engine.planning.layout import Layout, Source
from runner.engine.planning.options import Options
from runner.engine.records.codecs import make_key_codec
from runner.engine.records.context import RecordContext
from runner.engine.records.record import Emit, Row, View
from runner.engine.stores import TimestampedStore
from runner.engine.stores.state import GLOBAL_TASK, PREFIX, State
from runner.engine.tasks.errors import Errors, name_side
from runner.engine.tasks.event_time import Clock
from runner.engine.tasks.program import compile_program
from runner.engine.tasks.sources import make_decoders

EVERY_TASK = -1


class Globals:
    """Applies the rows of global tables, independently of stream time, and looks rows up (GlobalKTable).

    Every slot of every stage gets the same rows. Only if `reports` is true, they are counted and bad ones take
    their policy, so each is reported once.
    """

    def __init__(
        self,
        layout: Layout,
        state: State,
        emit: Emit,
        options: Options,
        wall_clock: Clock,
        *,
        reports: bool = True,
    ) -> None:
        self.layout = layout
        self.reports = reports
        self.program = compile_program(layout)
        self.errors = Errors(layout, emit, options, self._find_log, wall_clock)
        self.input_counts: Counter[str] = Counter()
        self.drop_counts: Counter[str] = Counter()
        self.dropped_rows: dict[str, list[LostRow]] = {}
        sources = {number: target for number, target in enumerate(layout.targets) if isinstance(target, Source)}
        self.targets = {number: target.node for number, target in sources.items() if target.kind == "global"}
        self.stores = {node: _make_store(layout, node, state) for node in self.targets.values()}
        self.headers: str | None = None
        """The headers of the record that is decoded."""
        self.decoders = {
            number: make_decoders(layout, node, lambda: self.headers) for number, node in self.targets.items()
        }

    def _find_log(self, node: str) -> RecordLog:
        return self.program.record_log(node, EVERY_TASK)

    def apply(
        self,
        target: int,
        key: bytes | None,
        value: bytes | None,
        timestamp: int,
        headers: str | None = None,
        origin: int = 0,
        seq: int = 0,
    ) -> None:
        """Set the row of a key, or delete it if the value is None. A null key is dropped."""
        node = self.targets[target]
        decode_key, decode_value = self.decoders[target]
        self.input_counts[node] += 1
        self.headers = headers
        row: Row = (target, key, value, timestamp, headers, origin, seq)
        if key is None:
            self.drop_counts[node] += 1
            if self.drop_counts[node] <= SAMPLES:
                self.dropped_rows.setdefault(node, []).append(LostRow(row))
            return
        store = self.stores[node]
        try:
            store.put(store.handle(decode_key(key)), None if value is None else decode_value(value), timestamp)
        except DecodeError as error:
            if self.reports:
                self.errors.deserialization(error, row, node, name_side(decode_key, row))

    def drops(self) -> Drops:
        """Records dropped since this was made: those without a key."""
        if not self.reports:
            return {}
        reason = Reason.NULL_KEY.text
        return {
            node: describe_drops(
                self.layout, {reason: count}, {reason: self.dropped_rows[node]}, lambda _: bytes.decode
            )
            for node, count in self.drop_counts.items()
        }

    def outcomes(self) -> Outcomes:
        """Number of each global table's records that became dead letters since this was made."""
        own_outcomes: Outcomes = {}
        for node, count in self.errors.dead_letters.items() if self.reports else ():
            add_outcomes(own_outcomes, node, {}, dead_letters=count)
        return own_outcomes

    def view(self, node: str) -> View:
        return self.stores[node].view()

    def flush(self) -> None:
        for store in self.stores.values():
            store.flush()

    def counters(self) -> dict[str, dict[str, int]]:
        """Records that arrived at each global table since this was made."""
        if not self.reports:
            return {}
        return {
            node: {
                "in": self.input_counts[node],
                "out": self.input_counts[node] - self.drop_counts[node] - self.errors.by_node[node],
                "dropped": self.drop_counts[node],
                "errors": self.errors.by_node[node],
            }
            for node in self.stores
        }


def _make_store(layout: Layout, node: str, state: State) -> TimestampedStore:
    number = layout.store_of[node]
    prefix = PREFIX.pack(GLOBAL_TASK, number)
    return TimestampedStore(state, prefix, make_key_codec(layout.stores[number].key), RecordContext(), is_cached=False)
