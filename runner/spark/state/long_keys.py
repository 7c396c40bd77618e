"""Keys of any length in LMDB, which takes at most 511 bytes.

A key of up to MAX_KEY_BYTES bytes is stored unchanged. A longer one is stored as its first PREFIX bytes and a digest,
always MAX_KEY_BYTES + 1 bytes in all. So the length distinguishes the two. The whole key is then before the
value. Stored keys that share their first PREFIX bytes (a *bucket*) are in the order of their digests. So code that
needs key order sorts a bucket. Everywhere else stored order is key order.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from hashlib import sha256

PREFIX = 448
MAX_KEY_BYTES = PREFIX + 31
AFTER_BUCKET = b"\xff" * 33
_LENGTH = struct.Struct(">I")


def make_stored_key(key: bytes) -> bytes:
    """The key under which LMDB holds a key."""
    return key if len(key) <= MAX_KEY_BYTES else key[:PREFIX] + sha256(key).digest()


def make_stored_value(key: bytes, value: bytes) -> bytes:
    return value if len(key) <= MAX_KEY_BYTES else _LENGTH.pack(len(key)) + key + value


def decode_row(row: bytes, value: bytes) -> tuple[bytes, bytes]:
    """The key and value of a stored row."""
    if len(row) <= MAX_KEY_BYTES:
        return row, value
    end = 4 + _LENGTH.unpack_from(value)[0]
    return value[4:end], value[end:]


def make_stored_rows(keys: Sequence[bytes], values: Sequence[bytes]) -> Iterable[tuple[bytes, bytes]]:
    """Rows as LMDB holds them. If no key is long, they do not change."""
    if are_short(keys):
        return zip(keys, values, strict=True)
    return ((make_stored_key(key), make_stored_value(key, value)) for key, value in zip(keys, values, strict=True))


def decode_rows(stored_rows: Sequence[tuple[bytes, bytes]]) -> tuple[list[bytes], list[bytes]]:
    """The keys and the values of stored rows."""
    keys = [key for key, _ in stored_rows]
    if are_short(keys):
        return keys, [value for _, value in stored_rows]
    rows = [decode_row(*row) for row in stored_rows]
    return [key for key, _ in rows], [value for _, value in rows]


def sort_stored(keys: Iterable[bytes]) -> list[bytes]:
    ordered_keys = sorted(keys)
    return ordered_keys if are_short(ordered_keys) else sorted(ordered_keys, key=make_stored_key)


def are_short(keys: Iterable[bytes]) -> bool:
    return max(map(len, keys), default=0) <= MAX_KEY_BYTES
