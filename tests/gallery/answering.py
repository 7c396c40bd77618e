"""Asks the gallery: one application in the driver, or all of them on Spark in one query."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import runner.engine.operators  # noqa: F401 - fills the catalogue
from designer.topology.graph import Edge, Graph
from designer.values.schemas import Schema
from runner.demo.gallery import read_gallery
from runner.engine.driver import Driver
from runner.engine.formats.sides import make_decoder_of, make_encoder_of
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layout import Layout, Sink, Source
from tests.conformance.product.on_spark import Query, World, prefix
from tests.gallery.probe import T0, Probe, Written

Found = Mapping[str, Sequence[Written]]
"""By topic: keys, values and times (ms from T0), in order."""
Raw = tuple[str, bytes | None, bytes | None, int]
"""Topic, key, value and timestamp of a record."""
NAMED = ("topic", "store")
"""Fields of a form whose names a graph shares with others."""


class Answer(NamedTuple):
    """What the topics hold, and how many records were dropped or skipped."""

    written: Found
    dropped: int


def graph_of(application_id: str) -> Graph:
    return Graph.from_json(read_gallery()[application_id]["graph"])


def in_driver(graph: Graph, probe: Probe, *, is_one_life: bool = True) -> Answer:
    """Record by record, with the clock at the arrival of each."""
    now = [0]
    driver = Driver(
        graph,
        deserialization="fail",
        processing="fail",
        production="fail",
        is_one_life=is_one_life,
        wall_clock=lambda: now[0],
    )
    for number, (topic, key, value, at) in enumerate(raw(driver.layout, probe)):
        now[0] = T0 + probe.arrivals[number] if probe.arrivals else at
        driver.pipe_bytes(topic, key, value, at)
    rows = [(topic, row[1], row[2], row[3]) for topic, row in driver.rows()]
    return Answer(read(driver.layout, rows), driver.dropped_records + _errors(driver))


def on_spark(world: World, graphs: Sequence[Graph], probes: Sequence[Probe]) -> list[Answer | Exception]:
    """All in one query, from one topic with one partition: the records of each in their order, mixed."""
    layouts = [lay_out(graph) for graph in graphs]
    inputs = [
        {"inputs": [dict(zip(("topic", "key", "value", "timestamp"), record, strict=True)) for record in raw(*each)]}
        for each in zip(layouts, probes, strict=True)
    ]
    group = {number: _prefixed(graph, prefix(number)) for number, graph in enumerate(graphs)}
    query = Query(world, group, inputs, cache=False, chance=random.Random(1), read=_raw)
    query.run("one")
    return [_answer(query, number, at) for number, at in enumerate(layouts)]


def raw(at: Layout, probe: Probe) -> list[Raw]:
    """The records of a probe in the formats that the sources of the application declare."""
    sources = {target.topic: _read_by(at, target) for target in at.targets if isinstance(target, Source)}
    return [
        (topic, _encoded(sources[topic].key, key), _encoded(sources[topic].value, value), T0 + time)
        for topic, key, value, time in probe.given
    ]


def read(at: Layout, rows: Iterable[Raw]) -> Found:
    """Records in the formats in which the sinks of the application write them."""
    sinks = {target.topic: _written_by(at, target) for target in at.targets if isinstance(target, Sink)}
    found: dict[str, list[Written]] = defaultdict(list)
    for topic, key, value, timestamp in rows:
        schema = sinks[topic]
        found[topic].append((_decoded(schema.key, key), _decoded(schema.value, value), timestamp - T0))
    return dict(found)


def without_times(found: Found) -> dict[str, list[tuple[Any, Any]]]:
    """Keys without their windows, and values that are not null."""
    return {
        topic: [(key["key"] if isinstance(key, dict) else key, value) for key, value, _ in records if value is not None]
        for topic, records in found.items()
    }


def _answer(query: Query, number: int, at: Layout) -> Answer | Exception:
    found = query.answer(number)
    if isinstance(found, Exception):
        return found
    rows = [(each["topic"], each["key"], each["value"], each["timestamp"]) for each in found.results]
    return Answer(read(at, rows), found.dropped or 0)


def _raw(topic: str, key: bytes | None, value: bytes | None, timestamp: int, headers: str | None) -> dict[str, Any]:
    return {"topic": topic, "key": key, "value": value, "timestamp": timestamp}


def _prefixed(graph: Graph, mark: str) -> Graph:
    """The same graph with names that no other has."""
    nodes = (
        replace(node, id=mark + node.id, config={**node.config, **_marked(node.config, mark)}) for node in graph.nodes
    )
    edges = (Edge(mark + edge.source, edge.source_port, mark + edge.target, edge.target_port) for edge in graph.edges)
    return Graph(tuple(nodes), tuple(edges))


def _marked(config: Mapping[str, Any], mark: str) -> dict[str, str]:
    return {name: mark + config[name] for name in NAMED if name in config}


def _read_by(at: Layout, source: Source) -> Schema:
    (flow,) = at.nodes[source.node].outputs.values()
    return flow.schema


def _written_by(at: Layout, sink: Sink) -> Schema:
    node = at.nodes[sink.node]
    schema: Schema = node.operator.find_schema_written(node.inputs.only.schema)  # type: ignore[attr-defined]
    return schema


def _encoded(side: Any, value: Any) -> bytes | None:
    return value if value is None or isinstance(value, bytes) else make_encoder_of(side)(value)


def _decoded(side: Any, data: bytes | None) -> Any:
    return None if data is None else make_decoder_of(side)(data)


def _errors(driver: Driver) -> int:
    return sum(counts["errors"] for counts in driver.counters().values())
