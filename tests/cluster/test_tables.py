"""Tables of a run on a cluster, asked while it goes on."""

from __future__ import annotations

import pytest

from tests.cluster.conftest import Cluster
from tests.runner.spark.runs import World, counting, started
from tests.runner.spark.test_queries import ask, ask_until_ready, orders, rows

pytestmark = pytest.mark.cluster


def test_rows_are_read_beside_the_executors(world: World, cluster: Cluster) -> None:
    topic, counts = world.topic("orders", 4), world.topic("counts", 4)
    plan = cluster.on_spark(world.plan(counting(topic, counts), [topic]))
    names = [f"c{number}" for number in range(1_500)]
    world.produce(topic, orders(*names, *names, "ada"))

    with started(plan) as child:
        child.wait_for_offsets(topic, 3_001)
        ada = ask_until_ready(child, "orders-by-customer", key="ada")
        pages = [ask(child, "orders-by-customer", limit=800)]
        assert "page" in pages[0], pages[0]
        pages.append(ask(child, "orders-by-customer", limit=800, cursor=pages[0]["page"]["next"]))
        last = ask(child, "orders-by-customer", limit=1, descending=True)
        assert child.stop() == 0

    found = rows(pages[0]) | rows(pages[1])
    assert rows(ada) == {"ada": 1}
    assert found == dict.fromkeys(names, 2) | {"ada": 1}
    assert list(rows(last)) == [max(found)]
