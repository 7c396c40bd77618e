"""group_by_key."""

from tests.runner.graph_builder import GraphBuilder


def counted(builder, of):
    builder.add("grouped", "group_by_key", stream=of).add("counts", "count", grouped="grouped")
    return builder.updates_to("out", "counts").driver()


def test_records_stay_where_they_are():
    driver = counted(GraphBuilder().stream("orders"), "orders")

    driver.pipe("orders", key="a", value=1)

    assert len(driver.layout.sub_topologies) == 1
    assert driver.read("out") == [("a", 1)]


def test_behind_a_changed_key_records_go_to_the_task_of_the_new_one():
    builder = GraphBuilder().stream("orders").add("same", "select_key", {"key": "'all'"}, stream="orders")
    driver = counted(builder, "same")

    driver.pipe("orders", key="a", value=1)
    driver.pipe("orders", key="b", value=1)

    assert len(driver.layout.sub_topologies) == 2
    assert driver.read("out") == [("all", 1), ("all", 2)]
