"""A record may say to which topic it goes."""

import pytest

from designer.checks import check
from designer.values.schemas import STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(city=STRING)
BY_CITY = {"topic": None, "topic_expression": "concat('orders-', city)", "topics": ["orders-x", "orders-y"]}


def routed():
    return GraphBuilder().stream("orders", ORDER).add("out", "to", BY_CITY, stream="orders")


def test_each_record_goes_to_the_topic_it_names():
    driver = routed().driver()

    driver.pipe("orders", key="a", value={"city": "x"})
    driver.pipe("orders", key="b", value={"city": "y"})

    assert check(routed().graph) == []
    assert driver.read("orders-x") == [("a", {"city": "x"})]
    assert driver.read("orders-y") == [("b", {"city": "y"})]


@pytest.mark.parametrize("city", ["z", None])
def test_a_topic_that_is_not_allowed_is_an_error_of_the_record(city):
    driver = routed().driver()

    driver.pipe("orders", key="a", value={"city": city})

    assert driver.rows() == []
    assert driver.counters()["out"] == {"in": 1, "out": 0, "dropped": 0, "errors": 1}


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ({"topic_expression": "city"}, "topics.missing"),
        ({"topic": "a", "topic_expression": "city", "topics": ["a"]}, "topic.both"),
        ({"topic": "a", "topics": ["a"]}, "topics.unused"),
        ({}, "field.missing"),
    ],
)
def test_a_sink_says_which_topics_it_writes(config, code):
    graph = GraphBuilder().stream("orders", ORDER).add("out", "to", config, stream="orders").graph

    assert [issue.code for issue in check(graph)] == [code]


def test_a_record_comes_in_again_where_the_topic_it_names_is_read():
    builder = routed().stream("orders-y", ORDER).to("late", "orders-y")
    driver = builder.driver()

    driver.pipe("orders", key="a", value={"city": "x"})
    driver.pipe("orders", key="b", value={"city": "y"})

    assert driver.read("late") == [("b", {"city": "y"})]
    assert driver.read("orders-y") == [("b", {"city": "y"})]
