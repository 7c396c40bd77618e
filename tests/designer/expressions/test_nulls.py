"""Null is SQL's: unknown in, unknown out; AND and OR know when the answer does not depend on it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.designer.expressions.sample import compute

THREE = {"TRUE": True, "FALSE": False, "CAST(NULL AS BOOLEAN)": None}


def sql_and(left: bool | None, right: bool | None) -> bool | None:
    return False if left is False or right is False else None if left is None or right is None else True


@pytest.mark.parametrize("left", THREE)
@pytest.mark.parametrize("right", THREE)
def test_and_and_or_follow_three_valued_logic(left: str, right: str) -> None:
    both, one = compute(f"{left} AND {right}"), compute(f"{left} OR {right}")

    assert both is sql_and(THREE[left], THREE[right])
    negated = sql_and(*(None if v is None else not v for v in (THREE[left], THREE[right])))
    assert one is (None if negated is None else not negated)


@pytest.mark.parametrize(
    "text",
    [
        *("dep_delay > 60", "dep_delay + 1", "dep_delay / 0", "-dep_delay", "NOT late", "dep_delay = distance"),
        *("id || '-'", "upper(id)", "dep_delay IN (1, 2)", "dep_delay BETWEEN 1 AND 2", "id LIKE 'a%'", "tags[0]"),
        *("CAST(dep_delay AS STRING)", "address.city", "dep_delay <> 3", "concat(id, 'x')", "dep_delay % 0"),
    ],
)
def test_a_missing_field_makes_a_strict_operation_null(text: str) -> None:
    assert compute(text, {}) is None
    assert compute(text, None) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dep_delay IS NULL", True),
        ("dep_delay IS NOT NULL", False),
        ("NOT dep_delay IS NULL", False),
        ("late IS TRUE", False),
        ("late IS NOT TRUE", True),
        ("(id IS NULL) IS TRUE", True),
        ("dep_delay <=> distance", True),
        ("dep_delay <=> 1", False),
        ("dep_delay IS DISTINCT FROM 1", True),
        ("dep_delay IS NOT DISTINCT FROM distance", True),
        ("late AND 1 > 2", False),
        ("late OR 1 < 2", True),
        ("coalesce(dep_delay, distance, 7)", 7),
        ("CASE WHEN late THEN 1 ELSE 2 END", 2),
        ("CASE WHEN 1 > 2 THEN 1 END", None),
        ("CASE dep_delay WHEN 1 THEN 'one' ELSE 'other' END", "other"),
        ("greatest(dep_delay, 3)", 3),
        ("concat_ws('-', id, 'x')", "x"),
    ],
)
def test_what_does_not_need_the_null_answers_without_it(text: str, expected: Any) -> None:
    assert compute(text, {}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 IN (1, CAST(NULL AS BIGINT))", True),
        ("2 IN (1, CAST(NULL AS BIGINT))", None),
        ("2 NOT IN (1, CAST(NULL AS BIGINT))", None),
        ("5 BETWEEN 10 AND CAST(NULL AS BIGINT)", False),
        ("15 BETWEEN 10 AND CAST(NULL AS BIGINT)", None),
        ("5 NOT BETWEEN 10 AND CAST(NULL AS BIGINT)", True),
        ("array_contains(array(1, NULL), 1)", True),
        ("array_contains(array(1, NULL), 2)", None),
    ],
)
def test_lists_and_ranges_with_nulls_may_still_be_certain(text: str, expected: Any) -> None:
    assert compute(text) is expected


def test_what_is_not_chosen_is_not_computed() -> None:
    assert compute("coalesce(1, 1 / 0)") == 1.0
    assert compute("if(dep_delay > 60, 1, dep_delay div 0)") == 1
    assert compute("CASE WHEN TRUE THEN 'x' ELSE CAST('x' AS BIGINT) || '' END") == "x"
    assert compute("late OR 1 / 0 > 1") is True
