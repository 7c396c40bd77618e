"""The file systems of Spark clusters, as the processes of the product reach them."""

from pathlib import Path

import pytest

from runner.control.clusters import checkpoints
from runner.control.clusters.models import SparkCluster
from runner.spark.checkpoint.hadoop import copy, get_file, measure_size
from runner.spark.checkpoint.owner import claim

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(tmp_path: Path) -> str:
    """A folder of a file system that only the settings of its cluster tell where it is."""
    cluster = SparkCluster(name="blue", master="spark://blue:7077", checkpoint_root="viewfs://blue/jobs")
    cluster.config = {"spark.hadoop.fs.viewfs.mounttable.blue.link./jobs": tmp_path.as_uri()}
    cluster.save()
    checkpoints._group_by_file_system.cache_clear()
    return cluster.checkpoint_root


def test_files_of_a_cluster_are_reached_with_its_settings(root: str, tmp_path: Path) -> None:
    claim(root, "product")
    (get_file(f"{root}/offsets") / "9").write_bytes(b"of the cluster")

    copy(get_file(f"{root}/offsets"), tmp_path / "copied")

    assert (tmp_path / "offsets" / "9").read_bytes() == b"of the cluster"
    assert (tmp_path / "copied" / "9").read_bytes() == b"of the cluster"
    assert measure_size(get_file(f"{root}/offsets")) == len(b"of the cluster")


def test_changed_settings_hold_without_a_restart(root: str, tmp_path: Path) -> None:
    assert not (get_file(root) / "new").exists()

    (tmp_path / "elsewhere" / "new").mkdir(parents=True)
    moved = {"spark.hadoop.fs.viewfs.mounttable.blue.link./jobs": (tmp_path / "elsewhere").as_uri()}
    SparkCluster.objects.update(config=moved)
    checkpoints._group_by_file_system.cache_clear()

    assert (get_file(root) / "new").exists()


def test_settings_are_those_of_the_file_system_alone(root: str) -> None:
    assert checkpoints.choose_hadoop_settings(f"{root}/orders/epoch-1") != {}
    assert checkpoints.choose_hadoop_settings("viewfs://red/jobs") == {}
    assert checkpoints.choose_hadoop_settings("/jobs") == {}
