"""Values in keys and values of records, beyond Python's own."""

from __future__ import annotations

from typing import Any, NamedTuple

StructValue = dict[str, Any]
"""A value of a struct: its fields by name."""
MapValue = dict[str, Any]
"""A value of a map: its entries by key."""


class Windowed(NamedTuple):
    """A key together with its window (Kafka Streams' Windowed), times in ms. Sessions include their end."""

    key: Any
    start: int
    end: int


class UnionValue(NamedTuple):
    """A value of a union with the name of its type, because Python does not distinguish an int from a long."""

    tag: str
    value: Any
