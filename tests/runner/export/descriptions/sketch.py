"""A graph as one line a node, `to out (to_stream (count (group_by (stream in))))`, so that graphs can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from designer.topology.graph import Edge, Graph, Node

GROUPS = {"group_by_key", "group_by", "cogroup"}
TABLES = {"table", "aggregate", "reduce", "to_table", "suppress"}


def described(file: str) -> dict[str, str]:
    """What `builder.build().describe()` of Kafka Streams 4.4.0 prints, by the name of the topology.

    Cases are built as the oracle builds them, without the processors that record what they emit.
    """
    parts = Path(__file__).with_name(file).read_text().split("#### ")[1:]
    return {name.strip(): text for name, _, text in (part.partition("\n") for part in parts)}


def lines(graph: Graph) -> list[str]:
    """Each node with all that flows into it."""
    return [_line(graph, node) for node in graph.nodes]


def told(graph: Graph) -> Counter[str]:
    """The lines of a graph as far as `describe()` tells it: what it cannot tell is made alike."""
    for alike in (
        _windows_are_not_told,
        _a_new_key_of_to_stream_is_a_select_key_behind_it,
        _a_selected_key_that_is_only_grouped_by_is_a_group_by,
        _merges_of_merges_are_one,
        _a_predicate_may_be_negated_and_an_aggregate_a_count,
        _joins_of_tables_may_be_outer_and_with_global_tables_left,
        _a_split_is_told_without_its_predicates,
    ):
        graph = alike(graph)
    while unread := [each for each in graph.nodes if each.operator in GROUPS and not any(graph.edges_from(each.id))]:
        graph = _without(graph, unread[0])
    count = Counter(lines(graph))  # several groups of one stream are told as one
    return Counter({line: 1 if line.split()[0] in GROUPS else n for line, n in count.items()})


def _line(graph: Graph, node: Node) -> str:
    sided = "join" in node.operator
    inputs = [
        f"{edge.target_port + ': ' if sided else ''}{_line(graph, graph.node(edge.source))}{_output(edge)}"
        for edge in graph.edges_into(node.id)
    ]
    topics = [str(node.config[each]) for each in ("topic", "topics", "pattern") if each in node.config]
    return " ".join([node.operator, *topics, *(f"({each})" for each in sorted(set(inputs)))])


def _output(edge: Edge) -> str:
    return "" if edge.source_port == "result" else f".{edge.source_port}"


def _windows_are_not_told(graph: Graph) -> Graph:
    for node in _those(graph, "windowed_by"):
        graph = _without(graph, node)
    return graph


def _a_new_key_of_to_stream_is_a_select_key_behind_it(graph: Graph) -> Graph:
    for node in _those(graph, "to_stream"):
        if "key" in node.config:
            key = Node(f"{node.id}-key", "select_key")
            moved = (replace(each, source=key.id) if each.source == node.id else each for each in graph.edges)
            graph = Graph((*graph.nodes, key), (*moved, Edge(node.id, "result", key.id, "stream")))
    return graph


def _a_selected_key_that_is_only_grouped_by_is_a_group_by(graph: Graph) -> Graph:
    for node in _those(graph, "select_key"):
        behind = [graph.node(each.target) for each in graph.edges_from(node.id)]
        if behind and all(each.operator == "group_by_key" for each in behind):
            graph = _called(graph, node, "group_by")
            for each in behind:
                graph = _without(graph, each)
    return graph


def _merges_of_merges_are_one(graph: Graph) -> Graph:
    for node in _those(graph, "merge"):
        behind = [graph.node(each.target).operator for each in graph.edges_from(node.id)]
        if behind == ["merge"]:
            graph = _without(graph, node)
    return graph


def _a_predicate_may_be_negated_and_an_aggregate_a_count(graph: Graph) -> Graph:
    for node in _those(graph, "filter_not"):
        graph = _called(graph, node, "filter")
    for node in _those(graph, "count"):
        graph = _called(graph, node, "aggregate")
    return graph


def _joins_of_tables_may_be_outer_and_with_global_tables_left(graph: Graph) -> Graph:
    for node in _those(graph, "left_join", "outer_join"):
        left, right = (
            next(e.source for e in graph.edges_into(node.id) if e.target_port == p) for p in ("left", "right")
        )
        if graph.node(right).operator == "global_table" or _is_table(graph, left):
            graph = _called(graph, node, "join")
    return graph


def _is_table(graph: Graph, node_id: str) -> bool:
    operator = graph.node(node_id).operator
    sources = [each.source for each in graph.edges_into(node_id)]
    derived = operator in {"filter", "map_values"} or "join" in operator
    return all(_is_table(graph, each) for each in sources) if derived else operator in TABLES


def _a_split_is_told_without_its_predicates(graph: Graph) -> Graph:
    """Nor is told which of named branches is the default one."""
    splits = {node.id for node in _those(graph, "split")}
    return Graph(graph.nodes, tuple(replace(e, source_port="branch") if e.source in splits else e for e in graph.edges))


def _those(graph: Graph, *operators: str) -> Iterator[Node]:
    return iter([node for node in graph.nodes if node.operator in operators])


def _called(graph: Graph, node: Node, operator: str) -> Graph:
    return Graph(tuple(replace(n, operator=operator) if n.id == node.id else n for n in graph.nodes), graph.edges)


def _without(graph: Graph, node: Node) -> Graph:
    """The graph without a node; what flows into it flows into what is behind it."""
    joined = [
        Edge(before.source, before.source_port, after.target, after.target_port)
        for before in graph.edges_into(node.id)
        for after in graph.edges_from(node.id)
    ]
    kept = [each for each in graph.edges if node.id not in (each.source, each.target)]
    return Graph(tuple(each for each in graph.nodes if each.id != node.id), (*kept, *joined))
