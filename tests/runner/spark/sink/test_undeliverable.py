"""Records that no topic takes, and what the policies make of them. Without Spark and Kafka."""

from __future__ import annotations

import time
from typing import Any

import orjson
import pyarrow as pa
import pytest

from runner.engine.counts.outcomes import NOTHING
from runner.engine.records.headers import read_headers_as_text
from runner.engine.records.record import number_input
from runner.engine.stores.state import MemoryState
from runner.engine.tasks.task import Task
from runner.spark.failures import RunFailed
from runner.spark.program import Program
from runner.spark.sink.results import Results
from runner.spark.sink.undeliverable import Undeliverable
from runner.spark.stage.outbox import Outbox
from runner.spark.stage.rows import make_engine_rows, pack_batch, unpack_records
from tests.runner.spark.runs import graph, node
from tests.runner.spark.stage.test_counters import program_for

LIMITS = {"copies": 200, "counters-dead-letters": 20_000}


def copying(on_error: str | None = None) -> Program:
    source = node("orders", "stream", topic="orders", key_format="string", value_format="string")
    sink = node("copies", "to", topic="copies", **({"on_error": on_error} if on_error else {}))
    return program_for(graph([source, sink], "orders.result>copies.stream"), "orders")


def results(made: Program, *values: bytes) -> Results:
    """What a task of the program makes of records, the first of them at offset 5 of partition 2."""
    outbox = Outbox(made, 0, 0, 0)
    task = Task(made.layout, 0, 2, MemoryState(), outbox.emit, made.options)
    (target,) = made.layout.sources_by_topic["orders"]
    source = number_input(target, 2)
    task.run((target, None, value, 7, None, source, 5 + number) for number, value in enumerate(values))
    outbox.close_task(2, 0)
    return taken(outbox)


def taken(outbox: Outbox) -> Results:
    return Results.read(pa.Table.from_batches([pack_batch(list(outbox.packs()))]))


def said_of(buried: pa.RecordBatch) -> dict[str, Any]:
    headers = read_headers_as_text(buried.column("headers")[0].as_py())
    return {each["key"].removeprefix("__streams.errors."): each["value"] for each in headers}


SMALL, LARGE = b"x", b"x" * 10_000


def test_a_record_that_is_too_large_becomes_a_dead_letter_with_all_that_is_known():
    made = copying()
    undeliverable = Undeliverable(made, LIMITS)

    (topic, kept), (letters, buried) = undeliverable.sort_out(results(made, SMALL, LARGE))

    assert (topic, kept.column("value").to_pylist()) == ("copies", [SMALL])
    assert (letters, buried.column("value").to_pylist()) == ("counters-dead-letters", [LARGE])
    said = said_of(buried)
    assert (said["node"], said["output.topic"], said["timestamp"]) == ("copies", "copies", "7")
    assert (said["topic"], said["partition"], said["offset"]) == ("orders", "2", "6")
    assert said["exception"].endswith("RecordTooLargeException")
    assert 0 <= time.time_ns() // 1_000_000 - int(said["at"]) < 60_000


def test_a_dead_letter_that_is_too_large_itself_says_where_its_input_lies():
    made = copying()

    *_, (_, buried) = Undeliverable(made, LIMITS | {"counters-dead-letters": 2_000}).sort_out(results(made, LARGE))

    said = said_of(buried)
    assert buried.column("value").to_pylist() == [None]
    assert said["value.bytes"] == str(len(LARGE))
    assert (said["topic"], said["partition"], said["offset"]) == ("orders", "2", "5")


def test_a_small_record_that_no_topic_takes_names_its_input():
    made = copying()

    ((_, kept), (_, buried)) = Undeliverable(made, {"counters-dead-letters": 20_000}).sort_out(results(made, SMALL))

    said = said_of(buried)
    assert (kept.num_rows, buried.column("value").to_pylist()) == (0, [SMALL])
    assert (said["output.topic"], said["topic"], said["partition"], said["offset"]) == ("copies", "orders", "2", "5")


def test_what_came_through_a_shuffle_names_the_input_before_it():
    source = node("orders", "stream", topic="orders", key_format="string", value_format="string")
    by, spread = node("by", "select_key", key="value"), node("spread", "repartition")
    sink = node("copies", "to", topic="copies")
    edges = ("orders.result>by.stream", "by.result>spread.stream", "spread.result>copies.stream")
    made = program_for(graph([source, by, spread, sink], *edges), "orders")
    (cut,) = made.layout.shuffle_of.values()
    (orders,) = made.layout.sources_by_topic["orders"]
    before, behind = Outbox(made, 0, 0, 0), Outbox(made, 1, 0, 0)
    reading = Task(made.layout, made.layout.targets[orders].sub_topology, 2, MemoryState(), before.emit, made.options)  # type: ignore[union-attr, arg-type]
    number = made.layout.targets[cut].sub_topology  # type: ignore[union-attr]
    task = Task(made.layout, number, 0, MemoryState(), behind.emit, made.options)  # type: ignore[arg-type]

    reading.process(orders, None, SMALL, 7, None, number_input(orders, 2), 5)
    before.close_task(2, 0)
    (shuffled,) = before.packs()
    task.run(make_engine_rows(unpack_records([shuffled.pack])))
    behind.close_task(0, 0)
    _, (_, buried) = Undeliverable(made, {"counters-dead-letters": 20_000}).sort_out(taken(behind))

    said = said_of(buried)
    assert (said["output.topic"], said["topic"], said["partition"], said["offset"]) == ("copies", "orders", "2", "5")


@pytest.mark.parametrize("on_error", ["skip", "dead_letter"])
def test_what_was_not_written_is_an_error_of_its_sink(on_error: str):
    made = copying(on_error)
    undeliverable = Undeliverable(made, LIMITS)

    found = undeliverable.sort_out(results(made, SMALL, LARGE))

    letters = {"copies": NOTHING | {"dead_letters": 1}} if on_error == "dead_letter" else {}
    assert undeliverable.counters()["outcomes"] == letters
    assert len(found) == (1 if on_error == "skip" else 2)
    assert undeliverable.counters()["nodes"] == {"copies": {"in": 0, "out": -1, "dropped": 0, "errors": 1}}
    assert orjson.dumps(undeliverable.counters())


def test_a_sink_may_fail_with_it():
    made = copying("fail")

    with pytest.raises(RunFailed, match="`copies` could not write a record with key None to copies") as raised:
        Undeliverable(made, LIMITS).sort_out(results(made, LARGE))

    assert raised.value.node == "copies"
