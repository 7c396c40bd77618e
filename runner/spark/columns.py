"""Records as they come from Kafka, column by column: in Python's lists or in Arrow's arrays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

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
    def lists(self) -> RecordColumns:
        return self

    @property
    def size(self) -> int:
        """The bytes of all keys and values."""
        return sum(len(part) for column in (self.keys, self.values) for part in column if part is not None)

    @property
    def times(self) -> Array:
        """The timestamps."""
        import numpy as np

        return np.fromiter(self.timestamps, np.int64, len(self.timestamps))

    @property
    def arrays(self) -> RecordArrays:
        """These columns as Arrow's arrays."""
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


class ArrowRecords:
    """Some records of one partition that came without a Python object for each. Lists are made for those who ask."""

    def __init__(self, arrays: RecordArrays) -> None:
        self.arrays = arrays

    @property
    def is_empty(self) -> bool:
        return len(self.arrays.offsets) == 0

    @property
    def size(self) -> int:
        """The bytes of all keys and values, or a little more."""
        return sum(column.nbytes for column in self.arrays)

    @property
    def times(self) -> Array:
        """The timestamps."""
        times: Array = self.arrays.timestamps.to_numpy()
        return times

    @cached_property
    def lists(self) -> RecordColumns:
        """These columns as Python's lists."""
        return RecordColumns(*(array.to_numpy(zero_copy_only=False).tolist() for array in self.arrays))

    def rows(self, target: int, number: int) -> Iterator[Row]:
        """The records as rows of the engine."""
        return self.lists.rows(target, number)

    def __iter__(self) -> Iterator[list[Any]]:
        return iter(self.lists)


Records = RecordColumns | ArrowRecords


def make_no_records() -> RecordColumns:
    return RecordColumns([], [], [], [], [])
