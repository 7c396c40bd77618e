"""repartition."""

from designer.values.schemas import INTEGER, STRING, struct
from runner.control.jobs.plans.planner import count_tasks
from runner.engine.planning.lay_out import lay_out
from tests.runner.graph_builder import GraphBuilder


def shuffled(**config):
    return GraphBuilder().stream("orders").add("shuffled", "repartition", config, stream="orders")


def test_records_go_through_a_shuffle_though_their_key_was_not_changed():
    driver = shuffled().to("out", "shuffled").driver()

    driver.pipe("orders", key="a", value=1, timestamp=3)

    assert len(driver.layout.sub_topologies) == 2
    assert [record[:3] for record in driver.records("out")] == [("a", 1, 3)]


def test_null_keys_are_dropped_there():
    driver = shuffled().to("out", "shuffled").driver()

    driver.pipe("orders", key=None, value=1)

    assert driver.read("out") == []
    assert driver.drops()["shuffled"]["null key before repartition"]["count"] == 1
    assert driver.dropped_records == 0


def test_null_keys_pass_where_a_left_join_of_a_stream_lies_behind():
    builder = shuffled().table("customers")
    builder.add("joined", "left_join", {"value": "left"}, left="shuffled", right="customers")
    driver = builder.to("out", "joined").driver()

    driver.pipe("orders", key=None, value=1)

    assert driver.read("out") == [(None, 1)]


def test_what_follows_needs_no_further_shuffle():
    builder = GraphBuilder().stream("orders", struct(city=STRING, amount=INTEGER))
    builder.add("by-city", "select_key", {"key": "city"}, stream="orders")
    builder.add("shuffled", "repartition", stream="by-city").add("grouped", "group_by_key", stream="shuffled")
    builder.add("counts", "count", grouped="grouped").updates_to("out", "counts")

    assert len(lay_out(builder.graph).sub_topologies) == 2


def test_it_has_as_many_tasks_as_in_front_unless_it_says_how_many():
    as_before = lay_out(shuffled().to("out", "shuffled").graph)
    more = lay_out(shuffled(partitions=5).to("out", "shuffled").graph)

    assert count_tasks(as_before, {"orders": 3}) == [3, 3]
    assert count_tasks(more, {"orders": 3}) == [3, 5]
    assert count_tasks(more, {"orders": 3}, max_tasks=2) == [2, 2]
