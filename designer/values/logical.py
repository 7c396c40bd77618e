"""Units of integers in Avro's logical types of time, by the type's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from designer.values.schemas import Type


class Unit(NamedTuple):
    """`word` names the unit, one of which is `ns` nanoseconds."""

    word: str
    ns: int


MS = Unit("milliseconds", 1_000_000)
MICROS = Unit("microseconds", 1_000)
_NANOS, _DAYS = Unit("nanoseconds", 1), Unit("days", 86_400_000_000_000)
UNITS: Mapping[str, Unit] = {
    "date": _DAYS,
    "time-millis": MS,
    "time-micros": MICROS,
    "timestamp-millis": MS,
    "timestamp-micros": MICROS,
    "timestamp-nanos": _NANOS,
    "local-timestamp-millis": MS,
    "local-timestamp-micros": MICROS,
    "local-timestamp-nanos": _NANOS,
}


def get_unit(type_: Type) -> Unit | None:
    """The unit of a type's values. None if the type has none."""
    return UNITS.get(type_.logical or "")


def has_same_unit(one: Type, other: Type) -> bool:
    """Whether numbers of both types are comparable: a type without a unit fits any."""
    mine, other_unit = get_unit(one), get_unit(other)
    return mine is None or other_unit is None or mine == other_unit


def make_change(unit: Unit, target: Unit) -> Callable[[int], int] | None:
    """Converts a number of one unit to the last one of another that is not later. None if nothing changes.

    >>> make_change(UNITS["timestamp-micros"], MS)(1_999)
    1
    """
    if unit.ns == target.ns:
        return None
    if unit.ns > target.ns:
        factor = unit.ns // target.ns
        return lambda number: number * factor
    parts = target.ns // unit.ns
    return lambda number: number // parts
