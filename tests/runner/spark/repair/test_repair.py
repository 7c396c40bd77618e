"""Real checkpoints, damaged and repaired: nothing is lost, and nothing written twice."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from runner.control.jobs.plans.rebuild import find_rebuild
from runner.plan import Plan, Seed
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.program import make_program
from runner.spark.repair.damage import Examination
from runner.spark.repair.repair import Repair
from runner.spark.sink.marker import Marker

from ..checkpoints import cut, empty, flip
from ..runs import World, counting, shops, started
from ..test_child import restart, updates, visit

pytestmark = [pytest.mark.spark, pytest.mark.slow]
SNAPSHOTS = (
    "spark.sql.streaming.stateStore.maintenanceInterval 200ms\nspark.sql.streaming.stateStore.minDeltasForSnapshot 2\n"
)


def newest(folder: Path, pattern: str, back: int = 0) -> Path:
    """The file of the highest number, or one so many before it."""
    return sorted(folder.glob(pattern), key=lambda path: int(path.stem))[-1 - back]


def repaired(world: World, plan: Plan) -> Repair:
    """What a deploy with repair does to a checkpoint."""
    (mark, *_) = world.cluster.read_committed(plan.marker_group, world.cluster.topic(plan.marker_topic))
    assert mark is not None
    marker = Marker.read(mark.offset, mark.metadata)
    repair = Repair.find(
        Examination(make_program(plan), Checkpoint(plan.checkpoint), marker.batch, is_deep=True), marker
    )
    assert repair is not None
    repair.carry_out(committed(world, plan))
    return repair


def committed(world: World, plan: Plan) -> dict[str, list[int]]:
    """What the group of the application has read, as far as results are written."""
    topics = [world.cluster.topic(name) for name in plan.topics]
    found = world.cluster.read_committed_of(plan.application_id, topics)
    return {name: [one.offset for one in places if one] for name, places in found.items()}


@pytest.mark.soak
def test_each_kind_of_file_may_be_damaged_and_no_result_is_lost_or_written_twice(world: World, tmp_path: Path):
    """Repaired as often as it can be; in the end the state of the stage that is whole goes into another epoch."""
    orders, names, counts = world.topic("orders", 2), world.topic("names", 1), world.topic("counts", 1)
    plan = world.plan(shops(orders, names, counts), [orders, names], records_per_batch=100)
    folder = Path(plan.checkpoint)
    (tmp_path / "spark-defaults.conf").write_text(SNAPSHOTS)
    world.produce(names, [(f"c{n}", json.dumps({"name": f"Customer {n}"}), 1) for n in range(50)])
    total = 0

    def run(plan: Plan, more: int) -> Plan:
        """Reads so many more orders."""
        nonlocal total
        world.produce(orders, [visit(n) for n in range(total, total + more)])
        total += more
        with started(plan, SPARK_CONF_DIR=str(tmp_path)) as child:
            child.wait_for_offsets(orders, total)
            assert child.stop() == 0, child.tail()
        assert updates(world, counts) == {f"city {n}": list(range(1, total // 5 + 1)) for n in range(5)}
        return restart(plan)

    def refused(plan: Plan, files: Sequence[Path]) -> dict[str, Any]:
        with started(plan, SPARK_CONF_DIR=str(tmp_path)) as child:
            assert child.died() == 1
        (failed,) = child.of_type("failed")
        cause: dict[str, Any] = failed["cause"]
        assert (cause["code"], cause["retriable"]) == ("checkpoint.damaged", False)
        assert any(str(file.relative_to(folder)) in cause["message"] for file in files)
        return cause

    plan = run(plan, 800)
    empty(log := newest(folder / "offsets", "[0-9]*"))
    cut(folder / "metadata")
    flip(newest(folder / "commits", "[0-9]*"))
    for slot in (folder / "state" / "1").glob("[0-9]*"):
        flip(newest(slot, "*.zip"))
    refused(plan, [log])
    assert not repaired(world, plan).repeats

    plan = run(plan, 100)
    cut(changes := newest(folder / "state" / "0" / "0", "*.changelog", back=2))
    later = [path for path in changes.parent.glob("*.zip") if int(path.stem) >= int(changes.stem)]
    for path in later:
        empty(path)
    empty(newest(folder / "offsets", "[0-9]*"))
    refused(plan, [changes, *later])
    assert len(repaired(world, plan).repeats) == 3

    plan = run(plan, 100)
    cut(newest(folder / "state" / "1" / "0", "*.changelog"))
    ends = committed(world, plan)
    new = world.plan(shops(orders, names, counts), [orders, names], epoch=2)
    seed = Seed(checkpoint=plan.checkpoint, plan=plan.to_stored(), stores=["orders-by-city"])
    topics = new.topics | {orders: new.topics[orders].model_copy(update={"start": ends[orders]})}
    run(new.model_copy(update={"seed": seed, "topics": topics}), 100)


def rebuilding(world: World, plan: Plan) -> tuple[Plan, dict[str, list[int]]]:
    """The next epoch, which reads again what the last one has counted, and where it begins to write."""
    rebuild = find_rebuild(make_program(plan), world.cluster, (ends := committed(world, plan)))
    (orders,) = plan.topics
    assert rebuild.reads == {"counted": [orders]}
    assert rebuild.offsets == sum(ends[orders])
    drawn = counting(orders, world.name("counts"))
    again = world.plan(drawn, [orders], records_per_batch=70, epoch=plan.epoch + 1)
    return again.model_copy(update={"topics": rebuild.begin(again.topics, ends), "silent_until": ends}), ends


def rebuilt(world: World) -> Plan:
    """A plan whose run has rebuilt the state of one before it, and counted on."""
    orders, counts = world.topic("orders", 2), world.topic("counts", 1)
    plan = world.plan(counting(orders, counts), [orders], records_per_batch=100)
    world.produce(orders, [visit(n) for n in range(500)])
    with started(plan) as child:
        child.wait_for_offsets(orders, 500)
        assert child.stop() == 0, child.tail()

    again, ends = rebuilding(world, plan)
    world.produce(orders, [visit(n) for n in range(500, 600)])
    with started(again) as child:
        child.wait_for(lambda event: event["type"] == "progress")
        assert committed(world, again) == ends
        child.wait_for_offsets(orders, 600)
        assert child.stop() == 0, child.tail()
    return again


def test_the_state_is_rebuilt_from_the_topic_and_nothing_written_twice(world: World):
    rebuilt(world)

    assert updates(world, world.name("counts")) == {f"c{n}": list(range(1, 13)) for n in range(50)}


@pytest.mark.soak
def test_a_rebuild_whose_records_are_deleted_writes_nothing(world: World):
    """`make test` rebuilds above, and `test_records_that_are_gone_end_the_run` ends without records."""
    again, orders = rebuilt(world), world.name("orders")
    written = updates(world, world.name("counts"))

    third, ends = rebuilding(world, again)
    with started(third) as child:
        child.wait_for(lambda event: event["type"] == "progress")
        assert child.stop() == 0, child.tail()
    world.delete_records(orders, 240)
    with started(restart(third)) as child:
        assert child.died() == 1

    (failed,) = child.of_type("failed")
    assert (failed["cause"]["code"], failed["cause"]["retriable"]) == ("offsets.lost", False)
    assert updates(world, world.name("counts")) == written
    assert committed(world, third) == ends
