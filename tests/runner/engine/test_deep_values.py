"""Values that are nested deep: one limit for all that is read and written, and no end of a task."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest

from designer.values.exact_json import MAX_DEPTH, JsonNumber
from designer.values.schemas import ANY, STRING, struct
from designer.values.tuples import UnionValue
from runner.engine.code import user_code
from runner.engine.records.codecs import pack, unpack
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=STRING)
DEEPER = (MAX_DEPTH + 1, 300, 600, 1_000, 1_100, 100_000)


def nest(levels: int, leaf: bytes = b"1.50") -> bytes:
    """A document of that many levels, the object around them included."""
    inner = levels - 1
    return b'{"id":"a","x":' + b"[" * inner + leaf + b"]" * inner + b"}"


def stream() -> GraphBuilder:
    return GraphBuilder().stream("in", ORDER)


def grouped() -> GraphBuilder:
    return stream().add("grouped", "group_by", {"key": "id"}, records="in")


def joined_streams(operator: str) -> GraphBuilder:
    joined = {"before_ms": 1_000, "after_ms": 1_000, "grace_ms": 0, "value": "named_struct('l', left, 'r', right)"}
    return stream().stream("other", ORDER).add("done", operator, joined, left="in", right="other").to("out", "done")


def joined_tables(**config: Any) -> GraphBuilder:
    joined = {"value": "named_struct('l', left, 'r', right)"} | config
    builder = GraphBuilder().table("in", ORDER).table("other", ORDER)
    return builder.add("done", "left_join", joined, left="in", right="other").updates_to("out", "done")


KEPT = {"fields": [{"name": "n", "expression": "1"}], "keep": True}
SHAPES = {
    "filter": stream().add("done", "filter", {"predicate": "id = 'a'"}, records="in").to("out", "done"),
    "map_values": stream().add("done", "map_values", KEPT, records="in").to("out", "done"),
    "select_key": stream()
    .add("done", "select_key", {"key": "value", "key_format": "json"}, stream="in")
    .to("out", "done"),
    "count": grouped().add("done", "count", grouped="grouped").updates_to("out", "done"),
    "reduce": grouped().add("done", "reduce", {"add": "value"}, grouped="grouped").updates_to("out", "done"),
    "repartition": stream().add("done", "repartition", {}, stream="in").to("out", "done"),
    "table": GraphBuilder().table("in", ORDER).updates_to("out", "in"),
    "versions": GraphBuilder().table("in", ORDER, history_ms=1_000).updates_to("out", "in"),
    "join": joined_streams("join"),
    "left_join": joined_streams("left_join"),
    "outer_join": joined_streams("outer_join"),
    "tables": joined_tables(),
    "foreign_key": joined_tables(foreign_key="id"),
    "suppress": GraphBuilder()
    .table("in", ORDER)
    .add("done", "suppress", {"until": "time_limit", "wait_ms": 1}, table="in")
    .updates_to("out", "done"),
    "deduplicate": stream()
    .add("done", "deduplicate", {"by": "value", "within_ms": 1_000}, stream="in")
    .to("out", "done"),
    "parse_json": stream()
    .add("done", "map_values", {"value": "parse_json(to_json(value))"}, records="in")
    .to("out", "done"),
}
ENDS = {"other": b'{"id":"a"}', "in": b'{"id":"a","last":true}'}


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_document_as_deep_as_the_limit_passes_through_every_node(shape: str, cache: bool) -> None:
    driver = SHAPES[shape].driver(cache=cache, is_one_life=False)

    with driver.batch():
        driver.pipe_bytes("in", b"a", nest(MAX_DEPTH - 2), 1)
    for topic, value in ENDS.items():
        if topic in driver.layout.sources_by_topic:
            driver.pipe_bytes(topic, b"a", value, 900)
    driver.pipe_bytes("in", b"a", b'{"id":"b"}', 100_000)

    assert driver.dead_letters() == []
    assert driver.rows()


@pytest.mark.parametrize("depth", DEEPER)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_deeper_one_is_one_dead_letter_and_its_neighbours_pass(shape: str, depth: int) -> None:
    driver = SHAPES[shape].driver(is_one_life=False)

    with driver.batch():
        driver.pipe_bytes("in", b"a", b'{"id":"a"}', 1)
        driver.pipe_bytes("in", b"a", nest(depth), 2)
        driver.pipe_bytes("in", b"b", b'{"id":"b"}', 3)

    (letter,) = driver.dead_letters()
    message = dict(letter.headers)["__streams.errors.message"] or b""
    assert letter.value == nest(depth)
    assert f"nested deeper than {MAX_DEPTH} levels".encode() in message


@pytest.mark.parametrize("depth", DEEPER)
@pytest.mark.parametrize("key", ["'k'", "id"])
def test_a_text_that_parse_json_cannot_keep_is_a_dead_letter(key: str, depth: int) -> None:
    builder = GraphBuilder().stream("in", struct(id=STRING, text=STRING))
    builder.add("read", "map_values", {"value": "parse_json(text)"}, records="in").to("plain", "read")
    builder.add("keyed", "group_by", {"key": key}, records="in").add(
        "kept", "aggregate", {"init": "parse_json('null')", "add": "parse_json(value.text)"}, grouped="keyed"
    )
    driver = builder.updates_to("out", "kept").driver(is_one_life=False)
    for levels in (MAX_DEPTH, depth):
        driver.pipe("in", key="k", value={"id": "a", "text": "[" * levels + "]" * levels})

    messages = {dict(letter.headers)["__streams.errors.message"] for letter in driver.dead_letters()}

    assert len(driver.rows()) == 2
    assert messages == {f"The text is not valid JSON: it is nested deeper than {MAX_DEPTH} levels.".encode()}


@pytest.mark.parametrize("cache", [True, False])
def test_an_aggregate_that_wraps_itself_stays_in_its_store_and_its_updates_become_dead_letters(cache: bool) -> None:
    builder = grouped().add("done", "aggregate", {"init": "parse_json('[]')", "add": "array(agg)"}, grouped="grouped")
    driver = builder.updates_to("out", "done").driver(cache=cache, is_one_life=False)

    for _ in range(3):
        with driver.batch():
            for _ in range(1_500):
                driver.pipe_bytes("in", None, b'{"id":"a"}')

    assert driver.counters()["done"]["errors"] == 0
    assert driver.counters()["out"]["errors"] == (3 if cache else 4_500 - MAX_DEPTH + 1)


def test_what_code_makes_deeper_is_kept_and_refused_only_where_it_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    monkeypatch.setattr(user_code, "_is_trusted", True)
    code = """
class Deep(Processor):
    def init(self, context):
        self.context, self.store = context, context.store("kept")

    def process(self, record):
        value = self.store.get("k") or record.value
        for _ in range(100):
            value = [value]
        self.store.put("k", value)
        self.context.forward(record.with_value(value))
"""
    stores = [{"name": "kept", "key_format": "string"}]
    builder = GraphBuilder().stream("in", ANY).add("deep", "process", {"code": code, "stores": stores}, stream="in")
    builder.add("again", "repartition", {}, stream="deep").add("seen", "peek", {"message": "value"}, stream="again")
    driver = builder.to("out", "seen").driver(is_one_life=False)

    for _ in range(12):
        driver.pipe_bytes("in", b"k", b'"x"')

    counters = driver.counters()
    assert len(driver.rows()) == 2
    assert counters["deep"]["errors"] + counters["out"]["errors"] == len(driver.dead_letters()) == 10


@pytest.mark.parametrize("levels", [1, 64, 65, 250, 254, 255, 1_000, 50_000])
@pytest.mark.parametrize("leaf", [7, JsonNumber("1.50"), b"x", math.nan, 2**70, None, Decimal("1.5")])
def test_state_and_shuffles_keep_any_depth(leaf: object, levels: int) -> None:
    value: Any = leaf
    for level in range(levels):
        value = ({"\0": value}, [value], {"a": value, "b": level}, UnionValue("t", [value]))[level % 4]

    assert pack(unpack(pack(value))) == pack(value)
