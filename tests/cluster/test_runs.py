"""Runs on a Spark cluster whose hosts share no files with the product."""

import json
from typing import Any

import pytest

from tests.cluster.conftest import Cluster
from tests.runner.spark.runs import World, shops, started

pytestmark = pytest.mark.cluster


def visit(number: int) -> tuple[Any, ...]:
    return f"c{number % 50}", json.dumps({"city": f"city {number % 5}"}), number


def test_a_lost_executor_loses_and_repeats_nothing(world: World, cluster: Cluster) -> None:
    orders, names, counts = world.topic("orders", 2), world.topic("names", 1), world.topic("counts", 1)
    plan = world.plan(shops(orders, names, counts), [orders, names], records_per_batch=100)
    world.produce(names, [(f"c{n}", json.dumps({"name": f"Customer {n}"}), 1) for n in range(50)])
    world.produce(orders, [visit(n) for n in range(500)])

    with started(cluster.on_spark(plan)) as child:
        child.wait_for_offsets(orders, 100)
        workers = len(cluster.spark.executors())
        cluster.spark.executors()[0].kill()
        child.wait_for_offsets(orders, 500)
        world.produce(orders, [visit(n) for n in range(50)])
        child.wait_for_offsets(orders, 550)
        assert child.stop() == 0

    found: dict[str, list[int]] = {}
    for message in world.read(counts):
        found.setdefault(message.key().decode(), []).append(int.from_bytes(message.value(), "big"))
    assert workers == 2
    assert found == {f"city {n}": list(range(1, 111)) for n in range(5)}
