"""Completions for an editor of expressions."""

from __future__ import annotations

from collections.abc import Iterator

from designer.expressions.functions import FUNCTIONS
from designer.expressions.names import quote
from designer.expressions.types import describe
from designer.topology.catalogue import Scope
from designer.values.schemas import Kind, Type

MAX_DEPTH = 3


def describe_functions() -> list[dict[str, str]]:
    """Every function by name: `{"name", "signature", "help"}`, including CAST and TRY_CAST."""
    casts = [
        {
            "name": "cast",
            "signature": "CAST(value AS type)",
            "help": "Converts a value to BOOLEAN, BIGINT, DOUBLE, DECIMAL(10, 2), STRING or BINARY.",
        },
        {
            "name": "try_cast",
            "signature": "TRY_CAST(value AS type)",
            "help": "Like CAST, but gives null if the conversion fails.",
        },
    ]
    functions = [{"name": f.name, "signature": f.signature, "help": f.help} for f in FUNCTIONS.values()]
    return sorted([*casts, *functions], key=lambda entry: entry["name"])


def list_names_in(scope: Scope) -> list[dict[str, str]]:
    """Every name for an expression there: `{"name", "type"}`, with fields of the spread role bare and first."""
    spread = scope.names.get(scope.spread or "")
    bare = [f for f in spread.fields if f.name not in scope.names] if spread else []
    entries = [entry for field in bare for entry in _list_paths(quote(field.name), field.type, MAX_DEPTH)]
    for name, type_ in scope.names.items():
        entries.extend(_list_paths(name, type_, MAX_DEPTH))
    return entries


def _list_paths(path: str, type_: Type, depth: int) -> Iterator[dict[str, str]]:
    yield {"name": path, "type": describe(type_)}
    if type_.kind is Kind.STRUCT and depth:
        for field in type_.fields:
            yield from _list_paths(f"{path}.{quote(field.name)}", field.type, depth - 1)
