"""Several partitions: what real Kafka Streams applications write on a broker, a real run writes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]

from designer.topology.graph import Graph, Node
from runner.control.jobs.plans.planner import count_tasks
from runner.engine.planning.lay_out import lay_out
from tests.conformance.oracle.kafka_streams import run_applications
from tests.conformance.partitioned import TOPOLOGIES
from tests.conformance.partitioned_rows import PARTITIONS, Row, rows
from tests.conformance.product.cases import Case, Result, result
from tests.conformance.product.compare import Answer, difference
from tests.conformance.product.kinds import RECORDS
from tests.conformance.product.translation import Step, translated
from tests.conformance.written import messages
from tests.runner.spark.runs import Child, World, started
from tests.settled import settled_ends

pytestmark = [pytest.mark.spark, pytest.mark.slow]
ENGINES = ("theirs", "ours")
WIDTH = 4
"""Partitions of the topics that are written."""
SEED = "1"


@dataclass(frozen=True)
class Written:
    """What an engine wrote for one topology, and the partition of each."""

    results: list[Result]
    partitions: list[int]

    def places(self) -> dict[str, int]:
        """Topic, key and window of each result, and its partition."""
        keys = (json.dumps([each["topic"], each["key"], each.get("window")]) for each in self.results)
        return dict(zip(keys, self.partitions, strict=True))


Engine = Mapping[str, Written]
"""What an engine wrote, by topology."""


@pytest.fixture(scope="module")
def both(kafka_servers: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Engine, Engine]:
    """What Kafka Streams wrote, and what we wrote, from the same topics; ours in at least two batches."""
    world = World(kafka_servers, tmp_path_factory.mktemp("partitions"))
    create_topics(world)
    first, last = rows(SEED)
    with running(world) as child:
        # a batch that ends between two topics would rightly find the other's records late
        with child.asleep():
            end_looks(world)
            produce(world, first)
        wait_for_end(world, child)
        with child.asleep():
            end_looks(world)
            produce(world, last)
        run_applications(world.servers, applications(world))
        wait_for_end(world, child)
        assert child.stop() == 0
    return written(world, "theirs"), written(world, "ours")


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_tables_and_streams_end_as_in_kafka_streams(both: tuple[Engine, Engine], name: str):
    theirs, ours = (engine[name] for engine in both)

    case = {"name": name, "inputs": [], "expected": theirs.results}
    assert theirs.results
    assert difference(case, Answer([ours.results]), TOPOLOGIES[name].level) is None


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_results_lie_in_the_partitions_they_have_in_kafka_streams(both: tuple[Engine, Engine], name: str):
    theirs, ours = (engine[name].places() for engine in both)

    shared = theirs.keys() & ours.keys()
    assert shared
    assert [place for place in shared if ours[place] != theirs[place]] == []


def create_topics(world: World) -> None:
    new = [NewTopic(name, width, config={"retention.ms": "-1"}) for name, width in widths(world).items()]
    admin = AdminClient({"bootstrap.servers": world.servers})
    for created in admin.create_topics(new).values():
        created.result()


def widths(world: World) -> dict[str, int]:
    """The partitions of each topic."""
    found = PARTITIONS | dict.fromkeys((topic for engine in ENGINES for topic in outputs(engine)), WIDTH)
    return {world.name(topic): width for topic, width in found.items()}


def outputs(engine: str) -> dict[str, tuple[str, str]]:
    """The topics an engine writes, without tag; of each the topology, and what it is called there."""
    sinks = [(name, step) for name, found in TOPOLOGIES.items() for step in found.steps if step["op"] == "to"]
    return {f"{engine}-{name}-{step['topic']}": (name, step["topic"]) for name, step in sinks}


def produce(world: World, part: Iterable[Row]) -> None:
    by_topic: dict[str, list[tuple[bytes, bytes | None, int]]] = {}
    for topic, key, value, timestamp in part:
        data = None if value is None else json.dumps(value).encode()
        by_topic.setdefault(topic, []).append((json.dumps(key).encode(), data, timestamp))
    for topic, records in by_topic.items():
        world.produce(world.name(topic), records)


def end_looks(world: World) -> None:
    """Waits for the broker, which takes requests in turn: a look that it has begun would see some of the records."""
    world.cluster.end_offsets(world.cluster.find(read(world)).values())


def placed(world: World, engine: str, name: str) -> list[Step]:
    """The steps of a topology over topics that are there: each engine writes, and reads back, its own."""
    own = {topic: written for written, (of, topic) in outputs(engine).items() if of == name}
    return [
        {**step, "topic": world.name(str(own.get(step["topic"], step["topic"])))} if "topic" in step else step
        for step in TOPOLOGIES[name].steps
    ]


def applications(world: World) -> list[Case]:
    """Of Kafka Streams: one for each topology."""
    return [{"name": world.name(f"app-{name}"), "topology": placed(world, "theirs", name)} for name in TOPOLOGIES]


@contextmanager
def running(world: World) -> Iterator[Child]:
    """Ours: one run of all topologies, with as many tasks as Kafka Streams has."""
    graphs = [graph(world, name) for name in TOPOLOGIES]
    drawn = Graph(tuple(n for each in graphs for n in each.nodes), tuple(e for each in graphs for e in each.edges))
    partitions = {topic: widths(world)[topic] for topic in read(world)}
    tasks = count_tasks(lay_out(drawn), partitions)
    with started(world.plan(drawn, partitions, cache=False).model_copy(update={"tasks": tasks})) as child:
        yield child


def graph(world: World, name: str) -> Graph:
    """The graph of a topology, with its name before node ids and stores."""
    mine = f"{name}-"
    drawn = translated({"topology": placed(world, "ours", name), "inputs": []}, mine)

    def over_its_topic(node: Node) -> Node:
        topic = {"topic": node.config["topic"].removeprefix(mine)} if "topic" in node.config else {}
        return replace(node, config={**node.config, **topic})

    return replace(drawn, nodes=tuple(over_its_topic(node) for node in drawn.nodes))


def read(world: World) -> list[str]:
    """The topics that ours reads, those it writes itself included."""
    steps = (step for name in TOPOLOGIES for step in placed(world, "ours", name))
    return sorted({step["topic"] for step in steps if step["op"] in RECORDS})


def wait_for_end(world: World, child: Child) -> None:
    """Until all is read, what it wrote itself included, once that is committed for those who read it."""
    topics = world.cluster.find(read(world))

    def is_at_end(event: dict[str, Any]) -> bool:
        seen = event.get("sources")
        return seen == world.cluster.end_offsets(topics.values()) and seen == {
            topic: settled_ends(world.servers, topic) for topic in topics
        }

    child.wait_for(is_at_end)


def written(world: World, engine: str) -> Engine:
    topics = {world.name(topic): place for topic, place in outputs(engine).items()}
    found = {name: Written([], []) for name in TOPOLOGIES}
    for message in messages(world.servers, topics):
        name, topic = topics[message.topic()]
        found[name].results.append(result(topic, message.key(), message.value(), message.timestamp()[1]))
        found[name].partitions.append(message.partition())
    return found
