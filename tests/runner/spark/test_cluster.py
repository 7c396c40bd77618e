"""A run on a Spark cluster: executors of their own, on this machine, that share its files."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.runner.spark.runs import World, shops, started
from tests.runner.spark.standalone import Standalone, standalone

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    with standalone(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def visit(number: int) -> tuple[Any, ...]:
    return f"c{number % 50}", json.dumps({"city": f"city {number % 5}"}), number


def test_a_lost_executor_loses_and_repeats_nothing(world: World, cluster: Standalone) -> None:
    orders, names, counts = world.topic("orders", 2), world.topic("names", 1), world.topic("counts", 1)
    plan = world.plan(shops(orders, names, counts), [orders, names], records_per_batch=100)
    world.produce(names, [(f"c{n}", json.dumps({"name": f"Customer {n}"}), 1) for n in range(50)])
    world.produce(orders, [visit(n) for n in range(500)])

    with started(plan, SPARK_MASTER=cluster.master) as child:
        child.wait_for_offsets(orders, 100)
        workers = len(cluster.executors())
        cluster.executors()[0].kill()
        child.wait_for_offsets(orders, 500)
        world.produce(orders, [visit(n) for n in range(50)])
        child.wait_for_offsets(orders, 550)
        assert child.stop() == 0

    found: dict[str, list[int]] = {}
    for message in world.read(counts):
        found.setdefault(message.key().decode(), []).append(int.from_bytes(message.value(), "big"))
    assert workers == 2
    assert found == {f"city {n}": list(range(1, 111)) for n in range(5)}
