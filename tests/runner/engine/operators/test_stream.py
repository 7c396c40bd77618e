"""stream: what it reads, and in which order it is handed on."""

from designer.values.schemas import ANY, INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=INTEGER, amount=INTEGER, city=STRING)


def test_a_stream_passes_null_keys_and_null_values():
    driver = GraphBuilder().stream("orders").to("out", "orders").driver()

    driver.pipe("orders", key=None, value=1)
    driver.pipe("orders", key="a", value=None)

    assert driver.read("out") == [(None, 1), ("a", None)]


def test_children_take_a_record_in_the_order_they_were_defined():
    builder = GraphBuilder().stream("orders").to("second", "orders").to("first", "orders")
    builder.nodes = [builder.nodes[0], builder.nodes[2], builder.nodes[1]]
    driver = builder.driver()

    driver.pipe("orders", key="a", value=1)

    assert [topic for topic, _ in driver.rows()] == ["first", "second"]


def test_a_value_the_format_cannot_write_is_an_error_of_the_sink():
    driver = GraphBuilder().stream("orders", ANY).to("out", "orders", value_format="long").driver()

    driver.pipe("orders", key="a", value="text")
    driver.pipe("orders", key="a", value=1)

    assert driver.read("out") == [("a", 1)]
    assert driver.counters()["out"] == {"in": 2, "out": 1, "dropped": 0, "errors": 1}
    assert len(driver.dead_letters()) == 1
