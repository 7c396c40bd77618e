"""The two shapes of rows inside a query: *records*, and *packs* of records, which Spark moves.

Spark handles a record a row at a time, Arrow a column at a time. So records are hashed, sorted by slot and packed
with Arrow where they enter. Only packs travel: through shuffles, through stages that do not read them, and to the
writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from runner.engine.records.record import Row
from runner.spark.murmur2 import Array
from runner.spark.stage import pack_files

RECORD = pa.schema(
    [
        ("target", pa.int32()),
        ("task", pa.int32()),
        ("origin", pa.int32()),
        ("seq", pa.int64()),
        ("timestamp", pa.int64()),
        ("key", pa.binary()),
        ("value", pa.binary()),
        ("headers", pa.string()),
        ("input", pa.int32()),
        ("offset", pa.int64()),
    ]
)
"""`timestamp` is in ms, and `headers` is the engine's JSON text. `sort_records` sorts by origin and seq.

`input` and `offset` name the topic's record that a row is or comes from (`number_input`)."""

PACK_DDL = "slot long, depth int, place long, batch_time long, pack binary"
PACK = pa.schema(
    [
        ("slot", pa.int64()),
        ("depth", pa.int32()),
        ("place", pa.int64()),
        ("batch_time", pa.int64()),
        ("pack", pa.binary()),
    ]
)
BEFORE_ALL = -1
IDLE_BEFORE_ALL = -2
"""Places in a batch of calls without records. The tasks of the second may continue without."""
SINK_DEPTH = -1
"""Depth of rows that leave the query for Kafka."""
COUNTERS = -2
"""Depth of a pack that holds JSON with the counters of a call."""
EXTENSION = -3
"""Depth of a pack that holds the address where its worker asks for newer records (`runner.spark.source.extending`)."""


class Pack(NamedTuple):
    """One row between Spark's stages.

    `depth` is the stage that reads it (or FINISHED, COUNTERS), `place` orders the packs of a batch, `batch_time` is
    the batch's only clock (ms).
    """

    slot: int
    depth: int
    place: int
    batch_time: int
    pack: bytes

    def asDict(self, recursive: bool = False) -> dict[str, Any]:
        """Spark calls this for its own rows."""
        return self._asdict()


WRITING = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
"""A pack that is no file crosses the JVM's heap several times and a shuffle's files once, where only its size matters.

One thread: the slots of a job keep all processors busy, and waking others costs more than a column takes.
"""
READING = pa.ipc.IpcReadOptions(use_threads=False)
IN_PARTS = 5_000
"""Fewest records of packs that are unpacked together."""
AT_ONCE = 1_000
"""Records that become Python objects at a time: touching fresh memory costs more than using it."""


def pack_records(records: pa.RecordBatch, folder: Path | None = None) -> bytes:
    """Records as a pack. With a folder for files, a large one is the name of a file (`pack_files`)."""
    if (
        folder is not None
        and records.nbytes >= pack_files.LARGE
        and (name := pack_files.write(records, folder, WRITING))
    ):
        return name
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, RECORD, options=WRITING) as stream:
        stream.write_batch(records)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def unpack_records(packs: Iterable[bytes]) -> pa.RecordBatch:
    """The records of packs, one after the other."""
    batches = [*_unpack(packs)]
    return concat(batches) if batches else pa.RecordBatch.from_pylist([], schema=RECORD)


def unpack_in_parts(packs: Iterable[bytes]) -> Iterator[pa.RecordBatch]:
    """The records of packs, some thousand at a time: to touch fresh memory costs more than to use it."""
    batches, count = list[pa.RecordBatch](), 0
    for batch in _unpack(packs):
        batches.append(batch)
        count += batch.num_rows
        if count >= IN_PARTS:
            yield concat(batches)
            batches, count = [], 0
    if batches:
        yield concat(batches)


def _unpack(packs: Iterable[bytes]) -> Iterator[pa.RecordBatch]:
    return (
        pack_files.read(pack, READING)
        if pack.startswith(pack_files.MARK)
        else pa.ipc.open_stream(pa.py_buffer(pack), options=READING).read_next_batch()
        for pack in packs
    )


def concat(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Batches, at least one, as one. Arrow copies even a single batch."""
    return batches[0] if len(batches) == 1 else pa.concat_batches(batches)


def split(records: pa.RecordBatch, by: Array) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The records of each value of `by`, in their original order."""
    if len(by) and (by == by[0]).all():
        yield int(by[0]), records
        return
    # numpy sorts small numbers without comparing them
    is_small = len(by) and by.min() >= 0 and by.max() < 1 << 15
    order = np.argsort(by.astype(np.int16) if is_small else by, kind="stable")
    values = by[order]
    cuts = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
    records = records.take(pa.array(order))
    for start, end in pairwise(cuts):
        if end > start:
            yield int(values[start]), records.slice(start, end - start)


def get_column(records: pa.RecordBatch, name: str) -> Array:
    """A number column without nulls."""
    array: Array = records.column(name).to_numpy()
    return array


def split_in_parts(records: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The records, `AT_ONCE` at a time."""
    return (records.slice(start, AT_ONCE) for start in range(0, records.num_rows, AT_ONCE))


def make_engine_rows(records: pa.RecordBatch) -> Iterator[Row]:
    """Records as the engine takes them."""
    names = ("target", "key", "value", "timestamp", "headers", "input", "offset")
    columns: list[Sequence[object]] = [records.column(name).to_numpy(zero_copy_only=False).tolist() for name in names]
    return zip(*columns, strict=True)


def sort_records(records: pa.RecordBatch, times: Array | None = None) -> pa.RecordBatch:
    """Records of one task in processing order, whatever order they arrive in (see `runner.engine.records.merge`).

    Repeatedly taking the head with the lowest timestamp equals sorting by the highest timestamp so far of each
    input: a record cannot go before earlier ones of its input. `times` replace the timestamps if they differ.
    """
    target, origin, seq = (get_column(records, name) for name in ("target", "origin", "seq"))
    highest = get_column(records, "timestamp") if times is None else times
    by_input = np.arange(len(seq)) if _are_by_input(target, origin, seq) else np.lexsort((seq, origin, target))
    target, origin, highest = target[by_input], origin[by_input], highest[by_input]
    is_other = (target[1:] != target[:-1]) | (origin[1:] != origin[:-1])
    starts = [0, *(np.flatnonzero(is_other) + 1).tolist(), len(by_input)]
    for start, end in pairwise(starts):
        np.maximum.accumulate(highest[start:end], out=highest[start:end])
    order = by_input[np.argsort(highest, kind="stable")]
    return records if np.all(order[1:] > order[:-1]) else records.take(pa.array(order))


def _are_by_input(target: Array, origin: Array, seq: Array) -> bool:
    """True if records are in order of target, origin and seq. Packs usually arrive so, and a look costs less."""
    in_origin = (origin[1:] > origin[:-1]) | ((origin[1:] == origin[:-1]) & (seq[1:] >= seq[:-1]))
    return bool(np.all((target[1:] > target[:-1]) | ((target[1:] == target[:-1]) & in_origin)))


def pack_batch(packs: Sequence[Pack]) -> pa.RecordBatch:
    """Packs in the form of `mapInArrow`."""
    columns = zip(*packs, strict=True) if packs else [[] for _ in PACK]
    return pa.RecordBatch.from_arrays(
        [pa.array(values, field.type) for values, field in zip(columns, PACK, strict=True)], schema=PACK
    )
