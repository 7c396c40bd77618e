"""A checkpoint on a real HDFS: blocks that no one gives are an outage, and those of other contents are damage."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.spark.checkpoint import whole
from runner.spark.checkpoint.hadoop import HadoopPath, get_file
from tests.cluster.hdfs import Hdfs, hdfs
from tests.runner.spark.runs import World, counting, started

from ..test_child import restart, visit

pytestmark = pytest.mark.spark


@pytest.fixture(autouse=True)
def no_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests have no database that Spark clusters are registered in."""
    monkeypatch.setattr("runner.spark.checkpoint.hadoop._find_settings", lambda uri: {})


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Hdfs]:
    with hdfs(tmp_path / "hdfs", "127.0.0.1") as found:
        yield found


@pytest.mark.soak
def test_a_checkpoint_whose_blocks_nobody_gives_is_an_outage_and_no_damage(world: World, files: Hdfs):
    orders, counts = world.topic("orders", 1), world.topic("counts", 1)
    checkpoint = f"{files.uri}/jobs/epoch-1"
    plan = world.plan(counting(orders, counts), [orders], slots=1).model_copy(update={"checkpoint": checkpoint})
    world.produce(orders, [visit(n) for n in range(50)])
    with started(plan) as child:
        child.wait_for_offsets(orders, 50)
        files.stop_data_node(0)
        world.produce(orders, [visit(n) for n in range(50, 100)])
        assert child.died() == 1
        (running,) = child.of_type("failed")

    with started(plan := restart(plan)) as child:
        assert child.died() == 1
        (starting,) = child.of_type("failed")
    files.restart_data_node(0)
    with started(restart(plan)) as child:
        child.wait_for_offsets(orders, 100)
        assert child.stop() == 0, child.tail()

    for cause in (running["cause"], starting["cause"]):
        assert (cause["code"], cause["retriable"]) == ("checkpoint.unreachable", True)
        assert cause["message"].startswith("The checkpoint cannot be read or written")
        assert cause["hint"] == "Check that its file system runs, can be reached, and lets Streamwright write."


def test_only_a_file_that_is_there_and_of_other_contents_is_damaged(files: Hdfs):
    folder = get_file(f"{files.uri}/jobs")
    assert isinstance(folder, HadoopPath)
    (path := folder / "metadata").write_bytes(b'{"id": "5d15c400"}')
    assert whole.find_fault(path) is None
    assert whole.find_fault(folder / "offsets") == whole.MISSING

    (block,) = (each for each in files.folder.glob("data-0/blocks/**/blk_*") if each.suffix != ".meta")
    block.write_bytes(b'{"id": "00000000"}')
    assert whole.find_fault(path) == whole.WRONG_SUM

    files.stop_data_node(0)
    with pytest.raises(OSError, match=f"`{path.uri}` cannot be used: Could not obtain block"):
        whole.find_fault(path)
    assert whole.find_fault(folder / "offsets") == whole.MISSING
