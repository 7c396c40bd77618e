"""Real checkpoints, damaged and repaired: nothing is lost, and nothing written twice."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from runner.plan import Plan
from runner.spark.checkpoint import Checkpoint
from runner.spark.damage import Examined
from runner.spark.program import program_of
from runner.spark.repair import Repair
from runner.spark.sink.marker import Marker

from .checkpoints import cut, empty, flip
from .runs import World, shops, started
from .test_child import restart, updates, visit

pytestmark = [pytest.mark.spark, pytest.mark.slow]
SNAPSHOTS = (
    "spark.sql.streaming.stateStore.maintenanceInterval 200ms\nspark.sql.streaming.stateStore.minDeltasForSnapshot 2\n"
)


def newest(folder: Path, pattern: str, back: int = 0) -> Path:
    """The file of the highest number, or one so many before it."""
    return sorted(folder.glob(pattern), key=lambda path: int(path.stem))[-1 - back]


def repaired(world: World, plan: Plan) -> Repair:
    """What a deploy with repair does to a checkpoint."""
    (mark, *_) = world.cluster.committed(plan.marker_group, world.cluster.topic(plan.marker_topic))
    assert mark is not None
    marker = Marker.read(mark.offset, mark.metadata)
    topics = [world.cluster.topic(name) for name in plan.topics]
    committed = world.cluster.committed_of(plan.application_id, topics)
    repair = Repair.find(Examined(program_of(plan), Checkpoint(plan.checkpoint), marker.batch, deep=True))
    assert repair is not None
    repair.carry_out(marker, {name: [one.offset for one in places if one] for name, places in committed.items()})
    return repair


def test_each_kind_of_file_may_be_damaged_and_no_result_is_lost_or_written_twice(world: World, tmp_path: Path):
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
    refused(plan, [log])
    assert not repaired(world, plan).repeats

    plan = run(plan, 100)
    for slot in (folder / "state" / "1").glob("[0-9]*"):
        flip(zipped := newest(slot, "*.zip"))
    refused(plan, [zipped])
    assert not repaired(world, plan).repeats

    plan = run(plan, 100)
    cut(changes := newest(folder / "state" / "0" / "0", "*.changelog", back=2))
    later = [path for path in changes.parent.glob("*.zip") if int(path.stem) >= int(changes.stem)]
    for path in later:
        empty(path)
    refused(plan, [changes, *later])
    assert len(repaired(world, plan).repeats) == 3
    run(plan, 100)
