"""to_table: a stream as a table."""

from __future__ import annotations

from designer.values.schemas import ANY, STRING, struct
from tests.runner.graph_builder import GraphBuilder


def test_each_record_is_the_newest_value_of_its_key() -> None:
    driver = (
        GraphBuilder().stream("prices").add("table", "to_table", stream="prices").updates_to("out", "table").driver()
    )

    driver.pipe("prices", key="a", value=1)
    driver.pipe("prices", key="a", value=None)

    assert driver.read("out") == [("a", 1), ("a", None)]


def test_a_record_without_a_key_is_dropped() -> None:
    driver = (
        GraphBuilder().stream("prices").add("table", "to_table", stream="prices").updates_to("out", "table").driver()
    )

    driver.pipe("prices", key=None, value=1)

    assert driver.read("out") == []
    assert driver.dropped_records == 1


def test_it_keeps_a_store_when_named_or_when_rows_are_looked_up() -> None:
    plain = GraphBuilder().stream("s").add("t", "to_table", stream="s").updates_to("out", "t")
    named = GraphBuilder().stream("s").add("t", "to_table", {"store": "prices"}, stream="s").updates_to("out", "t")
    looked_up = GraphBuilder().stream("s").add("t", "to_table", stream="s").stream("orders")
    looked_up.add("joined", "join", {"value": "right"}, left="orders", right="t")

    stores = [[store.name for store in builder.driver().layout.stores] for builder in (plain, named, looked_up)]

    assert stores == [[], ["prices"], ["t"]]


def test_a_changed_key_is_sent_to_its_task_and_null_keys_stay_behind() -> None:
    builder = (
        GraphBuilder()
        .stream("orders", value=struct(city=STRING))
        .add("by-city", "select_key", {"key": "city"}, stream="orders")
    )
    driver = builder.add("table", "to_table", stream="by-city").updates_to("out", "table").driver()

    driver.pipe("orders", key="1", value={"city": "Ulm"})
    driver.pipe("orders", key="2", value={"city": None})

    assert driver.read("out") == [("Ulm", {"city": "Ulm"})]
    assert driver.dropped_records == 0


def test_updates_carry_the_value_before_where_something_asks_for_it() -> None:
    builder = GraphBuilder().stream("s", value=ANY).add("t", "to_table", stream="s")
    driver = builder.add("kept", "filter", {"predicate": "value > 1", "store": "kept"}, records="t").driver()

    driver.pipe("s", key="a", value=1)

    assert [store.name for store in driver.layout.stores] == ["kept"]
