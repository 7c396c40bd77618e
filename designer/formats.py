"""Which format writes which type: what the checks ask and what defaults follow from.

The formats themselves, bytes to values and back, are the runner's; here stand only their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from designer.schemas import ANY, INTEGER, STRING, Kind, Side, Type

FormatName = Literal["json", "string", "long"]

NATURAL: Mapping[str, Type] = {"json": ANY, "string": STRING, "long": INTEGER}
"""The type of what a format reads when nothing else is known."""

_TAKES: Mapping[str, frozenset[Kind]] = {
    "json": frozenset(Kind),
    "string": frozenset({Kind.STRING, Kind.ANY}),
    "long": frozenset({Kind.INTEGER, Kind.ANY}),
}
_FITTING: Mapping[Kind, str] = {Kind.STRING: "string", Kind.INTEGER: "long"}


def fits(side: Side) -> bool:
    """Whether the format can write values of the type. A value of type ANY is judged record by record."""
    return side.type.kind in _TAKES[side.format]


def format_for(held: Type) -> str:
    """The format a type gets when nobody chose one: text as string, integers as long, all else as JSON."""
    return _FITTING.get(held.kind, "json")


def side_of(held: Type, wanted: str | None = None) -> Side:
    """A side of that type, in the wanted format where it fits, else in the type's own."""
    if wanted is not None and fits(Side(wanted, held)):
        return Side(wanted, held)
    return Side(format_for(held), held)
