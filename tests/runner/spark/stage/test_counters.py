"""What calls say of nodes and stores, and what a batch's event makes of it. Without Spark and Kafka."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from designer.topology.graph import Graph
from runner.plan import JobSettings, Plan, TopicFacts
from runner.spark.columns import RecordColumns, make_no_records
from runner.spark.events import ProgressEvent
from runner.spark.program import Program, make_program
from runner.spark.progress import BatchTimes, Progress
from runner.spark.source.intake import Intake
from runner.spark.stage.counters import CallCounters
from runner.spark.stage.rows import COUNTERS, Pack
from runner.spark.stage.slot_call import SlotCall
from runner.spark.state import SlotState
from runner.spark.state.copy_file import remove_file
from tests.runner.spark.runs import graph, node, shops
from tests.runner.spark.state.spark_store import SparkStore

PARTITIONS = 4
MAX_RUNS = 200
"""Looks at what runs come each 10 ms of CPU time, so a single run may be between two."""


def program_for(drawn: Graph, *topics: str) -> Program:
    facts = {name: TopicFacts(id=name, partitions=PARTITIONS, start=[-2] * PARTITIONS) for name in topics}
    plan = Plan(
        shared_shuffles=True,
        application_id="counters",
        epoch=1,
        generation=1,
        graph=drawn.to_json(),
        schemas={},
        tasks=[PARTITIONS] * 3,
        slots=2,
        settings=JobSettings.model_validate({"cache": False}),
        kafka={},
        topics=facts,
        marker_topic="marker",
        checkpoint="",
        state_dir="",
    )
    return make_program(plan)


@pytest.fixture(scope="module")
def made() -> Program:
    """Orders by city over a global table of customers: two stages of two slots each."""
    return program_for(shops("orders", "names", "counts"), "orders", "names")


class Batches:
    """Executes whole batches, each slot over its own state, and keeps the event of the last."""

    def __init__(self, made: Program, folder: Path) -> None:
        self.made = made
        self.folder = folder
        self.stores: dict[tuple[int, int], SparkStore] = {}
        self.progress = Progress(made)

    def run(self, topic: str, rows: Sequence[tuple[str, Any]], since: int | None = None) -> ProgressEvent:
        """The event of a batch that reads those keys and values from the first partition of a topic."""
        number = next(each.number for each in self.made.inputs if each.topic == topic)
        intake = Intake(self.made, batch_time=0, since=since)
        packs = [*intake.take(number, 0, _arrived(rows)), *intake.rest(), *intake.counters()]
        for stage in self.made.stateful:
            packs = [made for slot in self.made.slot_ids for made in self._slot(stage.depth, slot, packs)] + [
                pack for pack in packs if pack.depth != stage.depth
            ]
        counters = [orjson.loads(pack.pack) for pack in packs if pack.depth == COUNTERS]
        return self.progress.event(0, BatchTimes(1, 2, began=0.001), counters, {}, 0)

    def _slot(self, depth: int, slot: int, packs: Sequence[Pack]) -> Iterator[Pack]:
        own = sorted((pack for pack in packs if (pack.depth, pack.slot) == (depth, slot)), key=lambda pack: pack.place)
        if own:
            store = self.stores.setdefault((depth, slot), SparkStore())
            with SlotState.load(store.attempt(), self.folder / f"{depth}-{slot}") as state:
                call = SlotCall(self.made, depth, slot, 0, state)
                call.run(pack.pack for pack in own)
                state.commit()
            store.commit()
            yield from (*call.outbox.packs(), call.counters({}))

    def close(self) -> None:
        for depth, slot in self.stores:
            remove_file(self.folder / f"{depth}-{slot}")


@pytest.fixture
def batches(made: Program, tmp_path: Path) -> Iterator[Batches]:
    running = Batches(made, tmp_path)
    yield running
    running.close()


def _arrived(rows: Sequence[tuple[str, Any]]) -> RecordColumns:
    records = make_no_records()
    for offset, (key, value) in enumerate(rows):
        records.append(offset, 1_000, key.encode(), json.dumps(value).encode(), None)
    return records


def customers(count: int) -> list[tuple[str, Any]]:
    return [(f"c{number}", {"name": "x"}) for number in range(count)]


def orders(count: int, cities: int) -> list[tuple[str, Any]]:
    return [(f"c{number % 20}", {"city": f"city {number % cities:03d}"}) for number in range(count)]


def test_a_store_holds_the_rows_of_all_its_slots(batches: Batches):
    batches.run("names", customers(20))

    first = batches.run("orders", orders(40, cities=9))
    second = batches.run("orders", orders(40, cities=30))

    assert first["stores"]["counted"]["rows"] == 9
    assert second["stores"]["counted"]["rows"] == 30
    assert set(second["stores"]) == {"names", "counted"}


def test_the_latency_is_from_the_last_look_without_the_records_to_the_commit(batches: Batches):
    batches.run("names", customers(20))

    assert "latency_ms" not in batches.run("orders", orders(4, cities=2))
    assert batches.run("orders", orders(4, cities=2), since=-40)["latency_ms"] == 42


def test_a_global_table_is_told_once_though_every_slot_has_a_copy(batches: Batches):
    event = batches.run("names", customers(20))

    assert event["stores"]["names"]["rows"] == 20
    assert event["state"]["rows"] == 20 * len(batches.stores)


def test_what_nodes_and_slots_hold_agrees(batches: Batches):
    batches.run("names", customers(20))

    event = batches.run("orders", orders(300, cities=50))

    copies = sum(depth == batches.made.stateful[0].depth for depth, _ in batches.stores)
    times = event["state"]["rows"] - 50 - 20 * copies
    assert event["stores"]["counted"]["rows"] == 50
    assert 0 <= times <= 2 * PARTITIONS
    assert event["stores"]["counted"]["bytes"] >= 50 * len(b"0000city 000")


def test_the_time_of_nodes_is_summed_over_the_calls_of_a_batch(made: Program):
    busy: list[dict[str, int]] = [{"orders": 20}, {"orders": 10, "counted": 40}, {}]
    counters: list[CallCounters] = [
        {"depth": 0, "slot": slot, "nodes": {}, "busy_ms": each} for slot, each in enumerate(busy)
    ]

    event = Progress(made).event(0, BatchTimes(1, 2), counters, {}, 0)

    assert event["busy_ms"] == {"orders": 30, "counted": 40}
    assert event["workers"] == 2


def test_a_stage_tells_the_time_of_its_nodes(batches: Batches):
    runs = (batches.run("orders", orders(10_000, cities=50))["busy_ms"] for _ in range(MAX_RUNS))

    assert any(busy.get("orders", 0) > 0 for busy in runs)


def test_the_intake_tells_the_time_of_its_nodes():
    source = node("orders", "stream", topic="orders", key_format="string", value_format="json")
    drawn = graph([source, node("copies", "to", topic="copies")], "orders.result>copies.stream")
    intake = Intake(program_for(drawn, "orders"), batch_time=0)

    taken = 0
    while "orders" not in intake.sampler.measure_busy_ms() and taken < MAX_RUNS:
        list(intake.take(0, 0, _arrived(orders(10_000, cities=50))))
        taken += 1

    (counters,) = [orjson.loads(pack.pack) for pack in intake.counters()]
    assert counters["busy_ms"]["orders"] > 0
    assert counters["nodes"]["copies"]["out"] == 10_000 * taken


def test_drops_are_told_by_node_and_reason_with_samples(batches: Batches):
    batches.run("names", customers(20))

    event = batches.run("orders", [*orders(40, cities=9), *(("c1", None) for _ in range(9))])

    (node,) = event["drops"]
    ((reason, dropped),) = event["drops"][node].items()
    assert (reason, dropped["count"]) == ("null value", 9)
    assert event["nodes"][node]["dropped"] == 9
    assert event["outcomes"] == {}
    assert [sample["offset"] for sample in dropped["samples"]] == [40, 41, 42]
    assert {sample["topic"] for sample in dropped["samples"]} == {"orders"}


def test_a_suppress_tells_the_results_that_it_holds_back_and_no_rows_of_its_buffer(tmp_path: Path) -> None:
    nodes = [
        node("orders", "stream", topic="orders", key_format="string", value_format="json"),
        node("grouped", "group_by_key"),
        node("minutes", "windowed_by", size_ms=60_000, grace_ms=0),
        node("counted", "count"),
        node("final", "suppress"),
        node("updates", "to_stream"),
        node("counts", "to", topic="counts"),
    ]
    edges = (
        "orders.result>grouped.stream",
        "grouped.result>minutes.grouped",
        "minutes.result>counted.grouped",
        "counted.result>final.table",
        "final.result>updates.table",
        "updates.result>counts.stream",
    )
    batches = Batches(program_for(graph(nodes, *edges), "orders"), tmp_path)

    first = batches.run("orders", [("a", {}), ("b", {}), ("c", {}), ("a", {})])
    batches.progress = Progress(batches.made)  # of another run, which counts from 0
    second = batches.run("orders", [("b", {})])

    assert [event["stores"]["final"]["held"] for event in (first, second)] == [3, 3]
    assert "held" not in first["stores"]["counted"]
    batches.close()
