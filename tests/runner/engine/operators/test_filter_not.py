"""filter_not on a KStream and on a KTable."""

from designer.values.schemas import INTEGER, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)


def test_filter_not_drops_what_is_true_and_keeps_false_and_null():
    builder = (
        GraphBuilder().stream("orders", ORDER).add("cheap", "filter_not", {"predicate": "amount > 5"}, records="orders")
    )
    driver = builder.to("out", "cheap").driver()

    for amount in (5, 6, None):
        driver.pipe("orders", key="a", value={"amount": amount})

    assert driver.read("out") == [("a", {"amount": 5}), ("a", {"amount": None})]
    assert driver.counters()["cheap"] == {"in": 3, "out": 2, "dropped": 0, "errors": 0}


def test_a_row_that_satisfies_the_predicate_is_deleted_from_the_table():
    builder = (
        GraphBuilder().table("orders", ORDER).add("cheap", "filter_not", {"predicate": "amount > 5"}, records="orders")
    )
    driver = builder.updates_to("out", "cheap").driver()

    driver.pipe("orders", key="a", value={"amount": 5})
    driver.pipe("orders", key="a", value={"amount": 6})

    assert driver.read("out") == [("a", {"amount": 5}), ("a", None)]
