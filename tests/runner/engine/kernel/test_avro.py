"""Avro in the kernel: each record by the schema that it was written with. `differential.py` draws schemas and bytes."""

from __future__ import annotations

import struct
from typing import Any

import orjson

from runner.engine.kernel.planning import KernelPlan, plan
from tests.runner.engine.kernel.test_equality import compare_engines
from tests.runner.graph_builder import GraphBuilder
from tests.runner.kernel_driver import KernelDriver, make_columns


def record(*fields: dict[str, object]) -> str:
    return orjson.dumps({"type": "record", "name": "Order", "fields": fields}).decode()


FIRST = record({"name": "id", "type": "string"}, {"name": "amount", "type": "int"}, {"name": "old", "type": "bytes"})
NOW = record(
    {"name": "note", "type": ["null", "string"], "default": None},
    {"name": "number", "type": "string", "aliases": ["id"]},
    {"name": "amount", "type": "double"},
)
OLD_ORDER = b"\0\0\0\0\1" + b"\x02a" + b"\x06" + b"\x04xy"
NEW_ORDER = b"\0\0\0\0\2" + b"\x02\x02n" + b"\x02b" + struct.pack("<d", 2.5)
UNKNOWN_ID = b"\0\0\0\0\7\x02a"


def orders() -> GraphBuilder:
    config: dict[str, Any] = {
        "value_format": "avro",
        "value_schema": NOW,
        "value_schema_id": 2,
        "avro_header": "confluent",
        "value_writer_schemas": [{"id": 1, "avro_schema": FIRST}],
        "value_type": None,
    }
    return GraphBuilder().stream("orders", **config)


def pipe(driver: KernelDriver) -> None:
    with driver.batch():
        for data in (OLD_ORDER, NEW_ORDER, UNKNOWN_ID, NEW_ORDER[:-1], NEW_ORDER + b"\0", b"", b"{}"):
            driver.pipe_bytes("orders", b"k", data)


def test_records_of_two_schemas_are_read_as_in_python():
    fields = [{"name": "all", "expression": "value"}, {"name": "twice", "expression": "amount * 2"}]
    compare_engines(orders().add("n", "map_values", {"fields": fields}, records="orders").to("out", "n"), pipe)


def test_written_avro_is_the_same():
    compare_engines(orders().to("out", "orders").to("json", "orders", value_format="json"), pipe)


def test_records_with_state_are_the_same():
    builder = orders().add("g", "group_by_key", {}, stream="orders")
    builder.add("a", "reduce", {"add": "named_struct('note', agg.note, 'number', 'x', 'amount', 1.5)"}, grouped="g")
    compare_engines(builder.updates_to("out", "a"), pipe)


def test_only_records_that_cannot_be_read_go_to_python():
    driver = KernelDriver(orders().to("json", "orders", value_format="json").graph)
    compiled = plan(driver.layout, driver.options, 0)
    assert isinstance(compiled, KernelPlan)
    rows = [(0, b"k", data, 0, None, 0, 0) for data in (OLD_ORDER, UNKNOWN_ID, NEW_ORDER)]

    outcome = compiled.compiled.run(0, None, len(rows), *make_columns(rows))

    assert [place for place, _ in outcome["for_python"]] == [1]
