"""to_stream."""

from designer.schemas import INTEGER, STRING, struct
from tests.runner.drawing import Drawing

ORDER = struct(region=STRING, amount=INTEGER)


def test_to_stream_with_a_key_gives_each_update_that_key():
    drawing = Drawing().table("orders", ORDER)
    drawing.add("updates", "to_stream", {"key": "coalesce(region, 'gone')"}, table="orders").to("out", "updates")
    driver = drawing.driver()

    driver.pipe("orders", key="a", value={"region": "west"})
    driver.pipe("orders", key="a", value=None)

    assert driver.read("out") == [("west", {"region": "west"}), ("gone", None)]


def test_only_a_to_stream_with_a_key_shuffles():
    def counted(config):
        drawing = Drawing().table("orders", ORDER).add("updates", "to_stream", config, table="orders")
        drawing.add("grouped", "group_by_key", stream="updates").add("counts", "count", grouped="grouped")
        return drawing.updates_to("out", "counts").driver().layout

    assert len(counted({}).sub_topologies) == 1
    assert len(counted({"key": "region"}).sub_topologies) == 2
