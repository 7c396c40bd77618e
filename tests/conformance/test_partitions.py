"""Four partitions: what real Kafka Streams applications write on a broker, a real run writes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from confluent_kafka.admin._listoffsets import OffsetSpec

from designer.graph import Graph
from runner.conformance.cases import Result, result
from runner.conformance.compare import Answer, difference
from runner.conformance.translation import Step, translated
from runner.engine.planning import layout
from runner.jobs.planner import task_counts
from tests.conformance.oracle.kafka_streams import applications
from tests.conformance.partitioned import TOPOLOGIES, Row, rows
from tests.runner.spark.runs import Child, Event, World, started

pytestmark = [pytest.mark.spark, pytest.mark.slow]
ENGINES = ("theirs", "ours")
READING = ("stream", "table", "global_table")
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
    t0=time.time(); lap=lambda w: print("LAP", w, round(time.time()-t0,1), flush=True)
    world = World(kafka_servers, tmp_path_factory.mktemp("partitions"))
    create_topics(world)
    lap("topics")
    with running(world) as child:
        for part in rows(SEED):
            produce(world, part)
            ends = input_ends(world)
            child.wait_for(lambda event, ends=ends: has_read(event, ends))
            lap("part")
        run_applications(world)
        assert child.stop() == 0
    lap("theirs")
    r=written(world, "theirs"), written(world, "ours")
    lap("read")
    for n in TOPOLOGIES: print(n, len(r[0][n].results), len(r[1][n].results), len(r[0][n].places), [list(r[0][n].places.values()).count(i) for i in range(4)], len({json.dumps(x["value"]) for x in r[0][n].results}))
    return r


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


def create_topics(world: World) -> None:
    written = [f"{engine}-{name}-{topic}" for engine in ENGINES for name in TOPOLOGIES for topic in outputs(name)]
    new = [NewTopic(world.name(name), PARTITIONS, config={"retention.ms": "-1"}) for name in [*inputs(), *written]]
    admin = AdminClient({"bootstrap.servers": world.servers})
    for created in admin.create_topics(new).values():
        created.result()


def produce(world: World, part: Iterable[Row]) -> None:
    by_topic: dict[str, list[tuple[bytes, bytes | None, int]]] = {}
    for topic, key, value, timestamp in part:
        data = None if value is None else json.dumps(value).encode()
        by_topic.setdefault(topic, []).append((json.dumps(key).encode(), data, timestamp))
    for topic, records in by_topic.items():
        world.produce(world.name(topic), records)


def inputs() -> list[str]:
    return sorted({step["topic"] for each in TOPOLOGIES.values() for step in each.steps if step["op"] in READING})


def input_ends(world: World) -> dict[str, list[int]]:
    return world.cluster.end_offsets(world.cluster.find([world.name(topic) for topic in inputs()]).values())


def has_read(event: Event, ends: Mapping[str, list[int]]) -> bool:
    return event.get("sources", {}) == ends


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


def run_applications(world: World) -> None:
    """Kafka Streams: one application for each topology."""
    applications(
        world.servers,
        [{"name": world.name(f"app-{name}"), "topology": placed(world, "theirs", name)} for name in TOPOLOGIES],
    )


@contextmanager
def running(world: World) -> Iterator[Child]:
    """One run of all topologies."""
    drawn = united(translation(world, name) for name in TOPOLOGIES)
    topics = [world.name(topic) for topic in inputs()]
    tasks = task_counts(layout(drawn), dict.fromkeys(topics, PARTITIONS))
    with started(world.plan(drawn, topics, cache=False).model_copy(update={"tasks": tasks})) as child:
        yield child


def translation(world: World, name: str) -> Graph:
    """The graph of a topology, with its name in front of node ids and stores."""
    drawn = translated({"topology": placed(world, "ours", name), "inputs": []}, f"{name}-")
    return replace(drawn, nodes=tuple(replace(node, config=_named(node.config, name)) for node in drawn.nodes))


def _named(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {**config, **({"topic": config["topic"].removeprefix(f"{name}-")} if "topic" in config else {})}


def united(graphs: Iterable[Graph]) -> Graph:
    found = list(graphs)
    return Graph(tuple(n for each in found for n in each.nodes), tuple(e for each in found for e in each.edges))


def written(world: World, engine: str) -> Engine:
    """What stands in the topics of an engine once no transaction is open there."""
    places = {f"{engine}-{name}-{topic}": (name, topic) for name in TOPOLOGIES for topic in outputs(name)}
    found = {name: Written([], []) for name in TOPOLOGIES}
    for message in read(world, [world.name(each) for each in places]):
        name, topic = places[message.topic().removesuffix(f"-{world.tag}")]
        found[name].results.append(result(topic, message.key(), message.value(), message.timestamp()[1]))
        found[name].partitions.append(message.partition())
    return found


def read(world: World, names: list[str]) -> Iterator[Any]:
    """All messages of some topics, those of each partition in order."""
    settings = {"bootstrap.servers": world.servers, "group.id": "test-reader", "isolation.level": "read_committed"}
    consumer = Consumer(settings | {"enable.auto.commit": False, "enable.partition.eof": True, "fetch.wait.max.ms": 10})
    ends = settled(world, names)
    consumer.assign([TopicPartition(name, number, 0) for name in names for number in range(PARTITIONS)])
    left = {(name, number) for name in names for number, end in enumerate(ends[name]) if end}
    deadline = time.monotonic() + 60
    while left:
        assert time.monotonic() < deadline, left
        for message in consumer.consume(1_000, 0.1):
            if message.error():
                left.discard((message.topic(), message.partition()))
            else:
                yield message
    consumer.close()


def settled(world: World, names: list[str]) -> dict[str, list[int]]:
    """The ends of topics, as soon as those are the ends of what is committed."""
    admin, topics = AdminClient({"bootstrap.servers": world.servers}), world.cluster.find(names).values()
    latest = {TopicPartition(name, number): OffsetSpec.latest() for name in names for number in range(PARTITIONS)}
    while True:
        wanted = {(at.topic, at.partition): future.result().offset for at, future in admin.list_offsets(latest).items()}
        ends = world.cluster.end_offsets(topics)
        if all(wanted[name, number] == end for name in names for number, end in enumerate(ends[name])):
            return ends
        time.sleep(0.05)
