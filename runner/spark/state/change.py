"""What a batch changed in the state of a slot, packed for the changelog."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import compress, repeat
from operator import ne
from typing import Any, NamedTuple

from . import entry, history
from .entry import Delta, Span
from .long_keys import make_stored_key, sort_stored
from .rows import Rows
from .sizes import Sizes, StoreSize, add, count_rows, measure_rows, sum_sizes
from .sorted_keys import Ranges
from .view import UNKNOWN


class Writes(NamedTuple):
    """What a batch wrote, and where its span begins."""

    writes: dict[bytes, bytes | None]
    """Keys with their new values. None: deleted. A value may be what it was before."""
    deleted_ranges: list[tuple[bytes, bytes]]
    """Disjoint ranges [start, end) in order, which the batch deleted before it wrote."""
    cursor: bytes
    """The stored key at which the span begins (`Roll.cursor`)."""
    least: int
    """Bytes of the span. A larger delta has a span of its size."""


class Change(NamedTuple):
    """The change of a batch, with the span to write beside it. Without `deltas` the batch changed nothing."""

    deltas: Sequence[bytes] = ()
    """Pieces of the delta, encoded."""
    undo: bytes | None = None
    """The encoded delta that undoes it. None if the batch changed too much."""
    came: Sizes = {}
    """Sizes of the changed rows as they are now, by store."""
    went: Sizes = {}
    """Sizes of these rows as they were before."""
    span_end: bytes | None = None
    """The stored key before which the span ends. None: at the end of the store."""
    spans: Sequence[bytes] = ()
    """Pieces of the span, encoded."""
    span_bytes: int = 0


def find_change(rows: Rows, given: Writes, known: Mapping[bytes, bytes | None]) -> Change:
    """Compares what a batch wrote with the rows before it, of which it has read some.

    The kernel does it where it is there, and no key is long.
    """
    if lent := rows.lend():
        packed = lent.lmdb.pack(lent.txn, *given, entry.PIECE, history.MAX_BYTES)
        if packed is not None:
            deltas, undo, came, went, span_end, spans, span_bytes = packed
            return Change(deltas, undo, _read_sizes(came), _read_sizes(went), span_end, spans, span_bytes)
    return _find_change(rows, given, known)


def _read_sizes(sizes: Sequence[tuple[int, int, int]]) -> Sizes:
    return {store: StoreSize(rows, size) for store, rows, size in sizes}


def _find_change(rows: Rows, given: Writes, known: Mapping[bytes, bytes | None]) -> Change:
    # a batch may write 100,000 rows, so each step takes all of them at once
    keys, hidden = sort_stored(given.writes), Ranges(given.deleted_ranges)
    values = [*map(given.writes.__getitem__, keys)]
    before: list[Any] = [*map(known.get, keys, repeat(UNKNOWN))]
    if UNKNOWN in before:
        before = [
            old if old is not UNKNOWN else None if hidden and key in hidden else rows.get(key)
            for key, old in zip(keys, before, strict=True)
        ]
    changed = [*map(ne, values, before)]
    if not all(changed):
        keys, values, before = [*compress(keys, changed)], [*compress(values, changed)], [*compress(before, changed)]
    deleted = [(bounds, sizes) for bounds in given.deleted_ranges if (sizes := count_rows(rows.items(*bounds)))]
    delta = Delta([bounds for bounds, _ in deleted], keys, values)
    if not keys and not deleted:
        return Change()
    went = measure_rows(keys, before)
    for _, sizes in deleted:
        went = add(went, sizes)
    undo = None
    if delta.size() + sum_sizes(went).bytes <= history.MAX_BYTES:
        deleted_rows = [row for bounds in delta.deleted_ranges for row in rows.items(*bounds)]
        undo = Delta([], [*keys, *(key for key, _ in deleted_rows)], [*before, *(value for _, value in deleted_rows)])
    span = _choose_span(rows, given, delta, max(delta.size(), given.least))
    return Change(
        [piece.encode() for piece in delta.pieces()],
        undo.encode() if undo else None,
        measure_rows(keys, values),
        went,
        span.end,
        [piece.encode() for piece in span.pieces()],
        span.size(),
    )


def _choose_span(rows: Rows, given: Writes, delta: Delta, size: int) -> Span:
    """The next stretch of the roll after the batch."""
    # the stretch is read as it was before this batch, so the batch's own changes to it are laid over: a span must
    # show the store after the whole delta, or a restore would bring an older value back
    start, hidden = given.cursor, Ranges(given.deleted_ranges)
    end, keys, values = rows.stretch(start, size)
    span = dict(zip(keys, values, strict=True))
    for key in [key for key in span if key in hidden] if hidden else ():
        del span[key]
    low = bisect_left(delta.keys, start, key=make_stored_key)
    high = len(delta.keys) if end is None else bisect_left(delta.keys, end, key=make_stored_key)
    same_keys = len(span) == len(keys)
    for key, value in zip(delta.keys[low:high], delta.values[low:high], strict=True):
        if value is None:
            span.pop(key, None)
            same_keys = False
        else:
            same_keys = same_keys and key in span
            span[key] = value
    ordered_keys = keys if same_keys else sort_stored(span)
    return Span(end, ordered_keys, [*map(span.__getitem__, ordered_keys)])
