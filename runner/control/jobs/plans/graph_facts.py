"""Facts of a graph from its cluster: its topics, and the schemas of their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.models import AbstractUser

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.checks import find_issues
from designer.checks.graph_view import GraphView
from designer.projects.code_permission import refuse_code
from designer.refusals import HasIssues
from designer.streams.flows import make_operator
from designer.streams.inference import infer
from designer.streams.topics import ReadsTopic, WritesTopic
from designer.topology.graph import Graph, Node
from designer.values.schemas import Schema
from runner.control.clusters.internal_topics import is_hidden, refuse_hidden, refuse_hidden_output
from runner.engine.planning.lay_out import lay_out_flows
from runner.engine.planning.layout import Layout
from runner.kafka import KafkaCluster, Message, Topic, TopicMissing

Read = Callable[[str], Sequence[Message]]
"""Returns the newest records of a topic, the latest last."""
SAMPLE = 100
"""Number of records for inferring a schema."""


@dataclass(frozen=True)
class GraphFacts:
    """A graph without issues, and what its clusters say of it."""

    view: GraphView
    """The graph and its flows, as they were checked."""
    topics: Mapping[str, Topic]
    """The topics of sources, by name."""
    schemas: Mapping[str, Schema]
    """The inferred schemas of sources, by node id."""
    missing_sinks: tuple[str, ...]
    """Topics of sinks that do not exist."""

    def lay_out(self, *, shares_shuffles: bool = True) -> Layout:
        """Cut the graph into sub-topologies. Raises a Refusal if its stages would loop."""
        layout = lay_out_flows(self.view.graph, self.view.flows, shares_shuffles=shares_shuffles)
        _ = layout.stages
        return layout


def collect_graph_facts(
    graph: Graph,
    cluster: KafkaCluster,
    draft_schemas: Mapping[str, Schema],
    *,
    is_part: bool = False,
    read: Read | None = None,
) -> GraphFacts:
    """Ask the cluster, and check the graph, or the `is_part` of one, with the answers.

    Schemas in `draft_schemas` are not inferred again. `read` replaces a second reading of records. Raises HasIssues,
    TopicMissing or KafkaUnreachable.
    """
    view = GraphView(graph, draft_schemas)
    refuse_issues(view, is_part=is_part)
    topics = describe_source_topics(graph, cluster)
    schemas = infer_schemas(graph, draft_schemas, read or cluster.sample)
    if schemas != draft_schemas:
        view = GraphView(graph, schemas)
        refuse_issues(view, is_part=is_part)
    return GraphFacts(view, topics, schemas, find_missing_sinks(graph, cluster))


def infer_schemas(graph: Graph, schemas: Mapping[str, Schema], read: Read) -> dict[str, Schema]:
    """The schemas of sources: the known ones, and for the rest those of their topics' records."""
    return dict(schemas) | {
        node_id: infer(_read_samples(source, read))
        for node_id, source in find_sources(graph).items()
        if node_id not in schemas and not is_declared(source)
    }


def resolve_patterns(graph: Graph, cluster: KafkaCluster) -> Graph:
    """The graph with the present topics instead of patterns, which match no hidden ones. Raises TopicMissing."""
    names = [topic.name for topic in cluster.topics()] if _find_topics_by_pattern(graph) else []
    named_graph = name_topics(graph, [name for name in names if not is_hidden(name)])
    for node_id in _find_topics_by_pattern(named_graph):
        raise TopicMissing(
            f"No topic on cluster `{cluster.name}` ({cluster.servers}) matches the pattern of `{node_id}`.",
            "Create a topic that matches, or change the pattern.",
            node=node_id,
        )
    return named_graph


def name_topics(graph: Graph, names: Sequence[str]) -> Graph:
    """The graph with matching `names` instead of patterns. A pattern without a match stays."""
    by_pattern = _find_topics_by_pattern(graph)
    nodes = (_name_topics_of(node, names) if node.id in by_pattern else node for node in graph.nodes)
    return Graph(tuple(nodes), graph.edges)


def _find_topics_by_pattern(graph: Graph) -> list[str]:
    return [node_id for node_id, source in find_sources(graph).items() if not source.topic_names()]


def _name_topics_of(node: Node, names: Sequence[str]) -> Node:
    source = make_operator(node)
    assert isinstance(source, ReadsTopic)
    matching = [name for name in names if source.reads(name)]
    return replace(node, config={**node.config, "pattern": None, "topics": matching}) if matching else node


def _read_samples(source: ReadsTopic, read: Read) -> list[tuple[bytes | None, bytes | None]]:
    return [(one.key, one.value) for topic in source.topic_names() for one in read(topic)[-SAMPLE:]]


def refuse_unpermitted(graph: Graph, by: AbstractUser | None) -> None:
    """Refuse a graph that a user may not have executed.

    Raises CodeNotPermitted, Refusal if it writes a hidden topic, and RoleMissing if it reads one that the user may not
    see.
    """
    refuse_code(graph, by)
    for sink in find_sinks(graph).values():
        for topic in sink.topic_names():
            refuse_hidden_output(topic)
    for source in find_sources(graph).values():
        for topic in source.topic_names():
            refuse_hidden(by, topic)


def refuse_issues(view: GraphView, *, is_part: bool = False) -> None:
    """Raises HasIssues if anything is wrong with a graph."""
    if issues := find_issues(view, is_part=is_part):
        word = "issue" if len(issues) == 1 else "issues"
        raise HasIssues(f"The topology has {len(issues)} {word}: {issues[0].message}", issues)


def find_sources(graph: Graph) -> dict[str, ReadsTopic]:
    operators = {node.id: make_operator(node) for node in graph.nodes}
    return {node_id: operator for node_id, operator in operators.items() if isinstance(operator, ReadsTopic)}


def find_sinks(graph: Graph) -> dict[str, WritesTopic]:
    operators = {node.id: make_operator(node) for node in graph.nodes}
    return {node_id: operator for node_id, operator in operators.items() if isinstance(operator, WritesTopic)}


def find_reloaded_topics(graph: Graph) -> set[str]:
    """Topics of global tables, which each epoch reads from their start."""
    sources = (source for source in find_sources(graph).values() if source.is_reloaded)
    return {name for source in sources for name in source.topic_names()}


def is_declared(source: ReadsTopic) -> bool:
    """Whether the node declares everything about its topic."""
    return source.key_type is not None and source.value_type is not None


def describe_source_topics(graph: Graph, cluster: KafkaCluster) -> dict[str, Topic]:
    """The topics that the graph reads. Raises TopicMissing with the node."""
    readers = {topic: node_id for node_id, source in find_sources(graph).items() for topic in source.topic_names()}
    topics = cluster.find(list(readers))
    for topic, node_id in readers.items():
        if topic not in topics:
            raise TopicMissing(
                f"Topic `{topic}` does not exist on cluster `{cluster.name}` ({cluster.servers}).",
                f"Create the topic, or choose another one in node `{node_id}`.",
                topic=topic,
                node=node_id,
            )
    return topics


def find_missing_sinks(graph: Graph, cluster: KafkaCluster) -> tuple[str, ...]:
    """Topics to create. Raises TopicMissing if a node forbids it."""
    writers = {topic: (node_id, sink) for node_id, sink in find_sinks(graph).items() for topic in sink.topic_names()}
    topics = cluster.find(list(writers))
    for topic, (node_id, sink) in writers.items():
        if topic not in topics and not sink.may_create:
            raise TopicMissing(
                f"Topic `{topic}` does not exist on cluster `{cluster.name}` ({cluster.servers}).",
                f"Create the topic, or turn on `create_if_missing` in node `{node_id}`.",
                topic=topic,
                node=node_id,
            )
    return tuple(topic for topic in writers if topic not in topics)
