"""select_key, also on windowed keys."""

from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=INTEGER, amount=INTEGER, city=STRING)


def counted_in_windows():
    builder = GraphBuilder().stream("orders", ORDER).add("grouped", "group_by_key", stream="orders")
    builder.add("windows", "windowed_by", {"size_ms": 10}, grouped="grouped")
    return builder.add("counts", "count", grouped="windows").add("updates", "to_stream", table="counts")


def test_a_new_key_may_be_null():
    builder = GraphBuilder().stream("orders", ORDER).add("by-city", "select_key", {"key": "city"}, stream="orders")
    driver = builder.to("out", "by-city").driver()

    driver.pipe("orders", key="a", value={"city": "x"})
    driver.pipe("orders", key="a", value={})

    assert driver.read("out") == [("x", {"city": "x"}), (None, {})]


def test_select_key_makes_a_windowed_key_a_plain_one():
    builder = counted_in_windows()
    builder.add("plain", "select_key", {"key": "concat(key, '@', window.end)"}, stream="updates")
    driver = builder.to("out", "plain").driver()

    driver.pipe("orders", key="a", value={}, timestamp=25)

    assert driver.read("out") == [("a@30", 1)]
