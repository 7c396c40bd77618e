"""Four partitions: what real Kafka Streams applications write on a broker, a real run writes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from designer.graph import Graph
from runner.conformance.cases import Result, result
from runner.conformance.compare import Answer, difference
from runner.conformance.translation import Step, translated
from runner.engine.planning import layout
from runner.jobs.planner import task_counts
from tests.conformance.oracle.kafka_streams import applications
from tests.conformance.partitioned import TOPOLOGIES, Row, rows
from tests.runner.spark.runs import World, started

pytestmark = [pytest.mark.spark, pytest.mark.slow]
PARTITIONS = 4
SEED = "1"


@dataclass(frozen=True)
class Written:
    """What an engine wrote for one topology, without its name and tag, and the partition of each."""

    results: list[Result]
    partitions: list[int]

    @property
    def places(self) -> dict[str, int]:
        """Topic, key and window of each result, and its partition."""
        keys = (json.dumps([each["topic"], each["key"], each.get("window")]) for each in self.results)
        return dict(zip(keys, self.partitions, strict=True))


Engine = Mapping[str, Written]
"""What an engine wrote, by topology."""


@pytest.fixture(scope="module")
def both(kafka_servers: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Engine, Engine]:
    """What Kafka Streams wrote, and what we wrote, from the same topics."""
    import time; t0=time.time(); lap=lambda w: print("LAP", w, round(time.time()-t0,1), flush=True)
    world = World(kafka_servers, tmp_path_factory.mktemp("partitions"))
    fill(world, rows(SEED))
    with kafka_streams(world) as asked:
        lap("filled"); run(world); lap("ran")
        out, _ = asked.communicate(timeout=200)
    lap("theirs"); print(out)
    assert asked.returncode == 0, out
    r= written(world, "theirs"), written(world, "ours")
    lap("read"); return r


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_tables_and_streams_end_as_in_kafka_streams(both: tuple[Engine, Engine], name: str):
    theirs, ours = (engine[name] for engine in both)

    case = {"name": name, "expected": theirs.results, "inputs": []}
    assert theirs.results
    assert difference(case, Answer([ours.results]), TOPOLOGIES[name].level) is None


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_results_lie_in_the_partitions_they_have_in_kafka_streams(both: tuple[Engine, Engine], name: str):
    theirs, ours = (engine[name] for engine in both)

    shared = theirs.places.keys() & ours.places.keys()
    assert shared
    assert {place: ours.places[place] for place in shared} == {place: theirs.places[place] for place in shared}


def fill(world: World, found: Iterable[Row]) -> None:
    by_topic: dict[str, list[tuple[bytes, bytes | None, int]]] = {}
    for row in found:
        value = None if row.value is None else json.dumps(row.value).encode()
        by_topic.setdefault(row.topic, []).append((json.dumps(row.key).encode(), value, row.timestamp))
    for topic, records in by_topic.items():
        world.produce(world.topic(topic, PARTITIONS), records)
    for engine in ("theirs", "ours"):
        for name in TOPOLOGIES:
            for topic in outputs(name):
                world.topic(f"{engine}-{name}-{topic}", PARTITIONS)


def outputs(name: str) -> list[str]:
    return [step["topic"] for step in TOPOLOGIES[name].steps if step["op"] == "to"]


def placed(world: World, engine: str, name: str) -> list[Step]:
    """The steps over topics that are there."""
    return [
        {**step, "topic": world.name(f"{engine}-{name}-{step['topic']}" if step["op"] == "to" else step["topic"])}
        if "topic" in step
        else step
        for step in TOPOLOGIES[name].steps
    ]


def kafka_streams(world: World) -> subprocess.Popen[str]:
    """One application for each topology."""
    cases = [{"name": world.name(f"app-{name}"), "topology": placed(world, "theirs", name)} for name in TOPOLOGIES]
    return applications(world.servers, cases)


def run(world: World) -> None:
    """One run of all topologies, until it has read everything."""
    drawn = united(translation(world, name) for name in TOPOLOGIES)
    ends = {topic.name: sum(offsets) for topic, offsets in read_by(world, drawn)}
    plan = world.plan(drawn, ends, cache=False)
    tasks = task_counts(layout(drawn), dict.fromkeys(ends, PARTITIONS))
    with started(plan.model_copy(update={"tasks": tasks})) as child:
        child.wait_for(lambda event: all(sum(event.get("sources", {}).get(t, [])) >= n for t, n in ends.items()))
        assert child.stop() == 0


def translation(world: World, name: str) -> Graph:
    """The graph of a topology, with its name in front of node ids and stores."""
    drawn = translated({"topology": placed(world, "ours", name), "inputs": []}, f"{name}-")
    return replace(drawn, nodes=tuple(replace(node, config=_named(node.config, name)) for node in drawn.nodes))


def _named(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {**config, **({"topic": config["topic"].removeprefix(f"{name}-")} if "topic" in config else {})}


def united(graphs: Iterable[Graph]) -> Graph:
    found = list(graphs)
    return Graph(tuple(n for each in found for n in each.nodes), tuple(e for each in found for e in each.edges))


def read_by(world: World, drawn: Graph) -> list[tuple[Any, list[int]]]:
    names = {node.config["topic"] for node in drawn.nodes if node.operator in ("stream", "table", "global_table")}
    topics = world.cluster.find(sorted(names))
    ends = world.cluster.end_offsets(topics.values())
    return [(topic, ends[name]) for name, topic in topics.items()]


def written(world: World, engine: str) -> dict[str, Written]:
    found = {}
    for name in TOPOLOGIES:
        messages = [(each, topic) for topic in outputs(name) for each in world.read(world.name(f"{engine}-{name}-{topic}"))]
        results = [result(topic, each.key(), each.value(), each.timestamp()[1]) for each, topic in messages]
        found[name] = Written(results, [each.partition() for each, _ in messages])
    return found
