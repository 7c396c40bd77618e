"""What a plan must know of the cluster and of the data: topics as they stand, schemas of what lies in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import runner.operators  # noqa: F401  (fills the catalogue)
from designer.checks import check
from designer.flows import configured
from designer.graph import Graph
from designer.inference import infer
from designer.refusals import HasIssues
from designer.schemas import Schema
from designer.topics import ReadsTopic, WritesTopic
from runner.kafka import Cluster, Topic, TopicMissing
from runner.operators.to import To

SAMPLE = 100


@dataclass(frozen=True)
class Facts:
    """The source topics by name, the inferred schemas by node id, and the sink topics that are not there yet."""

    topics: Mapping[str, Topic]
    schemas: Mapping[str, Schema]
    missing_sinks: tuple[str, ...]


def gather(graph: Graph, cluster: Cluster, known: Mapping[str, Schema]) -> Facts:
    """Ask the cluster, and check the drawing with what it answers.

    `known` schemas are not inferred again. Raises HasIssues, TopicMissing or KafkaUnreachable.
    """
    refuse_issues(graph, known)
    topics = source_topics(graph, cluster)
    schemas = dict(known) | {
        node_id: infer([(message.key, message.value) for message in cluster.sample(source.topic, SAMPLE)])
        for node_id, source in sources(graph).items()
        if node_id not in known and not is_declared(source)
    }
    refuse_issues(graph, schemas)
    return Facts(topics, schemas, missing_sinks(graph, cluster))


def refuse_issues(graph: Graph, schemas: Mapping[str, Schema]) -> None:
    if issues := check(graph, schemas):
        word = "issue" if len(issues) == 1 else "issues"
        raise HasIssues(f"The topology has {len(issues)} {word}: {issues[0].message}", issues)


def sources(graph: Graph) -> dict[str, ReadsTopic]:
    found = {node.id: configured(node) for node in graph.nodes}
    return {node_id: operator for node_id, operator in found.items() if isinstance(operator, ReadsTopic)}


def sinks(graph: Graph) -> dict[str, WritesTopic]:
    found = {node.id: configured(node) for node in graph.nodes}
    return {node_id: operator for node_id, operator in found.items() if isinstance(operator, WritesTopic)}


def is_declared(source: ReadsTopic) -> bool:
    """Whether the node itself says all there is to know of its topic."""
    return source.key_type is not None and source.value_type is not None


def source_topics(graph: Graph, cluster: Cluster) -> dict[str, Topic]:
    """The topics the graph reads; raises TopicMissing with the node."""
    named = {source.topic: node_id for node_id, source in sources(graph).items()}
    found = cluster.find(list(named))
    for topic, node_id in named.items():
        if topic not in found:
            raise TopicMissing(
                f"Topic `{topic}` does not exist on cluster `{cluster.name}` ({cluster.servers}).",
                f"Create the topic, or pick another one in node `{node_id}`.",
                topic=topic,
                node=node_id,
            )
    return found


def missing_sinks(graph: Graph, cluster: Cluster) -> tuple[str, ...]:
    """Topics that would be created; raises TopicMissing for one whose node forbids that."""
    named = {sink.topic: (node_id, sink) for node_id, sink in sinks(graph).items()}
    found = cluster.find(list(named))
    for topic, (node_id, sink) in named.items():
        if topic not in found and isinstance(sink, To) and not sink.create_if_missing:
            raise TopicMissing(
                f"Topic `{topic}` does not exist on cluster `{cluster.name}` ({cluster.servers}).",
                f"Create it, or let node `{node_id}` create it.",
                topic=topic,
                node=node_id,
            )
    return tuple(topic for topic in named if topic not in found)
