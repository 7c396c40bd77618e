"""flat_map, and what it shares with flat_map_values."""

import pytest

from designer.values.schemas import INTEGER, STRING, Kind, Type, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=INTEGER, tags=Type(Kind.LIST, item=STRING))
TWICE = {"items": "tags", "key": "concat(item, index)", "value": "id"}


def by_tag(**config):
    return GraphBuilder().stream("orders", ORDER).add("by-tag", "flat_map", TWICE | config, stream="orders")


def tags(**config):
    return (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("tags", "flat_map_values", {"values": "tags"} | config, stream="orders")
    )


def test_each_item_makes_a_record_in_order_with_the_time_of_its_record():
    driver = by_tag().to("out", "by-tag").driver()

    driver.pipe("orders", key="a", value={"id": 1, "tags": ["x", "y"]}, timestamp=5)

    assert [record[:3] for record in driver.records("out")] == [("x0", 1, 5), ("y1", 1, 5)]
    assert driver.counters()["by-tag"] == {"in": 1, "out": 2, "dropped": 0, "errors": 0}


def test_an_empty_list_makes_no_record():
    driver = by_tag().to("out", "by-tag").driver()

    driver.pipe("orders", key="a", value={"id": 1, "tags": []})

    assert driver.read("out") == []
    assert driver.counters()["by-tag"] == {"in": 1, "out": 0, "dropped": 0, "errors": 0}


@pytest.mark.parametrize("builder", [by_tag().to("out", "by-tag"), tags().to("out", "tags")])
def test_a_null_in_place_of_the_list_is_an_error_of_the_record(builder):
    driver = builder.driver()

    driver.pipe("orders", key="a", value={"id": 1, "tags": None})

    assert driver.read("out") == []
    assert len(driver.dead_letters()) == 1


def test_if_one_item_fails_none_of_the_record_goes_out():
    driver = by_tag(value="cast(item AS BIGINT)").to("out", "by-tag").driver()

    driver.pipe("orders", key="a", value={"id": 1, "tags": ["1", "x"]})

    assert driver.read("out") == []
    assert driver.counters()["by-tag"] == {"in": 1, "out": 0, "dropped": 0, "errors": 1}


def test_fields_of_the_record_can_be_kept_beside_those_of_the_item():
    fields = [{"name": "tags", "expression": "item"}, {"name": "at", "expression": "index"}]
    driver = by_tag(value=None, fields=fields, keep=True).to("out", "by-tag").driver()

    driver.pipe("orders", key="a", value={"id": 1, "tags": ["x"]})

    assert driver.read("out") == [("x0", {"id": 1, "tags": "x", "at": 0})]


def test_flat_map_changes_the_key_and_flat_map_values_does_not():
    def cuts(builder, node):
        builder.add("grouped", "group_by_key", stream=node).add("counts", "count", grouped="grouped")
        return len(builder.updates_to("out", "counts").driver().layout.sub_topologies)

    assert cuts(by_tag(), "by-tag") == 2
    assert cuts(tags(), "tags") == 1
