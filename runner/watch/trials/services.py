"""Tries a graph: takes records from its topics and gives them to an isolated process."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple, TypedDict, TypeVar, cast

from django.contrib.auth.models import AbstractUser

from designer.refusal_codes import read_code
from designer.refusals import NotFound, Refusal
from designer.streams.topics import ReadsTopic
from designer.topology.graph import Graph
from designer.values import exact_json
from designer.values.schemas import Schema
from runner.control.clusters.topic_schemas import fetch_schemas, to_json
from runner.control.jobs.plans.graph_facts import (
    collect_graph_facts,
    find_sinks,
    find_sources,
    refuse_unpermitted,
    resolve_patterns,
)
from runner.engine.trial import MadeUpRecord
from runner.kafka import KafkaCluster, Message, read_records_at
from runner.registry import Registry
from runner.spark.codes import RunCode
from runner.watch.trials.connections import Connections
from runner.watch.trials.fair_queue import FairQueue
from runner.watch.trials.forks import Forks
from runner.watch.trials.lines import read_lines
from runner.watch.trials.questions import (
    AskInputs,
    AskOutput,
    AskWay,
    Followed,
    FoundInputs,
    GivenRecord,
    NodeOutput,
    Output,
    Place,
    Question,
    SentRecord,
)

A = TypeVar("A")
OF_STREAMS, OF_TABLES = 200, 5_000
"""Number of a topic's newest records in a trial. A table needs more: joins look for rows of any age."""
AT_ONCE = 8
"""Number of topics that a trial reads at once."""
SECONDS = 15.0
QUEUE = FairQueue()
CONNECTIONS = Connections()
FORKS = Forks()


class TrialFailed(Refusal):
    """The process of the trial gave no answer."""

    code = RunCode.TRIAL_FAILED
    status = 422


class Trial(NamedTuple):
    """A trial: a graph, on the newest records of its topics or, in their order, on those of `lines`.

    `schemas` are the known ones of its sources. `runner.watch.trials.lines` describes a line.
    """

    graph: Graph
    schemas: Mapping[str, Schema]
    cluster: KafkaCluster
    by: AbstractUser
    lines: str | None
    registry: Registry | None = None

    def read(self) -> list[MadeUpRecord] | None:
        """The records of `lines`. Raises BadLine."""
        return None if self.lines is None else read_lines(self.lines)


class TriedOutput(NodeOutput):
    """The output of a node, and how many records were read of each topic."""

    read: Mapping[str, int]


def try_out(trial: Trial, node: str) -> TriedOutput:
    """The output of a node.

    It looks only at the nodes that feed it: the rest may be unfinished. Raises HasIssues, TopicMissing,
    KafkaUnreachable, NotFound, CodeNotPermitted, BadLine, TrialFailed, Busy.
    """
    graph = trial.graph
    if node not in graph.by_id:
        raise NotFound(f"The graph has no node `{node[:80]}`.", "Send the current graph.")
    if graph.node(node).bypassed:
        raise Refusal(f"`{node}` is bypassed: nothing leaves it.", "Look at the node before it, or after it.")
    graph_part = keep_feeding(graph, node)
    refuse_unpermitted(graph_part, trial.by)
    with CONNECTIONS.borrow(trial.cluster) as cluster:
        graph_part = resolve_patterns(graph_part, cluster)
        known_schemas = {each: schema for each, schema in trial.schemas.items() if each in graph_part.by_id}
        of, read = _prepare_reading(graph_part, cluster, begins=trial.lines is None)
        facts = collect_graph_facts(graph_part, cluster, known_schemas, is_part=True, read=read)
        given_records = trial.read()
        by_topic = {} if given_records is not None else {topic: read(topic) for topic in of}
    question = AskOutput(
        graph=graph_part.to_json(),
        schemas={each: schema.to_json() for each, schema in facts.schemas.items()},
        registry_schemas=_find_registry_schemas(trial, by_topic),
        node=node,
        records=[as_sent(topic, message) for topic, messages in by_topic.items() for message in messages],
        given=None if given_records is None else [list(each) for each in given_records],
    )
    counts = Counter(each.topic for each in given_records or () if each.topic in of)
    counts += Counter({topic: len(messages) for topic, messages in by_topic.items()})
    return {"read": counts, **ask(question, by=trial.by)}


def follow(trial: Trial, origin: Place) -> Followed:
    """The path of one record through the whole graph. Raises the refusals of `try_out`, and NotFound."""
    return ask(AskWay(**_prepare_way(trial, origin)), by=trial.by)


def find_inputs(trial: Trial, origin: Place, output: Output) -> FoundInputs:
    """The inputs that made an output of a record. Raises the refusals of `follow`."""
    return ask(AskInputs(**_prepare_way(trial, origin), output=output), by=trial.by)


class Way(TypedDict):
    """What a question about the way of a record begins with (`WayQuestion`)."""

    graph: Mapping[str, Any]
    schemas: Mapping[str, Any]
    registry_schemas: Mapping[str, list[Any]]
    origin: Place
    made: SentRecord | None
    records: list[SentRecord]
    given: list[GivenRecord] | None


def _prepare_way(trial: Trial, origin: Place) -> Way:
    refuse_unpermitted(trial.graph, trial.by)
    cluster = trial.cluster
    resolved_graph = resolve_patterns(trial.graph, cluster)
    of, read = _prepare_reading(resolved_graph, cluster, begins=trial.lines is None)
    facts = collect_graph_facts(resolved_graph, cluster, trial.schemas, read=read)
    topic, partition, offset = origin
    if topic not in {*of, *(name for sink in find_sinks(resolved_graph).values() for name in sink.topic_names())}:
        raise NotFound(
            f"No node of the topology reads or writes `{topic[:80]}`.", "Follow a record of a topic that it reads."
        )
    given_records = trial.read()
    by_topic = {} if given_records is not None else {each: read(each) for each in of}
    output_record = None if topic in of else as_sent(topic, fetch(cluster, origin, 0)[-1])
    if given_records is None and output_record is None and not _has(by_topic[topic], partition, offset):
        by_topic[topic] = fetch(cluster, origin, OF_STREAMS)
    return {
        "graph": resolved_graph.to_json(),
        "schemas": {each: schema.to_json() for each, schema in facts.schemas.items()},
        "registry_schemas": _find_registry_schemas(trial, by_topic),
        "origin": origin,
        "made": output_record,
        "records": [as_sent(each, message) for each, messages in by_topic.items() for message in messages],
        "given": None if given_records is None else [list(each) for each in given_records],
    }


def _find_registry_schemas(trial: Trial, by_topic: Mapping[str, list[Message]]) -> dict[str, list[Any]]:
    messages = (message for messages in by_topic.values() for message in messages)
    return to_json(fetch_schemas(trial.registry, trial.graph, messages))


def _prepare_reading(
    graph: Graph, cluster: KafkaCluster, *, begins: bool
) -> tuple[dict[str, ReadsTopic], Callable[[str], list[Message]]]:
    """The sources by topic, and a function for the newest records of a topic. It reads each topic once.

    If it `begins`, all topics are read side by side from now on, while the graph is checked.
    """
    of = {topic: source for source in find_sources(graph).values() for topic in source.topic_names()}
    if not begins:
        return of, cache(lambda topic: read_newest(topic, of[topic], cluster))
    readers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="trial")
    found = {topic: readers.submit(read_newest, topic, of[topic], cluster) for topic in of}
    readers.shutdown(wait=False)
    return of, lambda topic: found[topic].result()


def fetch(cluster: KafkaCluster, origin: Place, before: int) -> list[Message]:
    """A record after some earlier ones of its partition. Raises NotFound."""
    topic, partition, offset = origin
    places = [(partition, number) for number in range(max(0, offset - before), offset + 1)]
    messages = list(read_records_at(cluster, cluster.topic(topic), places).values())
    if not _has(messages, partition, offset):
        raise NotFound(f"Record {offset} in partition {partition} of `{topic}` is gone.", "Follow a newer record.")
    return messages


def _has(messages: list[Message], partition: int, offset: int) -> bool:
    return any((each.partition, each.offset) == (partition, offset) for each in messages)


def keep_feeding(graph: Graph, node: str) -> Graph:
    """The part of a graph that a node needs: itself and all before it."""
    ids, waiting = {node}, [node]
    while waiting:
        before = {edge.source for edge in graph.edges_into(waiting.pop())} - ids
        ids |= before
        waiting.extend(before)
    return Graph(
        tuple(each for each in graph.nodes if each.id in ids),
        tuple(edge for edge in graph.edges if edge.source in ids and edge.target in ids),
    )


def ask(question: Question[A], *, by: AbstractUser | None) -> A:
    """The answer of a process of its own. Raises TrialFailed, Busy, and the refusals of that process."""
    try:
        with QUEUE.acquire(by.get_username() if by else "", SECONDS):
            reply = FORKS.ask(exact_json.dumps(question.to_json()), SECONDS)
    except TimeoutError as error:
        raise TrialFailed(
            f"The trial did not end within {SECONDS:.0f} s.",
            "Look for a node that makes very many records from one, or for a loop through a topic.",
        ) from error
    answer: Any = exact_json.loads(reply) if reply else {"ended": "something killed its process"}
    if "ended" in answer:
        raise TrialFailed(
            f"The trial ended early: {answer['ended'][:500]}", "Look for a node that needs very much memory."
        )
    if "refusal" in answer:
        fields = answer["refusal"]
        refusal = Refusal(fields["message"], fields["hint"])
        refusal.code, refusal.status = read_code(fields["code"]), answer["status"]
        raise refusal
    return cast(A, answer)


def read_newest(topic: str, source: ReadsTopic, cluster: KafkaCluster) -> list[Message]:
    """The newest records of a topic for a trial."""
    return cluster.sample(topic, OF_TABLES if source.has_topic_of_rows else OF_STREAMS)


def as_sent(topic: str, message: Message) -> SentRecord:
    """A record for a question."""
    headers = [[name, encode_base64(content)] for name, content in message.headers]
    key, value = encode_base64(message.key), encode_base64(message.value)
    return [topic, message.partition, message.offset, message.timestamp, key, value, headers]


def encode_base64(content: bytes | None) -> str | None:
    """Bytes for a question."""
    return None if content is None else base64.b64encode(content).decode()
