"""stream, filter, map_values, select_key and to on a KStream."""

from designer.schemas import ANY, INTEGER, STRING, struct
from tests.runner.drawing import Drawing

ORDER = struct(id=INTEGER, amount=INTEGER, city=STRING)


def test_a_stream_passes_null_keys_and_null_values():
    driver = Drawing().stream("orders").to("out", "orders").driver()

    driver.pipe("orders", key=None, value=1)
    driver.pipe("orders", key="a", value=None)

    assert driver.read("out") == [(None, 1), ("a", None)]


def test_time_and_headers_stay():
    drawing = Drawing().stream("orders", ORDER).add("dear", "filter", {"predicate": "amount > 5"}, records="orders")
    driver = drawing.to("out", "dear").driver()

    driver.pipe("orders", key="a", value={"amount": 6}, timestamp=77, headers={"trace": b"\xff\x00"})

    (record,) = driver.records("out")
    assert (record.timestamp, record.headers) == (77, (("trace", b"\xff\x00"),))


def test_headers_can_be_asked_for():
    drawing = Drawing().stream("orders", ORDER)
    drawing.add("traced", "filter", {"predicate": "headers[0].value = 'yes'"}, records="orders")
    driver = drawing.to("out", "traced").driver()

    driver.pipe("orders", key="a", value={}, headers={"trace": b"yes"})
    driver.pipe("orders", key="b", value={}, headers={"trace": b"no"})

    assert driver.read("out") == [("a", {})]


def test_a_filter_keeps_what_is_true_and_drops_false_and_null():
    drawing = Drawing().stream("orders", ORDER).add("dear", "filter", {"predicate": "amount > 5"}, records="orders")
    driver = drawing.to("out", "dear").driver()

    for amount in (5, 6, None):
        driver.pipe("orders", key="a", value={"amount": amount})
    driver.pipe("orders", key="a", value=None)

    assert driver.read("out") == [("a", {"amount": 6})]
    assert driver.counters()["dear"] == {"in": 4, "out": 1, "dropped": 0, "errors": 0}


def test_map_values_takes_null_values_too():
    drawing = Drawing().stream("orders", ORDER)
    drawing.add("known", "map_values", {"value": "value IS NOT NULL"}, records="orders")
    driver = drawing.to("out", "known").driver()

    driver.pipe("orders", key="a", value=None)
    driver.pipe("orders", key="b", value={})

    assert driver.read("out") == [("a", False), ("b", True)]


def test_map_values_keeps_fields_and_puts_new_ones_behind():
    drawing = Drawing().stream("orders", ORDER)
    fields = [{"name": "amount", "expression": "amount * 2"}, {"name": "twice", "expression": "TRUE"}]
    drawing.add("doubled", "map_values", {"fields": fields, "keep": True}, records="orders")
    driver = drawing.to("out", "doubled").driver()

    driver.pipe("orders", key="a", value={"id": 1, "amount": 3, "city": "x"})

    ((_, value),) = driver.read("out")
    assert list(value.items()) == [("id", 1), ("amount", 6), ("city", "x"), ("twice", True)]


def test_one_branch_does_not_see_what_another_made_of_the_value():
    drawing = Drawing().stream("orders", ORDER)
    fields = [{"name": "amount", "expression": "0"}]
    drawing.add("zero", "map_values", {"fields": fields, "keep": True}, records="orders")
    driver = drawing.to("zeros", "zero").to("all", "orders").driver()

    driver.pipe("orders", key="a", value={"amount": 3})

    assert driver.read("zeros") == [("a", {"amount": 0})]
    assert driver.read("all") == [("a", {"amount": 3})]


def test_a_new_key_may_be_null():
    drawing = Drawing().stream("orders", ORDER).add("by-city", "select_key", {"key": "city"}, stream="orders")
    driver = drawing.to("out", "by-city").driver()

    driver.pipe("orders", key="a", value={"city": "x"})
    driver.pipe("orders", key="a", value={})

    assert driver.read("out") == [("x", {"city": "x"}), (None, {})]


def test_children_take_a_record_in_the_order_they_were_defined():
    drawing = Drawing().stream("orders").to("second", "orders").to("first", "orders")
    drawing.nodes = [drawing.nodes[0], drawing.nodes[2], drawing.nodes[1]]
    driver = drawing.driver()

    driver.pipe("orders", key="a", value=1)

    assert [topic for topic, _ in driver.rows()] == ["first", "second"]


def test_a_value_the_format_cannot_write_is_an_error_of_the_sink():
    driver = Drawing().stream("orders", ANY).to("out", "orders", value_format="long").driver()

    driver.pipe("orders", key="a", value="text")
    driver.pipe("orders", key="a", value=1)

    assert driver.read("out") == [("a", 1)]
    assert driver.counters()["out"] == {"in": 2, "out": 1, "dropped": 0, "errors": 1}
    assert len(driver.dead_letters()) == 1
