"""Rows of state on their way from one epoch to the next."""

from __future__ import annotations

from collections.abc import Sequence

import msgpack

SEED_DDL = "slot long, rows binary"
"""`slot` is the `head_key` of the changelog that the rows go into."""
ROWS_IN_A_CHUNK = 20_000
Row = tuple[bytes, bytes]
"""Key and value."""


def write_rows(rows: Sequence[Row]) -> bytes:
    data: bytes = msgpack.packb(rows)
    return data


def read_rows(chunk: bytes) -> list[Row]:
    return [(key, value) for key, value in msgpack.unpackb(chunk)]
