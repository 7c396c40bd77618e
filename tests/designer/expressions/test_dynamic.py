"""Values whose type is not known are looked at when a record comes, and then give what values of that type give."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from itertools import product
from typing import Any

import pytest

from designer.expressions import RecordError, check, compile_expression
from designer.expressions.dynamic import EXPECTATIONS, make_comparison, make_expectation
from designer.expressions.errors import Fault
from designer.topology.catalogue import Scope
from designer.values.exact_json import JsonNumber
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Type
from designer.values.tuples import UnionValue

NUMBERS = [None, 0, 3, -3, 7, MAX_LONG, MIN_LONG, 0.0, 2.5, -2.5, math.inf, math.nan]
TEXTS = [None, "", "a", "b"]
TRUTHS = [None, True, False]
TYPES = {int: INTEGER, float: DOUBLE, str: STRING, bool: BOOLEAN}
OF_NUMBERS = ["a + b", "a - b", "a * b", "a / b", "a % b", "-a", "abs(a)", "sign(a)", "CASE a WHEN b THEN 1 ELSE 2 END"]
OF_ALL = [f"a {op} b" for op in ("=", "<>", "<", "<=", ">", ">=", "<=>")]
OF_ALL += ["a IN (b)", "a IN (b, NULL)", "a NOT IN (NULL, b)", "a BETWEEN b AND a", "a BETWEEN a AND b"]
OF_ALL += ["a BETWEEN b AND NULL", "a BETWEEN NULL AND b", "a IS NULL"]
OF_TRUTHS = ["a AND b", "a OR b", "NOT a", "a IS TRUE", "a IS NOT FALSE", "if(a, 1, 2)", "CASE WHEN a THEN b END"]


def outcome(text: str, types: tuple[Type, ...], a: Any, b: Any) -> str:
    """What the expression gives for a and b of those types, or how it fails."""
    run = _compiled(text, types)
    try:
        return repr(run(a, b))
    except RecordError as error:
        return str(error)


@cache
def _compiled(text: str, types: tuple[Type, ...]) -> Callable[..., Any]:
    scope = Scope(dict(zip("ab", types, strict=True)))
    return compile_expression(check(text, scope), ("a", "b"), node="n", field="f")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        *((text, NUMBERS) for text in OF_NUMBERS),
        *((text, values) for text in OF_ALL for values in (NUMBERS, TEXTS, TRUTHS)),
        *((text, TRUTHS) for text in OF_TRUTHS),
    ],
)
def test_what_is_not_known_gives_what_is_given_where_it_is_known(text: str, values: list[Any]) -> None:
    for a, b in product(values, repeat=2):
        of_null = next((each for each in (a, b) if each is not None), values[-1])
        known = tuple(TYPES[type(of_null if each is None else each)] for each in (a, b))

        assert outcome(text, (ANY, ANY), a, b) == outcome(text, known, a, b), (a, b)


EACH = {
    "true or false": True,
    "an integer": 7,
    "a double": 1.5,
    "a decimal": Decimal("1.5"),
    "a JSON number": JsonNumber("1.50"),
    "a text": "x",
    "bytes": b"x",
    "a list": [1],
    "a struct": {"a": 1},
    "a union": UnionValue("int", 7),
    "null": None,
}
TAKES: dict[str, dict[str, Any]] = {
    "boolean": {"true or false": True},
    "integer": {"an integer": 7},
    "double": {"an integer": 7.0, "a double": 1.5, "a decimal": 1.5, "a JSON number": 1.5},
    "number": {"an integer": 7, "a double": 1.5, "a decimal": Decimal("1.5"), "a JSON number": 1.5},
    "real": {"an integer": 7, "a double": 1.5, "a decimal": 1.5, "a JSON number": 1.5},
    "string": {"a text": "x"},
    "bytes": {"bytes": b"x"},
    "binary": {"a text": "x", "bytes": b"x"},
    "union": {"a union": UnionValue("int", 7)},
    "list": {"a list": [1]},
    "struct": {"a struct": {"a": 1}},
    "map": {"a struct": {"a": 1}},
    "collection": {"a list": [1], "a struct": {"a": 1}},
}


@pytest.mark.parametrize("kind", EXPECTATIONS)
def test_a_kind_takes_its_values_and_widens_numbers_alone(kind: str) -> None:
    look = make_expectation(kind)

    for name, value in EACH.items():
        if name in TAKES[kind]:
            assert repr(look(value)) == repr(TAKES[kind][name])
        else:
            with pytest.raises(Fault, match=f"^Expected {EXPECTATIONS[kind][1]}, found an? "):
                look(value)


@pytest.mark.parametrize("kind", ["integer", "double", "number", "real"])
def test_an_integer_of_64_bits_is_the_largest_that_is_taken(kind: str) -> None:
    look = make_expectation(kind)

    assert (float(look(MAX_LONG)), look(MIN_LONG)) == (float(MAX_LONG), MIN_LONG)
    for number in (MAX_LONG + 1, MIN_LONG - 1):
        with pytest.raises(
            Fault, match=f"^The integer {number} does not fit into 64 bits; CAST.… AS DOUBLE. rounds it"
        ):
            look(number)


TENTH, HALF = Decimal("0.1"), Decimal("0.5")
LONGEST = Decimal("9" * 38)


@pytest.mark.parametrize(
    ("text", "a", "b", "found"),
    [
        ("a + b", TENTH, Decimal("0.2"), Decimal("0.3")),
        ("a - b", TENTH, 1, Decimal("-0.9")),
        ("a * b", 3, TENTH, Decimal("0.3")),
        ("a * b", Decimal("-0.1"), 0, Decimal("0.0")),
        ("a % b", Decimal("-7.5"), 2, Decimal("-1.5")),
        ("a % b", 7, Decimal("2.5"), Decimal("2.0")),
        ("-a", TENTH, None, Decimal("-0.1")),
        ("-a", Decimal("0.0"), None, Decimal("0.0")),
        ("a + b", HALF, 1.25, 1.75),
        ("a - b", 1.25, HALF, 0.75),
        ("a * b", HALF, 1.5, 0.75),
        ("a % b", Decimal("7.5"), 2.0, 1.5),
        ("a % b", 7.5, Decimal(2), 1.5),
        ("a = b", HALF, 0.5, True),
        ("a <=> b", 0.5, HALF, True),
        ("a < b", Decimal("0.4"), 0.5, True),
        ("a = b", TENTH, JsonNumber("0.10"), True),
        ("a > b", JsonNumber("0.10000000000000000001"), TENTH, True),
        ("a IN (b)", HALF, 0.5, True),
        ("a BETWEEN b AND 1", HALF, 0.5, True),
        ("a = b", 1, 1.0, True),
    ],
)
def test_a_decimal_keeps_its_digits_but_beside_a_double(text: str, a: Any, b: Any, found: Any) -> None:
    assert outcome(text, (ANY, ANY), a, b) == repr(found)


@pytest.mark.parametrize(
    ("text", "a", "b", "message"),
    [
        ("a + b", LONGEST, 1, "The result has more than 38 digits; CAST(… AS DECIMAL(38, 6)) rounds its inputs."),
        ("a - b", Decimal(-1) * LONGEST, 1, "The result has more than 38 digits"),
        ("a * b", LONGEST, 2, "The result has more than 38 digits"),
        ("a % b", TENTH, 0, "Division by zero; try_divide gives null instead."),
        ("a + b", MAX_LONG, 1, "The result does not fit into 64 bits."),
        ("a - b", MIN_LONG, 1, "The result does not fit into 64 bits."),
        ("a * b", MAX_LONG, 2, "The result does not fit into 64 bits."),
        ("-a", MIN_LONG, None, "The result does not fit into 64 bits."),
        ("a + b", "x", 1, "Expected a number, found a string."),
        ("a = b", "x", 1, "A string cannot be compared with an integer."),
        ("a <=> b", True, 1, "A boolean cannot be compared with an integer."),
        ("a < b", [1], [1], "A list cannot be compared with a list."),
        ("a IN (b)", {}, {}, "A struct or map cannot be compared with a struct or map."),
        ("a BETWEEN b AND 1", "x", 1, "A string cannot be compared with an integer."),
        ("a = b", UnionValue("int", 1), UnionValue("int", 1), "A union cannot be compared with a union."),
        ("a.x", "text", None, "Field `x` was read from a string; expected a struct."),
        ("a[b]", {"x": 1}, True, "The value in brackets is a boolean; expected an integer or a text."),
        ("a[b]", "text", 0, "An item was read from a string; expected a list."),
        ("a[b]", [1], 1, "There is no item [1] in a list of 1; get(list, index) gives null instead."),
        ("a[b]", [1], -1, "There is no item [-1] in a list of 1; get(list, index) gives null instead."),
        ("a[b]", [1], "x", "Field `x` was read from a list; expected a struct."),
        ("NOT a", 1, None, "Expected true or false, found an integer."),
        ("upper(a)", 1, None, "Expected a string, found an integer."),
        ("size(a)", 1, None, "Expected a list or a map, found an integer."),
    ],
)
def test_a_value_that_does_not_fit_is_named(text: str, a: Any, b: Any, message: str) -> None:
    assert outcome(text, (ANY, ANY), a, b).startswith(message)


@pytest.mark.parametrize(
    ("text", "a", "b", "found"),
    [
        ("a.x", {"x": 1}, None, 1),
        ("a.x", {}, None, None),
        ("a.x", None, None, None),
        ("a[b]", [1, 2], 0, 1),
        ("a[b]", [1, 2], 1, 2),
        ("a[b]", {"x": 1}, "x", 1),
        ("a[b]", None, 0, None),
        ("a[b]", [1], None, None),
    ],
)
def test_brackets_and_points_look_into_what_is_there(text: str, a: Any, b: Any, found: Any) -> None:
    assert outcome(text, (ANY, ANY), a, b) == repr(found)


def test_a_comparison_looks_at_both_sides_first() -> None:
    alike = {"a double", "a decimal", "a JSON number", "an integer"}
    for (name, one), (other_name, other) in product(EACH.items(), repeat=2):
        if {name, other_name} <= alike or (name == other_name and not isinstance(one, dict | list | UnionValue)):
            assert make_comparison(operator.eq)(one, other) == (one == other)
        else:
            with pytest.raises(Fault, match=" cannot be compared with "):
                make_comparison(operator.eq)(one, other)
