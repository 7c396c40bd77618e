"""Checks that the names of topics and stores are unique."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from designer.checks.graph_view import GraphView
from designer.issues import Issue
from designer.messages import IssueCode
from designer.streams.budget import STEPS_PER_MATCH
from designer.streams.topics import ReadsTopic, WritesTopic, name_metrics
from designer.topology.catalogue import NamesStore, Operator


def topics_read_once(view: GraphView) -> Iterator[Issue]:
    """Kafka Streams: TopologyException "Topic … has already been registered by another source"."""
    topics = ((node.id, topic) for node, operator in view.nodes_of(ReadsTopic) for topic in operator.topic_names())
    for node_id, first, topic in (*_find_repeats(topics), *_match_patterns(view)):
        yield Issue(IssueCode.TOPIC_READ_TWICE, {"topic": topic, "node": first}, node=node_id, field="topic")


def _match_patterns(view: GraphView) -> Iterator[tuple[str, str, str]]:
    """(node, other node, topic) for each node whose pattern matches a topic that another one names."""
    sources = list(view.nodes_of(ReadsTopic))
    topics = [(node.id, topic) for node, operator in sources for topic in operator.topic_names()]
    patterns = [(node, operator) for node, operator in sources if not operator.topic_names()]
    for node, _ in patterns:
        view.budget.charge(node.id, STEPS_PER_MATCH * len(topics))
    for node, operator in patterns:
        for other, topic in topics:
            if operator.reads(topic):
                yield node.id, other, topic


def topics_do_not_collide(view: GraphView) -> Iterator[Issue]:
    """Kafka: InvalidTopicException "Topic … collides with existing topics"."""
    first: dict[str, str] = {}
    source_topics = ((node.id, topic) for node, source in view.nodes_of(ReadsTopic) for topic in source.topic_names())
    sink_topics = ((node.id, topic) for node, sink in view.nodes_of(WritesTopic) for topic in sink.topic_names())
    for node_id, topic in (*source_topics, *sink_topics):
        other = first.setdefault(name_metrics(topic), topic)
        if other != topic:
            yield Issue(IssueCode.TOPIC_COLLIDES, {"topic": topic, "other": other}, node=node_id, field="topic")


def stores_named_once(view: GraphView) -> Iterator[Issue]:
    naming = ((node.id, each) for node, each in view.nodes_of(Operator) if isinstance(each, NamesStore))
    stores = ((node_id, each.store) for node_id, each in naming)
    for node_id, first, store in _find_repeats((node_id, name) for node_id, name in stores if name is not None):
        yield Issue(IssueCode.STORE_NAMED_TWICE, {"node": first, "store": store}, node=node_id, field="store")


def _find_repeats(names: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """(node, first node with the name, name) for each node whose name was taken."""
    first: dict[str, str] = {}
    for node_id, name in names:
        if name in first:
            yield node_id, first[name], name
        first.setdefault(name, node_id)
