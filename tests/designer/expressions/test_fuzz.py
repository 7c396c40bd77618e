"""Any text is an expression or an ExpressionError; any well-typed expression agrees with the slow reference."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from designer.catalogue import Scope
from designer.expressions import ExpressionError, RecordError, check, compile_expression, parse
from designer.schemas import BOOLEAN, DOUBLE, INTEGER, STRING, struct
from tests.designer.expressions.reference import Undefined, evaluate
from tests.designer.expressions.sample import SCOPE, UNKNOWN

FIELDS = struct(n=INTEGER, m=INTEGER, d=DOUBLE, s=STRING, b=BOOLEAN, c=BOOLEAN)
RECORDS = Scope({"value": FIELDS}, spread="value")
WORDS = [
    "dep_delay",
    "carrier",
    "late",
    "value",
    "key",
    "timestamp",
    "headers",
    "tags",
    "address",
    "AND",
    "OR",
    "NOT",
    "IN",
    "IS",
    "NULL",
    "BETWEEN",
    "LIKE",
    "RLIKE",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "CAST",
    "TRY_CAST",
    "AS",
    "BIGINT",
    "STRING",
    "TRUE",
    "FALSE",
    "DIV",
    "upper(",
    "coalesce(",
    "if(",
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    "=",
    "==",
    "<>",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "<=>",
    "+",
    "-",
    "*",
    "/",
    "%",
    "||",
    "&&",
    "!",
    "~",
    ";",
    ":",
    "::",
    "?",
    "@",
    "#",
    "$",
    "{",
    "}",
    "->",
    "=>",
    "0",
    "1",
    "60",
    "1.5",
    "1e5",
    "'a'",
    "'it''s'",
    '"x"',
    "`id`",
    "r'\\d'",
    "N'x'",
    "X'1F'",
    "SELECT",
    "FROM",
    "OVER",
    "EXISTS",
    "INTERVAL",
    "/*",
    "*/",
    "--",
    "\\",
    "'",
    '"',
    "`",
    "é",
    "＝",
    "\u200b",
    "\x00",
    "LAMBDA",
    "__class__",
    "None",
]


def nested(leaf: st.SearchStrategy[str], *forms: Any) -> st.SearchStrategy[str]:
    return st.one_of(leaf, leaf, leaf, *forms)


def form(template: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(lambda texts: template.format(*texts))


integers = st.deferred(lambda: INTEGERS)
doubles = st.deferred(lambda: DOUBLES)
texts = st.deferred(lambda: TEXTS)
conditions = st.deferred(lambda: CONDITIONS)
numbers = st.one_of(integers, doubles)
INTEGERS = nested(
    st.sampled_from(
        ["n", "m", "0", "1", "-3", "7", "9223372036854775807", "-9223372036854775808", "CAST(NULL AS INT)"]
    ),
    *(form(f"({{}} {op} {{}})", integers, integers) for op in ("+", "-", "*", "%", "div")),
    form("-({})", integers),
    form("coalesce({}, {})", integers, integers),
    form("nullif({}, {})", integers, integers),
    form("greatest({}, {})", integers, integers),
    form("length({})", texts),
    form("CASE WHEN {} THEN {} WHEN {} THEN {} END", conditions, integers, conditions, integers),
    form("CASE {} WHEN {} THEN {} ELSE {} END", integers, integers, integers, integers),
)
DOUBLES = nested(
    st.sampled_from(["d", "0.5", "-2.5", "1e300", "0.0", "CAST(NULL AS DOUBLE)"]),
    *(form(f"({{}} {op} {{}})", doubles, numbers) for op in ("+", "-", "*", "%")),
    form("({} / {})", numbers, numbers),
    form("if({}, {}, {})", conditions, doubles, numbers),
    form("coalesce({}, {})", integers, doubles),
)
TEXTS = nested(
    st.sampled_from(["s", "'a'", "''", "'É%'", "CAST(NULL AS STRING)"]),
    form("({} || {})", texts, texts),
    form("upper({})", texts),
    form("if({}, {}, {})", conditions, texts, texts),
    form("CASE WHEN {} THEN {} END", conditions, texts),
)
CONDITIONS = nested(
    st.sampled_from(["b", "c", "TRUE", "FALSE", "CAST(NULL AS BOOLEAN)"]),
    *(form(f"({{}} {op} {{}})", numbers, numbers) for op in ("=", "<>", "<", "<=", ">", ">=", "<=>")),
    form("({} <= {})", texts, texts),
    form("({} AND {})", conditions, conditions),
    form("({} OR {} OR {})", conditions, conditions, conditions),
    form("(NOT {})", conditions),
    form("({} IS NULL)", st.one_of(numbers, texts, conditions)),
    form("({} IS NOT NULL)", st.one_of(numbers, texts)),
    form("({} IS TRUE)", conditions),
    form("({} IS NOT FALSE)", conditions),
    form("({} IN ({}, {}))", integers, integers, numbers),
    form("({} IN (1, 7, 0))", integers),
    form("({} NOT IN ('a', {}))", texts, texts),
    form("({} BETWEEN {} AND {})", numbers, numbers, numbers),
    form("contains({}, {})", texts, texts),
)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "n": st.none() | st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3),
        "m": st.none() | st.integers(-3, 3),
        "d": st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, 1.0, -2.5]),
        "s": st.none() | st.text(max_size=4),
        "b": st.none() | st.booleans(),
        "c": st.none() | st.booleans(),
    },
)


@settings(max_examples=1_500, deadline=None)
@given(st.text(max_size=200))
@example("'\\")
@example("`")
@example("r'")
@example("{# x #}")
def test_any_text_is_checked_or_refused(text: str) -> None:
    _answered(text)


@settings(max_examples=1_500, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_any_sequence_of_words_is_checked_or_refused(text: str) -> None:
    _answered(text)


def _answered(text: str) -> None:
    for scope in (SCOPE, UNKNOWN):
        try:
            checked = check(text, scope)
        except ExpressionError as error:
            assert error.message
            assert error.hint
            assert error.span is None or 0 <= error.span[0] < error.span[1] <= len(text)
            continue
        compile_expression(checked, ("key", "value", "timestamp"), node="n", field="f", headers=list)


@settings(max_examples=1_500, deadline=None)
@given(st.one_of(integers, doubles, texts, conditions), st.lists(VALUES, min_size=1, max_size=3))
def test_a_well_typed_expression_agrees_with_the_reference(text: str, values: list[dict[str, Any]]) -> None:
    try:
        checked = check(text, RECORDS)
    except ExpressionError as error:
        assert "nested deeper" in error.message or "300 parts" in error.message or "4,096" in error.message
        return
    run = compile_expression(checked, ("value",), node="n", field="f")

    for value in values:
        try:
            expected = evaluate(parse(text), value)
        except Undefined:
            _no_other_error(run, value)
            continue
        assert _same(run(value), expected), (text, value, expected)


def _no_other_error(run: Any, value: Any) -> None:
    try:
        run(value)
    except RecordError as error:
        assert error.message


def _same(found: Any, expected: Any) -> bool:
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(found, float) and math.isnan(found)
    return (
        bool(found == expected)
        and (found is None) == (expected is None)
        and isinstance(found, bool) == isinstance(expected, bool)
    )
