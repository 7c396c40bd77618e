"""Results of a batch: the records for each topic, and the counters of its calls."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from runner.spark.program import Program
from runner.spark.stage.counters import CallCounters
from runner.spark.stage.outbox import PLACES
from runner.spark.stage.rows import COUNTERS, SINK_DEPTH, concat, get_column, split, unpack_records

HASH_BYTES = 16


@dataclass
class Results:
    """The records of a batch in an order that does not change in another execution, and its counters.

    `calls` has the number of each call of the batch that made some of the records, and how many follow each other.
    """

    records: pa.RecordBatch
    counters: list[CallCounters]
    calls: Sequence[tuple[int, int]] = ()

    @classmethod
    def read(cls, packs: pa.Table) -> Results:
        """Read the packs that left the last stage, in any order."""
        table = packs.sort_by("place")
        depth = table.column("depth").to_numpy()
        finished = table.filter(pa.array(depth == SINK_DEPTH))
        batches = [unpack_records([pack]) for pack in finished.column("pack").to_pylist()]
        numbers = (finished.column("place").to_numpy() // PLACES).tolist()
        calls = [(number, batch.num_rows) for number, batch in zip(numbers, batches, strict=True)]
        counters = table.column("pack").filter(pa.array(depth == COUNTERS))
        records = concat(batches) if batches else unpack_records([])
        return cls(records, [orjson.loads(data) for data in counters.to_pylist()], calls)

    @classmethod
    def make_none(cls) -> Results:
        return cls(unpack_records([]), [])

    def checksum(self) -> str:
        """Return a hash of all bytes that the results have, in the order of each call.

        It is the sum of those of single calls, so it does not matter which process has which of them: on a cluster each
        slot sums up its own, and the run sums up those of all slots (`add_checksums`).
        """
        return add_checksums(_hash_call(number, records) for number, records in self._split_by_call())

    def _split_by_call(self) -> Iterator[tuple[int, pa.RecordBatch]]:
        at = 0
        for number, of_call in groupby(self.calls or [(0, self.records.num_rows)], itemgetter(0)):
            count = sum(count for _, count in of_call)
            yield number, self.records.slice(at, count)
            at += count

    def count_by_topic(self, program: Program) -> Counter[str]:
        """Return the number of records for each topic."""
        targets, counts = np.unique(get_column(self.records, "target"), return_counts=True)
        counted = Counter[str]()
        for target, count in zip(targets.tolist(), counts.tolist(), strict=True):
            counted[program.topic_of(target)] += count
        return counted

    def split_by_target(self) -> Iterator[tuple[int, pa.RecordBatch]]:
        return split(self.records, get_column(self.records, "target"))


def add_checksums(checksums: Iterable[str]) -> str:
    """Return the checksum of results whose parts have these checksums. "" is the checksum of no results.

    >>> add_checksums(["0f", "f0"]), add_checksums([]), add_checksums(["", "0f"])
    ('000000000000000000000000000000ff', '', '0000000000000000000000000000000f')
    """
    numbers = [int(each, 16) for each in checksums if each]
    return f"{sum(numbers) % (1 << 8 * HASH_BYTES):0{2 * HASH_BYTES}x}" if numbers else ""


def _hash_call(number: int, records: pa.RecordBatch) -> str:
    if not records.num_rows:
        return ""
    total = hashlib.blake2b(b"%d" % number, digest_size=HASH_BYTES)
    for target, of_target in split(records, get_column(records, "target")):
        total.update(b"%d:%d" % (target, of_target.num_rows))
        total.update(np.ascontiguousarray(get_column(of_target, "timestamp")).data)
        for name in ("key", "value", "headers"):
            _add_blobs(total, of_target.column(name))
    return total.hexdigest()


def _add_blobs(total: Any, column: pa.Array) -> None:
    """Add the lengths of texts or bytes to a hash (-1: null), then all of their bytes."""
    lengths = pc.fill_null(pc.binary_length(column), -1).to_numpy()
    total.update(np.ascontiguousarray(lengths))
    filled = pc.fill_null(column.cast(pa.binary()), b"") if column.null_count else column
    _, ends, data = filled.buffers()
    if data is not None and len(filled):
        first, last = np.frombuffer(ends, np.int32)[[filled.offset, filled.offset + len(filled)]].tolist()
        total.update(data[first:last])
