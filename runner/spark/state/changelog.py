"""The changelog of a slot in Spark's state store. It is the authority on the slot's state.

The entries are stored by sequence number, and the head as number 0. Each entry names its own random nonce and its
parent's, so two attempts at one batch are never confused.

Replaying `oldest`..`seq` onto nothing (of each entry the delta, then the span) gives the store as of `seq`, because:

- It never makes a wrong row. After an entry, each row that is in the replay is in the store as of that
  entry, with the same value: true of the empty replay, and kept by a delta, which holds every change its batch made,
  and by a span, which holds rows of the store after the batch's whole delta.
- It lacks no row in the end. `oldest` is the first entry ever, before which the store was empty. Or the spans of
  `oldest`..`seq` together pass over all keys (`Roll.settle`). In the second case take a row of the store as of `seq`
  and the last span that passed over its key: either the row was in that span, and no later delta touched it; or a
  delta after that span put it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import NamedTuple, Protocol

import msgpack

from .change import Change
from .entry import VERSION, Delta, Entry, UnknownCodec
from .roll import Roll
from .sizes import Sizes, StoreSize, add, measure_rows, remove, sum_sizes

HEAD = 0
"""The number of the head among the entries, which begin with 1."""
NO_NONCE = bytes(16)


class StoredEntries(Protocol):
    """The entries of one slot: Spark's (`Entries`), or a test's."""

    def get(self, number: int, /) -> bytes | None: ...
    def change(self, put: Mapping[int, bytes], removed: Iterable[int] = (), /) -> None: ...


class BrokenChangelog(Exception):
    """An entry that the head needs is missing or does not link to its parent."""

    def __init__(self, seq: int, what: str, head: Head) -> None:
        super().__init__(
            f"Entry {seq} of the state's changelog {what}; entries {head.oldest} to {head.seq} are needed. "
            "The checkpoint is damaged: restore it from a backup, or deploy the job fresh."
        )


class Head(NamedTuple):
    """The newest state of a slot in the changelog. Replayed entries are `oldest`..`seq`.

    `first` is the oldest entry not removed yet. `stores` is None if the head does not list single stores.
    """

    version: int = VERSION
    seq: int = 0
    nonce: bytes = NO_NONCE
    first: int = 1
    oldest: int = 1
    size: StoreSize = StoreSize()
    roll: Roll = Roll()
    stores: Sizes | None = MappingProxyType({})

    def encode(self) -> bytes:
        blob: bytes = msgpack.packb(self._replace(stores=dict(self.stores or {})))
        return blob

    @classmethod
    def decode(cls, blob: bytes) -> Head:
        version, *rest = msgpack.unpackb(blob, strict_map_key=False)
        if version != VERSION:
            raise UnknownCodec(version)
        seq, nonce, first, oldest, size, roll, *more = rest
        stores = {store: StoreSize(*counts) for store, counts in more[0].items()} if more else None
        return cls(version, seq, nonce, first, oldest, StoreSize(*size), Roll.decode(roll), stores)


class Changelog:
    """Reads and extends the changelog of a slot."""

    def __init__(self, entries: StoredEntries) -> None:
        self._entries = entries

    def head(self) -> Head:
        """Read the head with one state call."""
        blob = self._entries.get(HEAD)
        return Head.decode(blob) if blob else Head()

    def entries(self, head: Head, first: int) -> Iterator[Entry]:
        """Yield the entries `first`..`head.seq` in order, with one state call each. Raises BrokenChangelog."""
        blobs = ((seq, self._entries.get(seq)) for seq in range(first, head.seq + 1))
        return read_chain(((seq, blob) for seq, blob in blobs if blob), head, first)

    def append(self, head: Head, change: Change) -> tuple[Head, list[Entry]]:
        """Write a change after `head`: the new entries, those that are no longer needed, and the head, all at once.

        Spark commits all of these calls as one version of its state store, or none of them. So their order does not
        matter, and the head never names an entry that is not there.
        """
        entries, spans_from = find_chain(head, change)
        after = move_head(head, change, entries, spans_from)
        new_entries = {entry.seq: entry.encode() for entry in entries}
        self._entries.change({**new_entries, HEAD: after.encode()}, range(head.first, after.first))
        return after, entries

    def seed(self, head: Head, delta: Delta) -> Head:
        """Write rows that the slot does not hold yet, in order, without a span. They make an initial state."""
        entries = list(_make_entries(head, [piece.encode() for piece in delta.pieces()], []))
        for entry in entries:
            self._entries.change({entry.seq: entry.encode()})
        stores = add(head.stores or {}, measure_rows(delta.keys, delta.values))
        nonce = entries[-1].nonce if entries else head.nonce
        after = head._replace(seq=head.seq + len(entries), nonce=nonce, size=sum_sizes(stores), stores=stores)
        self._entries.change({HEAD: after.encode()})
        return after


def read_chain(blobs: Iterator[tuple[int, bytes]], head: Head, first: int) -> Iterator[Entry]:
    """Yield the entries `first`..`head.seq` from blobs in that order. Raises BrokenChangelog if the chain breaks."""
    parent: bytes | None = None
    for seq, piece in zip_longest(range(first, head.seq + 1), blobs):
        if piece is None or piece[0] != seq:
            raise BrokenChangelog(seq, "is missing", head)
        entry = Entry.decode(piece[1])
        if parent not in (None, entry.parent) or (seq == head.seq and entry.nonce != head.nonce):
            raise BrokenChangelog(seq, "is not the one that was written last", head)
        yield entry
        parent = entry.nonce


def find_chain(head: Head, change: Change) -> tuple[list[Entry], int]:
    """Return the entries of a change, and the sequence number of the first entry with a span.

    Spans begin with the last delta, because they show the store after all of it.
    """
    return list(_make_entries(head, change.deltas, change.spans)), head.seq + len(change.deltas)


def move_head(head: Head, change: Change, entries: list[Entry], spans_from: int) -> Head:
    """Return the head after a change. Each batch removes a few unneeded entries: one more than it wrote."""
    next_roll = head.roll.begin(spans_from, head.size.bytes)
    roll, oldest = next_roll.advance(change.span_end, change.span_bytes).settle(head.oldest)
    stores = remove(add(head.stores or {}, change.came), change.went)
    return Head(
        seq=entries[-1].seq,
        nonce=entries[-1].nonce,
        first=min(oldest, head.first + len(entries) + 1),
        oldest=oldest,
        size=sum_sizes(stores),
        roll=roll,
        stores=stores,
    )


def _make_entries(head: Head, deltas: Sequence[bytes], spans: Sequence[bytes]) -> Iterator[Entry]:
    """Join deltas with spans, the first span beside the last delta. Every attempt has a new nonce."""
    padded_spans = [b""] * (len(deltas) - 1) + [*spans]
    parent = head.nonce
    for seq, (delta, span) in enumerate(zip_longest(deltas, padded_spans, fillvalue=b""), head.seq + 1):
        nonce = os.urandom(16)
        yield Entry(seq, nonce, parent, delta, span)
        parent = nonce
