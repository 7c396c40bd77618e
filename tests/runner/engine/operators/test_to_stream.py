"""to_stream."""

from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(region=STRING, amount=INTEGER)


def test_to_stream_with_a_key_gives_each_update_that_key():
    builder = GraphBuilder().table("orders", ORDER)
    builder.add("updates", "to_stream", {"key": "coalesce(region, 'gone')"}, table="orders").to("out", "updates")
    driver = builder.driver()

    driver.pipe("orders", key="a", value={"region": "west"})
    driver.pipe("orders", key="a", value=None)

    assert driver.read("out") == [("west", {"region": "west"}), ("gone", None)]


def test_only_a_to_stream_with_a_key_shuffles():
    def counted(config):
        builder = GraphBuilder().table("orders", ORDER).add("updates", "to_stream", config, table="orders")
        builder.add("grouped", "group_by_key", stream="updates").add("counts", "count", grouped="grouped")
        return builder.updates_to("out", "counts").driver().layout

    assert len(counted({}).sub_topologies) == 1
    assert len(counted({"key": "region"}).sub_topologies) == 2
