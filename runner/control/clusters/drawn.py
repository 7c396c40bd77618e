"""What is wrong with the topics of a drawing on a cluster. Only the cluster knows, so `designer.checks` cannot tell."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.event_time import ReadsTimes
from designer.flows import configure
from designer.graph import Graph
from designer.issues import Issue
from designer.topics import ReadsTopic, WritesTopic, metric_name
from runner.control.clusters.times import unlikely_times
from runner.kafka import KafkaCluster

SAMPLED = 20
"""The newest records of a topic whose times are looked at."""


def topic_issues(graph: Graph, cluster: KafkaCluster) -> Iterator[Issue]:
    """Sources whose topics are missing or hold unlikely times, and sinks whose topics could not be made.

    Raises KafkaUnreachable.
    """
    there = cluster.topic_names()
    metrics = {metric_name(topic): topic for topic in there}
    for node in graph.nodes:
        match configure(node):
            case ReadsTopic() as source:
                yield from _missing(node.id, source, there, cluster.name)
                if isinstance(source, ReadsTimes) and source.timestamp_from != "wall_clock":
                    for topic in filter(there.__contains__, source.topic_names()):
                        sample, now = cluster.sample(topic, SAMPLED), time.time_ns() // 1_000_000
                        yield from unlikely_times(node.id, source, topic, sample, now)
            case WritesTopic() as sink:
                yield from _unmakeable(node.id, sink, metrics, cluster.name)


def _missing(node: str, source: ReadsTopic, there: frozenset[str], cluster: str) -> Iterator[Issue]:
    for topic in source.topic_names():
        if topic not in there:
            yield Issue(
                code="topic.missing",
                message=f"Topic `{topic}` does not exist on cluster `{cluster}`.",
                hint="Create the topic, or choose another one.",
                node=node,
                field="topic",
            )
    if not source.topic_names() and not any(map(source.reads, there)):
        yield Issue(
            code="topic.missing",
            message=f"No topic on cluster `{cluster}` matches the pattern.",
            hint="Create a topic that matches, or change the pattern.",
            node=node,
            field="pattern",
        )


def _unmakeable(node: str, sink: WritesTopic, metrics: Mapping[str, str], cluster: str) -> Iterator[Issue]:
    for topic in sink.topic_names():
        other = metrics.get(metric_name(topic))
        if other is None and not sink.may_create:
            yield Issue(
                code="topic.missing",
                message=f"Topic `{topic}` does not exist on cluster `{cluster}`, and this node is not allowed to "
                f"create it.",
                hint="Create the topic, or turn on `create_if_missing` in the node.",
                node=node,
                field="topic",
            )
        elif other is not None and other != topic:
            yield Issue(
                code="topic.collides",
                message=f"Kafka cannot create `{topic}` beside `{other}`: it treats `.` and `_` alike.",
                hint="Choose another name.",
                node=node,
                field="topic",
            )
