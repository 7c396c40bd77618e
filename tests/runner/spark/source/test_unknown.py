"""Which records of a partition have a schema that the run does not know."""

from __future__ import annotations

import json
import struct
from base64 import b64encode

from runner.engine.formats.framing import VALUE_HEADER
from runner.spark.columns import RecordColumns, make_no_records
from runner.spark.ends import hold
from runner.spark.failures import read_failure
from runner.spark.source.unknown import RegistrySide, SchemaPlace, find_unknown, make_failure, read_places

SIDES = (RegistrySide(lambda records: records.values, VALUE_HEADER, frozenset({1, 2})),)


def framed(number: int) -> bytes:
    return struct.pack(">bI", 0, number) + b"data"


def columns(*values: bytes | None, headers: str | None = None) -> RecordColumns:
    records = make_no_records()
    for at, value in enumerate(values):
        records.append(10 + at, 0, None, value, headers)
    return records


def test_the_first_record_of_each_unknown_id_is_named():
    records = columns(framed(1), framed(7), None, framed(2), framed(7), framed(8), b"text", b"")

    assert find_unknown("orders", 3, records, SIDES) == [("orders", 3, 11, 7), ("orders", 3, 15, 8)]
    assert find_unknown("orders", 3, columns(framed(1), None, b"text"), SIDES) == []


def test_bytes_behind_a_header_have_no_prefix():
    def beside(number: int) -> str:
        value = b64encode(b"\0" + struct.pack(">I", number)).decode()
        return json.dumps([{"key": VALUE_HEADER, "value": value}])

    found = find_unknown("orders", 0, columns(framed(7), headers=beside(9)), SIDES)
    nothing = find_unknown("orders", 0, columns(framed(7), headers=beside(1)), SIDES)

    assert (found, nothing) == ([("orders", 0, 10, 9)], [])


def test_the_places_reach_the_run_through_the_text_of_an_exception():
    places = [SchemaPlace("orders", 0, 10, 7), SchemaPlace("orders", 1, 4, "89791762-2336-4186-9674-299b90a802e2")]

    assert read_places(read_failure(RuntimeError(f"Job aborted: {make_failure(places).to_text()}\n at x"))) == places
    assert read_places(read_failure(RuntimeError("Something else"))) == []


def test_nothing_is_read_from_the_first_record_on_that_waits():
    assert hold({"orders": {1: 5}, "gone": {0: 1}}, {"orders": [9, 9, 3], "other": [4]}) == {
        "orders": [9, 5, 3],
        "other": [4],
    }
    assert hold({"orders": {1: 5}}, {"orders": [9, 3]}) == {"orders": [9, 3]}
