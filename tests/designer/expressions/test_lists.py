"""Lists, maps, lambdas and formats are Spark's: `spark_lists.json` holds what Spark answered."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from designer.expressions import ExpressionError, RecordError, check
from designer.expressions.functions.limits import MAX_STEPS
from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Kind, Type, map_of, struct
from tests.designer.expressions.sample import RECORD, SCOPE, UNKNOWN, compute, refusal
from tests.designer.expressions.spark_lists import FILE

ASKED: list[tuple[str, str | None]] = [tuple(pair) for pair in json.loads(FILE.read_text())]


def list_of(item: Type) -> Type:
    return Type(Kind.LIST, item=item)


@pytest.mark.parametrize(("text", "answer"), ASKED)
def test_results_are_sparks(text: str, answer: str | None) -> None:
    if answer is None:
        with pytest.raises((ExpressionError, RecordError)):
            compute(text)
        return
    assert json.loads(compute(f"to_json(named_struct('r', {text}))")) == json.loads(answer)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("transform(tags, x -> length(x))", list_of(INTEGER)),
        ("transform(tags, (x, i) -> x || i)", list_of(STRING)),
        ("transform(tags, x -> named_struct('tag', x, 'of', id))", list_of(struct(tag=STRING, of=STRING))),
        ("filter(tags, x -> x = carrier)", list_of(STRING)),
        ("exists(tags, x -> x = 'a')", BOOLEAN),
        ("aggregate(tags, 0, (n, x) -> n + length(x))", INTEGER),
        ("aggregate(tags, 0, (n, x) -> n + 0.5)", DOUBLE),
        ("aggregate(tags, NULL, (last, x) -> x)", STRING),
        ("aggregate(tags, 0, (n, x) -> n + 1, n -> n / 2)", DOUBLE),
        ("zip_with(tags, array(1), (x, n) -> n)", list_of(INTEGER)),
        ("transform_values(prices, (k, v) -> k)", map_of(STRING)),
        ("map_filter(prices, (k, v) -> v > 1)", map_of(DOUBLE)),
        ("concat(tags, array('x'))", list_of(STRING)),
        ("tags || array('x')", list_of(STRING)),
        ("flatten(array(tags, tags))", list_of(STRING)),
        ("array_append(tags, id)", list_of(STRING)),
        ("array_append(array(), id)", list_of(ANY)),
        ("concat(id, carrier)", STRING),
    ],
)
def test_types_follow_from_the_lambda(text: str, type_: Type) -> None:
    assert check(text, SCOPE).type == type_


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("transform(tags, x -> x || id || timestamp)", ["af11000", "bf11000"]),
        ("transform(tags, id -> id || carrier)", ["aUA", "bUA"]),
        ("transform(array(1, 2), x -> transform(array(10, 20), y -> x * y))", [[10, 20], [20, 40]]),
        ("transform(array(1, 2), x -> transform(array(10), x -> x))", [[10], [10]]),
        ("filter(headers, h -> h.key = 'trace')[0].value", "t-1"),
        ("transform(headers, h -> h['value'])", ["t-1"]),
        ("aggregate(map_values(prices), 0.0, (sum, p) -> sum + p)", 5.5),
        ("transform(tags, x -> CASE WHEN x = 'a' THEN 1 ELSE length(carrier) END)", [1, 2]),
        ("exists(array(NULL, 'a'), x -> x IN ('a', carrier))", True),
        ("format_string('%s: %.1f', carrier, amount)", "UA: 1.5"),
        ("transform(parse_json('[1, 2.50, \"x\", null]'), x -> x)", [1, 2.5, "x", None]),
        ("aggregate(parse_json('[1, 2]'), 0, (a, x) -> a + x)", 3),
        ('filter(parse_json(\'[{"n": 1}, {"n": 5}]\'), x -> x.n > 2)[0].n', 5),
        ('array_distinct(parse_json(\'[1, true, 1, {"a": [1]}, {"a": [1]}, "1"]\'))', [1, True, {"a": [1]}, "1"]),
    ],
)
def test_lambdas_see_the_record_and_the_lambdas_around_them(text: str, expected: Any) -> None:
    assert compute(text) == expected


def test_lambdas_see_values_of_unknown_type() -> None:
    record = {"items": [{"price": 2, "n": 3}, {"price": 1.5, "n": 2}]}

    total = compute("aggregate(items, 0, (sum, x) -> sum + x.price * x.n)", record, scope=UNKNOWN)

    assert total == 9.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x -> x", "`->` is not allowed here"),
        ("upper(x -> x)", "The lambda `x -> x` is not allowed here."),
        ("transform(tags, upper)", "The `change` of transform is a lambda; `upper` is not."),
        ("transform(tags, (x, y, z) -> x)", "This lambda of transform needs 1 names before the arrow, not 3."),
        ("aggregate(tags, 0, x -> x)", "This lambda of aggregate needs 2 names before the arrow, not 1."),
        ("zip_with(tags, tags, (x, x) -> x)", "The lambda has the name `x` twice."),
        ("filter(tags, x -> x)", "The lambda of filter gives a string; expected a boolean."),
        ("transform(id, x -> x)", "The `list` of transform is a list; `id` is a string."),
        ("transform(tags, x -> y)", "Field `y` is not in value"),
        ("transform(tags, x -> x + 1)", "use `||` to join texts"),
        ("aggregate(tags, 0, (n, x) -> x)", "aggregate must give one type, but `0` is an integer and"),
        ("transform_values(tags, (k, v) -> v)", "The `map` of transform_values is a map"),
        ("concat(tags, id)", "The `parts` of concat is a text; `tags` is a list of string."),
        ("tags || id", "`||` joins texts; `tags` is a list of string."),
        ("flatten(tags)", "The `lists` of flatten is a list of lists"),
        ("sort_array(headers)", "The `list` of sort_array cannot be a list of struct."),
        ("array_min(headers)", "The `list` of array_min cannot be a list of struct."),
        ("array_sort(headers)", "The `list` of array_sort cannot be a list of struct."),
        ("array_sort(tags, (x, y) -> x)", "The lambda of array_sort gives a string; expected an integer."),
        ("format_string('%d', amount)", "%d writes an integer; `amount` is a double."),
        ("format_string('%s %s', id)", "%s in the format needs value number 2, but the call gives 1."),
        ("format_string('%q', id)", "unknown"),
        ("format_string(id, id)", "must be a text in quotes"),
        ("format_string('%s', tags)", "%s writes a text, a number or a boolean; `tags` is a list of string."),
        ("transform(tags, `x y` -> x)", "Field `x` is not in value"),
    ],
)
def test_what_is_wrong_with_a_lambda_is_said(text: str, message: str) -> None:
    found = refusal(text)

    assert message in f"{found.message} {found.hint}"
    assert found.hint


@pytest.mark.parametrize(
    "text",
    [
        "size(transform(sequence(1, 100000), x -> sequence(1, 100000)))",
        "size(transform(sequence(1, 2000), x -> aggregate(sequence(1, 2000), 0, (a, y) -> a + y)))",
        "size(transform(sequence(1, 100000), x -> rpad('', 1000000, 'x')))",
        "size(transform(sequence(1, 100000), x -> named_struct('a', array(sequence(1, 1000)))))",
        "size(aggregate(sequence(1, 100000), array(1), (a, x) -> concat(a, array(x))))",
        "size(zip_with(sequence(1, 100000), array(1), (x, y) -> sequence(1, 50000)))",
        "size(transform_values(map_from_arrays(transform(sequence(1, 9999), x -> x || ''), sequence(1, 9999)),"
        " (k, v) -> sequence(1, 9999)))",
        "aggregate(sequence(1, 60), array(1), (a, x) -> concat(a, a))",
        "size(array_sort(transform(sequence(1, 90000), x -> pmod(x * 7919, 90001)), (x, y) -> x - y))",
    ],
)
def test_the_steps_of_lambdas_are_bounded(text: str) -> None:
    began = time.monotonic()

    with pytest.raises(RecordError, match=rf"more than {MAX_STEPS:,} steps|at most 100,000"):
        compute(text)

    assert time.monotonic() - began < 30


def test_each_evaluation_has_its_own_steps() -> None:
    for _ in range(5):
        assert compute("aggregate(sequence(1, 90000), 0, (a, x) -> a + transform(array(x), y -> y)[0])", RECORD) > 0


def test_a_list_of_a_record_is_never_changed_in_place() -> None:
    record = {"tags": ["b", "a"], "prices": {"CHF": 2.5}}

    for text in (
        "array_append(tags, 'c')",
        "sort_array(tags)",
        "array_sort(tags)",
        "transform(tags, x -> x)",
        "concat(tags, tags)",
    ):
        compute(text, record)
    compute("transform_values(prices, (k, v) -> 0)", record)

    assert record == {"tags": ["b", "a"], "prices": {"CHF": 2.5}}
