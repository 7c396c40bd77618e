"""A topology in words, in the form of Kafka Streams' `Topology#describe` (TopologyDescription)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Layout, Shuffle, Sink, Source


def describe(layout: Layout) -> str:
    """The sub-topologies with their nodes, stores and topics, and the order of nodes.

    A shuffle appears where Kafka Streams has a repartition topic, once before it and once after it. Nodes that were
    cloned to break a circle are left out: users see one node.
    """
    lines = ["Topologies:"]
    for each in layout.sub_topologies:
        nodes = [node for node in each.nodes if not is_clone(node)]
        if nodes:
            lines += [f"   Sub-topology: {each.number}", *_describe_sub_topology(layout, each.number, nodes)]
    for target in layout.targets:
        if isinstance(target, Source) and target.kind == "global":
            lines += ["   Global table, read by every task", *_describe_node(layout, target.node, {})]
    return "\n".join(lines) + "\n"


def _describe_sub_topology(layout: Layout, number: int, nodes: Iterable[str]) -> Iterator[str]:
    shuffles = [shuffle for shuffle in layout.targets if isinstance(shuffle, Shuffle) and not is_clone(shuffle.to_node)]
    names = {(shuffle.to_node, shuffle.to_port): shuffle.name for shuffle in shuffles}
    for shuffle in shuffles:
        if shuffle.sub_topology == number:
            yield f"    Shuffle: {shuffle.name} (from sub-topology: {shuffle.from_sub_topology})"
            yield f"      --> {shuffle.to_node}"
    for node in nodes:
        yield from _describe_node(layout, node, names)
    for shuffle in shuffles:
        if shuffle.from_sub_topology == number:
            yield f"    Shuffle: {shuffle.name} (to sub-topology: {shuffle.sub_topology})"
            yield f"      <-- {shuffle.from_node}"


def _describe_node(layout: Layout, node: str, names: dict[tuple[str, str], str]) -> Iterator[str]:
    """A node with the next and the previous ones, or the shuffle if there is one in between."""
    source_topics = [target.topic for target in layout.targets if isinstance(target, Source) and target.node == node]
    sink_topics = [target.topic for target in layout.targets if isinstance(target, Sink) and target.node == node]
    stores = [store.name for store in layout.stores if store.node == node]
    facts = [*_list("topics", source_topics), *_list("topic", sink_topics), *_list("stores", stores)]
    kind = "Source" if source_topics else "Sink" if sink_topics else "Processor"
    yield f"    {kind}: {node}" + (f" ({', '.join(facts)})" if facts else "")
    edges = [edge for edge in layout.graph.edges if not is_clone(edge.source) and not is_clone(edge.target)]
    places = [(edge, names.get((edge.target, edge.target_port))) for edge in edges]
    behind = dict.fromkeys(shuffle or edge.target for edge, shuffle in places if edge.source == node)
    before = dict.fromkeys(shuffle or edge.source for edge, shuffle in places if edge.target == node)
    if behind:
        yield f"      --> {', '.join(behind)}"
    if before:
        yield f"      <-- {', '.join(before)}"


def _list(what: str, names: list[str]) -> Iterator[str]:
    if names:
        yield f"{what}: [{', '.join(names)}]"
