"""global_table."""

from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(item=STRING, amount=INTEGER)
NAMED = {"fields": [{"name": "name", "expression": "right.name"}]}


def with_global_table(operator):
    builder = GraphBuilder().stream("orders", ORDER).global_table("items", struct(name=STRING))
    return builder.add("named", operator, {"key": "item"} | NAMED, left="orders", right="items").to("out", "named")


def test_a_global_table_is_looked_up_by_any_key_of_the_record():
    driver = with_global_table("join").driver()

    driver.pipe("items", key="i1", value={"name": "apple"})
    driver.pipe("items", key=None, value={"name": "nobody"})
    driver.pipe("orders", key="a", value={"item": "i1"})
    driver.pipe("orders", key="a", value={"item": "i2"})

    assert driver.read("out") == [("a", {"item": "i1", "name": "apple"})]
    assert driver.counters()["named"] == {"in": 2, "out": 1, "dropped": 0, "errors": 0, "no_match": 1}
    assert driver.counters()["items"] == {"in": 2, "out": 1, "dropped": 1, "errors": 0}


def test_a_deleted_row_is_found_no_more():
    driver = with_global_table("join").driver()

    driver.pipe("items", key="i1", value={"name": "apple"})
    driver.pipe("items", key="i1", value=None)
    driver.pipe("orders", key="a", value={"item": "i1"})

    assert driver.read("out") == []
