"""Records as they come from Kafka, column by column."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from runner.engine.records.record import Row

if TYPE_CHECKING:  # the web server reads records for trials, and would load Arrow only for a name
    import pyarrow as pa

    from runner.spark.murmur2 import Array


class RecordArrays(NamedTuple):
    """The columns of `RecordColumns` as Arrow has them."""

    offsets: pa.Array
    timestamps: pa.Array
    keys: pa.Array
    values: pa.Array
    headers: pa.Array


class RecordColumns(NamedTuple):
    """Some records of one partition. `timestamps` are in ms, `headers` are the engine's JSON text."""

    offsets: list[int]
    timestamps: list[int]
    keys: list[bytes | None]
    values: list[bytes | None]
    headers: list[str | None]

    @property
    def is_empty(self) -> bool:
        return not self.offsets

    @property
    def times(self) -> Array:
        """The timestamps."""
        import numpy as np

        return np.fromiter(self.timestamps, np.int64, len(self.timestamps))

    @property
    def arrays(self) -> RecordArrays:
        """The same in Arrow's arrays."""
        import pyarrow as pa

        return RecordArrays(
            pa.array(self.offsets, pa.int64()),
            pa.array(self.timestamps, pa.int64()),
            pa.array(self.keys, pa.binary()),
            pa.array(self.values, pa.binary()),
            pa.array(self.headers, pa.string()),
        )

    def append(self, offset: int, timestamp: int, key: bytes | None, value: bytes | None, headers: str | None) -> None:
        """Adds a record."""
        for column, each in zip(self, (offset, timestamp, key, value, headers), strict=True):
            column.append(each)  # type: ignore[attr-defined]

    def rows(self, target: int, number: int) -> Iterator[Row]:
        """The records as rows of the engine."""
        return zip(repeat(target), self.keys, self.values, self.timestamps, self.headers, repeat(number), self.offsets)


def make_no_records() -> RecordColumns:
    return RecordColumns([], [], [], [], [])
