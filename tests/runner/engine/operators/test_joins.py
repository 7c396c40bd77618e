"""join and left_join of a stream with a table or a global table."""

import pytest

from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(item=STRING, amount=INTEGER)
NAMED = {"fields": [{"name": "name", "expression": "right.name"}]}


def with_table(operator: str) -> GraphBuilder:
    builder = GraphBuilder().stream("orders", ORDER).table("items", struct(name=STRING))
    return builder.add("named", operator, NAMED, left="orders", right="items").to("out", "named")


def with_global_table(operator: str) -> GraphBuilder:
    builder = GraphBuilder().stream("orders", ORDER).global_table("items", struct(name=STRING))
    return builder.add("named", operator, {"key": "item"} | NAMED, left="orders", right="items").to("out", "named")


@pytest.mark.parametrize(("operator", "given"), [("join", []), ("left_join", [(None, {"amount": 1, "name": None})])])
def test_null_values_are_dropped_and_null_keys_find_no_row(operator: str, given: list[object]):
    driver = with_table(operator).driver()

    driver.pipe("orders", key="a", value=None)
    driver.pipe("orders", key=None, value={"amount": 1})

    assert driver.read("out") == given
    assert driver.dropped_records == 2 - len(given)


@pytest.mark.parametrize(("operator", "given"), [("join", 0), ("left_join", 1)])
def test_a_null_lookup_key_is_dropped_by_the_inner_join_only(operator: str, given: int):
    driver = with_global_table(operator).driver()

    driver.pipe("orders", key="a", value={"item": None})
    driver.pipe("orders", key="a", value=None)

    assert len(driver.read("out")) == given
    assert driver.dropped_records == 2 - given


def test_a_rekeyed_stream_is_shuffled_in_front_of_a_table_but_not_of_a_global_table():
    rekeyed = GraphBuilder().stream("orders", ORDER).add("by-item", "select_key", {"key": "item"}, stream="orders")
    rekeyed.table("items", struct(name=STRING)).global_table("more", struct(name=STRING))
    rekeyed.add("named", "join", NAMED, left="by-item", right="items").to("out", "named")
    rekeyed.add("again", "join", NAMED, left="by-item", right="more").to("other", "again")
    driver = rekeyed.driver()

    driver.pipe("items", key="i", value={"name": "apple"})
    driver.pipe("more", key="i", value={"name": "pear"})
    driver.pipe("orders", key="a", value={"item": "i"})

    assert driver.read("out") == [("i", {"item": "i", "name": "apple"})]
    assert driver.read("other") == [("i", {"item": "i", "name": "pear"})]
    assert [len(each.nodes) for each in driver.layout.sub_topologies] == [4, 3]


def test_null_keys_pass_a_shuffle_with_a_left_join_behind_it_and_no_other():
    builder = GraphBuilder().stream("orders", ORDER).table("items", struct(name=STRING))
    builder.add("by-item", "select_key", {"key": "item"}, stream="orders")
    builder.add("inner", "join", NAMED, left="by-item", right="items").to("inner-out", "inner")
    builder.add("left", "left_join", NAMED, left="by-item", right="items").to("left-out", "left")
    driver = builder.driver()

    driver.pipe("orders", key="a", value={"item": None})

    assert driver.read("inner-out") == []
    assert driver.read("left-out") == [(None, {"item": None, "name": None})]
    assert driver.dropped_records == 0
