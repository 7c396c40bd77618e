"""Structs and JSON texts."""

from __future__ import annotations

import math
import re
from typing import Any

from designer.expressions.casts import write_double
from designer.expressions.errors import Fault
from designer.expressions.functions.limits import check_text
from designer.expressions.functions.table import function, register_form
from designer.values import exact_json

STEP = re.compile(r"\.([^.\[\]'*]+)|\[(\d{1,9})\]|\['([^']+)'\]")

register_form(
    "named_struct(names_and_values: any...) -> any",
    """A struct of these names (text literals), each followed by its value.
    named_struct('a', 1, 'b', 'x').b = 'x'""",
)
register_form(
    "struct(fields: any...) -> any",
    """A struct of these fields with their names, or col1, col2… for values without a name.
    struct(1, 'x').col2 = 'x'""",
)


@function("to_json(value: any) -> string")
def to_json(value: Any) -> str:
    """The value as JSON text; numbers that are infinite or not a number become the texts Infinity and NaN.
    to_json(named_struct('a', sqrt(-1))) = '{"a":"NaN"}'
    to_json(named_struct('a', 1)) = '{"a":1}'
    to_json(named_struct('a', 1.50BD)) = '{"a":1.50}'
    """
    try:
        data = exact_json.dumps(value)
        if b"null" in data:
            data = exact_json.dumps(_check_finite(value))
        return check_text(data.decode())
    except TypeError as error:
        raise Fault(f"The value cannot be written as JSON: {error}.") from None


def _check_finite(value: Any) -> Any:
    """Like Spark's writer, because JSON has no such numbers."""
    match value:
        case float() if type(value) is float and not math.isfinite(value):
            return write_double(value)
        case dict():
            return {name: _check_finite(member) for name, member in value.items()}
        case list():
            return [_check_finite(member) for member in value]
        case _:
            return value


@function("parse_json(text: string) -> any?")
def parse_json(text: str) -> Any:
    """The value of a JSON text; its type is known only at run time.
    parse_json('{"a": [7]}').a[0] = 7
    parse_json('null') IS NULL
    """
    try:
        return exact_json.loads_document(text)
    except ValueError as error:
        raise Fault(f"The text is not valid JSON: {error}.") from None


def read_json_path(path: str) -> tuple[str | int, ...]:
    """`$.a.b[0]` as ('a', 'b', 0). Raises ValueError."""
    steps: list[str | int] = []
    at = 1
    while match := STEP.match(path, at):
        name, index, quoted_name = match.groups()
        steps.append(int(index) if index else name or quoted_name)
        at = match.end()
    if not path.startswith("$") or at < len(path):
        raise ValueError("a path looks like '$.a.b[0]'")
    return tuple(steps)


@function("get_json_object(text: string, path: path) -> string?")
def get_json_object(text: str, path: tuple[str | int, ...]) -> str | None:
    """The text at a path of a JSON text; null if the path has no value or the text is not JSON.
    get_json_object('{"a":[{"b":7}]}', '$.a[0].b') = '7'
    get_json_object('nonsense', '$.a') IS NULL
    """
    try:
        at: Any = exact_json.loads_document(text)
    except ValueError:
        return None
    for step in path:
        if isinstance(step, int):
            at = at[step] if isinstance(at, list) and step < len(at) else None
        else:
            at = at.get(step) if isinstance(at, dict) else None
    if at is None or isinstance(at, str):
        return at
    return check_text(exact_json.dumps(at).decode())
