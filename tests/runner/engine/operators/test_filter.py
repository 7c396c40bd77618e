"""filter on a KStream and on a KTable."""

from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=INTEGER, amount=INTEGER, city=STRING)


def test_a_filter_keeps_what_is_true_and_drops_false_and_null():
    builder = (
        GraphBuilder().stream("orders", ORDER).add("dear", "filter", {"predicate": "amount > 5"}, records="orders")
    )
    driver = builder.to("out", "dear").driver()

    for amount in (5, 6, None):
        driver.pipe("orders", key="a", value={"amount": amount})
    driver.pipe("orders", key="a", value=None)

    assert driver.read("out") == [("a", {"amount": 6})]
    assert driver.counters()["dear"] == {"in": 4, "out": 1, "dropped": 0, "errors": 0}


def test_time_and_headers_stay():
    builder = (
        GraphBuilder().stream("orders", ORDER).add("dear", "filter", {"predicate": "amount > 5"}, records="orders")
    )
    driver = builder.to("out", "dear").driver()

    driver.pipe("orders", key="a", value={"amount": 6}, timestamp=77, headers={"trace": b"\xff\x00"})

    (record,) = driver.records("out")
    assert (record.timestamp, record.headers) == (77, (("trace", b"\xff\x00"),))


def test_headers_can_be_asked_for():
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("traced", "filter", {"predicate": "headers[0].value = 'yes'"}, records="orders")
    driver = builder.to("out", "traced").driver()

    driver.pipe("orders", key="a", value={}, headers={"trace": b"yes"})
    driver.pipe("orders", key="b", value={}, headers={"trace": b"no"})

    assert driver.read("out") == [("a", {})]


def test_a_filter_deletes_rows_even_those_never_seen_where_old_values_are_not_known():
    builder = GraphBuilder().table("prices", INTEGER)
    builder.add("dear", "filter", {"predicate": "value > 5"}, records="prices")
    driver = builder.updates_to("out", "dear").driver()

    driver.pipe("prices", key="a", value=1)
    driver.pipe("prices", key="a", value=6)
    driver.pipe("prices", key="a", value=2)

    assert driver.read("out") == [("a", None), ("a", 6), ("a", None)]


def test_a_filter_of_a_materialised_table_says_nothing_of_rows_that_were_not_there():
    builder = GraphBuilder().table("prices", INTEGER, store="prices")
    builder.add("dear", "filter", {"predicate": "value > 5"}, records="prices")
    driver = builder.updates_to("out", "dear").driver()

    driver.pipe("prices", key="a", value=1)
    driver.pipe("prices", key="a", value=6)
    driver.pipe("prices", key="a", value=2)
    driver.pipe("prices", key="a", value=None)

    assert driver.read("out") == [("a", 6), ("a", None)]


def test_a_filter_defined_before_its_table_was_needed_does_not_know_old_values():
    builder = GraphBuilder().stream("orders", INTEGER).table("prices", INTEGER)
    builder.add("dear", "filter", {"predicate": "value > 5"}, records="prices")
    builder.add("priced", "join", {"value": "right"}, left="orders", right="prices")
    driver = builder.updates_to("out", "dear").to("joined", "priced").driver()

    driver.pipe("prices", key="a", value=1)

    assert driver.read("out") == [("a", None)]
    assert [store.name for store in driver.layout.stores] == ["prices"]
