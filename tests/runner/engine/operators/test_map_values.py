"""map_values on a KStream and on a KTable."""

import pytest

from designer.checks.edges import MAX_TABLES
from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=INTEGER, amount=INTEGER, city=STRING)


def test_map_values_keeps_fields_and_puts_new_ones_behind():
    builder = GraphBuilder().stream("orders", ORDER)
    fields = [{"name": "amount", "expression": "amount * 2"}, {"name": "twice", "expression": "TRUE"}]
    builder.add("doubled", "map_values", {"fields": fields, "keep": True}, records="orders")
    driver = builder.to("out", "doubled").driver()

    driver.pipe("orders", key="a", value={"id": 1, "amount": 3, "city": "x"})

    ((_, value),) = driver.read("out")
    assert list(value.items()) == [("id", 1), ("amount", 6), ("city", "x"), ("twice", True)]


def test_map_values_takes_null_values_too():
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("known", "map_values", {"value": "value IS NOT NULL"}, records="orders")
    driver = builder.to("out", "known").driver()

    driver.pipe("orders", key="a", value=None)
    driver.pipe("orders", key="b", value={})

    assert driver.read("out") == [("a", False), ("b", True)]


def test_one_branch_does_not_see_what_another_made_of_the_value():
    builder = GraphBuilder().stream("orders", ORDER)
    fields = [{"name": "amount", "expression": "0"}]
    builder.add("zero", "map_values", {"fields": fields, "keep": True}, records="orders")
    driver = builder.to("zeros", "zero").to("all", "orders").driver()

    driver.pipe("orders", key="a", value={"amount": 3})

    assert driver.read("zeros") == [("a", {"amount": 0})]
    assert driver.read("all") == [("a", {"amount": 3})]


def test_mapped_rows_are_forwarded_even_when_unchanged_and_deletions_are_not_mapped():
    builder = GraphBuilder().table("prices", INTEGER)
    builder.add("known", "map_values", {"value": "value IS NOT NULL"}, records="prices")
    driver = builder.updates_to("out", "known").driver()

    for value in (1, 2, None):
        driver.pipe("prices", key="a", value=value)

    assert driver.read("out") == [("a", True), ("a", True), ("a", None)]


def test_rows_of_derived_tables_are_computed_when_looked_up():
    builder = GraphBuilder().stream("orders", INTEGER).table("prices", INTEGER)
    builder.add("doubled", "map_values", {"value": "value * 2"}, records="prices")
    builder.add("dear", "filter", {"predicate": "value > 5"}, records="doubled")
    builder.add("priced", "left_join", {"value": "right"}, left="orders", right="dear")
    driver = builder.to("out", "priced").driver()

    for price in (2, 3, None):
        driver.pipe("prices", key="a", value=price)
        driver.pipe("orders", key="a", value=0)

    assert driver.read("out") == [("a", None), ("a", 6), ("a", None)]
    assert [store.node for store in driver.layout.stores] == ["prices"]


def test_a_named_derived_table_has_a_store_of_its_own():
    builder = GraphBuilder().stream("orders", INTEGER).table("prices", INTEGER)
    builder.add("doubled", "map_values", {"value": "value * 2", "store": "doubled"}, records="prices")
    builder.add("priced", "join", {"value": "right"}, left="orders", right="doubled")
    driver = builder.to("out", "priced").driver()

    driver.pipe("prices", key="a", value=4)
    driver.pipe("orders", key="a", value=0)

    assert driver.read("out") == [("a", 8)]
    assert [store.node for store in driver.layout.stores] == ["doubled"]


@pytest.mark.parametrize(("store", "left"), [(None, {10: 1, 20: 1}), ("timed", {10: 0, 20: 1})])
def test_without_a_store_an_old_row_is_made_with_the_time_of_the_new_one(store: str | None, left: dict[int, int]):
    builder = GraphBuilder().table("prices", INTEGER)
    builder.add("timed", "map_values", {"value": "timestamp", "store": store}, records="prices")
    builder.add("grouped", "group_by", {"key": "value"}, records="timed")
    builder.add("counted", "count", grouped="grouped")
    driver = builder.updates_to("out", "counted").driver()

    driver.pipe("prices", key="a", value=1, timestamp=10)
    driver.pipe("prices", key="a", value=2, timestamp=20)

    assert dict(driver.read("out")) == left


def test_as_many_tables_as_the_checks_allow_are_computed_one_from_another():
    builder = GraphBuilder().table("table-0", INTEGER).stream("orders", INTEGER)
    for number in range(1, MAX_TABLES):
        builder.add(f"table-{number}", "map_values", {"value": "value + 1"}, records=f"table-{number - 1}")
    builder.add("found", "join", {"value": "right"}, left="orders", right=f"table-{MAX_TABLES - 1}")
    driver = builder.to("out", "found").driver()

    driver.pipe("table-0", key="a", value=1)
    driver.pipe("orders", key="a", value=0)

    assert driver.read("out") == [("a", MAX_TABLES)]
