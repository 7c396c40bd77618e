"""Any text is an expression or an ExpressionError; any well-typed expression agrees with the slow reference."""

from __future__ import annotations

import math
from contextlib import suppress
from random import Random
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from designer.expressions import CheckedExpression, ExpressionError, RecordError, check, compile_expression, parse
from designer.issues import Issue
from designer.topology.catalogue import Scope
from tests.designer.expressions.reference import Undefined, evaluate
from tests.designer.expressions.sample import SCOPE, UNKNOWN
from tests.designer.expressions.sentences import FIELDS, sentence

WORDS = (
    *("dep_delay", "carrier", "late", "value", "key", "timestamp", "headers", "tags", "address"),
    *("AND", "OR", "NOT", "IN", "IS", "NULL", "BETWEEN", "LIKE", "RLIKE"),
    *("CASE", "WHEN", "THEN", "ELSE", "END", "CAST", "TRY_CAST", "AS", "BIGINT"),
    *("STRING", "TRUE", "FALSE", "DIV", "upper(", "coalesce(", "if(", "(", ")"),
    *("[", "]", ",", ".", "=", "==", "<>", "!=", "<"),
    *("<=", ">", ">=", "<=>", "+", "-", "*", "/", "%"),
    *("||", "&&", "!", "~", ";", ":", "::", "?", "@"),
    *("#", "$", "{", "}", "->", "=>", "0", "1", "60"),
    *("1.5", "1e5", "'a'", "'it''s'", '"x"', "`id`", "r'\\d'", "N'x'", "X'1F'"),
    *("SELECT", "FROM", "OVER", "EXISTS", "INTERVAL", "/*", "*/", "--", "\\"),
    *("'", '"', "`", "é", "＝", "\u200b", "\x00", "LAMBDA", "__class__"),
    *("None"),
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


@settings(max_examples=1_500)
@given(st.text(max_size=200))
@example("'\\")
@example("`")
@example("r'")
@example("{# x #}")
def test_any_text_is_checked_or_refused(text: str) -> None:
    _answered(text)


@settings(max_examples=1_500)
@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_any_sequence_of_words_is_checked_or_refused(text: str) -> None:
    _answered(text)


def _answered(text: str) -> None:
    for scope in (SCOPE, UNKNOWN):
        checked = _checked(text, scope)
        if isinstance(checked, Issue):
            span = checked.span or (0, 1)
            assert checked.message
            assert checked.hint
            assert 0 <= span[0] < span[1] <= max(len(text), 1)
        else:
            compile_expression(checked, ("key", "value", "timestamp"), node="n", field="f", headers=list)


def _checked(text: str, scope: Scope) -> CheckedExpression | Issue:
    try:
        return check(text, scope)
    except ExpressionError as error:
        return error.issue


@settings(max_examples=2_000)
@given(st.integers(0, 2**32), st.sampled_from(["scalar", "bool"]), st.integers(0, 5), st.lists(VALUES, max_size=3))
def test_a_well_typed_expression_agrees_with_the_reference(
    seed: int, kind: str, depth: int, values: list[dict[str, Any]]
) -> None:
    text = sentence(Random(seed), kind, depth)

    checked = _checked(text, FIELDS)
    if isinstance(checked, Issue):
        assert any(limit in checked.message for limit in ("nested deeper", "300 parts", "4,096"))
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
    with suppress(RecordError):
        run(value)


def _same(found: Any, expected: Any) -> bool:
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(found, float) and math.isnan(found)
    return (
        bool(found == expected)
        and (found is None) == (expected is None)
        and isinstance(found, bool) == isinstance(expected, bool)
    )
