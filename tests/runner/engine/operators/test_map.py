"""map, also on windowed keys."""

from designer.checks import check
from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(region=STRING, amount=INTEGER)


def orders_by_region(**config):
    return GraphBuilder().stream("orders", ORDER).add("by-region", "map", {"key": "region"} | config, stream="orders")


def counted_in_windows():
    builder = GraphBuilder().stream("orders", ORDER).add("grouped", "group_by_key", stream="orders")
    builder.add("windows", "windowed_by", {"size_ms": 10}, grouped="grouped")
    return builder.add("counts", "count", grouped="windows").add("updates", "to_stream", table="counts")


def test_key_and_value_are_both_computed_from_the_old_record():
    driver = orders_by_region(value="concat(key, ':', amount)").to("out", "by-region").driver()

    driver.pipe("orders", key="a", value={"region": "west", "amount": 3}, timestamp=7)

    (record,) = driver.records("out")
    assert (record.key, record.value, record.timestamp) == ("west", "a:3", 7)


def test_map_takes_null_values_too_and_may_give_a_null_key():
    driver = orders_by_region(value="value IS NULL").to("out", "by-region").driver()

    driver.pipe("orders", key="a", value=None)

    assert driver.read("out") == [(None, True)]


def test_behind_a_map_records_go_to_the_task_of_their_new_key():
    builder = orders_by_region(value="amount").add("grouped", "group_by_key", stream="by-region")
    driver = builder.add("counts", "count", grouped="grouped").updates_to("out", "counts").driver()

    driver.pipe("orders", key="a", value={"region": "west"})
    driver.pipe("orders", key="b", value={"region": None})

    assert len(driver.layout.sub_topologies) == 2
    assert driver.read("out") == []
    driver.pipe("orders", key="b", value={"region": "west", "amount": 1})
    assert driver.read("out") == [("west", 1)]


def test_map_makes_a_windowed_key_a_plain_one():
    builder = counted_in_windows()
    builder.add("plain", "map", {"key": "key", "value": "window.start + value"}, stream="updates")
    driver = builder.to("out", "plain").driver()

    driver.pipe("orders", key="a", value={}, timestamp=25)

    assert driver.read("out") == [("a", 21)]


def test_a_format_that_cannot_write_the_new_key_is_an_issue():
    graph = orders_by_region(value="amount", key_format="long").to("out", "by-region").graph

    assert ("format.misfit", "by-region", "key_format") in [(one.code, one.node, one.field) for one in check(graph)]
