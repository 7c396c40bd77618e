"""A scope and a record for the tests of expressions, and two short ways to use them."""

from __future__ import annotations

from typing import Any

from designer.expressions import ExpressionError, check, compile_expression
from designer.issues import Issue
from designer.topology.catalogue import Scope
from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Kind, Type, map_of, struct

HEADERS = Type(Kind.LIST, item=struct(key=STRING, value=STRING))
VALUE = struct(
    id=STRING,
    carrier=STRING,
    dep_delay=INTEGER,
    distance=INTEGER,
    amount=DOUBLE,
    late=BOOLEAN,
    tags=Type(Kind.LIST, item=STRING),
    prices=map_of(DOUBLE),
    address=struct(city=STRING, zip=INTEGER),
    timestamp=STRING,
    end=INTEGER,
)
SCOPE = Scope({"key": STRING, "value": VALUE, "timestamp": INTEGER, "headers": HEADERS}, spread="value")
UNKNOWN = Scope({"key": ANY, "value": ANY, "timestamp": INTEGER, "headers": HEADERS}, spread="value")
RECORD: dict[str, Any] = {
    "id": "f1",
    "carrier": "UA",
    "dep_delay": 70,
    "distance": 1_400,
    "amount": 1.5,
    "late": True,
    "tags": ["a", "b"],
    "prices": {"CHF": 2.5, "EUR": 3.0},
    "address": {"city": "Bern", "zip": 3000},
    "timestamp": "noon",
    "end": 9,
}
ROLES = ("key", "value", "timestamp")


def compute(text: str, value: Any = RECORD, *, key: Any = "k", timestamp: int = 1_000, scope: Scope = SCOPE) -> Any:
    """What the expression gives for one record."""
    run = compile_expression(check(text, scope), ROLES, node="late", field="predicate", headers=headers)
    return run(key, value, timestamp)


def headers() -> list[dict[str, str]]:
    return [{"key": "trace", "value": "t-1"}]


def refusal(text: str, scope: Scope = SCOPE, returns: Type | None = None) -> Issue:
    """What is wrong with a text that is no expression there."""
    try:
        check(text, scope, returns)
    except ExpressionError as error:
        return error.issue
    raise AssertionError(f"{text!r} was not refused")


def told(text: str, scope: Scope = SCOPE, returns: Type | None = None) -> str:
    """What the error of a text says: the text with its place in «», the message, the hint, and what a click writes."""
    error = refusal(text, scope, returns)
    start, end = error.span or (len(text), len(text))
    marked = f"{text[:start]}«{text[start:end]}»{text[end:]}" if error.span else text
    clicks = [f"[{error.fix.label}] {error.fix.replacement}"] if error.fix else []
    return "\n  ".join([marked, error.message, error.hint, *clicks])
