"""The functions of the case vocabulary, as Python callables over named roles."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from designer.values import Windowed

Function = Mapping[str, Any]
Roles = dict[str, Any]


def roles(**arguments: Any) -> Roles:
    """Arguments by role; a windowed key becomes its inner key plus window_start and window_end."""
    key = arguments.get("key")
    if isinstance(key, Windowed):
        arguments |= {"key": key.key, "window_start": key.start, "window_end": key.end}
    return arguments


def value_of(function: Function) -> Callable[[Roles], Any]:
    """The function that computes a value or a key."""
    compute = _VALUES[function["fn"]]
    return lambda arguments: compute(function, arguments)


def predicate_of(function: Function, *, negated: bool = False) -> Callable[[Roles], bool]:
    """A predicate; it is false for anything but integers."""
    test = _PREDICATES[function["fn"]]

    def holds(arguments: Roles) -> bool:
        number = arguments[function["of"]]
        return (type(number) is int and test(function, number)) is not negated

    return holds


def text(value: Any) -> str:
    return "null" if value is None else str(value)


def _template(function: Function, arguments: Roles) -> str:
    return re.sub(r"\{(\w+)\}", lambda role: text(arguments[role[1]]), function["template"])


def _split(function: Function, arguments: Roles) -> str | None:
    of = arguments[function["of"]]
    parts = [] if of is None else text(of).split(function["sep"])
    part = parts[function["index"]] if function["index"] < len(parts) else None
    return None if part in function.get("null_values", ()) else part


def _char(function: Function, arguments: Roles) -> str | None:
    of = arguments[function["of"]]
    return None if of is None else text(of)[function["index"] : function["index"] + 1] or None


def _length(function: Function, arguments: Roles) -> int | None:
    more = arguments["key"] if function["fn"] == "length_plus_key" else 0
    value = arguments["value"]
    return None if value is None or more is None else len(text(value)) + more


def _parsed(function: Function, arguments: Roles) -> int | None:
    return None if arguments["value"] is None else int(arguments["value"])


def _add(arguments: Roles, operand: Any) -> Any:
    return arguments["agg"] if operand is None else arguments["agg"] + operand


def _remove(function: Function, arguments: Roles) -> str:
    part, aggregate = arguments["value"], text(arguments["agg"])
    return aggregate if part is None else aggregate.replace(text(part), "")


_VALUES: dict[str, Callable[[Function, Roles], Any]] = {
    "template": _template,
    "const": lambda function, arguments: function["value"],
    "key": lambda function, arguments: arguments["key"],
    "value": lambda function, arguments: arguments["value"],
    "lookup": lambda function, arguments: function["table"].get(text(arguments[function["of"]])),
    "split": _split,
    "char": _char,
    "length": _length,
    "length_plus_key": _length,
    "to_int": _parsed,
    "trunc": _parsed,
    "increment": lambda function, arguments: arguments["agg"] + 1,
    "sum": lambda function, arguments: _add(arguments, arguments["value"]),
    "subtract": lambda function, arguments: _add(
        arguments, None if arguments["value"] is None else -arguments["value"]
    ),
    "sum_parsed": lambda function, arguments: _add(arguments, _parsed(function, arguments)),
    "remove_substring": _remove,
}
_PREDICATES: dict[str, Callable[[Function, int], bool]] = {
    "mod_eq": lambda function, number: (abs(number) % function["mod"]) * (-1 if number < 0 else 1) == function["eq"],
    "lt": lambda function, number: number < function["than"],
}
