"""Protobuf in the kernel: messages by their numbers. `differential.py` draws schemas and bytes."""

from __future__ import annotations

from typing import Any

import pytest

from designer.values.schemas import FormatSchema
from runner.engine.formats.protobuf import make_body_encoder
from runner.engine.kernel.planning import KernelPlan, plan
from tests.runner.engine.kernel.test_equality import compare_engines
from tests.runner.graph_builder import GraphBuilder
from tests.runner.kernel_driver import KernelDriver, make_columns

SHOP = """
syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
message Other { int32 id = 1; }
message Order {
  enum Status { NEW = 0; PAID = 1; }
  message Line { string sku = 1; sint32 count = 2; optional double price = 3; }
  int64 id = 1;
  string city = 2;
  repeated Line lines = 4;
  map<string, int32> stock = 5;
  map<int32, Line> by_number = 6;
  Status status = 7;
  oneof payment { string card = 8; uint64 cash = 9; }
  google.protobuf.Timestamp at = 12;
  repeated fixed32 codes = 18;
}
"""
LINE = {"sku": "x", "count": -3, "price": None}
ORDER = {
    "id": 7,
    "city": "Bern",
    "lines": [LINE, LINE],
    "stock": {"b": 1, "a": 0, "": 3, "ab": 2},
    "by_number": {"5": LINE, "-1": LINE, "300": {}},
    "status": "PAID",
    "cash": 2**64 - 1,
    "at": 1_700_000_000_123_000,
    "codes": [1, 2**32 - 1],
}
FRAME = b"\0\0\0\0\7\x02\x02"
BODY = make_body_encoder(FormatSchema(SHOP, message="shop.Order"))(ORDER)
TWO_OF_ONE = FRAME + b"\x42\x01c\x48\x05"
UNKNOWN_FIELD = FRAME + BODY + b"\x9a\x06\x03new"
LONG_TAG, LONG_SIZE = FRAME + b"\x88\x80\x80\x80\x80\0\7", FRAME + b"\x12\x84\x80\x80\x80\x80\0Bern"
BROKEN = [
    LONG_TAG,
    LONG_SIZE,
    FRAME + BODY[:-1],
    b"\0\0\0\0\7\0" + BODY,
    b"\0\0\0\0\x08\x02\x02" + BODY,
    b"",
    FRAME + b"\x12\x02\xff\xff",
]
MERGED = FRAME + b"\x62\x02\x08\x05" + b"\x62\x02\x10\x07"


def orders() -> GraphBuilder:
    config: dict[str, Any] = {"value_format": "protobuf", "value_schema": SHOP, "value_message": "shop.Order"}
    return GraphBuilder().stream("orders", **config, value_type=None, value_schema_id=7, avro_header="confluent")


def pipe(driver: KernelDriver) -> None:
    with driver.batch():
        for data in (FRAME + BODY, UNKNOWN_FIELD, FRAME, TWO_OF_ONE, MERGED, *BROKEN):
            driver.pipe_bytes("orders", b"k", data)


def test_messages_are_read_as_in_python():
    fields = [{"name": "all", "expression": "value"}, {"name": "sku", "expression": "lines[0].sku"}]
    compare_engines(orders().add("n", "map_values", {"fields": fields}, records="orders").to("out", "n"), pipe)


@pytest.mark.parametrize("header", ["plain", "id_header"])
def test_written_messages_are_the_same(header: str):
    own: dict[str, Any] = {"value_format": "protobuf", "value_schema": SHOP, "value_message": "shop.Order"}
    own |= {"avro_header": header}
    own |= {} if header == "plain" else {"value_schema_id": 9}
    compare_engines(orders().to("out", "orders", **own).to("json", "orders", value_format="json"), pipe)


def test_messages_with_state_are_the_same():
    builder = orders().add("g", "group_by_key", stream="orders").add("a", "reduce", {"add": "value"}, grouped="g")

    def pipe_readable(driver: KernelDriver) -> None:
        with driver.batch():
            for data in (FRAME + BODY, UNKNOWN_FIELD, TWO_OF_ONE, BROKEN[0], FRAME):
                driver.pipe_bytes("orders", b"k", data)

    compare_engines(builder.updates_to("out", "a"), pipe_readable)


def test_only_records_that_cannot_be_read_go_to_python():
    driver = KernelDriver(orders().to("json", "orders", value_format="json").graph)
    compiled = plan(driver.layout, driver.options, 0)
    assert isinstance(compiled, KernelPlan)
    rows = [(0, b"k", data, 0, None, 0, 0) for data in (FRAME + BODY, BROKEN[0], UNKNOWN_FIELD)]

    outcome = compiled.compiled.run(0, None, len(rows), *make_columns(rows))

    assert [place for place, _ in outcome["for_python"]] == [1]
