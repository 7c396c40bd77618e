"""Checks the topics of a graph on a cluster. Only the cluster knows them, so `designer.checks` cannot."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.issues import Issue
from designer.streams.event_time import ReadsTimes
from designer.streams.flows import make_operator
from designer.streams.topics import ReadsTopic, WritesTopic, name_metrics
from designer.topology.graph import Graph
from designer.values.schemas import Schema
from runner.control.clusters.issue_codes import ClusterIssueCode
from runner.control.clusters.times import find_unlikely_times
from runner.control.clusters.undecoded import find_undecoded
from runner.kafka import KafkaCluster, NotAllowed, read_limit

SAMPLE_SIZE = 20
"""Number of a topic's newest records whose formats and times are checked."""


def find_topic_issues(graph: Graph, cluster: KafkaCluster) -> Iterator[Issue]:
    """Issues of sources with missing or forbidden topics, undecodable records or implausible times, and of sinks with
    topics that cannot be created.

    Also hints of tables whose topics lose rows. Raises KafkaUnreachable.
    """
    there = cluster.topic_names()
    metrics = {name_metrics(topic): topic for topic in there}
    for node in graph.nodes:
        match make_operator(node):
            case ReadsTopic() as source:
                yield from _find_missing(node.id, source, there, cluster.name)
                for topic in filter(there.__contains__, source.topic_names()):
                    try:
                        sample, now = cluster.sample(topic, SAMPLE_SIZE), time.time_ns() // 1_000_000
                    except NotAllowed:
                        yield Issue(
                            ClusterIssueCode.TOPIC_NOT_READABLE,
                            {"topic": topic, "cluster": cluster.name},
                            node=node.id,
                            field="topic",
                        )
                        continue
                    yield from find_undecoded(node.id, source, topic, sample)
                    if isinstance(source, ReadsTimes) and source.timestamp_from != "wall_clock":
                        yield from find_unlikely_times(node.id, source, topic, sample, now)
            case WritesTopic() as sink:
                yield from _find_unmakeable(node.id, sink, metrics, cluster.name)
    yield from find_forgetful_tables(graph, cluster)


def find_undecoded_topics(
    graph: Graph, schemas: Mapping[str, Schema], topics: Collection[str], cluster: KafkaCluster
) -> Iterator[Issue]:
    """Warnings of sources whose `topics` hold records that they cannot decode. `schemas` are what they have learned.

    Raises KafkaUnreachable and NotAllowed.
    """
    for node in graph.nodes:
        if isinstance(source := make_operator(node), ReadsTopic):
            for topic in filter(topics.__contains__, source.topic_names()):
                sample = cluster.sample(topic, SAMPLE_SIZE)
                yield from find_undecoded(node.id, source, topic, sample, schemas.get(node.id))


def find_forgetful_tables(graph: Graph, cluster: KafkaCluster) -> Iterator[Issue]:
    """Hints of tables whose topics are not only compacted, so that Kafka deletes their oldest rows.

    None if the cluster's user may not see the settings of topics. Raises KafkaUnreachable.
    """
    operators = ((node.id, make_operator(node)) for node in graph.nodes)
    tables = {node_id: each for node_id, each in operators if isinstance(each, ReadsTopic) and each.has_topic_of_rows}
    try:
        configs = cluster.configs_of(sorted({topic for table in tables.values() for topic in table.topic_names()}))
    except NotAllowed:
        return
    for node_id, table in tables.items():
        for topic in table.topic_names():
            config = configs.get(topic, {})
            kept_ms = read_limit(config.get("retention.ms"))
            if "delete" in config.get("cleanup.policy", "") and kept_ms is not None:
                age = _describe_age(kept_ms)
                yield Issue(ClusterIssueCode.TABLE_FORGETS, {"topic": topic, "age": age}, node=node_id, field="topic")


def _describe_age(ms: int) -> str:
    """`7 days`, `90 minutes` or `1,500 ms`."""
    for unit, word in ((86_400_000, "days"), (3_600_000, "hours"), (60_000, "minutes"), (1_000, "seconds")):
        if ms >= unit and ms % unit == 0:
            return f"{ms // unit:,} {word if ms != unit else word[:-1]}"
    return f"{ms:,} ms"


def _find_missing(node: str, source: ReadsTopic, there: frozenset[str], cluster: str) -> Iterator[Issue]:
    for topic in source.topic_names():
        if topic not in there:
            yield Issue(ClusterIssueCode.TOPIC_MISSING, {"topic": topic, "cluster": cluster}, node=node, field="topic")
    if not source.topic_names() and not any(map(source.reads, there)):
        yield Issue(ClusterIssueCode.PATTERN_WITHOUT_TOPIC, {"cluster": cluster}, node=node, field="pattern")


def _find_unmakeable(node: str, sink: WritesTopic, metrics: Mapping[str, str], cluster: str) -> Iterator[Issue]:
    for topic in sink.topic_names():
        other = metrics.get(name_metrics(topic))
        if other is None and not sink.may_create:
            yield Issue(
                ClusterIssueCode.TOPIC_NOT_CREATED, {"topic": topic, "cluster": cluster}, node=node, field="topic"
            )
        elif other is not None and other != topic:
            yield Issue(
                ClusterIssueCode.TOPIC_COLLIDES_ON_CLUSTER, {"topic": topic, "other": other}, node=node, field="topic"
            )
