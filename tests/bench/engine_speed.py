"""How long the engine takes for a record on one core: `python -m tests.bench.engine_speed`."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import orjson

import runner.operators  # noqa: F401 - fills the catalogue
from designer.graph import Edge, Graph, Node
from designer.schemas import DOUBLE, INTEGER, STRING, Type, struct
from runner.engine import MemoryState, Options, Row, Task, layout
from runner.formats import format_named

RECORDS = 200_000
FLIGHT = struct(
    year=INTEGER,
    month=INTEGER,
    day=INTEGER,
    dep_time=INTEGER,
    sched_dep_time=INTEGER,
    dep_delay=DOUBLE,
    arr_time=INTEGER,
    sched_arr_time=INTEGER,
    arr_delay=DOUBLE,
    carrier=STRING,
    flight=INTEGER,
    tailnum=STRING,
    origin=STRING,
    dest=STRING,
    air_time=DOUBLE,
    distance=INTEGER,
    hour=INTEGER,
    minute=INTEGER,
    time_hour=STRING,
)
AIRLINE = struct(carrier=STRING, name=STRING)
PLANE = struct(tailnum=STRING, manufacturer=STRING, model=STRING, seats=INTEGER, year=INTEGER)


def main() -> None:
    """Print µs per record of each topology."""
    flights = _flights()
    decode = format_named("json").decoder(FLIGHT)
    documents = [row[2] for row in flights if row[2] is not None]
    _report("orjson.loads alone", lambda: _drain(orjson.loads, documents))
    _report("decode 19 fields with their types", lambda: _drain(decode, documents))
    for cache in (True, False):
        _measure(f"decode, filter, map_values, windowed count, encode; cache={cache}", _count(), flights, cache)
        _measure(f"flight delays, both sub-topologies; cache={cache}", _sample(), flights, cache)


def _measure(what: str, graph: Graph, flights: list[Row], cache: bool) -> None:
    laid_out = layout(graph)
    options = Options(cache=cache)
    sub_topologies = range(len(laid_out.sub_topologies))

    def run() -> None:
        written: list[list[Row]] = [[] for _ in laid_out.targets]

        def emit(target: int, key: bytes | None, value: bytes | None, timestamp: int, headers: str | None) -> None:
            written[target].append((target, key, value, timestamp, headers, 0, 0))

        state = MemoryState()
        tasks = [Task(laid_out, number, 0, state, emit, options) for number in sub_topologies]
        for node, target in laid_out.source_of.items():
            if node == "airlines":
                for carrier in ("UA", "DL", "AA"):
                    tasks[0].global_record(target, carrier.encode(), orjson.dumps({"carrier": carrier, "name": "x"}), 0)
            if node == "planes":
                tasks[0].run((target, f"N{n}".encode(), orjson.dumps({"seats": n}), 0, None, 0, n) for n in range(500))
        tasks[0].run(flights)
        tasks[0].flush()
        for task in tasks[1:]:
            (target,) = laid_out.targets_of((task.sub_topology.number,))
            task.run(written[target])
            task.flush()

    _report(what, run)


def _report(what: str, run: Callable[[], object]) -> None:
    best = min(_seconds(run) for _ in range(3))
    print(f"{best / RECORDS * 1e6:7.2f} µs  {what}")


def _drain(decode: Callable[[bytes], object], documents: list[bytes]) -> None:
    for document in documents:
        decode(document)


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def _flights() -> list[Row]:
    return [(0, f"N{n % 500}".encode(), orjson.dumps(_flight(n)), n * 1_000, None, 0, n) for n in range(RECORDS)]


def _flight(n: int) -> dict[str, object]:
    numbers = {field.name: n % 500 for field in FLIGHT.fields if field.type == INTEGER}
    texts = {"carrier": ("UA", "DL", "AA")[n % 3], "tailnum": f"N{n % 500}", "origin": ("EWR", "JFK", "LGA")[n % 3]}
    delays = {"dep_delay": float(n % 200 - 20), "arr_delay": 1.5, "air_time": 120.0}
    values = numbers | texts | delays | {"dest": "BOS", "time_hour": "2013-01-01T05:00:00Z"}
    return {field.name: values[field.name] for field in FLIGHT.fields}


def _source(node: str, operator: str, value: Type) -> Node:
    string, any_json = {"kind": "string"}, value.to_json()
    config = {"topic": node, "key_format": "string", "key_type": string, "value_format": "json"}
    return Node(node, operator, config | {"value_type": any_json})


def _chain(*nodes: str, port: str = "stream") -> list[Edge]:
    return [Edge(one, "result", other, PORTS.get(other, port)) for one, other in pairwise(nodes)]


PORTS = {
    "departed": "records",
    "brief": "records",
    "late": "records",
    "hourly": "grouped",
    "counts": "grouped",
    "delays": "grouped",
    "updates": "table",
}


def _count() -> Graph:
    nodes = (
        _source("flights", "stream", FLIGHT),
        Node("departed", "filter", {"predicate": "dep_delay IS NOT NULL AND dep_delay > -15"}),
        Node("brief", "map_values", {"fields": [{"name": "delay", "expression": "dep_delay + arr_delay"}]}),
        Node("grouped", "group_by_key"),
        Node("hourly", "windowed_by", {"size_ms": 3_600_000, "grace_ms": 86_400_000}),
        Node("counts", "count"),
        Node("updates", "to_stream"),
        Node("out", "to", {"topic": "out"}),
    )
    return Graph(nodes, tuple(_chain("flights", "departed", "brief", "grouped", "hourly", "counts", "updates", "out")))


def _sample() -> Graph:
    delay = [
        {"name": "count", "function": "count"},
        {"name": "average", "function": "avg", "expression": "dep_delay"},
        {"name": "most", "function": "max", "expression": "dep_delay"},
    ]
    nodes = (
        _source("flights", "stream", FLIGHT),
        _source("airlines", "global_table", AIRLINE),
        _source("planes", "table", PLANE),
        Node("departed", "filter", {"predicate": "dep_delay IS NOT NULL"}),
        Node("with-airline", "join", {"key": "carrier", "fields": [{"name": "airline", "expression": "right.name"}]}),
        Node("with-plane", "left_join", {"fields": [{"name": "seats", "expression": "right.seats"}]}),
        Node("late", "filter", {"predicate": "dep_delay > 60"}),
        Node("late-flights", "to", {"topic": "late-flights"}),
        Node("by-origin", "select_key", {"key": "origin"}),
        Node("grouped", "group_by_key"),
        Node("hourly", "windowed_by", {"size_ms": 3_600_000, "grace_ms": 86_400_000}),
        Node("delays", "aggregate", {"functions": delay}),
        Node("updates", "to_stream"),
        Node("by-airport", "to", {"topic": "delays-by-airport"}),
    )
    tables = [Edge("airlines", "result", "with-airline", "table"), Edge("planes", "result", "with-plane", "table")]
    flow = _chain("flights", "departed", "with-airline", "with-plane", "late", "late-flights")
    totals = _chain("with-plane", "by-origin", "grouped", "hourly", "delays", "updates", "by-airport")
    return Graph(nodes, (*tables, *flow, *totals))


if __name__ == "__main__":
    main()
