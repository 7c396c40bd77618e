"""The functions of cases, written in our expression language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

Function = Mapping[str, Any]
Names = Mapping[str, str]
"""How roles of the case are written where the expression stands, if not by their own names."""

WINDOWED: Names = {"window_start": "window.start", "window_end": "window.end"}
ROLE = re.compile(r"\{(\w+)\}")


class NotYet(Exception):
    """The case asks for what our operators do not say."""


@contextmanager
def whole(step: Mapping[str, Any]) -> Iterator[None]:
    """Says of which step a field is missing, or names what is not there. Raises NotYet."""
    try:
        yield
    except KeyError as error:
        raise NotYet(f"Step {step.get('id', '')}: {error} is missing or unknown.") from error


def value_text(function: Function, names: Names | None = None) -> str:
    """The expression that computes a value or a key. Raises NotYet."""
    write = _VALUES.get(function["fn"])
    if write is None:
        raise NotYet(f"There is no function {function['fn']} here.")
    return write(function, {**WINDOWED, **(names or {})})


def predicate_text(function: Function, names: Names | None = None) -> str:
    """The expression of a predicate; it is false for anything but integers. Raises NotYet."""
    test = _PREDICATES.get(function["fn"])
    if test is None:
        raise NotYet(f"There is no predicate {function['fn']} here.")
    of = _role(function["of"], {**WINDOWED, **(names or {})})
    return f"typeof({of}) = 'bigint' AND {test(of, function)}"


def literal(value: Any) -> str:
    """A value as it is written in an expression."""
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, float):
        return f"CAST('{value!r}' AS DOUBLE)"
    return "NULL" if value is None else str(value).upper()


def one_type(texts: list[tuple[Any, str]]) -> list[str]:
    """Literals and their texts; where they are of several types they are made values of unknown type."""
    kinds = {type(value) for value, _ in texts if value is not None}
    return [text if len(kinds) < 2 else f"parse_json({literal(json.dumps(value))})" for value, text in texts]


def _role(name: str, names: Names) -> str:
    return names.get(name, name)


def _text(of: str) -> str:
    """As Java's String.valueOf writes it."""
    return f"coalesce(CAST({of} AS STRING), 'null')"


def _template(function: Function, names: Names) -> str:
    parts = ROLE.split(function["template"])
    texts = [_text(_role(part, names)) if place % 2 else literal(part) for place, part in enumerate(parts)]
    return " || ".join(text for text in texts if text != "''") or "''"


def _lookup(function: Function, names: Names) -> str:
    table = function["table"]
    results = one_type([(value, literal(value)) for value in table.values()])
    whens = " ".join(f"WHEN {literal(key)} THEN {result}" for key, result in zip(table, results, strict=True))
    return f"CASE {_text(_role(function['of'], names))} {whens} END" if table else "NULL"


def _split(function: Function, names: Names) -> str:
    separator = re.sub(r"([^\w\s])", r"\\\1", function["sep"])
    parts = f"split(CAST({_role(function['of'], names)} AS STRING), {literal(separator)})"
    part = f"get({parts}, {function['index']})"
    for none in function.get("null_values", ()):
        part = f"nullif({part}, {literal(none)})"
    return part


def _char(function: Function, names: Names) -> str:
    text = f"CAST({_role(function['of'], names)} AS STRING)"
    return f"nullif(substring({text}, {function['index'] + 1}, 1), '')"


def _remove(function: Function, names: Names) -> str:
    agg, value = (_role(role, names) for role in ("agg", "value"))
    return f"replace({_text(agg)}, coalesce(CAST({value} AS STRING), ''), '')"


def _over(template: str) -> Callable[[Function, Names], str]:
    """An expression over roles that stand in it in braces."""
    return lambda function, names: ROLE.sub(lambda found: _role(found[1], names), template)


_VALUES: dict[str, Callable[[Function, Names], str]] = {
    "template": _template,
    "const": lambda function, names: literal(function["value"]),
    "key": _over("{key}"),
    "value": _over("{value}"),
    "lookup": _lookup,
    "split": _split,
    "char": _char,
    "length": _over("length(CAST({value} AS STRING))"),
    "length_plus_key": _over("length(CAST({value} AS STRING)) + {key}"),
    "to_int": _over("CAST({value} AS BIGINT)"),
    "trunc": _over("CAST({value} AS BIGINT)"),
    "increment": _over("{agg} + 1"),
    "sum": _over("{agg} + coalesce({value}, 0)"),
    "subtract": _over("{agg} - coalesce({value}, 0)"),
    "sum_parsed": _over("{agg} + coalesce(CAST({value} AS BIGINT), 0)"),
    "sum_agg": _over("{agg} + coalesce({other}, 0)"),
    "remove_substring": _remove,
}
_PREDICATES: dict[str, Callable[[str, Function], str]] = {
    "mod_eq": lambda of, function: f"{of} % {function['mod']} = {function['eq']}",
    "lt": lambda of, function: f"{of} < {function['than']}",
}
