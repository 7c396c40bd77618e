"""join and left_join of a stream with a table or a global table."""

import pytest

from designer.values.schemas import ANY, INTEGER, STRING, struct
from runner.engine.records.record import KEY, VALUE
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(item=STRING, amount=INTEGER)
NAMED = {"fields": [{"name": "name", "expression": "right.name"}]}


def with_table(operator: str) -> GraphBuilder:
    builder = GraphBuilder().stream("orders", ORDER).table("items", struct(name=STRING))
    return builder.add("named", operator, NAMED, left="orders", right="items").to("out", "named")


def with_global_table(operator: str) -> GraphBuilder:
    builder = GraphBuilder().stream("orders", ORDER).global_table("items", struct(name=STRING))
    return builder.add("named", operator, {"key": "item"} | NAMED, left="orders", right="items").to("out", "named")


@pytest.mark.parametrize(("operator", "given"), [("join", []), ("left_join", [(None, {"amount": 1, "name": None})])])
def test_null_values_are_dropped_and_null_keys_find_no_row(operator: str, given: list[object]):
    driver = with_table(operator).driver()

    driver.pipe("orders", key="a", value=None)
    driver.pipe("orders", key=None, value={"amount": 1})

    assert driver.read("out") == given
    assert driver.dropped_records == 2 - len(given)


@pytest.mark.parametrize(("operator", "given"), [("join", 0), ("left_join", 1)])
def test_a_null_lookup_key_is_dropped_by_the_inner_join_only(operator: str, given: int):
    driver = with_global_table(operator).driver()

    driver.pipe("orders", key="a", value={"item": None})
    driver.pipe("orders", key="a", value=None)

    assert len(driver.read("out")) == given
    assert driver.dropped_records == 2 - given


def test_a_rekeyed_stream_is_shuffled_in_front_of_a_table_but_not_of_a_global_table():
    rekeyed = GraphBuilder().stream("orders", ORDER).add("by-item", "select_key", {"key": "item"}, stream="orders")
    rekeyed.table("items", struct(name=STRING)).global_table("more", struct(name=STRING))
    rekeyed.add("named", "join", NAMED, left="by-item", right="items").to("out", "named")
    rekeyed.add("again", "join", NAMED, left="by-item", right="more").to("other", "again")
    driver = rekeyed.driver()

    driver.pipe("items", key="i", value={"name": "apple"})
    driver.pipe("more", key="i", value={"name": "pear"})
    driver.pipe("orders", key="a", value={"item": "i"})

    assert driver.read("out") == [("i", {"item": "i", "name": "apple"})]
    assert driver.read("other") == [("i", {"item": "i", "name": "pear"})]
    assert [len(each.nodes) for each in driver.layout.sub_topologies] == [4, 3]


def test_null_keys_pass_a_shuffle_with_a_left_join_behind_it_and_no_other():
    builder = GraphBuilder().stream("orders", ORDER).table("items", struct(name=STRING))
    builder.add("by-item", "select_key", {"key": "item"}, stream="orders")
    builder.add("inner", "join", NAMED, left="by-item", right="items").to("inner-out", "inner")
    builder.add("left", "left_join", NAMED, left="by-item", right="items").to("left-out", "left")
    driver = builder.driver()

    driver.pipe("orders", key="a", value={"item": None})

    assert driver.read("inner-out") == []
    assert driver.read("left-out") == [(None, {"item": None, "name": None})]
    assert driver.dropped_records == 0


OTHER_KEYS = [b"1.0", b"true", b"[1]", b'{"a":1}', b'"1"', b"18446744073709551617"]


@pytest.mark.parametrize("key", OTHER_KEYS)
@pytest.mark.parametrize("is_versioned", [False, True])
def test_a_record_with_a_key_of_another_type_finds_no_row(key: bytes, is_versioned: bool):
    history = {"history_ms": 10} if is_versioned else {}
    builder = GraphBuilder().stream("orders", STRING, key=ANY)
    builder.table("rows", STRING, key=INTEGER, key_format="json", **history)
    builder.add("joined", "left_join", {"value": "right"}, left="orders", right="rows")
    driver = builder.to("out", "joined").driver(processing="fail")

    with driver.batch():
        driver.pipe("rows", key=1, value="one")
        for each in (b"1", key):
            driver.pipe_bytes("orders", each, b'"x"')

    assert [value for _, value in driver.read("out")] == ["one", None]


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (b'{"id":5}', "The format string takes text, not int."),
        (b'{"id":["1"]}', "The format string takes text, not list."),
        (b'{"id":1.50}', "The format string takes text, not JsonNumber."),
    ],
)
def test_a_key_that_a_global_table_cannot_write_is_a_dead_letter(found: bytes, why: str):
    builder = GraphBuilder().stream("orders", ANY).global_table("names", STRING)
    builder.add("named", "left_join", {"key": "value.id", "value": "right"}, left="orders", right="names")
    driver = builder.to("out", "named").driver()
    driver.pipe("names", key="1", value="one")

    for value in (found, b'{"id":"1"}'):
        driver.pipe_bytes("orders", b"a", value)

    assert driver.read("out") == [("a", "one")]
    (letter,) = driver.dead_letters()
    assert (letter.value, dict(letter.headers)["__streams.errors.node"]) == (found, b"named")
    assert why in str(dict(letter.headers)["__streams.errors.message"])


@pytest.mark.parametrize("key", OTHER_KEYS)
def test_tables_join_no_rows_with_keys_of_another_type(key: bytes):
    builder = GraphBuilder().table("left", STRING, key=INTEGER, key_format="json").table("right", STRING, key=ANY)
    config = {"value": "concat_ws('-', left, right)", "store": "all"}
    builder.add("joined", "outer_join", config, left="left", right="right")
    driver = builder.updates_to("out", "joined").driver(processing="fail")

    with driver.batch():
        driver.pipe("left", key=1, value="one")
        driver.pipe_bytes("right", key, b'"other"')

    assert [(row[KEY], row[VALUE]) for _, row in driver.rows()] == [(b"1", b'"one"'), (key, b'"other"')]


@pytest.mark.parametrize("key", OTHER_KEYS)
def test_streams_join_no_records_with_keys_of_another_type(key: bytes):
    builder = GraphBuilder().stream("left", STRING, key=INTEGER, key_format="json").stream("right", STRING, key=ANY)
    config = {"before_ms": 10, "after_ms": 10, "value": "concat(left, '-', right)"}
    driver = builder.add("joined", "join", config, left="left", right="right").to("out", "joined").driver()

    with driver.batch():
        driver.pipe("left", key=1, value="one")
        for each in (key, b"1"):
            driver.pipe_bytes("right", each, b'"other"')

    assert [value for _, value in driver.read("out")] == ["one-other"]
    assert driver.dead_letters() == []
