"""Decimals through a topology: no digit is lost or made up between the bytes that come and those that go."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from designer.streams.flows import find_flows
from designer.values.schemas import ANY, INTEGER, STRING, Kind, Type, decimal, struct
from runner.engine.driver import Driver
from runner.engine.planning.lay_out import lay_out
from tests.runner.graph_builder import GraphBuilder

PAYMENT = struct(city=STRING, amount=decimal(10, 2))
WIDE = struct(city=STRING, amount=decimal(38, 2))
SESSION: dict[str, Any] = {"type": "session", "gap_ms": 5, "grace_ms": 100}


def of_stream(config: dict[str, Any], value: Type = PAYMENT, **window: Any) -> GraphBuilder:
    builder = GraphBuilder().stream("payments", value).add("grouped", "group_by_key", stream="payments")
    if window:
        builder.add("windowed", "windowed_by", window, grouped="grouped")
    builder.add("it", "aggregate", config, grouped="windowed" if window else "grouped")
    return builder.updates_to("out", "it")


def of_table(config: dict[str, Any], value: Type = PAYMENT) -> GraphBuilder:
    builder = GraphBuilder().table("payments", value).add("by-city", "group_by", {"key": "city"}, records="payments")
    return builder.add("it", "aggregate", config, grouped="by-city").updates_to("out", "it")


def function(name: str, **more: Any) -> dict[str, Any]:
    return {"functions": [{"name": "it", "function": name, "expression": "amount"} | more]}


def written(driver: Driver) -> list[str]:
    """The values in the output topic, as is there."""
    return [row[2].decode() for topic, row in driver.rows() if topic == "out" and row[2] is not None]


def paid(driver: Driver, *amounts: str, key: str = "JFK") -> None:
    for amount in amounts:
        driver.pipe_bytes("payments", key.encode(), f'{{"city":"x","amount":{amount}}}'.encode())


def test_a_sum_of_tenths_is_exact():
    driver = of_stream(function("sum")).driver()

    paid(driver, "0.1", "0.2")

    assert written(driver) == ['{"it":0.10}', '{"it":0.30}']


def test_a_value_of_more_digits_than_a_double_has_keeps_them():
    kept = {"fields": [{"name": "seen", "expression": "true"}], "keep": True}
    builder = GraphBuilder().stream("payments", WIDE).add("new", "map_values", kept, records="payments")
    driver = builder.to("out", "new").driver()

    paid(driver, "12345678901234567.89", '"12345678901234567.89"')

    assert written(driver) == ['{"city":"x","amount":12345678901234567.89,"seen":true}'] * 2


def test_more_digits_than_the_type_has_are_a_dead_letter_and_nothing_is_rounded():
    driver = GraphBuilder().stream("payments", PAYMENT).to("out", "payments").driver()

    paid(driver, "0.125", "123456789.12")

    reasons = [dict(letter.headers)["__streams.errors.message"] for letter in driver.dead_letters()]
    assert written(driver) == []
    assert reasons == [
        b"The value cannot be decoded. Field `amount` is 0.125; decimal(10,2) has 2 digits after the point.",
        b"The value cannot be decoded. Field `amount` is 123456789.12, which does not fit into decimal(10,2).",
    ]


@pytest.mark.parametrize(
    ("config", "last"),
    [
        (function("sum"), "6.30"),
        (function("avg"), "2.100000"),
        (function("min"), "1.10"),
        (function("max"), "3.00"),
        (function("first"), "2.20"),
        (function("last"), "1.10"),
        (function("count_distinct"), "3"),
        (function("top_n", n=2), "[3.00,2.20]"),
        (function("last_n", n=2), "[3.00,1.10]"),
        (function("collect"), "[2.20,3.00,1.10]"),
        (function("top_n", n=1, order_by="-amount"), "[1.10]"),
    ],
)
@pytest.mark.parametrize("one_life", [True, False])
def test_each_function_keeps_the_digits(config: dict[str, Any], last: str, one_life: bool):
    driver = of_stream(config).driver(is_one_life=one_life)

    paid(driver, "2.2", "3", "1.1")

    assert written(driver)[-1] == f'{{"it":{last}}}'


@pytest.mark.parametrize(
    ("name", "gives"),
    [("sum", decimal(20, 2)), ("avg", decimal(14, 6)), ("max", decimal(10, 2)), ("count_distinct", INTEGER)],
)
def test_sums_and_averages_have_the_types_of_spark(name: str, gives: Type):
    assert find_flows(of_stream(function(name)).graph)["it"].outputs["result"].schema.value.type == struct(it=gives)


@pytest.mark.parametrize(
    ("name", "after"), [("sum", "0.20"), ("avg", "0.200000"), ("min", "0.20"), ("max", "0.20"), ("collect", "[0.20]")]
)
def test_a_row_that_leaves_its_group_is_taken_back_exactly(name: str, after: str):
    driver = of_table(function(name)).driver()

    paid(driver, "0.1", key="a")
    paid(driver, "0.2", key="b")
    driver.pipe("payments", key="a", value=None)

    assert written(driver)[-1] == f'{{"it":{after}}}'


def test_sessions_that_become_one_are_added_exactly():
    driver = of_stream(function("sum"), **SESSION).driver()

    for timestamp, amount in ((0, "0.1"), (10, "0.2"), (5, "0.3")):
        driver.pipe_bytes("payments", b"a", f'{{"amount":{amount}}}'.encode(), timestamp)

    assert written(driver)[-1] == '{"it":0.60}'


def test_a_sum_too_wide_for_its_type_is_an_error_of_the_record():
    driver = of_stream(function("sum"), WIDE).driver()

    paid(driver, "999999999999999999999999999999999999.99", "0.01")

    (letter,) = driver.dead_letters()
    assert b"the sum does not fit into decimal(38,2)" in (dict(letter.headers)["__streams.errors.message"] or b"")


@pytest.mark.parametrize("kind", ["stream", "table"])
def test_reduce_adds_and_takes_back_exactly_and_grows_into_38_digits(kind: str):
    amounts = decimal(4, 2)
    builder = getattr(GraphBuilder(), kind)("amounts", amounts)
    builder.add("grouped", "group_by", {"key": "'all'"}, records="amounts")
    config = {"add": "agg + value"} | ({"subtract": "agg - value"} if kind == "table" else {})
    builder.add("it", "reduce", config, grouped="grouped").updates_to("out", "it")
    driver = builder.driver()

    for key, amount in (("a", b"99.9"), ("b", b"99.8"), ("a", b"0.1")):
        driver.pipe_bytes("amounts", key.encode(), amount)

    assert find_flows(builder.graph)["it"].outputs["result"].schema.value.type == decimal(38, 2)
    assert written(driver)[-1] == ("199.80" if kind == "stream" else "99.90")


@pytest.mark.parametrize(
    ("init", "gives"), [("CAST(0 AS DECIMAL(10, 2))", decimal(38, 2)), ("0", ANY), ("0.00BD", decimal(38, 2))]
)
def test_aggregate_by_expressions_adds_exactly(init: str, gives: Type):
    builder = of_stream({"init": init, "add": "agg + amount"})
    driver = builder.driver(is_one_life=False)

    paid(driver, "0.1", "0.2")

    assert find_flows(builder.graph)["it"].outputs["result"].schema.value.type == gives
    assert written(driver) == ["0.10", "0.30"]


@pytest.mark.parametrize(("name", "last"), [("sum", "12345678901234567.99"), ("avg", "6172839450617284.0")])
def test_values_of_unknown_type_are_added_exactly_where_they_are_decimals(name: str, last: str):
    unknown = function(name, expression="coalesce(amount, parse_json('null'))")
    driver = of_stream(unknown, WIDE).driver()

    paid(driver, "12345678901234567.89", "0.1")

    assert written(driver)[-1] == f'{{"it":{last}}}'


@pytest.mark.parametrize("scale", ["10.0", '"10.00"', "1e1"])
def test_keys_that_are_equal_are_one_key_however_they_are_written(scale: str):
    builder = (
        GraphBuilder().stream("payments", STRING, key=decimal(4, 2)).add("grouped", "group_by_key", stream="payments")
    )
    driver = builder.add("counted", "count", grouped="grouped").updates_to("out", "counted").driver()

    for key in (scale, "10"):
        driver.pipe_bytes("payments", key.encode(), b'"x"')

    assert driver.read("out") == [(Decimal("10.00"), 1), (Decimal("10.00"), 2)]


def test_a_kept_state_of_doubles_is_not_taken_for_decimals():
    forms = [
        {store.node: store.form for store in lay_out(of_stream(function("sum"), value).graph).stores}["it"]
        for value in (struct(amount=Type(Kind.DOUBLE)), PAYMENT)
    ]

    assert forms == ["sum", "sum, decimal"]
