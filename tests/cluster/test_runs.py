"""More runs on a Spark cluster whose hosts share no files with the product: `make test` runs `test_one_run.py`."""

import json
import os
import re
from pathlib import Path
from typing import Any

import psutil
import pytest

from runner.plan import Move, Plan, Seed
from runner.spark.checkpoint.batch_log import BatchLog
from runner.spark.program import make_program
from runner.spark.variables import FAILPOINT
from tests.cluster.conftest import Cluster
from tests.cluster.hosts import TEMPORARY
from tests.cluster.standalone import WORKER, await_there
from tests.runner.spark.runs import Child, World, filtered, shops, started
from tests.runner.spark.test_replay_on_spark import drawn, order, replay

pytestmark = [pytest.mark.cluster, pytest.mark.soak]
ALL_CORES = 4


def visit(number: int) -> tuple[Any, ...]:
    return f"c{number % 50}", json.dumps({"city": f"city {number % 5}"}), number


def topics(world: World) -> tuple[str, str, str]:
    """Orders, the names of customers, and counts."""
    names = world.topic("names", 1)
    world.produce(names, [(f"c{n}", json.dumps({"name": f"Customer {n}"}), 1) for n in range(50)])
    return world.topic("orders", 2), names, world.topic("counts", 1)


@pytest.mark.parametrize("place", ["slot-before-commit", "slot-after-commit"])
def test_a_task_that_dies_as_it_writes_loses_and_repeats_nothing(world: World, cluster: Cluster, place: str) -> None:
    orders, names, counts = topics(world)
    plan = with_failpoints(
        cluster.on_spark(world.plan(shops(orders, names, counts), [orders, names], records_per_batch=100))
    )
    world.produce(orders, [visit(n) for n in range(100)])

    with started(plan) as child:
        let_a_task_die(child, world, cluster, orders, place)

    assert by_city(world, counts) == {f"city {n}": list(range(1, 101)) for n in range(5)}


def test_executors_that_die_in_an_open_transaction_lose_and_repeat_nothing(world: World, cluster: Cluster) -> None:
    orders, kept = world.topic("orders", 2), world.topic("kept", 2)
    plan = with_failpoints(cluster.on_spark(world.plan(filtered(orders, kept), [orders], records_per_batch=100)))
    world.produce(orders, [visit(n) for n in range(100)])

    with started(plan) as child:
        child.wait_for_offsets(orders, 100)
        files = failpoints(cluster)
        for file in files:
            file.write_text("slot-open")
        world.produce(orders, [visit(n) for n in range(100, 500)])
        await_there(lambda: has_open_transaction(world, kept), child.log)
        for executor in cluster.spark.executors():
            executor.kill()
        for file in files:
            file.unlink()  # a writer that outlives its executor goes on
        child.wait_for_offsets(orders, 500)
        assert child.stop() == 0

    assert sorted(message.timestamp()[1] for message in world.read(kept)) == [n for n in range(500) if n % 5]


def test_a_checkpoint_goes_to_the_cluster_and_home_again(world: World, cluster: Cluster) -> None:
    orders, names, counts = topics(world)
    home = world.plan(shops(orders, names, counts), [orders, names], records_per_batch=100)
    there = cluster.on_spark(home)
    to = Move(source=home.checkpoint, target=there.checkpoint, token="to")
    back = Move(source=there.checkpoint, target=home.checkpoint, token="back")

    for number, (plan, moves) in enumerate([(home, []), (there, [to]), (home, [back])], 1):
        world.produce(orders, [visit(n) for n in range(100)])
        with started(plan.model_copy(update={"moves": moves})) as child:
            child.wait_for_offsets(orders, 100 * number)
            assert child.stop() == 0

    assert by_city(world, counts) == {f"city {n}": list(range(1, 61)) for n in range(5)}


def test_executors_of_a_driver_that_falls_silent_end_by_themselves(world: World, cluster: Cluster) -> None:
    orders, kept = world.topic("orders", 2), world.topic("kept", 2)
    plan = cluster.on_spark(world.plan(filtered(orders, kept), [orders]))
    world.produce(orders, [visit(n) for n in range(100)])

    with started(plan) as child:
        child.wait_for_offsets(orders, 100)
        executors = cluster.spark.executors()
        driver = psutil.Process(child.popen.pid)
        for process in (driver, *driver.children(recursive=True)):
            process.suspend()
        await_there(lambda: not any(executor.is_running() for executor in executors), child.log)

    assert executors


def test_executors_without_files_to_open_are_replaced_in_time(world: World, cluster: Cluster) -> None:
    orders, names, counts = topics(world)
    plan = world.plan(shops(orders, names, counts), [orders, names], records_per_batch=100)
    world.produce(orders, [visit(n) for n in range(100)])

    with started(cluster.on_spark(plan)) as child:
        child.wait_for_offsets(orders, 100)
        counted = [file for executor in cluster.spark.executors() for file in connections(executor.pid)]
        assert len(counted) == 2
        for file in counted:
            os.truncate(file, 1 << 30)  # as if there had been so many tasks
        world.produce(orders, [visit(n) for n in range(400)])
        child.wait_for_offsets(orders, 500)
        assert child.stop() == 0
        said = child.log.read_text()

    assert by_city(world, counts) == {f"city {n}": list(range(1, 101)) for n in range(5)}
    assert len(re.findall(r"Executor \S+ is gone", said)) >= 2


def test_slots_grow_past_the_cores_of_the_cluster_and_shrink_with_their_state(world: World, cluster: Cluster) -> None:
    orders, names, counts = topics(world)
    before: Plan | None = None

    for epoch, slots in enumerate((2, 8, 2), 1):
        seed = None
        if before:
            seed = Seed(checkpoint=before.checkpoint, plan=before.to_stored(), stores=["orders-by-city"])
        plan = world.plan(shops(orders, names, counts), [orders, names], epoch=epoch, slots=slots, seed=seed)
        if before:
            read_on = {orders: plan.topics[orders].model_copy(update={"start": world.settled_ends(orders)})}
            plan = plan.model_copy(update={"topics": plan.topics | read_on, "generation": epoch})
        plan = cluster.on_spark(plan)
        world.produce(orders, [visit(n) for n in range(100)])
        with started(plan) as child:
            child.wait_for_offsets(orders, 100 * epoch)
            assert child.stop() == 0
        before = plan

    assert by_city(world, counts) == {f"city {n}": list(range(1, 61)) for n in range(5)}


def test_a_run_gets_the_cores_of_one_whose_driver_fell_silent(world: World, cluster: Cluster) -> None:
    orders, names, counts = topics(world)
    plan = cluster.on_spark(world.plan(shops(orders, names, counts), [orders, names], slots=ALL_CORES))
    world.produce(orders, [visit(n) for n in range(100)])
    (other_host := world.folder / "other-host").mkdir()

    with started(plan) as child:
        child.wait_for_offsets(orders, 100)
        with child.asleep():
            world.produce(orders, [visit(n) for n in range(400)])
            with started(plan.model_copy(update={"generation": 2, "state_dir": str(other_host / "state")})) as follower:
                follower.wait_for_offsets(orders, 500)
                assert follower.stop() == 0
        said = follower.log.read_text()

    assert "of an earlier run still held cores of the cluster, and was ended." in said
    assert by_city(world, counts) == {f"city {n}": list(range(1, 101)) for n in range(5)}


def test_batches_of_a_cluster_give_the_same_bytes_again_on_the_host_of_their_run(
    world: World, cluster: Cluster
) -> None:
    orders, names = world.topic("orders", 2), world.topic("names", 2, cleanup_policy="compact")
    results, ticks = world.topic("results", 2), world.topic("ticks", 1)
    plan = cluster.on_spark(world.plan(drawn(orders, names, results, ticks), [orders, names], cache=True))
    assert plan.executors is not None
    settings = plan.executors.settings | {"spark.executorEnv.STREAMWRIGHT_ALLOW_PYTHON": "1"}
    plan = plan.model_copy(update={"executors": plan.executors.model_copy(update={"settings": settings})})
    log = BatchLog(make_program(plan).host_directory)

    for generation, minutes in ((1, range(3)), (2, range(3, 6))):
        with started(plan.model_copy(update={"generation": generation}), STREAMWRIGHT_ALLOW_PYTHON="1") as child:
            for minute in minutes:
                order(world, orders, names, minute)
                child.wait_for_offsets(orders, (minute + 1) * 40)
            manifests = log.read()
            found = {first: replay(plan, manifests[first:]) for first in (1, len(manifests) // 2)}
            assert child.stop() == 0, child.tail()
        for first, answers in found.items():
            assert answers == [(each.facts["checksum"], each.facts["records"]) for each in manifests[first:]]
    written = {topic for each in manifests for topic, count in each.facts["results"].items() if count}
    assert written == {results, ticks}


def with_failpoints(plan: Plan) -> Plan:
    """The plan, whose executors come to the places that `failpoints` name."""
    assert plan.executors is not None
    told = {f"spark.executorEnv.{FAILPOINT}": str(TEMPORARY / "failpoint")}
    return plan.model_copy(update={"executors": plan.executors.model_copy(update={"settings": told})})


def failpoints(cluster: Cluster) -> list[Path]:
    """The file of each host, seen through its worker, which outlives executors."""
    workers = [worker for host in cluster.spark.network.hosts for worker in host.javas(WORKER)]
    return [Path(f"/proc/{worker.pid}/root{TEMPORARY}/failpoint") for worker in workers]


def let_a_task_die(child: Child, world: World, cluster: Cluster, orders: str, place: str) -> None:
    """After the first 100 orders, a task dies at that place while it writes the next 400."""
    child.wait_for_offsets(orders, 100)
    files = failpoints(cluster)
    for file in files:
        file.write_text(place)
    world.produce(orders, [visit(n) for n in range(400)])
    child.wait_for_offsets(orders, 500)
    assert not all(file.exists() for file in files)
    assert child.stop() == 0


def connections(executor: int) -> list[Path]:
    """Where an executor counts the connections of its tasks, seen through its process."""
    return [*Path(f"/proc/{executor}/root{TEMPORARY}").glob("spark-*/executor-*/blockmgr-*/streamwright/connections")]


def has_open_transaction(world: World, topic: str) -> bool:
    facts = [world.cluster.topic(topic)]
    return world.cluster.read_high_watermarks(facts) != world.cluster.end_offsets(facts)


def by_city(world: World, counts: str) -> dict[str, list[int]]:
    """The counts of each city in their order."""
    found: dict[str, list[int]] = {}
    for message in world.read(counts):
        found.setdefault(message.key().decode(), []).append(int.from_bytes(message.value(), "big"))
    return found
