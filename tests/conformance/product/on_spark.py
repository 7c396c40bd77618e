"""Cases on Spark: many share one query, each in a corner of one graph, fed through one topic with one partition."""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple
from uuid import uuid4

import orjson
from confluent_kafka import Producer
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from designer.reasons import Reason
from designer.topology.graph import MAX_EDGES, MAX_NODES, Graph
from runner.engine.counts.outcomes import merge_outcomes
from runner.engine.formats.sides import make_encoder_of
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layout import DeadLetterSink, Sink, Source
from runner.engine.tasks.counting import TaskCounts
from runner.engine.tasks.errors import PREFIX
from runner.kafka import KafkaCluster
from runner.plan import JobSettings, Plan, TopicFacts
from runner.spark.chain import make_chain
from runner.spark.columns import RecordColumns, make_no_records
from runner.spark.failures import read_failure
from runner.spark.program import Program, make_program
from runner.spark.session.session import start_session, use_session
from runner.spark.sink.results import Results
from runner.spark.source.reading import Range
from runner.spark.source.source import KafkaReader, KafkaSource, Limits, Reading, ReadTopic
from runner.spark.stage.arrival import find_root
from runner.spark.stage.counters import CallCounters, add
from tests.conformance.product.cases import Case, Result, result
from tests.conformance.product.compare import Answer
from tests.conformance.product.functions import NotYet
from tests.conformance.product.translation import translated, why_alone

Batches = Literal["one", "random"]
Headers = list[tuple[str, str | bytes | None]]
CORES = 4
SLOTS = 2
AT_ONCE = 3
"""Queries side by side."""
MAX_CHUNKS = 5
MAX_RECORDS = 1_000_000
SECONDS = 60


class RecordFailed(Exception):
    """A record of the case became a dead letter."""


class QueryFailed(Exception):
    """The query of the case ended."""


class Place(NamedTuple):
    """Where the record at an offset comes from: the number of its case, and its own number there."""

    case: int
    record: int


@dataclass(frozen=True)
class World:
    """Where the queries run: a session, a Kafka and a folder for their checkpoints; and with how many slots.

    `placed` says for a plan where else its files and executors are.
    """

    spark: SparkSession
    servers: str
    folder: Path
    slots: int = SLOTS
    placed: Callable[[Plan], Plan] = lambda plan: plan


def answers(
    world: World, cases: Sequence[Case], *, cache: bool = False, batches: Batches = "one", seed: str = "1"
) -> list[Answer | Exception]:
    """What the cases answer, or why one has no answer, in their order."""
    found: dict[int, Answer | Exception] = {}
    fitting = dict(_graphs(cases, found))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = [
            pool.submit(_asked, world, group, cases, cache, batches, random.Random(f"{seed}/{number}"))
            for number, group in enumerate(_groups(fitting))
        ]
        for each in asked:
            found |= each.result()
    return [found[number] for number in range(len(cases))]


@contextmanager
def session(folder: Path, placed: Callable[[Plan], Plan] = lambda plan: plan) -> Iterator[SparkSession]:
    """A Spark session for queries of this kind."""
    made = start_session(placed(_plan_of("conformance", Graph(), "", folder, slots=CORES)))
    made.sparkContext.setLogLevel("OFF")  # it reports each restart in the middle of a batch, which is meant
    try:
        yield made
    finally:
        made.stop()


def prefix(number: int) -> str:
    """What tells the nodes, topics and stores of a case from those of others."""
    return f"c{number}-"


def _graphs(cases: Sequence[Case], refused: dict[int, Answer | Exception]) -> Iterator[tuple[int, Graph]]:
    """The graph of each case that can run."""
    for number, case in enumerate(cases):
        try:
            if reason := why_alone(case):
                raise NotYet(f"This case can share no graph with others: {reason}.")
            graph = translated(case, prefix(number))
            _ = lay_out(graph).stages
        except Exception as error:  # it is this case's answer
            refused[number] = error
        else:
            yield number, graph


def _groups(graphs: Mapping[int, Graph]) -> Iterator[dict[int, Graph]]:
    """As many cases as one graph may hold."""
    group: dict[int, Graph] = {}
    for number, graph in graphs.items():
        together = [*group.values(), graph]
        if sum(len(g.nodes) for g in together) > MAX_NODES or sum(len(g.edges) for g in together) > MAX_EDGES:
            yield group
            group = {}
        group[number] = graph
    if group:
        yield group


def _asked(
    world: World,
    group: Mapping[int, Graph],
    cases: Sequence[Case],
    cache: bool,
    batches: Batches,
    chance: random.Random,
) -> dict[int, Answer | Exception]:
    """The answers of a group. Where its query fails, halves of it are asked, down to the case that is to blame."""
    try:
        query = Query(world, group, cases, cache, chance)
        query.run(batches)
        return {number: query.answer(number) for number in group}
    except Exception as error:
        if len(group) == 1:
            return dict.fromkeys(group, QueryFailed(_cause(error)))
    numbers = list(group)
    halves = (numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :])
    return {
        number: found
        for half in halves
        for number, found in _asked(
            world, {number: group[number] for number in half}, cases, cache, batches, chance
        ).items()
    }


@dataclass
class Query:
    """One query over a group of cases."""

    world: World
    group: Mapping[int, Graph]
    cases: Sequence[Case]
    cache: bool
    chance: random.Random
    read: Callable[[str, bytes | None, bytes | None, int, str | None], Result] = result
    """Makes a result of topic, key, value, timestamp and headers of a record that a sink wrote."""
    emitted: dict[int, list[tuple[int, Result]]] = field(default_factory=dict)
    """By batch, so that one that is run again counts once: offsets of roots and results with prefixed topics."""
    calls: dict[int, list[CallCounters]] = field(default_factory=dict)
    """By batch, what its calls counted."""
    failed: dict[str, str] = field(default_factory=dict)
    """By node, why the first of its records failed."""

    def __post_init__(self) -> None:
        self.name = f"conformance-{uuid4().hex[:8]}"
        self.cluster = KafkaCluster(self.world.servers)
        self.program: Program = make_program(self._plan())
        self.places = self._shuffled()

    def run(self, batches: Batches) -> None:
        """Feeds all records through the query; between random batches it is started again at least once."""
        cuts = self._cuts() if batches == "random" else [len(self.places)]
        again = self.chance.choice(cuts[:-1]) if cuts[:-1] else None
        self.cluster.create(self.name, 1, {"retention.ms": "-1"})
        query, start = None, 0
        try:
            for end in cuts:
                self._feed(start, end)
                query = query or self._started()
                query.processAllAvailable()
                if end == again or self.chance.random() < 0.3:
                    query.stop()
                    query = None
                start = end
        finally:
            if query is not None:
                query.stop()
            self.cluster.delete(self.name)

    def answer(self, number: int) -> Answer | Exception:
        """What one case answers."""
        mine = prefix(number)
        for node, message in self.failed.items():
            if node.startswith(mine):
                return RecordFailed(f"{node.removeprefix(mine)}: {message}")
        steps: list[list[Result]] = [[] for _ in self.cases[number]["inputs"]]
        for offset, each in (one for batch in sorted(self.emitted) for one in self.emitted[batch]):
            place = self.places[offset]
            if place.case == number:
                steps[place.record].append({**each, "topic": each["topic"].removeprefix(mine)})
        return Answer(steps, self._dropped(mine), self._counted(mine))

    def _plan(self) -> Plan:
        graph = Graph(
            tuple(node for each in self.group.values() for node in each.nodes),
            tuple(edge for each in self.group.values() for edge in each.edges),
        )
        world = self.world
        plan = _plan_of(self.name, graph, world.servers, world.folder, cache=self.cache, slots=world.slots)
        return world.placed(plan)

    def _shuffled(self) -> list[Place]:
        """All records in a random order, those of one case in theirs."""
        turns = [number for number in self.group for _ in self.cases[number]["inputs"]]
        self.chance.shuffle(turns)
        next_of = dict.fromkeys(self.group, 0)
        places = []
        for number in turns:
            places.append(Place(number, next_of[number]))
            next_of[number] += 1
        return places

    def _cuts(self) -> list[int]:
        """Ends of batches."""
        most = min(self.chance.randint(2, MAX_CHUNKS), len(self.places)) - 1
        inner = self.chance.sample(range(1, len(self.places)), max(0, most)) if len(self.places) > 1 else []
        return [*sorted(inner), len(self.places)]

    def _feed(self, start: int, end: int) -> None:
        producer = Producer({"bootstrap.servers": self.world.servers, "linger.ms": 5, "enable.idempotence": True})
        inputs = {each.topic: each.number for each in self.program.inputs}
        for case, record in self.places[start:end]:
            row = self.cases[case]["inputs"][record]
            number = inputs.get(prefix(case) + row["topic"], -1)
            headers: Headers = [("input", str(number)), ("timestamp", str(row["timestamp"]))]
            headers += [(name, text) for name, text in row.get("headers", ())]
            producer.produce(
                self.name, _value(row["value"]), self._key(number, row["key"]), partition=0, headers=headers
            )
        if producer.flush(SECONDS):
            raise TimeoutError(f"Kafka at {self.world.servers} did not take the records within {SECONDS} s.")

    def _key(self, number: int, key: Any) -> bytes | None:
        """A key as the nodes that read the input expect it."""
        if key is None or number < 0:
            return None
        if isinstance(key, bytes):
            return key
        source = self.program.layout.targets[self.program.inputs[number].targets[0]]
        (flow,) = self.program.layout.nodes[source.node].outputs.values()  # type: ignore[union-attr]
        return make_encoder_of(flow.schema.key)(key)

    def _started(self) -> StreamingQuery:
        spark = use_session(self.world.spark, self.program.plan)
        packs = make_chain(spark, self.program, Limits(MAX_RECORDS, MAX_RECORDS), source=OneTopic)
        writing = packs.writeStream.foreachBatch(self._take).outputMode("append")
        return writing.option("checkpointLocation", self.program.plan.checkpoint).start()

    def _take(self, packs: DataFrame, batch: int) -> None:
        results = Results.read(packs.toArrow())
        self.calls[batch] = results.counters
        taken: list[tuple[int, Result]] = []
        for target, records in results.split_by_target():
            found = self.program.layout.targets[target]
            if isinstance(found, DeadLetterSink):
                for row in records.to_pylist():
                    self._fail(row)
            elif isinstance(found, Sink):
                taken += [self._emitted(found.topic, row) for row in records.to_pylist()]
        self.emitted[batch] = sorted(taken, key=lambda each: each[0])

    def _emitted(self, topic: str, row: Mapping[str, Any]) -> tuple[int, Result]:
        """The offset of the root, and the result."""
        return find_root(row["seq"]), self.read(topic, row["key"], row["value"], row["timestamp"], row["headers"])

    def _fail(self, row: Mapping[str, Any]) -> None:
        headers = {each["key"]: each["value"] for each in orjson.loads(row["headers"])}
        node, message = (_decoded(headers.get(f"{PREFIX}{name}")) for name in ("node", "message"))
        self.failed.setdefault(node, message)

    def _dropped(self, mine: str) -> int:
        drops = [call.get("drops", {}) for batch in self.calls.values() for call in batch]
        nodes = [reasons for each in drops for node, reasons in each.items() if node.startswith(mine)]
        silent = Reason.NULL_KEY_BEFORE_SHUFFLE
        return sum(each["count"] for reasons in nodes for words, each in reasons.items() if words != silent)

    def _counted(self, mine: str) -> TaskCounts:
        """What passed the nodes of a case, under the names they have without the others."""
        total = TaskCounts({}, {})
        for call in (each for batch in self.calls.values() for each in batch):
            add(total.counters, _own(mine, call["nodes"]))
            merge_outcomes(total.outcomes, _own(mine, call.get("outcomes", {})))
        return total


def _own(mine: str, by_node: Mapping[str, Any]) -> dict[str, Any]:
    return {node.removeprefix(mine): each for node, each in by_node.items() if node.startswith(mine)}


def _topics(graph: Graph) -> set[str]:
    return {target.topic for target in lay_out(graph).targets if isinstance(target, Source)}


def _plan_of(name: str, graph: Graph, servers: str, folder: Path, *, cache: bool = False, slots: int = SLOTS) -> Plan:
    return Plan(
        shared_shuffles=True,
        application_id=name,
        epoch=1,
        generation=1,
        graph=graph.to_json(),
        schemas={},
        tasks=[1] * len(lay_out(graph).sub_topologies),
        slots=slots,
        settings=JobSettings.model_validate({"cache": cache, "memory_mb": 1_024}),
        kafka={"bootstrap.servers": servers},
        topics={topic: TopicFacts(id="", partitions=1, start=[-2]) for topic in _topics(graph)},
        marker_topic="",
        checkpoint=str(folder / name / "checkpoint"),
        state_dir=str(folder / name / "state"),
        arrival_order=True,
    )


class OneTopic(KafkaSource):
    """Reads the topic named like the application. The first headers of its records say which input they belong to, and
    their time, which in Kafka can not be 0; the others are their own."""

    def streamReader(self, schema: Any) -> KafkaReader:
        reading = Reading.model_validate_json(self.options["reading"])
        name = orjson.loads(self.options["plan"])["application_id"]
        found = KafkaCluster.of(reading.kafka).topic(name)
        facts = {name: TopicFacts(id=found.id, partitions=found.partitions, start=[-2])}
        only = {"facts": facts, "topics": [ReadTopic(input=-1, group="streams", topic=name)]}
        return OneTopicReader(reading.model_copy(update=only), self.options["plan"].encode())


class OneTopicReader(KafkaReader):
    """Hands records on as those of their inputs."""

    def records(self, ranges: Sequence[Range]) -> Generator[tuple[int, int, RecordColumns], None, None]:
        for _, partition, records in super().records(ranges):
            by_input: dict[int, RecordColumns] = {}
            for offset, _, key, value, headers in zip(*records, strict=True):
                of_input, of_time, *others = orjson.loads(headers or "")
                number, timestamp = int(_decoded(of_input["value"])), int(_decoded(of_time["value"]))
                own = orjson.dumps(others).decode() if others else None
                if number >= 0:
                    by_input.setdefault(number, make_no_records()).append(offset, timestamp, key, value, own)
            yield from ((number, partition, found) for number, found in by_input.items())


def _cause(error: Exception) -> str:
    """The error of ours inside one of Spark's, which has all stack traces in its text."""
    failure = read_failure(error)
    raised = re.findall(r"^(?:\w+\.)*\w+(?:Error|Exception|Failed|Fault)\b.*", str(error), re.MULTILINE)
    return failure.message if failure.code != "run.failed" or not raised else str(raised[0])


def _value(value: Any) -> bytes | None:
    """JSON; what is bytes already stays as it is."""
    return value if value is None or isinstance(value, bytes) else orjson.dumps(value)


def _decoded(value: str | None) -> str:
    return "" if value is None else base64.b64decode(value).decode(errors="replace")
