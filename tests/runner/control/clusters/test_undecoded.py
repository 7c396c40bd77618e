"""Records that a source cannot decode as its form says."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from runner.control.clusters.undecoded import find_undecoded
from runner.engine.operators.stream import Stream
from runner.kafka.values import Message

TEXTS = (b"1,north,20.5", b"2,south,21.5", b"3,east,19.0")
JSON = (b'{"id": 1}', b'{"id": 2}', b'{"id": 3}')
NOISE = (b"\xff\x00\x93", b"\xfe\xfe\x01", b"\x80\x81\x82")
LONGS = tuple(struct.pack(">q", number) for number in range(3))
AVRO = '{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}'


def find(values: tuple[bytes, ...], **config: Any) -> list[dict[str, Any]]:
    messages = [Message(0, number, 1_000 + number, b"k", value) for number, value in enumerate(values)]
    source = Stream(topic="orders", **config)
    return [dict(each.to_json()) for each in find_undecoded("orders", source, "orders", messages)]


def test_texts_read_as_json_are_a_warning_and_one_click_reads_them_as_they_are():
    (issue,) = find(TEXTS, value_format="json")

    assert (issue["level"], issue["field"]) == ("warning", "value_format")
    words = "3 of the newest 3 values of `orders` cannot be decoded as `json`. Not valid JSON"
    assert issue["message"].startswith(words)
    assert issue["hint"] == "Choose `string`, which fits them. As it is, the job cannot use these records."
    assert (issue["fix"]["label"], issue["fix"]["replacement"]) == ("Use `string`", "string")


@pytest.mark.parametrize(
    ("values", "value_format", "better"),
    [
        (NOISE, "json", "bytes"),
        (JSON, "long", "json"),
        (TEXTS, "double", "string"),
        (LONGS, "json", "long"),
        (tuple(struct.pack(">q", number << 30) for number in range(1, 4)), "json", "long"),
    ],
)
def test_the_format_that_fits_is_offered(values: tuple[bytes, ...], value_format: str, better: str):
    (issue,) = find(values, value_format=value_format)

    assert issue["fix"]["replacement"] == better


@pytest.mark.parametrize("more", [b"", b"more"], ids=["8 bytes", "more bytes"])
def test_records_of_a_registry_are_not_called_bytes_or_long(more: bytes):
    (issue,) = find(tuple(struct.pack(">bI", 0, 7) + data + more for data in NOISE), value_format="json")

    assert issue["fix"] is None
    assert issue["hint"].startswith("They begin with the id of a schema: choose `avro`, `protobuf` or `json_schema`")


@pytest.mark.parametrize(
    ("values", "config"),
    [
        (JSON, {}),
        (JSON, {"value_format": "string"}),
        (TEXTS, {"value_format": "bytes"}),
        (LONGS, {"value_format": "long"}),
        ((*JSON, *JSON, b"broken {"), {"value_format": "json"}),
        ((), {"value_format": "json"}),
    ],
    ids=["inferred", "text", "bytes", "longs", "few broken ones", "empty topic"],
)
def test_records_that_fit_are_no_issue(values: tuple[bytes, ...], config: dict[str, str]):
    assert find(values, **config) == []


def test_records_without_the_id_of_a_registry_are_a_warning():
    registry = {"value_format": "avro", "value_schema": AVRO, "schema_registry": True}

    (issue,) = find(JSON, **registry)

    assert "It does not begin with Confluent's header" in issue["message"]
    assert find(tuple(struct.pack(">bI", 0, 7) + b"\x02" for _ in range(3)), **registry) == []
