"""Enforces declared types on decoded values: 64-bit integers, 5.0 for a double written 5, nothing of a wrong type."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from designer.schemas import Kind, Type
from runner.formats.errors import DecodeError

GREATEST = 2**63 - 1
LEAST = -(2**63)
MOST_SHAPES = 4_096

Enforce = Callable[[Any, str], Any]
"""Value and its path to the value, converted where the type asks for it; raises `DecodeError`."""

_SCALARS: dict[Kind, type] = {Kind.BOOLEAN: bool, Kind.INTEGER: int, Kind.DOUBLE: float, Kind.STRING: str}
_NAMES: dict[type, str] = {
    bool: "true or false",
    int: "an integer",
    float: "a decimal number",
    str: "text",
    list: "a list",
    dict: "an object",
}


def enforcer(held: Type) -> Enforce | None:
    """The check of a type; None where every value is right (ANY)."""
    match held.kind:
        case Kind.ANY:
            return None
        case Kind.STRUCT:
            return _Struct(held)
        case Kind.LIST:
            return _list_of(held)
        case scalar:
            return _scalar(scalar)


def wrong(value: Any, path: str, expected: str) -> DecodeError:
    """The error of a value of a wrong type."""
    what = f"Field `{path}`" if path else "It"
    return DecodeError(f"{what} is {_NAMES.get(type(value), type(value).__name__)}; expected {expected}.", path)


def _scalar(kind: Kind) -> Enforce:
    right = _SCALARS[kind]

    def enforce(value: Any, path: str) -> Any:
        if value is None:
            return None
        if kind is Kind.DOUBLE and type(value) is int:
            return float(value)
        if type(value) is not right:
            if kind is Kind.INTEGER and type(value) is float and abs(value) >= GREATEST:
                raise _too_wide(path)
            raise wrong(value, path, kind.value)
        if right is int and not LEAST <= value <= GREATEST:
            raise _too_wide(path)
        return value

    return enforce


def _too_wide(path: str) -> DecodeError:
    what = f"Field `{path}`" if path else "It"
    return DecodeError(f"{what} does not fit into 64 bits; expected integer.", path)


def _list_of(held: Type) -> Enforce:
    item = enforcer(held.item) if held.item is not None else None

    def enforce(value: Any, path: str) -> Any:
        if value is None:
            return None
        if type(value) is not list:
            raise wrong(value, path, "list")
        return value if item is None else [item(each, f"{path}[{index}]") for index, each in enumerate(value)]

    return enforce


class _Struct:
    """The check of a struct.

    Most objects of a topic look alike, so what was learnt of one is kept by its shape, the types of its scalar
    fields: which hold integers (to check their width in one `max`) and which integers become doubles.
    """

    def __init__(self, held: Type) -> None:
        self.fields = {field.name: enforcer(field.type) for field in held.fields}
        scalar = [field for field in held.fields if field.type.kind in _SCALARS]
        self.nested = [field.name for field in held.fields if field.type.kind in (Kind.LIST, Kind.STRUCT)]
        self.doubles = {field.name for field in scalar if field.type.kind is Kind.DOUBLE}
        self.names = tuple(field.name for field in scalar)
        self.pick = _picker(self.names)
        self.shapes: dict[tuple[type, ...], tuple[Callable[[Any], Any] | None, tuple[str, ...]]] = {}

    def __call__(self, value: Any, path: str) -> Any:
        if type(value) is not dict:
            if value is None:
                return None
            raise wrong(value, path, "struct")
        try:
            shape = tuple(map(type, self.pick(value)))
        except KeyError:
            shape = tuple(map(type, map(value.get, self.names)))
        known = self.shapes.get(shape)
        if known is None:
            self._learn(shape, value, path)
            known = self.shapes[shape]
        integers, doubles = known
        if integers is not None and max(integers(value)) > GREATEST:
            self._enforce(self.names, value, path)
        for name in doubles:
            value[name] = float(value[name])
        if self.nested:
            self._enforce(self.nested, value, path)
        return value

    def _learn(self, shape: tuple[type, ...], value: dict[str, Any], path: str) -> None:
        self._enforce(self.names, dict(value), path)
        found = dict(zip(self.names, shape, strict=True))
        doubles = tuple(name for name in self.doubles if found[name] is int)
        integers = tuple(name for name in self.names if found[name] is int and name not in self.doubles)
        if len(self.shapes) >= MOST_SHAPES:
            self.shapes.clear()
        self.shapes[shape] = (_picker(integers) if integers else None, doubles)

    def _enforce(self, names: Any, value: dict[str, Any], path: str) -> None:
        for name in names:
            enforce = self.fields[name]
            if enforce is not None and name in value:
                value[name] = enforce(value[name], f"{path}.{name}" if path else name)


def _picker(names: tuple[str, ...]) -> Callable[[Any], Any]:
    """The values of those members as a tuple; raises KeyError where one is missing."""
    if not names:
        return lambda value: ()
    return itemgetter(*names) if len(names) > 1 else itemgetter(names[0], names[0])
