"""Compares expected and actual output of a topology: the first difference."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import orjson

from designer.values import exact_json
from designer.values.exact_json import to_exact
from runner.engine.formats.display import MARK
from runner.engine.trial import Line

REASON = "reason"
BYTES = ("key_bytes", "value_bytes")
OPTIONAL = ("timestamp", "value", *BYTES)
"""Members that count only if they are expected."""


class Difference(NamedTuple):
    """An expected record or None, and an actual one or None, with the path to their difference."""

    expectation: Line | None
    outcome: Line | None
    at: str = ""


def find_first_difference(expectation: Sequence[Line], outcome: Sequence[Line]) -> Difference | None:
    """The first difference, or None.

    Records are compared in their order by topic and key, which Kafka keeps. Between keys and topics any order is right.
    Values are those of JSON, with all their digits: `1` is `1.0`, and the order of members does not count. Bytes may be
    expected with or without the mark `base64:`. With `value_bytes` or `key_bytes`, the written bytes count.
    """
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for number, line in enumerate(outcome):
        waiting[_describe_flow(line)].append(number)
    pairs = [(line, _take_next(waiting[_describe_flow(line)], outcome)) for line in expectation]
    surplus = [outcome[number] for number in sorted(number for left in waiting.values() for number in left)]
    for line, other in pairs:
        if other is None:
            return _describe_missing(line, surplus)
        if at := _find_place(_keep_what_counts(line, other), _keep_what_counts(other, line)):
            return Difference(line, _show_bytes_at(other, at), at)
    return Difference(None, _show_bytes_at(surplus[0], "")) if surplus else None


def _describe_missing(line: Line, surplus: Sequence[Line]) -> Difference:
    """A missing record with the first extra one of its topic: it may be the same under another key.

    Without an extra one, the first dead letter: it may be the same record, which failed.
    """
    beside = next((each for each in surplus if each.get("topic") == line.get("topic")), None)
    if beside is None:
        return Difference(line, next((each for each in surplus if "dead_letter" in each), None))
    at = _find_place(_keep_what_counts(line, beside), _keep_what_counts(beside, line))
    return Difference(line, _show_bytes_at(beside, at), at)


def _show_bytes_at(line: Line, at: str) -> Line:
    """The line without its bytes, unless these are the difference."""
    return cast(Line, {name: value for name, value in line.items() if name not in BYTES or name == at})


def _take_next(waiting: deque[int], outcome: Sequence[Line]) -> Line | None:
    return outcome[waiting.popleft()] if waiting else None


def _describe_flow(line: Line) -> str:
    """The scope of an order: the records of a topic and key, the dead letters of a node."""
    key = line.get("key")
    key = key.removeprefix(MARK) if isinstance(key, str) else key
    return _describe_value([line.get("topic"), key, line.get("dead_letter")])


def _keep_what_counts(line: Line, other: Line) -> dict[str, object]:
    """The compared part of a record: optional members only if both have them, and never the words of a reason."""
    return {name: value for name, value in line.items() if name != REASON and (name not in OPTIONAL or name in other)}


def _find_place(one: Any, other: Any, at: str = "") -> str:
    """The path to the first difference of two values, such as value.total. Empty if there is none."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one | other:
            path = f"{at}.{name}" if at else name
            if name not in one or name not in other:
                return path
            if place := _find_place(one[name], other[name], path):
                return place
        return ""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        inside = (_find_place(*pair, f"{at}.{number}") for number, pair in enumerate(zip(one, other, strict=True)))
        return next(filter(None, inside), "")
    return "" if _describe_value(one) == _describe_value(other) or _are_bytes(one, other) else at


def _are_bytes(expectation: Any, outcome: Any) -> bool:
    """Old test cases have bytes without a mark."""
    return isinstance(outcome, str) and isinstance(expectation, str) and outcome == MARK + expectation


def _describe_value(value: Any) -> str:
    """One text for all spellings of a JSON value."""
    return exact_json.dumps(_to_plain(value)).decode()


def _to_plain(value: Any) -> Any:
    match value:
        case bool():
            return value
        case int() | float():
            return orjson.Fragment(_write_digits(value))
        case dict():
            return {name: _to_plain(value[name]) for name in sorted(value)}
        case list():
            return [_to_plain(member) for member in value]
        case _:
            return value


def _write_digits(number: float) -> str:
    """One text for all spellings of a number: for 10, 10.0 and 1e1 it is 1e1."""
    sign, digits, exponent = to_exact(number).as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    significand = text.rstrip("0")
    return f"{'-' * sign}{significand}e{int(exponent) + len(text) - len(significand)}" if significand else "0"
