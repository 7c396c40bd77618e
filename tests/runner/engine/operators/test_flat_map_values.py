"""flat_map_values."""

import pytest

from designer.checks import check
from designer.values.schemas import ANY, INTEGER, STRING, Kind, Type, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=INTEGER, tags=Type(Kind.LIST, item=STRING))


def tags(**config):
    builder = GraphBuilder().stream("orders", ORDER)
    return builder.add("tags", "flat_map_values", {"values": "tags"} | config, stream="orders")


def test_without_more_each_item_is_a_value():
    driver = tags().to("out", "tags").driver()

    driver.pipe("orders", key="a", value={"id": 1, "tags": ["x", None]}, timestamp=5)

    assert [record[:3] for record in driver.records("out")] == [("a", "x", 5), ("a", None, 5)]


def test_values_can_be_shaped_from_the_record_and_the_item():
    driver = tags(value="concat(id, item)").to("out", "tags").driver()

    driver.pipe("orders", key="a", value={"id": 1, "tags": ["x", "y"]})

    assert driver.read("out") == [("a", "1x"), ("a", "1y")]


def test_words_are_split_as_java_does():
    builder = GraphBuilder().stream("texts", STRING)
    builder.add("words", "flat_map_values", {"values": r"java_split(lower(value), r'\W+')"}, stream="texts")
    driver = builder.to("out", "words").driver()

    driver.pipe("texts", key=None, value=" Hello, café! ")

    assert [value for _, value in driver.read("out")] == ["", "hello", "caf"]


def test_what_is_no_list_is_an_issue():
    graph = tags(values="id").to("out", "tags").graph

    assert [(issue.code, issue.field) for issue in check(graph)] == [("text.gives", "values")]


def test_a_value_of_unknown_type_may_be_a_list():
    builder = GraphBuilder().stream("orders", ANY).add("items", "flat_map_values", {"values": "value"}, stream="orders")
    driver = builder.to("out", "items").driver()

    driver.pipe("orders", key="a", value=[1, "x"])
    driver.pipe("orders", key="a", value=3)

    assert driver.read("out") == [("a", 1), ("a", "x")]
    assert len(driver.dead_letters()) == 1


@pytest.mark.parametrize(
    ("second", "config"),
    [
        ("flat_map_values", {"values": "sequence(1, 1000)"}),
        ("flat_map", {"items": "sequence(1, 1000)", "key": "key", "value": "item"}),
    ],
)
def test_the_results_of_one_record_are_bounded_with_one_dead_letter(second: str, config: dict[str, str]):
    builder = GraphBuilder().stream("in", INTEGER)
    builder.add("many", "flat_map_values", {"values": "sequence(1, value)"}, stream="in")
    builder.add("most", second, config, stream="many")
    builder.add("all", "flat_map_values", {"values": "sequence(1, 100000)"}, stream="most")
    builder.add("none", "filter", {"predicate": "FALSE"}, records="all")
    driver = builder.to("out", "none").driver()

    driver.pipe("in", key="a", value=100_000)

    (letter,) = driver.dead_letters()
    message = dict(letter.headers)["__streams.errors.message"] or b""
    assert letter.key == b"a"
    assert b"more than 1,000,000 records of this one" in message
    assert driver.counters()["none"]["in"] < 1_000_000
    dropped = driver.drops()
    assert sum(of.get("too many results of one record", {"count": 0})["count"] for of in dropped.values()) > 0


def test_each_record_has_its_own_limit_of_results():
    builder = GraphBuilder().stream("in", INTEGER)
    builder.add("many", "flat_map_values", {"values": "sequence(1, value)"}, stream="in")
    builder.add("none", "filter", {"predicate": "FALSE"}, records="many")
    driver = builder.to("out", "none").driver()

    for _ in range(12):
        driver.pipe("in", key="a", value=100_000)

    assert driver.dead_letters() == []
    assert driver.counters()["none"]["in"] == 1_200_000
