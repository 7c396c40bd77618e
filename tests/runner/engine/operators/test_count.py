"""count of a stream's groups and of a table's."""

from designer.values.schemas import STRING, struct
from tests.runner.graph_builder import GraphBuilder


def test_each_record_with_a_key_is_counted():
    builder = GraphBuilder().stream("orders").add("grouped", "group_by_key", stream="orders")
    driver = builder.add("counts", "count", grouped="grouped").updates_to("out", "counts").driver()

    for key, value in (("a", 1), ("b", 2), ("a", 3), (None, 4), ("a", None)):
        driver.pipe("orders", key=key, value=value)

    assert driver.read("out") == [("a", 1), ("b", 1), ("a", 2)]
    assert driver.dropped_records == 2


def test_a_row_that_moves_to_another_group_is_counted_there_alone():
    builder = GraphBuilder().table("people", struct(city=STRING))
    builder.add("by-city", "group_by", {"key": "city"}, records="people")
    driver = builder.add("counts", "count", grouped="by-city").updates_to("out", "counts").driver()

    driver.pipe("people", key="ada", value={"city": "Rome"})
    driver.pipe("people", key="ada", value={"city": "Oslo"})

    assert driver.read("out") == [("Rome", 1), ("Rome", 0), ("Oslo", 1)]
