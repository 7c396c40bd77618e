"""join of a stream with a table, and of two tables."""

from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(item=STRING, amount=INTEGER)
NAMED = {"fields": [{"name": "name", "expression": "right.name"}]}
PAIR = {"value": "coalesce(left, '-') || coalesce(right, '-')"}


def with_table(operator):
    builder = GraphBuilder().stream("orders", ORDER).table("items", struct(name=STRING))
    return builder.add("named", operator, NAMED, left="orders", right="items").to("out", "named")


def joined(operator):
    builder = GraphBuilder().table("left").table("right")
    return builder.add("pairs", operator, PAIR, left="left", right="right").updates_to("out", "pairs").driver()


def test_only_records_of_the_stream_give_results():
    driver = with_table("join").driver()

    driver.pipe("orders", key="a", value={"amount": 1})
    driver.pipe("items", key="a", value={"name": "apple"}, timestamp=50)
    driver.pipe("orders", key="a", value={"amount": 2}, timestamp=7)

    (record,) = driver.records("out")
    assert record[:3] == ("a", {"amount": 2, "name": "apple"}, 7)


def test_an_inner_join_waits_for_both_sides() -> None:
    driver = joined("join")

    driver.pipe("left", key="a", value="L")
    driver.pipe("right", key="a", value="R")
    driver.pipe("left", key="a", value="M")

    assert driver.read("out") == [("a", "LR"), ("a", "MR")]


def test_an_inner_join_deletes_also_what_was_never_there() -> None:
    driver = joined("join")

    driver.pipe("right", key="a", value="R")
    driver.pipe("left", key="a", value=None)

    assert driver.read("out") == [("a", None)]
