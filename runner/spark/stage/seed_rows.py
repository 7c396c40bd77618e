"""Rows of state on their way from one epoch to the next, in chunks of a MiB.

Spark hands a worker all chunks of a group in one list. So each chunk is a group of its own, and a worker holds one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path

import msgpack

from runner.plan import Seed
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.codes import RunCode
from runner.spark.failures import RunFailed
from runner.spark.program import Place, Program
from runner.spark.slots import hash_as_spark
from runner.spark.state.entries import HEAD_BITS, make_head_key, read_head_key
from runner.spark.state.rows import Row

SEED_DDL = "operator int, slot long, rows binary"
"""A chunk for the state of an operator. `slot` is its group (`make_groups`)."""
ROWS_IN_A_CHUNK, BYTES_IN_A_CHUNK = 20_000, 1 << 20
Chunk = tuple[Place, Sequence[Row]]


def make_seed_rows(chunks: Iterable[Chunk], program: Program) -> Iterator[tuple[int, int, bytes]]:
    """Yield chunks as rows of `SEED_DDL`."""
    operators = {
        stage.depth: (operator, number)
        for operator, stages in enumerate(program.operators)
        for number, stage in enumerate(stages)
    }
    groups: dict[Place, Iterator[int]] = {}
    for place, rows in chunks:
        depth, slot = place
        operator, stage = operators[depth]
        if place not in groups:
            groups[place] = make_groups(make_head_key(slot, stage), len(program.slot_ids))
        yield operator, next(groups[place]), write_rows(rows)


def make_groups(head_key: int, slots: int) -> Iterator[int]:
    """Yield the keys of groups whose rows go into the changelog with this head.

    Spark sends each to the partition of the slot. All are negative: Spark sorts groups, so those of the
    records follow.
    """
    _, slot = read_head_key(head_key)
    partition = hash_as_spark(slot) % slots
    for number in count(1):
        if hash_as_spark(group := head_key - (number << HEAD_BITS)) % slots == partition:
            yield group


def find_head_key(group: int) -> int:
    """The head of the changelog for a group's rows.

    >>> find_head_key(next(make_groups(7, slots=3)))
    7
    """
    return group & ((1 << HEAD_BITS) - 1)


def write_rows(rows: Sequence[Row]) -> bytes:
    data: bytes = msgpack.packb(rows)
    return data


def read_rows(chunk: bytes) -> list[Row]:
    return [(key, value) for key, value in msgpack.unpackb(chunk)]


def cut(rows: Iterable[tuple[Place, Row]]) -> Iterator[Chunk]:
    """Yield rows by their place, in chunks."""
    chunks: dict[Place, list[Row]] = {}
    sizes: dict[Place, int] = {}
    for place, row in rows:
        chunk = chunks.setdefault(place, [])
        chunk.append(row)
        sizes[place] = size = sizes.get(place, 0) + len(row[0]) + len(row[1])
        if size >= BYTES_IN_A_CHUNK or len(chunk) >= ROWS_IN_A_CHUNK:
            yield place, chunks.pop(place)
            del sizes[place]
    yield from chunks.items()


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
