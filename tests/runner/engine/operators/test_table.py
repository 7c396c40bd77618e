"""table."""

import pytest

from designer.streams.topics import ReadsTopic
from designer.values.schemas import INTEGER
from tests.runner.graph_builder import GraphBuilder


def test_a_table_forwards_each_update_and_drops_null_keys():
    driver = GraphBuilder().table("prices", INTEGER).updates_to("out", "prices").driver()

    driver.pipe("prices", key="a", value=1)
    driver.pipe("prices", key=None, value=2)
    driver.pipe("prices", key="a", value=None)

    assert driver.read("out") == [("a", 1), ("a", None)]
    assert driver.dropped_records == 1


def test_a_table_without_a_store_passes_needless_deletions():
    driver = GraphBuilder().table("prices", INTEGER).updates_to("out", "prices").driver()

    driver.pipe("prices", key="never", value=None)

    assert driver.read("out") == [("never", None)]
    assert driver.layout.stores == ()


def test_later_offsets_win_over_later_times():
    builder = GraphBuilder().stream("orders", INTEGER).table("prices", INTEGER)
    builder.add("priced", "join", {"value": "right"}, left="orders", right="prices")
    driver = builder.to("out", "priced").driver()

    driver.pipe("prices", key="a", value=1, timestamp=10)
    driver.pipe("prices", key="a", value=2, timestamp=5)
    driver.pipe("orders", key="a", value=0, timestamp=20)

    assert driver.read("out") == [("a", 2)]


@pytest.mark.parametrize("load_first", [True, False])
def test_a_table_is_read_before_all_streams_only_on_request(load_first: bool):
    driver = GraphBuilder().table("prices", INTEGER, load_first=load_first).updates_to("out", "prices").driver()

    table = driver.layout.nodes["prices"].operator
    assert isinstance(table, ReadsTopic)
    assert table.is_read_first == load_first
