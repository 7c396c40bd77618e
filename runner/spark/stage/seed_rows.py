"""Rows of state on their way from one epoch to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgpack

from runner.plan import Seed
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.codes import RunCode
from runner.spark.failures import RunFailed
from runner.spark.state.rows import Row

SEED_DDL = "slot long, rows binary"
"""`slot` is the `head_key` of the changelog that the rows go into."""
ROWS_IN_A_CHUNK = 20_000


def write_rows(rows: Sequence[Row]) -> bytes:
    data: bytes = msgpack.packb(rows)
    return data


def read_rows(chunk: bytes) -> list[Row]:
    return [(key, value) for key, value in msgpack.unpackb(chunk)]


def write_row_file(path: Path, rows: Iterable[Row], limit: int) -> bool:
    """Write rows, one after the other. Return False, and leave no file, if it would have more than `limit` bytes."""
    with path.open("wb") as file:
        for row in rows:
            file.write(msgpack.packb(row))
            if file.tell() > limit:
                path.unlink()
                return False
    return True


def read_row_file(seed: Seed) -> Iterator[Row]:
    """Yield the rows of a seed that has a file of them. Raises RunFailed if it is not the file that was written."""
    file = get_file(seed.checkpoint) / seed.rows
    content = file.read_bytes() if file.exists() else b""
    if Seed.make_digest(content) != seed.digest:
        raise RunFailed(
            RunCode.CHECKPOINT_DAMAGED,
            f"The corrected state `{seed.rows}` is missing, or is not what was written.",
            "Go back to the version before, or deploy this one and let it start fresh (on_state fresh_from_earliest).",
        )
    unpacker = msgpack.Unpacker(max_buffer_size=0, use_list=False)
    unpacker.feed(content)
    yield from unpacker
