"""How long the stages of a topology take for a record on one core, without Spark and Kafka.

`python -m tests.bench.stage_speed [WORKLOAD] [--engine kernel|python] [--format NAME] [--profile]`: 100,000 real
flights go through the code that workers run, or as many orders of a workload (`tests.bench.workloads`). Times are of
the processor, the least of six rounds. Without `--engine`, the kernel runs what it can, if it is built. With
`--format avro`, protobuf or json_schema the orders are written so, by a schema of their fields. `--formats` runs W1
with each of them and with JSON, by turns.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import orjson
import pyarrow as pa

from designer.topology.graph import Graph
from runner import kernel
from runner.demo.samples import FLIGHT_DELAYS, get_sample
from runner.demo.samples.flights import get_record_time, make_flights, make_table_key, read_table
from runner.engine.stores.state import MemoryState
from runner.plan import JobSettings, Plan, TopicFacts
from runner.spark.columns import ArrowRecords, Records, make_no_records
from runner.spark.program import Program, get_program, without_secrets
from runner.spark.source.intake import Intake
from runner.spark.source.reading import AT_ONCE
from runner.spark.stage.outbox import find_tasks
from runner.spark.stage.rows import Pack
from runner.spark.stage.slot_call import SlotCall
from tests.bench import orders
from tests.bench.formats import SCHEMAS, make_encoder
from tests.bench.workloads import OTHERS, VARIANTS, WORKLOADS, graph

RECORDS = 100_000
PARTITIONS = 4
TABLES = ("planes", "airlines")
TABLE_TIME = 1_356_998_400_000
Json = dict[str, Any]
Record = tuple[str | None, bytes, int]
Arrived = tuple[int, int, Records]
"""Input, partition, records."""


class State(MemoryState):
    """Says nothing of its size."""

    size = (0, 0)


class Slots:
    """The slots of every stage, with their states."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.states: dict[tuple[int, int], State] = {}

    def run(self, depth: int, packs: Sequence[Pack]) -> list[Pack]:
        """What one stage makes of the packs of a batch: those of other stages, unread, and its own results."""
        passed = [pack for pack in packs if pack.depth != depth]
        for slot in self.program.slot_ids:
            own = sorted((pack for pack in packs if (pack.depth, pack.slot) == (depth, slot)), key=lambda p: p.place)
            if own:
                state = self.states.setdefault((depth, slot), State())
                call = SlotCall(self.program, depth, slot, own[0].batch_time, state)  # type: ignore[arg-type]
                call.run(pack.pack for pack in own)
                passed += call.outbox.packs()
        return passed


class Load(NamedTuple):
    """A topology and what its topics hold: key, value and timestamp (ms) of each record; tables come first."""

    graph: Json
    tables: Mapping[str, Sequence[Record]]
    records: Mapping[str, Sequence[Record]]


def main() -> None:
    if "--engine" in sys.argv:
        _choose_engine(sys.argv[sys.argv.index("--engine") + 1])
    if "--formats" in sys.argv:
        _compare_formats()
        return
    asked = [each for each in sys.argv[1:] if each in {*WORKLOADS, *VARIANTS, *OTHERS}]
    load = _workload(asked[0]) if asked else _sample()
    if "--format" in sys.argv:
        load = _in_format(load, sys.argv[sys.argv.index("--format") + 1])
    made = get_program(without_secrets(_plan(load.graph)))
    tables, inputs = _arrivals(made, load.tables), _arrivals(made, load.records)
    rounds = []
    for _ in range(6):
        slots = Slots(made)
        _batch(slots, tables)
        rounds.append(_batch(slots, inputs))
    for step, rows in zip(rounds[0], zip(*(each.values() for each in rounds), strict=True), strict=True):
        print(f"{min(rows) / RECORDS * 1e6:7.2f} µs  {step}")
    print(f"{min(sum(each.values()) for each in rounds) / RECORDS * 1e6:7.2f} µs  all")
    if "--profile" in sys.argv:
        slots = Slots(made)
        _batch(slots, tables)
        with cProfile.Profile() as profile:
            _batch(slots, inputs)
        pstats.Stats(profile).sort_stats("tottime").print_stats(40)


def _compare_formats() -> None:
    """The best of six rounds of each format, which take turns, so that a busy moment meets all of them."""
    loads = {name: _in_format(_workload("W1"), name) for name in ("json", *SCHEMAS)}
    made = {name: get_program(without_secrets(_plan(load.graph))) for name, load in loads.items()}
    inputs = {name: _arrivals(made[name], load.records) for name, load in loads.items()}
    times: dict[str, list[float]] = {name: [] for name in loads}
    for _ in range(6):
        for name, program in made.items():
            times[name].append(sum(_batch(Slots(program), inputs[name]).values()))
    for name, each in times.items():
        print(f"{min(each) / RECORDS * 1e6:7.2f} µs  {name}")


def _in_format(load: Load, name: str) -> Load:
    """The same orders, written in a format with a schema. The results stay JSON."""
    if name == "json":
        return load
    text, encode = SCHEMAS[name], make_encoder(name, is_framed=False)
    graph = {**load.graph, "nodes": [dict(node) for node in load.graph["nodes"]]}
    for node in graph["nodes"]:
        if node["operator"] == "stream":
            node["config"] = {**node["config"], "value_format": name, "value_schema": text, "value_type": None}
        if node["operator"] == "to":
            node["config"] = {**node["config"], "value_format": "json"}
    records = {
        topic: [(key, encode(orjson.loads(value)), at) for key, value, at in rows]
        for topic, rows in load.records.items()
    }
    return Load(graph, load.tables, records)


def _choose_engine(name: str) -> None:
    os.environ[kernel.SWITCH] = "off" if name == "python" else "on"
    if name == "kernel" and kernel.load() is None:
        sys.exit("The kernel is not built. `make install` builds it where cargo is.")


def _sample() -> Load:
    tables = {
        name: [(make_table_key(name, row), orjson.dumps(row), TABLE_TIME) for row in read_table(name)]
        for name in TABLES
    }
    rows = [(row["tailnum"], orjson.dumps(row), get_record_time(row)) for row in islice(make_flights(), RECORDS)]
    return Load(dict(get_sample(FLIGHT_DELAYS)["graph"]), tables, {"flights": rows})


def _workload(name: str) -> Load:
    drawn = graph(name, "orders", "out")
    made = {
        "customers": orders.customers,
        "homes": orders.homes,
        "payments": lambda: orders.payments(RECORDS),
        "orders": lambda: orders.orders(RECORDS),
    }
    topics = {topic: _encoded(made[topic]()) for topic in _topics(Graph.from_json(drawn))}
    tables = {topic: rows for topic, rows in topics.items() if topic in ("customers", "homes")}
    return Load(drawn, tables, {topic: rows for topic, rows in topics.items() if topic not in tables})


def _encoded(rows: Iterable[orders.Record]) -> list[Record]:
    return [(key, value.encode(), at) for key, value, at in rows]


def _batch(slots: Slots, inputs: Sequence[Arrived]) -> dict[str, float]:
    """Seconds by step."""
    laps = {}
    began = time.process_time()
    call = Intake(slots.program, batch_time=0)
    packs = [pack for arrived in inputs for pack in call.take(*arrived)] + list(call.rest())
    laps["intake"] = time.process_time() - began
    for stage in slots.program.stateful:
        began = time.process_time()
        packs = slots.run(stage.depth, packs)
        laps[f"stage {stage.depth}"] = time.process_time() - began
    return laps


def _plan(drawn: Json) -> Plan:
    read = Graph.from_json(drawn)
    topics = {name: TopicFacts(id=name, partitions=PARTITIONS, start=[-2] * PARTITIONS) for name in _topics(read)}
    return Plan(
        shared_shuffles=True,
        application_id="speed",
        epoch=1,
        generation=1,
        graph=drawn,
        schemas={},
        tasks=[PARTITIONS] * 3,
        slots=PARTITIONS,
        settings=JobSettings.model_validate({}),
        kafka={},
        topics=topics,
        marker_topic="marker",
        checkpoint="",
        state_dir="",
    )


def _topics(graph: Graph) -> list[str]:
    return [str(node.config["topic"]) for node in graph.nodes if node.operator in {"stream", "table", "global_table"}]


def _arrivals(made: Program, topics: Mapping[str, Sequence[Record]]) -> list[Arrived]:
    return [arrived for name, rows in topics.items() for arrived in _arrived(made, name, rows)]


def _arrived(made: Program, topic: str, rows: Sequence[Record]) -> Iterator[Arrived]:
    """Records as they come from Kafka, in the partitions they would have."""
    number = next(each.number for each in made.inputs if each.topic == topic)
    keys = pa.array([key and key.encode() for key, _, _ in rows], pa.binary())
    partitions = find_tasks(keys, np.arange(len(rows)) % PARTITIONS, PARTITIONS)
    for partition in range(PARTITIONS):
        own = np.flatnonzero(partitions == partition)
        for start in range(0, len(own), AT_ONCE):
            records = make_no_records()
            for offset, index in enumerate(own[start : start + AT_ONCE], start):
                key, value, at = rows[index]
                records.append(offset, at, key and key.encode(), value, None)
            yield number, partition, ArrowRecords(records.arrays) if kernel.load() else records


if __name__ == "__main__":
    main()
