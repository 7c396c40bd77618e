"""Records that no topic takes, and what the policies make of them. Without Spark and Kafka."""

from __future__ import annotations

from typing import Any

import orjson
import pyarrow as pa
import pytest

from runner.engine.context import read_headers
from runner.spark.failures import RunFailed
from runner.spark.program import Program
from runner.spark.results import Results, Undeliverable
from runner.spark.rows import RECORD
from tests.runner.spark.runs import graph, node
from tests.runner.spark.test_counters import program_for

LIMITS = {"copies": 200, "counters-dead-letters": 2_000}


def copying(on_error: str | None = None) -> Program:
    source = node("orders", "stream", topic="orders", key_format="string", value_format="string")
    sink = node("copies", "to", topic="copies", **({"on_error": on_error} if on_error else {}))
    return program_for(graph([source, sink], "orders.result>copies.stream"), "orders")


def results(made: Program, *values: bytes) -> Results:
    rows: list[dict[str, Any]] = [
        {"target": made.layout.sink_of["copies"], "task": 0, "origin": 0, "seq": number, "timestamp": 7, "value": value}
        for number, value in enumerate(values)
    ]
    return Results(pa.RecordBatch.from_pylist(rows, schema=RECORD), [])


SMALL, LARGE = b"x", b"x" * 500


def test_a_record_that_is_too_large_becomes_a_dead_letter_with_all_that_is_known():
    made = copying()
    undeliverable = Undeliverable(made, LIMITS)

    (topic, kept), (letters, buried) = undeliverable.sorted_out(results(made, SMALL, LARGE))

    assert (topic, kept.column("value").to_pylist()) == ("copies", [SMALL])
    assert (letters, buried.column("value").to_pylist()) == ("counters-dead-letters", [LARGE])
    headers = read_headers(buried.column("headers")[0].as_py())
    said = {each["key"].removeprefix("__streams.errors."): each["value"] for each in headers}
    assert (said["node"], said["topic"], said["timestamp"]) == ("copies", "copies", "7")
    assert said["exception"].endswith("RecordTooLargeException")


@pytest.mark.parametrize("on_error", ["skip", "dead_letter"])
def test_what_was_not_written_is_an_error_of_its_sink(on_error: str):
    made = copying(on_error)
    undeliverable = Undeliverable(made, LIMITS)

    found = undeliverable.sorted_out(results(made, SMALL, LARGE))

    assert len(found) == (1 if on_error == "skip" else 2)
    assert undeliverable.counters()["nodes"] == {"copies": {"in": 0, "out": -1, "dropped": 0, "errors": 1}}
    assert orjson.dumps(undeliverable.counters())


def test_a_sink_may_fail_with_it():
    made = copying("fail")

    with pytest.raises(RunFailed, match="`copies` could not write a record with key None to copies") as raised:
        Undeliverable(made, LIMITS).sorted_out(results(made, LARGE))

    assert raised.value.node == "copies"
