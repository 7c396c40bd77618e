"""Records that fail: the policies, the dead letters, and how far an error reaches."""

import pytest

from designer.values.schemas import INTEGER, STRING, Type, struct
from runner.engine.tasks.errors import RecordFailed
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER, city=STRING)


def dividing(key: Type = STRING) -> GraphBuilder:
    builder = GraphBuilder().stream("orders", ORDER, key)
    builder.add("shares", "map_values", {"value": "100 / amount"}, records="orders")
    return builder.to("out", "shares")


def test_a_dead_letter_is_the_source_record_with_kafkas_headers_and_the_node():
    driver = dividing().driver()
    driver.pipe("orders", key="a", value={"amount": 1})

    driver.pipe("orders", key="a", value={"amount": 0}, timestamp=7, headers={"trace": b"\xff"})

    (letter,) = driver.dead_letters()
    headers = dict(letter.headers)
    assert letter[:3] == (b"a", b'{"amount":0}', 7)
    assert letter.headers[0] == ("trace", b"\xff")
    assert headers["__streams.errors.exception"] == b"RecordError"
    assert b"zero" in (headers["__streams.errors.message"] or b"")
    assert b"at shares.value" in (headers["__streams.errors.stacktrace"] or b"")
    assert headers["__streams.errors.topic"] == b"orders"
    assert headers["__streams.errors.partition"] == b"0"
    assert headers["__streams.errors.offset"] == b"1"
    assert headers["__streams.errors.node"] == b"shares"


def test_a_dead_letter_of_a_record_that_no_format_can_write_names_its_input():
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("roots", "map_values", {"value": "named_struct('root', sqrt(amount))"}, records="orders")
    driver = builder.to("out", "roots").driver()
    driver.pipe("orders", key="a", value={"amount": 1})

    driver.pipe("orders", key="a", value={"amount": -1})

    (letter,) = driver.dead_letters()
    headers = dict(letter.headers)
    assert headers["__streams.errors.exception"] == b"NotWritten"
    assert [headers[f"__streams.errors.{name}"] for name in ("topic", "partition", "offset")] == [b"orders", b"0", b"1"]


@pytest.mark.parametrize(
    ("key", "value", "side"),
    [(b"\xff", b"{}", b"key"), (bytes(8), b"{", b"value"), (bytes(8), b'{"amount": "x"}', b"value")],
)
def test_what_cannot_be_decoded_is_an_error_of_the_source(key: bytes, value: bytes, side: bytes):
    driver = dividing(INTEGER).driver()

    driver.pipe_bytes("orders", key, value)

    (letter,) = driver.dead_letters()
    message = dict(letter.headers)["__streams.errors.message"] or b""
    assert (letter.key, letter.value) == (key, value)
    assert message.startswith(b"The " + side)
    assert driver.counters()["orders"] == {"in": 1, "out": 0, "dropped": 0, "errors": 1}


def test_a_negative_time_is_an_error_of_the_source():
    driver = dividing().driver()

    driver.pipe("orders", key="a", value={"amount": 1}, timestamp=-1)

    assert driver.read("out") == []
    assert driver.counters()["orders"]["errors"] == 1


def test_skip_counts_and_goes_on():
    driver = dividing().driver(processing="skip", deserialization="skip")

    driver.pipe("orders", key="a", value={"amount": 0})
    driver.pipe_bytes("orders", b"a", b"{")
    driver.pipe("orders", key="a", value={"amount": 50})

    assert driver.read("out") == [("a", 2.0)]
    assert driver.dead_letters() == []
    assert driver.counters()["shares"]["errors"] == 1


@pytest.mark.parametrize(("value", "node"), [(b'{"amount": 0}', "shares"), (b"{", "orders")])
def test_fail_names_the_node_and_the_record(value: bytes, node: str):
    driver = dividing().driver(processing="fail", deserialization="fail")

    with pytest.raises(RecordFailed, match=f"`{node}` failed on offset 0 of partition 0 of orders") as raised:
        driver.pipe_bytes("orders", b"a", value)

    assert raised.value.details == {"node": node, "topic": "orders", "partition": 0, "offset": 0}


def test_an_error_in_one_branch_does_not_stop_the_others():
    builder = dividing().to("all", "orders")
    builder.add("again", "map_values", {"value": "1 / amount"}, records="orders").to("more", "again")
    driver = builder.driver()

    driver.pipe("orders", key="a", value={"amount": 0})

    assert driver.read("all") == [("a", {"amount": 0})]
    assert len(driver.dead_letters()) == 2
    assert driver.counters()["orders"] == {"in": 1, "out": 1, "dropped": 0, "errors": 0}


def shuffled() -> GraphBuilder:
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("by-city", "select_key", {"key": "city"}, stream="orders")
    builder.add("grouped", "group_by_key", stream="by-city")
    functions = [{"name": "most", "function": "max", "expression": "100 / amount"}]
    builder.add("most", "aggregate", {"functions": functions}, grouped="grouped")
    return builder.updates_to("out", "most")


def test_a_dead_letter_behind_a_shuffle_is_the_record_that_was_shuffled_and_names_its_input():
    driver = shuffled().driver()

    driver.pipe("orders", key="a", value={"amount": 1, "city": "x"})
    driver.pipe("orders", key="a", value={"amount": 0, "city": "x"})

    (letter,) = driver.dead_letters()
    headers = dict(letter.headers)
    assert letter.key == b"x"
    assert headers["__streams.errors.node"] == b"most"
    assert [headers[f"__streams.errors.{name}"] for name in ("topic", "partition", "offset")] == [b"orders", b"0", b"1"]


def test_a_failure_behind_a_shuffle_names_the_input_of_the_record():
    driver = shuffled().driver(processing="fail")

    with pytest.raises(RecordFailed, match=r"`most` failed on offset 0 of partition 0 of orders: ") as raised:
        driver.pipe("orders", key="a", value={"amount": 0, "city": "x"}, timestamp=7)

    assert raised.value.details == {"node": "most", "topic": "orders", "partition": 0, "offset": 0}


def test_state_changed_before_an_error_stays_changed():
    builder = GraphBuilder().stream("orders", ORDER).add("grouped", "group_by_key", stream="orders")
    builder.add("counts", "count", grouped="grouped")
    builder.add("shares", "map_values", {"value": "1 / (value - 1)"}, records="counts")
    driver = builder.updates_to("out", "shares").driver()

    driver.pipe("orders", key="a", value={})
    driver.pipe("orders", key="a", value={})

    assert driver.read("out") == [("a", 1.0)]


def test_a_bad_row_of_a_global_table_is_an_error_of_its_node():
    builder = GraphBuilder().stream("orders", ORDER).global_table("cities", struct(name=STRING))
    builder.add("named", "left_join", {"key": "city", "value": "right.name"}, left="orders", right="cities")
    driver = builder.to("out", "named").driver(wall_clock=lambda: 1_700_000_000_000)

    driver.pipe_bytes("cities", b"x", b"{")

    (letter,) = driver.dead_letters()
    assert dict(letter.headers)["__streams.errors.at"] == b"1700000000000"
    assert driver.counters()["cities"] == {"in": 1, "out": 0, "dropped": 0, "errors": 1}
