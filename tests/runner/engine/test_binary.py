"""Bytes and Avro in whole topologies: through shuffles, state and expressions, to a topic."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.values.schemas import BYTES, INTEGER, STRING, struct
from runner.engine.records.codecs import pack, unpack
from tests.runner.graph_builder import GraphBuilder

ORDER = json.dumps(
    {
        "type": "record",
        "name": "Order",
        "fields": [{"name": "id", "type": "long"}, {"name": "city", "type": ["null", "string"]}],
    }
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.sampled_from(["a", "\0", "b"]), each, max_size=3),
)


@given(JSON.filter(lambda value: "\\ud" not in ascii(value)))
def test_state_keeps_any_value_as_it_is(value: object) -> None:
    assert unpack(pack(value)) == value


def test_bytes_pass_a_shuffle_and_a_store() -> None:
    builder = GraphBuilder().stream("orders", struct(city=STRING), value_format="bytes", value_type=None)
    builder.add("by", "select_key", {"key": "value", "key_format": "bytes"}, stream="orders")
    builder.add("table", "to_table", {"store": "newest"}, stream="by")
    driver = builder.updates_to("out", "table").driver(is_one_life=False)

    driver.pipe_bytes("orders", b"a", b"\xff\x00")

    assert driver.read("out") == [(b"\xff\x00", b"\xff\x00")]


def test_expressions_read_bytes() -> None:
    fields = {
        "size": "length(value)",
        "digits": "hex(value)",
        "text": "CAST(value AS STRING)",
        "safe": "TRY_CAST(value AS STRING)",
        "back": "unbase64(base64(value)) = value",
    }
    shape = {"fields": [{"name": name, "expression": text} for name, text in fields.items()], "on_error": "skip"}
    builder = GraphBuilder().stream("raw", BYTES, value_format="bytes").add("read", "map_values", shape, records="raw")
    driver = builder.to("out", "read").driver()

    driver.pipe_bytes("raw", b"a", "zoë".encode())
    driver.pipe_bytes("raw", b"a", b"\xff")

    assert driver.read("out") == [("a", {"size": 4, "digits": "7A6FC3AB", "text": "zoë", "safe": "zoë", "back": True})]
    assert driver.counters()["read"]["errors"] == 1


def test_an_avro_schema_gives_expressions_their_fields() -> None:
    builder = GraphBuilder().stream("orders", key=STRING, value_format="avro", value_type=None, value_schema=ORDER)
    builder.add("bern", "filter", {"predicate": "city = 'Bern' AND id > 1"}, records="orders")
    driver = builder.to("out", "bern").to("ids", "bern", value_format="json").driver()

    driver.pipe("orders", key="a", value={"id": 2, "city": "Bern"})
    driver.pipe("orders", key="b", value={"id": 3, "city": None})

    assert driver.read("out") == [("a", {"id": 2, "city": "Bern"})]
    assert driver.read("ids") == [("a", {"id": 2, "city": "Bern"})]


@pytest.mark.parametrize("header", ["plain", "confluent"])
def test_a_sink_writes_avro_by_its_own_schema(header: str) -> None:
    builder = GraphBuilder().stream("orders", struct(id=INTEGER, city=STRING))
    avro = {"value_format": "avro", "value_schema": ORDER, "avro_header": header, "value_schema_id": 5}
    driver = builder.to("out", "orders", **avro).driver()

    driver.pipe("orders", key="a", value={"id": 2, "city": "Bern"})

    ((_, row),) = driver.rows()
    plain = b"\x04\x02\x08Bern"
    assert row[2] == (plain if header == "plain" else b"\x00\x00\x00\x00\x05" + plain)


def test_none_leaves_the_key_away() -> None:
    driver = GraphBuilder().stream("orders", STRING).to("out", "orders", key_format="none").driver()

    driver.pipe("orders", key="a", value="x")

    ((_, row),) = driver.rows()
    assert row[1:3] == (None, b'"x"')


def test_keys_with_confluents_header_pass_shuffles_and_stores() -> None:
    city = json.dumps({"type": "record", "name": "City", "fields": [{"name": "name", "type": "string"}]})
    builder = GraphBuilder().stream(
        "orders", INTEGER, key_format="avro", key_schema=city, avro_header="confluent", key_schema_id=7
    )
    builder.add("again", "repartition", {}, stream="orders").add("grouped", "group_by_key", stream="again")
    builder.add("counts", "count", grouped="grouped").add("updates", "to_stream", table="counts")
    driver = builder.to("out", "updates", key_format="json").driver(is_one_life=False)

    for _ in range(2):
        driver.pipe_bytes("orders", b"\0\0\0\0\x07\x08Bern", b"1")

    assert driver.read("out") == [({"name": "Bern"}, 1), ({"name": "Bern"}, 2)]
