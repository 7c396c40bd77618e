"""Finds the topology of a Kafka Streams application that brokers keep (KIP-1331)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from designer.refusals import NotFound
from runner.kafka.cluster import KafkaCluster
from runner.kafka.refusals import NotAllowed
from runner.kafka.wire import Answer, Wire, compact_items, compact_text

API_VERSIONS, DESCRIBE_STREAMS_GROUPS = 18, 89
WITH_TOPOLOGY = 1
"""The first version of the request that asks for topologies."""
COORDINATOR_GONE, NOT_COORDINATOR, NOT_AUTHORIZED, GROUP_NOT_FOUND = 15, 16, 30, 69
AVAILABLE = 3
SOURCE, SINK = 1, 3
PASTE = "Paste what `topology.describe()` prints instead."


class _Node(NamedTuple):
    """A source, processor or sink. `sink_topic` is empty if the topic is chosen for each record."""

    name: str
    kind: int
    source_topics: list[str]
    sink_topic: str
    stores: list[str]
    after: list[str]


class _Topology(NamedTuple):
    parts: list[tuple[str, list[_Node]]]
    global_stores: list[tuple[_Node, _Node]]


def describe_topology(cluster: KafkaCluster, application: str) -> str:
    """Return the topology of a Kafka Streams application as `Topology.describe()` prints it.

    An application of Kafka Streams 4.4 sends it with `group.protocol=streams`. Brokers keep it with
    `group.streams.topology.description.plugin.class`. Raises NotFound, NotAllowed,
    KafkaUnreachable and BrokerError.
    """
    is_known = False
    for host, port in cluster.brokers().values():
        with Wire(host, port, cluster.settings) as wire:
            if not _can_ask(wire):
                continue
            is_known = True
            error, topology = _describe(wire, application)
        if error in (COORDINATOR_GONE, NOT_COORDINATOR):
            continue
        if error == NOT_AUTHORIZED:
            raise NotAllowed(
                f"it may not describe the group `{application}`",
                f"Give it `Describe` on this group, and on the topics of the application. {PASTE}",
            )
        if error == GROUP_NOT_FOUND:
            raise NotFound(
                f"No application `{application}` uses the streams protocol on this cluster.",
                f"Give its `application.id`. An application with `group.protocol=classic` sends no topology. {PASTE}",
            )
        if topology is None:
            raise NotFound(
                f"The brokers have not kept the topology of `{application}`.",
                "They do with a plugin (`group.streams.topology.description.plugin.class`), once the application "
                f"starts again. {PASTE}",
            )
        return "\n".join(_write(topology))
    if is_known:
        raise NotFound(f"No broker coordinates the group `{application}` now.", f"Try it again soon. {PASTE}")
    raise NotFound("Brokers before Kafka 4.4 keep no topologies.", PASTE)


def _can_ask(wire: Wire) -> bool:
    answer = wire.ask(API_VERSIONS, 0, b"", is_compact=False)
    answer.check(answer.number("h"))
    versions = answer.items(lambda each: (each.number("h"), each.number("h"), each.number("h")))
    return any(api == DESCRIBE_STREAMS_GROUPS and newest >= WITH_TOPOLOGY for api, _, newest in versions)


def _describe(wire: Wire, application: str) -> tuple[int, _Topology | None]:
    """The error code for a group, and its topology if the broker keeps it."""
    has_operations, has_topology = b"\0", b"\1"
    body = compact_items([compact_text(application)]) + has_operations + has_topology + b"\0"
    answer = wire.ask(DESCRIBE_STREAMS_GROUPS, WITH_TOPOLOGY, body)
    answer.number("i")
    return answer.compact_items(_read_group)[0]


def _read_group(answer: Answer) -> tuple[int, _Topology | None]:
    error = answer.check(answer.number("h"), (COORDINATOR_GONE, NOT_COORDINATOR, NOT_AUTHORIZED, GROUP_NOT_FOUND))
    for _ in ("message", "group", "state"):
        answer.compact_text()
    for _ in ("epoch", "assignment epoch"):
        answer.number("i")
    answer.nullable(_skip_configured_topology)
    answer.compact_items(_skip_member)
    answer.number("i")
    topology = answer.nullable(_read_topology)
    answer.number("b")  # why there is no topology
    answer.compact_text()
    answer.tags()
    return error, topology


def _read_topology(answer: Answer) -> _Topology:
    topology = _Topology(answer.compact_items(_read_part), answer.compact_items(_read_global_store))
    answer.tags()
    return topology


def _read_part(answer: Answer) -> tuple[str, list[_Node]]:
    part = answer.compact_text(), answer.compact_items(_read_node)
    answer.tags()
    return part


def _read_global_store(answer: Answer) -> tuple[_Node, _Node]:
    store = _read_node(answer), _read_node(answer)
    answer.tags()
    return store


def _read_node(answer: Answer) -> _Node:
    node = _Node(
        name=answer.compact_text(),
        kind=answer.number("b"),
        source_topics=answer.compact_items(Answer.compact_text),
        sink_topic=answer.compact_text(),
        stores=answer.compact_items(Answer.compact_text),
        after=answer.compact_items(Answer.compact_text),
    )
    answer.tags()
    return node


def _skip_configured_topology(answer: Answer) -> None:
    answer.number("i")
    answer.compact_items(_skip_configured_part)
    answer.tags()


def _skip_configured_part(answer: Answer) -> None:
    answer.compact_text()
    for _ in ("source topics", "repartition sinks"):
        answer.compact_items(Answer.compact_text)
    for _ in ("changelogs", "repartition sources"):
        answer.compact_items(_skip_topic)
    answer.tags()


def _skip_topic(answer: Answer) -> None:
    answer.compact_text()
    answer.number("i")
    answer.number("h")
    answer.compact_items(_skip_pair)
    answer.tags()


def _skip_pair(answer: Answer) -> None:
    answer.compact_text()
    answer.compact_text()
    answer.tags()


def _skip_member(answer: Answer) -> None:
    answer.compact_text()
    answer.number("i")
    for _ in ("instance", "rack", "client", "host"):
        answer.compact_text()
    answer.number("i")
    answer.compact_text()
    answer.nullable(_skip_endpoint)
    answer.compact_items(_skip_pair)
    for _ in ("task offsets", "task end offsets"):
        answer.compact_items(_skip_task_offset)
    for _ in ("assignment", "target assignment"):
        _skip_assignment(answer)
    answer.number("b")
    answer.tags()


def _skip_endpoint(answer: Answer) -> None:
    answer.compact_text()
    answer.number("H")
    answer.tags()


def _skip_task_offset(answer: Answer) -> None:
    answer.compact_text()
    answer.number("i")
    answer.number("q")
    answer.tags()


def _skip_assignment(answer: Answer) -> None:
    for _ in ("active", "standby", "warm-up"):
        answer.compact_items(_skip_tasks)
    answer.tags()


def _skip_tasks(answer: Answer) -> None:
    answer.compact_text()
    answer.compact_items(lambda each: each.number("i"))
    answer.tags()


def _write(topology: _Topology) -> Iterator[str]:
    """The lines of `describe()` (Kafka's `TopologyDescriptionFormatter`)."""
    yield "Topologies:"
    for name, nodes in topology.parts:
        yield f"   Sub-topology: {name}"
        yield from _write_nodes(nodes)
    for number, store in enumerate(topology.global_stores, len(topology.parts)):
        yield f"   Sub-topology: {number} for global store (will not generate tasks)"
        yield from _write_nodes(store)


def _write_nodes(nodes: list[_Node] | tuple[_Node, ...]) -> Iterator[str]:
    for node in nodes:
        if node.kind == SOURCE:
            yield f"    Source: {node.name} (topics: [{', '.join(node.source_topics)}])"
        elif node.kind == SINK:
            topic = f"topic: {node.sink_topic}" if node.sink_topic else "extractor class: not known"
            yield f"    Sink: {node.name} ({topic})"
        else:
            yield f"    Processor: {node.name} (stores: [{', '.join(node.stores)}])"
        if node.kind != SINK:
            yield f"      --> {', '.join(node.after) or 'none'}"
        if node.kind != SOURCE:
            before = [each.name for each in nodes if node.name in each.after]
            yield f"      <-- {', '.join(before) or 'none'}"
