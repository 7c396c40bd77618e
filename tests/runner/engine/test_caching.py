"""With caches a table forwards the last value of each key when the batch ends."""

from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder


def counts() -> GraphBuilder:
    builder = GraphBuilder().stream("orders").add("grouped", "group_by_key", stream="orders")
    return builder.add("counts", "count", grouped="grouped")


def test_the_last_value_of_each_key_is_forwarded_in_the_order_keys_became_dirty():
    driver = counts().updates_to("out", "counts").driver(cache=True)

    with driver.batch():
        for key in ("b", "a", "b"):
            driver.pipe("orders", key=key, value=1)
        assert driver.read("out") == []

    assert driver.read("out") == [("b", 2), ("a", 1)]
    assert driver.counters()["counts"] == {"in": 3, "out": 2, "dropped": 0, "errors": 0}


def test_each_update_is_forwarded_without_caches():
    driver = counts().updates_to("out", "counts").driver(cache=False)

    with driver.batch():
        for key in ("b", "a", "b"):
            driver.pipe("orders", key=key, value=1)

    assert driver.read("out") == [("b", 1), ("a", 1), ("b", 2)]


def test_the_old_value_is_the_one_before_the_batch():
    builder = counts().add("odd", "filter", {"predicate": "value % 2 = 1"}, records="counts")
    driver = builder.updates_to("out", "odd").driver(cache=True)

    driver.pipe("orders", key="a", value=1)
    with driver.batch():
        driver.pipe("orders", key="a", value=1)
        driver.pipe("orders", key="a", value=1)
        driver.pipe("orders", key="a", value=1)

    assert driver.read("out") == [("a", 1), ("a", None)]


def test_a_key_that_came_and_went_in_one_batch_forwards_nothing():
    driver = GraphBuilder().table("prices", INTEGER, store="prices").updates_to("out", "prices").driver(cache=True)

    with driver.batch():
        driver.pipe("prices", key="a", value=1)
        driver.pipe("prices", key="a", value=None)
    with driver.batch():
        driver.pipe("prices", key="b", value=1)
    with driver.batch():
        driver.pipe("prices", key="b", value=None, timestamp=9)

    assert [record[:3] for record in driver.records("out")] == [("b", 1, 0), ("b", None, 9)]


def test_a_join_sees_rows_of_the_same_batch():
    builder = GraphBuilder().stream("orders", INTEGER).table("prices", INTEGER)
    builder.add("priced", "left_join", {"value": "right"}, left="orders", right="prices")
    driver = builder.to("out", "priced").driver(cache=True)

    with driver.batch():
        for price in (1, 2):
            driver.pipe("prices", key="a", value=price)
            driver.pipe("orders", key="a", value=0)

    assert driver.read("out") == [("a", 1), ("a", 2)]


def test_tables_behind_tables_flush_after_them():
    builder = counts().add("doubled", "map_values", {"value": "value * 2", "store": "doubled"}, records="counts")
    driver = builder.updates_to("out", "doubled").driver(cache=True)

    with driver.batch():
        driver.pipe("orders", key="a", value=1)
        driver.pipe("orders", key="a", value=1)

    assert driver.read("out") == [("a", 4)]


def test_what_a_flush_forwards_goes_through_shuffles_in_the_same_batch():
    builder = counts().add("updates", "to_stream", table="counts")
    builder.add("by-count", "select_key", {"key": "value"}, stream="updates")
    builder.add("regrouped", "group_by_key", stream="by-count").add("keys", "count", grouped="regrouped")
    driver = builder.updates_to("out", "keys").driver(cache=True)

    with driver.batch():
        for key in ("a", "b", "a"):
            driver.pipe("orders", key=key, value=1)

    assert driver.read("out") == [(2, 1), (1, 1)]


def test_updates_carry_the_headers_of_the_last_record_of_their_key():
    driver = counts().updates_to("out", "counts").driver(cache=True)

    with driver.batch():
        driver.pipe("orders", key="a", value=1, headers={"n": b"1"})
        driver.pipe("orders", key="a", value=1, headers={"n": b"2"})
        driver.pipe("orders", key="b", value=1)

    assert [record.headers for record in driver.records("out")] == [(("n", b"2"),), ()]


def test_an_error_while_flushing_stops_that_row_alone():
    builder = GraphBuilder().stream("orders", struct(by=INTEGER), key=STRING)
    functions = [{"name": "least", "function": "min", "expression": "by"}]
    builder.add("grouped", "group_by_key", stream="orders")
    builder.add("leasts", "aggregate", {"functions": functions}, grouped="grouped")
    builder.add("shares", "map_values", {"value": "100 / least"}, records="leasts")
    driver = builder.updates_to("out", "shares").driver(cache=True)

    with driver.batch():
        for key, by in (("a", 0), ("b", 4)):
            driver.pipe("orders", key=key, value={"by": by}, timestamp=by)

    assert driver.read("out") == [("b", 25.0)]
    assert driver.counters()["shares"]["errors"] == 1
    assert [letter.key for letter in driver.dead_letters()] == [b"a"]
