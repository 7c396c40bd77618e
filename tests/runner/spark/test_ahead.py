"""A child that got ready before its plan was known, and what every child tells of its start: real Spark, real Kafka."""

import json
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from confluent_kafka.admin import AdminClient

from runner.plan import Plan
from runner.spark.session import class_archive
from runner.spark.start.ahead import Ahead
from runner.spark.variables import get_jars
from tests.patience import PATIENCE_SECONDS
from tests.runner.spark.runs import Child, World, shops, started

pytestmark = [pytest.mark.spark, pytest.mark.slow]


class EarlyChild(Child):
    """Is ready before it gets its plan."""

    gets_plan = True
    may_use_s3 = False

    def say(self, message: dict[str, Any]) -> None:
        if "graph" in message:
            folder = self.log.parent / "ahead"
            folder.mkdir()
            ahead = Ahead(
                folder=str(folder), slots=4, memory_mb=512, kafka=message["kafka"], may_use_s3=self.may_use_s3
            )
            super().say(ahead.model_dump())
            if not self.gets_plan:
                return
            self.await_ready()
        super().say(message)

    def await_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while "Ready after" not in self.tail():
            assert time.monotonic() < deadline, self.tail()
            time.sleep(0.2)


def visited(world: World, **settings: Any) -> Plan:
    """A plan over 50 names and 100 orders of theirs."""
    orders, names, counts = world.topic("orders", 2), world.topic("names", 1), world.topic("counts", 1)
    world.produce(names, [(f"c{n}", json.dumps({"name": f"Customer {n}"}), 1) for n in range(50)])
    world.produce(orders, [(f"c{n % 50}", json.dumps({"city": f"city {n % 5}"}), n) for n in range(100)])
    return world.plan(shops(orders, names, counts), [orders, names], **settings)


def steps(child: Child) -> list[str]:
    return [event["step"] for event in child.of_type("step")]


def mapped(child: Child) -> set[Path]:
    """The files that a child and what it started have in memory."""
    processes = psutil.Process(child.popen.pid).children(recursive=True)
    return {Path(each.path) for process in processes if process.name() == "java" for each in process.memory_maps()}


def counts(world: World) -> dict[str, int]:
    """The last count of each city."""
    return {key or "": int.from_bytes(m.value(), "big") for m in world.read(world.name("counts")) if (key := _key(m))}


def _key(message: Any) -> str:
    found: str = message.key().decode()
    return found


@pytest.mark.soak
def test_a_child_that_was_ready_carries_out_a_plan_and_another_goes_on_until_its_parent_is_gone(world: World):
    plan, archive = visited(world, slots=2), class_archive.choose_place(get_jars())
    child = EarlyChild(plan)
    try:
        child.wait_for_offsets(world.name("orders"), 100)
        assert child.stop() == 0
    finally:
        child.end()

    assert "ended early" not in child.log.read_text()
    assert not [name for name in AdminClient({**plan.kafka}).list_topics().topics if "warm-up" in name]
    assert steps(child) == ["first_batch", "running"]
    assert counts(world) == {f"city {n}": 20 for n in range(5)}

    world.produce(world.name("orders"), [("c1", json.dumps({"city": "city 1"}), 200)])
    with started(plan.model_copy(update={"generation": 2})) as cold:
        cold.wait_for_offsets(world.name("orders"), 101)
        assert archive is not None and archive.resolve() in mapped(cold)
        assert cold.popen.stdin is not None
        cold.popen.stdin.close()
        assert cold.popen.wait(PATIENCE_SECONDS) not in (0, 1), "it ends at once"

    assert counts(world)["city 1"] == 21


@pytest.mark.soak
def test_tables_too_large_for_a_batch_with_streams_are_restored_first(world: World):
    """tests/proof kills a run as it restores tables."""
    with started(visited(world, records_per_batch=40)) as child:
        child.wait_for_offsets(world.name("orders"), 100)
        assert child.stop() == 0

    assert steps(child) == ["restoring", "first_batch", "running"]
    assert [event["status"] for event in child.of_type("status")] == ["starting", "restoring", "running", "stopped"]
    assert counts(world) == {f"city {n}": 20 for n in range(5)}


def test_a_global_table_of_large_records_is_restored_first(world: World):
    """Its records are few, but more than a batch may have."""
    orders, names, counts_ = world.topic("orders", 2), world.topic("names", 1), world.topic("counts", 1)
    world.produce(names, [(f"c{n}", json.dumps({"name": "x" * 10_000}), 1) for n in range(300)])
    world.produce(orders, [(f"c{n % 50}", json.dumps({"city": f"city {n % 5}"}), n) for n in range(100)])
    plan = world.plan(shops(orders, names, counts_), [orders, names], batch_size_mb=1)

    with started(plan) as child:
        child.wait_for_offsets(orders, 100)
        assert child.stop() == 0

    assert steps(child) == ["restoring", "first_batch", "running"]
    assert [event["status"] for event in child.of_type("status")] == ["starting", "restoring", "running", "stopped"]


class NeverTold(EarlyChild):
    gets_plan = False


def test_a_child_that_never_gets_a_plan_ends_with_its_parent(world: World):
    orders = world.topic("orders", 1)
    plan = world.plan(shops(orders, orders, orders), [orders])

    child = NeverTold(plan)
    assert child.popen.stdin is not None
    child.popen.stdin.close()

    assert child.died() == 3
