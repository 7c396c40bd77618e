"""Processors process records for operators. Their task wires them to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from designer.reasons import Reason
from designer.topology.ports import PortType
from runner.engine.counts.drops import SAMPLES, LostRow
from runner.engine.records.context import RecordContext
from runner.engine.records.record import Receive, ReceiveUpdate, View, ViewAsOf
from runner.engine.stores import TimestampedStore
from runner.engine.tasks.holding import Holding

NO_REASONS: dict[str, int] = {}
NO_ROWS: dict[str, list[LostRow]] = {}
NO_BRANCHES: Mapping[str, Receive] = {}
UPDATES = frozenset({PortType.KTABLE, PortType.KGROUPED_TABLE})
"""Types that flow as updates, with a new and an old value. All others flow as records."""


class Processor:
    """Does one thing to one record and forwards (Kafka Streams' Processor, without an object per record).

    A KStream arrives at `process` and leaves by `forward`, a KTable arrives at `update` and leaves by
    `forward_update`. A node with several outputs has one way out for each in `branches`. Forwarded records are not
    counted, all others are: in + extra = out + dropped + no result + errors + waiting (`Outcomes`).
    `drop` counts a record that Kafka Streams counts as dropped. `silent` or `count_no_result` count if none was due (a
    filter that said no). `extra` counts each result after the first, `waiting` records that are held back. Count
    a result before it is made. A failure then counts as an error instead.
    """

    forwards_often = False
    """True if it forwards more than once per record, or acts after forwarding. Then each forward is guarded."""

    # An update is four arguments, `update(key, new, old, timestamp)`: Kafka Streams' `Change` would cost an object
    # for each record.
    late_updates: Literal["dropped", "ignored", "passed", "taken"] = "dropped"
    """Treatment of an update of a versioned table that is older than the row of its key."""

    node = ""
    """The node that it works for. Its task sets this afterwards."""

    context: RecordContext = RecordContext()
    """The position of its task."""

    forward: Receive
    forward_update: ReceiveUpdate
    branches: Mapping[str, Receive] = NO_BRANCHES

    drop_count = 0
    silent = 0
    silence: Reason = Reason.NOTHING
    """Reason why `silent` records had no result."""
    other_silence: dict[str, int] = NO_REASONS
    """Number of records without a result, by other reasons."""
    extra = 0
    waiting = 0
    """Number of records held back since it was made. Less than 0 if more earlier ones continued."""
    failure_count = 0
    """Errors in this part of a node that has several (`runner.engine.planning.parts`): errors of the node."""
    no_match: int | None = None
    """Records that found no row in a looked-up table. None if it looks none up."""
    closed_idle: int | None = None
    """Results that continued because no more records came. None if they wait for records."""
    reasons: dict[str, int] = NO_REASONS
    """Number of dropped records by reason."""
    lost_rows: dict[str, list[LostRow]] = NO_ROWS
    """The first rows that were dropped, or had no result, by reason."""

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        raise TypeError(f"{type(self).__name__} takes no records of a stream.")

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        raise TypeError(f"{type(self).__name__} takes no updates of a table.")

    def receiver(self, port: str, arriving: PortType) -> Callable[..., None]:
        """The method that takes the input at a port."""
        return self.update if arriving in UPDATES else self.process

    @property
    def has_store(self) -> bool:
        """True if its table has a store, from which rows are read instead of computed."""
        return False

    def view(self) -> View:
        """Looks up rows of its table."""
        raise TypeError(f"{type(self).__name__} gives no table.")

    def view_as_of(self) -> ViewAsOf:
        """Looks up rows as of a time in its versioned table."""
        raise TypeError(f"{type(self).__name__} gives no versioned table.")

    def drop(self, reason: Reason, late_ms: int | None = None) -> None:
        """Counts a record that goes no further (dropped-records-total), by the reason that is shown.

        `late_ms` says how much more grace would have kept a late one.
        """
        self.drop_count += 1
        text, reasons = reason.text, self.reasons
        try:
            count = reasons[text] + 1
        except KeyError:
            count = 1
            if not reasons:
                reasons = self.reasons = {}
        reasons[text] = count
        if count <= SAMPLES:
            self.keep_row(reason, late_ms)

    def keep_row(self, reason: Reason, late_ms: int | None = None) -> None:
        """Keeps the record as an example of those lost for a reason."""
        if (row := self.context.row)[0] >= 0:
            if not self.lost_rows:
                self.lost_rows = {}
            self.lost_rows.setdefault(reason.text, []).append(LostRow(row, late_ms))

    def count_no_result(self, reason: Reason) -> None:
        """Counts a record that has no result, for another reason than `silence`."""
        if not self.other_silence:
            self.other_silence = {}
        text = reason.text
        self.other_silence[text] = self.other_silence.get(text, 0) + 1

    def settle(self, results: int) -> None:
        """Counts a record with its number of results, drops and errors. It is silent if it had none."""
        if results:
            self.extra += results - 1
        else:
            self.silent += 1

    def flush(self) -> None:
        """Ends a batch: writes changes to state, and forwards records that were held back."""

    def count_forwarded(self, input_count: int, errors: int) -> int:
        """Number of forwarded records, from the numbers of input records and of errors here."""
        silent = self.silent + sum(self.other_silence.values())
        return input_count - errors - self.drop_count - silent - self.waiting + self.extra

    def count_forwarded_to(self, output: str, input_count: int, errors: int) -> int:
        """Number of records forwarded by that output."""
        return self.count_forwarded(input_count, errors)

    def get_other_counts(self) -> dict[str, int]:
        """The counts that only some nodes have, by name."""
        counts = {"no_match": self.no_match, "closed_idle": self.closed_idle}
        return {name: count for name, count in counts.items() if count is not None}

    def without_result(self, input_count: int, errors: int) -> dict[str, int]:
        """Number of records without a result, by reason."""
        return {**({self.silence.text: self.silent} if self.silent else {}), **self.other_silence}


class TableProcessor(Processor):
    """Makes a KTable. With a cached store, updates go out when the store is flushed, else at once."""

    holding_reason: Reason = Reason.NEWER_IN_CACHE
    """Reason for an update that was not forwarded itself."""

    def __init__(self, store: TimestampedStore | None, sends_old_values: bool) -> None:
        self.store = store
        self.sends_old_values = sends_old_values
        self.forwards_at_once = store is None or not store.is_cached
        self.forwards_often = not self.forwards_at_once

    @property
    def has_store(self) -> bool:
        return self.store is not None

    def tell_held(self) -> Holding:
        return Holding(newest={} if self.store is None else {"": self.store.read_newest()})

    def present(self, entry: Any) -> Any:
        """The value of the table for a stored value."""
        return entry

    def flush(self) -> None:
        if self.store is None:
            return
        if self.forwards_at_once:
            self.store.flush()
        else:
            self.store.flush_and_forward(self._forward_flushed, sends_old_values=self.sends_old_values)

    def _forward_flushed(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        old = None if old is None or not self.sends_old_values else self.present(old)
        self.forward_update(key, None if new is None else self.present(new), old, timestamp)

    def count_forwarded(self, input_count: int, errors: int) -> int:
        if self.store is None or not self.store.is_cached:
            return super().count_forwarded(input_count, errors)
        return self.store.forwarded_count

    def without_result(self, input_count: int, errors: int) -> dict[str, int]:
        counts = super().without_result(input_count, errors)
        if replaced_count := super().count_forwarded(input_count, errors) - self.count_forwarded(input_count, errors):
            counts[self.holding_reason.text] = replaced_count
        return counts
