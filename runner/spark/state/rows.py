"""The rows of a store inside one LMDB transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, compress, islice
from typing import Any, cast

import lmdb

from .entry import Delta, Span, decode_delta
from .kernel import Lent, lend
from .long_keys import AFTER_BUCKET, MAX_KEY_BYTES, PREFIX, decode_row, decode_rows, make_stored_key, make_stored_rows

Row = tuple[bytes, bytes]
"""Key and value."""
FEW = 32
MAP_FULL = -30792
"""LMDB's answer if a file must grow."""


class Rows:
    """Rows in byte order of their keys, which are at least one byte long. Reading costs about 1 µs a row.

    A read transaction shows the rows as they were when it began, whatever is written since.
    """

    def __init__(self, txn: Any, db: Any) -> None:
        self._txn = txn
        self._db = db

    def get(self, key: bytes) -> bytes | None:
        if len(key) <= MAX_KEY_BYTES:
            short: bytes | None = self._txn.get(key, None, self._db)
            return short
        stored_key = make_stored_key(key)
        value = self._txn.get(stored_key, None, self._db)
        return None if value is None else decode_row(stored_key, value)[1]

    def items(self, start: bytes = b"", end: bytes | None = None, reverse: bool = False) -> Iterator[Row]:
        """Rows with start <= key < end (no end: to the last), in key order or against it."""
        bucket: list[Row] = []
        prefix = b""
        for row in self._read_raw(start[:PREFIX], _find_stop(end), reverse):
            key, _ = row
            if bucket and key[:PREFIX] != prefix:
                yield from _sort(bucket, start, end, reverse)
                bucket = []
            if len(key) < PREFIX:
                yield row
            else:
                bucket.append(row)
                prefix = key[:PREFIX]
        yield from _sort(bucket, start, end, reverse)

    def stretch(self, start: bytes, size: int) -> Span:
        """Rows from the stored key `start` on, of at least `size` bytes if there are as many."""
        cursor = self._txn.cursor(self._db)
        raw = cursor.iternext() if cursor.set_range(start) else iter(())
        stored_rows: list[Row] = []
        byte_count, count = 0, FEW  # a few rows first, whose mean size then says how many more are needed
        while more := list(islice(raw, count)):
            stored_rows += more
            byte_count += sum(map(len, chain.from_iterable(more)))
            if byte_count >= size:
                break
            count = (size - byte_count) * len(stored_rows) // byte_count + 1
        return Span(next(raw, (None,))[0], *decode_rows(stored_rows))

    def apply(self, delta: Delta) -> None:
        """Applies the changes of a batch."""
        for start, end in delta.deleted_ranges:
            self._delete([make_stored_key(key) for key, _ in self.items(start, end)])
        keys, values = delta.keys, delta.values
        if None in values:
            present = [value is not None for value in values]
            self._delete([make_stored_key(key) for key, stays in zip(keys, present, strict=True) if not stays])
            keys, values = [*compress(keys, present)], [*compress(values, present)]
        self._put(keys, cast(Sequence[bytes], values))

    def apply_encoded(self, delta: bytes) -> None:
        """Applies the changes of a batch from their encoding. Nothing is encoded as no bytes."""
        lent = self.lend() if delta else None
        answer = None if lent is None else lent.lmdb.apply(lent.txn, delta)
        if answer is None:
            self.apply(decode_delta(delta))
        elif answer == MAP_FULL:
            raise lmdb.MapFullError("The file must grow.")
        elif answer:
            raise lmdb.Error(f"LMDB answers {answer} to a write.")

    def lend(self) -> Lent | None:
        """The transaction for the kernel. None without the kernel."""
        return lend(self._txn)

    def clear(self) -> None:
        self._txn.drop(self._db, delete=False)

    def close(self) -> None:
        """Ends a read transaction. Its rows are not readable afterwards."""
        self._txn.abort()

    def _read_raw(self, start: bytes, stop: bytes | None, reverse: bool) -> Iterator[Row]:
        """Stored rows with start <= stored key < stop."""
        cursor = self._txn.cursor(self._db)
        if reverse:
            if stop is not None and cursor.set_range(stop) and not cursor.prev():
                return
            for row in cursor.iterprev():
                key, _ = row
                if key < start:
                    return
                yield row
        elif cursor.set_range(start):
            for row in cursor.iternext():
                key, _ = row
                if stop is not None and key >= stop:
                    return
                yield row

    def _put(self, keys: Sequence[bytes], values: Sequence[bytes]) -> None:
        self._txn.cursor(self._db).putmulti(make_stored_rows(keys, values))

    def _delete(self, keys: Sequence[bytes]) -> None:
        for key in keys:
            self._txn.delete(key, db=self._db)


def _find_stop(end: bytes | None) -> bytes | None:
    """The stored key before which all rows below `end` are: after its bucket, if it has one."""
    return end if end is None or len(end) < PREFIX else end[:PREFIX] + AFTER_BUCKET


def _sort(bucket: list[Row], start: bytes, end: bytes | None, reverse: bool) -> list[Row]:
    rows = sorted((decode_row(*row) for row in bucket), reverse=reverse)
    return [(key, value) for key, value in rows if start <= key and (end is None or key < end)]
