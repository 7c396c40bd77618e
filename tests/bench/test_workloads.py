"""Each workload of the benchmarks gives what its data must give, so that a wrong side is seen."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import merge
from operator import itemgetter
from typing import Any

import pytest

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.checks import check
from designer.topology.graph import Graph
from runner.engine.driver import Driver
from runner.engine.records.record import KEY, VALUE
from tests.bench import orders
from tests.bench.formats import SCHEMAS, encode_orders, write_source
from tests.bench.workloads import OTHERS, VARIANTS, WORKLOADS, graph, key_of, value_of
from tests.proof.product import read_content

COUNT = 2_000
EVERY = [*WORKLOADS, *VARIANTS, *OTHERS]


@pytest.mark.parametrize("workload", EVERY)
def test_a_workload_gives_what_its_orders_must_give(workload: str) -> None:
    shape = orders.Shape(customers=40)
    drawn = Graph.from_json(graph(workload, "orders", "out"))

    found = find_results(Driver(drawn), workload, shape)

    assert check(drawn) == []
    assert found == orders.expected(workload, COUNT, shape)


@pytest.mark.parametrize("name", SCHEMAS)
def test_orders_in_a_format_with_a_schema_give_the_same(name: str) -> None:
    drawn = Graph.from_json(graph("W1", "orders", "out", source=write_source(name)))

    found = find_results(Driver(drawn), "W1", orders.USUAL, name)

    assert check(drawn) == []
    assert found == orders.expected("W1", COUNT)


def find_results(driver: Driver, workload: str, shape: orders.Shape, name: str = "json") -> dict[Any, Any]:
    """The last result of each key, read as `rivals.judge` reads it."""
    topics: dict[str, Iterable[tuple[str, str | bytes, int]]] = {
        "orders": encode_orders(orders.orders(COUNT, shape), name),
        "payments": orders.payments(COUNT, shape),
    }
    topics |= {"customers": orders.customers(), "homes": orders.homes()}
    read = {topic: rows for topic, rows in topics.items() if topic in driver.layout.sources_by_topic}
    timed = ([(at, topic, key, value) for key, value, at in rows] for topic, rows in read.items())
    with driver.batch():
        for at, topic, key, value in merge(*timed, key=itemgetter(0)):
            driver.pipe_bytes(topic, key.encode(), value if isinstance(value, bytes) else value.encode(), at)
    found: dict[Any, Any] = {}
    for _, row in driver.rows():
        key, value = (read_content(each) for each in (row[KEY], row[VALUE]))
        if value is None:
            found.pop(key_of(workload, key, value), None)
        else:
            found[key_of(workload, key, value)] = value_of(workload, value)
    return found
