"""Checks of topic and store names, each by an example."""

from __future__ import annotations

from designer.checks import check
from tests.designer.graphs import countries, drawn, node, only, orders


def test_a_topic_is_read_by_one_source_as_kafka_streams_demands() -> None:
    graph = drawn(
        "orders > joined > out",
        "table > joined.right",
        orders=orders(),
        table=countries(topic="orders"),
        joined=node("join"),
        out=node("to", topic="out"),
    )

    issue = only(check(graph))

    assert (issue.node, issue.field) == ("table", "topic")
    assert issue.message == "The topic `orders` has already been registered by another source, `orders`."


def test_a_topology_may_read_what_it_writes_as_in_kafka_streams() -> None:
    assert check(drawn("orders > out", orders=orders(), out=node("to", topic="orders"))) == []


def test_topics_that_share_a_metric_name_are_pointed_out() -> None:
    issue = only(check(drawn("orders > out", orders=orders(topic="shop.orders"), out=node("to", topic="shop_orders"))))

    assert (issue.node, issue.field) == ("out", "topic")
    assert issue.message.startswith("Kafka cannot keep both topics `shop_orders` and `shop.orders`")


def test_a_store_name_belongs_to_one_node() -> None:
    graph = drawn(
        "orders > grouped > counts",
        "grouped > sums",
        "orders > out",
        orders=orders(),
        grouped=node("group_by_key"),
        counts=node("count", store="totals"),
        sums=node("aggregate", functions=[{"name": "n", "function": "count"}], store="totals"),
        out=node("to", topic="x"),
    )

    issue = only(check(graph))

    assert (issue.node, issue.field) == ("sums", "store")
    assert issue.message == "`counts` already has a store called `totals`."
