"""The shapes that cross the engine's border."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypedDict

Row = tuple[int, bytes | None, bytes | None, int, str | None, int, int]
"""Target, key, value, timestamp (ms), headers (JSON text or None), input number and offset.

The last two name the Kafka record from which the row was read or made. A named tuple would take longer to make."""

TARGET: Final = 0
KEY: Final = 1
VALUE: Final = 2
TIME: Final = 3
HEADERS: Final = 4
ORIGIN: Final = 5
SEQ: Final = 6
"""Places of these in a row. origin is the input number, seq the offset."""

PARTITIONS = 1 << 20
"""Numbers of partitions stay below it, so an input number modulo it is the partition."""

Emit = Callable[[Row], None]
"""Takes a row that leaves a task, as one argument. In Spark it is a list's own `append`."""

Receive = Callable[[Any, Any, int], None]
"""Takes key, value and timestamp of one record."""

ReceiveUpdate = Callable[[Any, Any, Any, int], None]
"""Takes key, new value, old value and timestamp of one update of a table (Kafka Streams' Change)."""

Entry = tuple[Any, int]
"""A value of a store and its timestamp (ValueAndTimestamp)."""

View = Callable[[Any], Entry | None]
"""Looks up the row of a key in a table (KTableValueGetter)."""

ViewAsOf = Callable[[Any, int], Entry | None]
"""Looks up the row that a key had at a time, in a versioned table."""


class OriginJson(TypedDict):
    """`Origin` as JSON."""

    topic: str
    partition: int
    offset: int


class Origin(NamedTuple):
    """The Kafka record from which a row was read or made."""

    topic: str
    partition: int
    offset: int

    def to_json(self) -> OriginJson:
        return {"topic": self.topic, "partition": self.partition, "offset": self.offset}


def number_input(target: int, partition: int) -> int:
    """The number of a partition that a source reads. It goes with a record through every shuffle."""
    return (target + 1) * PARTITIONS + partition


class MovedNumbers(NamedTuple):
    """Numbers of a new layout by those of an old one, for rows that wait in the state from one to the other.

    `targets` are those that the waiting node's task reads, `sources` those of all inputs. What the new layout lacks
    becomes -1, as for a row without a record.
    """

    targets: Mapping[int, int]
    sources: Mapping[int, int]

    def move_input(self, number: int) -> int:
        """The new number of an input."""
        source = self.sources.get(number // PARTITIONS - 1)
        return -1 if source is None else number_input(source, number % PARTITIONS)

    def move_row(self, row: Sequence[Any]) -> list[Any]:
        """A row of the old layout as one of the new."""
        target, *rest, number, offset = row
        return [self.targets.get(target, -1), *rest, self.move_input(number), offset]
