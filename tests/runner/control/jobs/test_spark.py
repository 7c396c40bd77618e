"""Jobs on Spark clusters: where their checkpoints lie, what their runs are told, and what moves with them."""

from pathlib import Path
from typing import Any

import pytest

from designer.projects.models import Topology
from runner.control.clusters import checkpoints
from runner.control.clusters.checkpoints import name_product
from runner.control.clusters.models import SparkCluster
from runner.control.jobs import hosts
from runner.control.jobs.models import Job
from runner.control.processes import read_boot_id
from runner.plan import Executors, Plan
from runner.spark.checkpoint import moving
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.checkpoint.owner import OWNER

from .conftest import Stage
from .test_state import deployed, ended

pytestmark = pytest.mark.usefixtures("host")

SECRET = "canary-of-hopper"


@pytest.fixture
def blue(transactional_db: None, tmp_path: Path) -> SparkCluster:
    from runner.control.clusters import spark

    cluster = SparkCluster(name="blue")
    described = spark.SparkForm("spark://blue:7077", str(tmp_path / "shared"), executor_cores=2, secret=SECRET)
    spark._describe(cluster, described).save()
    return cluster


def deploy(stage: Stage, reconcile: Any, spark: str) -> Plan:
    hosts.note_beat("elsewhere", read_boot_id())
    stage.deploy(stage.job().topology, spark=spark)
    reconcile(stage)
    return stage.run().read_plan()


def preview(stage: Stage, topology: Topology, expect: int = 200) -> dict[str, Any]:
    answer = stage.client.post("/api/jobs/preview-deploy", {"topology": topology.id}, "application/json")
    assert answer.status_code == expect, answer.content
    found: dict[str, Any] = answer.json()
    return found


def files(folder: str) -> set[str]:
    return {str(path.relative_to(folder)) for path in Path(folder).rglob("*") if not path.name.endswith(".crc")}


def test_a_run_is_told_how_to_reach_its_executors_and_keeps_no_secret(
    stage: Stage, reconcile: Any, blue: SparkCluster
) -> None:
    stage.deploy(stage.topology(), spark="blue")
    reconcile(stage)

    run = stage.run()
    assert run.connect_plan().executors == Executors(name="blue", master="spark://blue:7077", cores=2, secret=SECRET)
    assert SECRET not in str(run.plan)
    assert run.read_plan().checkpoint == f"{blue.checkpoint_root}/{stage.job().application_id}/epoch-1"


def test_a_job_takes_its_checkpoint_to_a_cluster_and_back(stage: Stage, reconcile: Any, blue: SparkCluster) -> None:
    here = deployed(stage, reconcile)
    held = files(here.checkpoint)

    there = deploy(stage, reconcile, "blue")
    moving.make(there.moves)
    assert (there.epoch, there.checkpoint) == (1, f"{blue.checkpoint_root}/{there.application_id}/epoch-1")
    assert files(there.checkpoint) - {moving.TOKEN_FILE} == held != set()
    Path(there.checkpoint, "offsets", "9").write_text("of the cluster")
    ended(stage)

    back = deploy(stage, reconcile, "")
    moving.make(back.moves)
    assert (back.epoch, back.checkpoint) == (1, here.checkpoint)
    assert Path(back.checkpoint, "offsets", "9").exists()
    assert stage.run().connect_plan().executors is None


def test_a_run_that_takes_a_checkpoint_home_is_told_how_to_reach_it(
    stage: Stage, reconcile: Any, blue: SparkCluster, tmp_path: Path
) -> None:
    name = "fs.viewfs.mounttable.blue.link./jobs"
    blue.checkpoint_root, blue.config = "viewfs://blue/jobs", {f"spark.hadoop.{name}": tmp_path.as_uri()}
    blue.save()
    checkpoints._group_by_file_system.cache_clear()
    assert get_file(blue.checkpoint_root).exists()  # its JVM takes seconds to start, in which a host would be given up
    hosts.note_beat("elsewhere", read_boot_id())
    deployed(stage, reconcile)
    moving.make(deploy(stage, reconcile, "blue").moves)
    ended(stage)

    back = deploy(stage, reconcile, "")

    assert back.moves[0].source.startswith("viewfs://blue/jobs/")
    assert stage.run().connect_plan().hadoop == {name: tmp_path.as_uri()}
    assert "hadoop" not in stage.run().plan


def test_a_checkpoint_whose_copy_was_not_made_is_where_it_was(stage: Stage, reconcile: Any, blue: SparkCluster) -> None:
    here = deployed(stage, reconcile)
    deploy(stage, reconcile, "blue")
    ended(stage)

    back = deploy(stage, reconcile, "")

    assert (back.checkpoint, back.moves) == (here.checkpoint, [])


def test_a_file_system_that_does_not_answer_is_named(stage: Stage, reconcile: Any, blue: SparkCluster) -> None:
    blue.checkpoint_root = "hdfs://127.0.0.1:9/jobs"
    blue.save()

    stage.deploy(stage.topology(), spark="blue")
    reconcile(stage)

    problem = stage.job().problem or {}
    assert problem["code"] == "checkpoint.unreachable"
    assert problem["message"].startswith("The checkpoint cannot be read or written. `hdfs://127.0.0.1:9/jobs/")
    assert problem["message"].endswith("` cannot be used: its server refuses connections.")


def test_a_job_stays_where_it_is_unless_it_is_sent_elsewhere(stage: Stage, reconcile: Any, blue: SparkCluster) -> None:
    deployed(stage, reconcile)
    deploy(stage, reconcile, "blue")

    assert preview(stage, stage.job().topology)["spark"] == "blue"


def test_a_cluster_that_nobody_registered_is_refused(stage: Stage, blue: SparkCluster) -> None:
    answer = stage.deploy(stage.topology(), expect=404, spark="green")

    assert (answer["message"], answer["hint"]) == ("There is no Spark cluster `green`.", "Spark clusters: blue.")


def test_a_cluster_without_a_folder_that_all_hosts_see_gets_no_job(stage: Stage, settings: Any, tmp_path: Path) -> None:
    settings.SPARK_MASTER = "spark://blue:7077"
    topology = stage.topology()
    refused = stage.deploy(topology, expect=409)

    assert refused == preview(stage, topology, 409)
    assert refused["message"] == "Spark cluster `default` has no checkpoint folder that all its hosts see."
    assert "SPARK_CHECKPOINTS" in refused["hint"]
    assert not Job.objects.exists()
    settings.SPARK_CHECKPOINTS = str(tmp_path)
    assert preview(stage, topology)["spark"] == "default"


def test_the_activity_of_a_job_names_where_it_was_sent(stage: Stage, reconcile: Any, blue: SparkCluster) -> None:
    deployed(stage, reconcile)
    deploy(stage, reconcile, "blue")

    event = stage.client.get(f"/api/jobs/{stage.job().id}/events").json()[0]

    assert (event["before"]["spark"], event["after"]["spark"]) == ("", "blue")


def test_two_products_cannot_keep_checkpoints_in_one_folder(stage: Stage, reconcile: Any, blue: SparkCluster) -> None:
    root = Path(blue.checkpoint_root)
    root.mkdir()
    (root / OWNER).write_text("2026-01-01T00:00:00+00:00")

    stage.deploy(stage.topology(), spark="blue")
    reconcile(stage)

    problem = stage.job().problem or {}
    assert problem["code"] == "checkpoint.taken"
    assert problem["message"].startswith(f"{root} holds the checkpoints of another Streamwright")
    assert problem["hint"].endswith(f"remove {root}/{OWNER}.")
    assert stage.job().blocked
    (root / OWNER).unlink()
    stage.client.post(f"/api/jobs/{stage.job().id}/restart")
    reconcile(stage)
    assert (root / OWNER).read_text() == name_product()
    assert stage.run().read_plan().checkpoint.startswith(f"{root}/")


def test_a_folder_that_cannot_be_written_is_named_and_nothing_of_the_job_changes(
    stage: Stage, reconcile: Any, blue: SparkCluster
) -> None:
    here = deployed(stage, reconcile)
    held = files(here.checkpoint)
    Path(blue.checkpoint_root).write_text("a file where the folder should be")

    hosts.note_beat("elsewhere", read_boot_id())
    stage.deploy(stage.job().topology, spark="blue")
    reconcile(stage)

    problem = stage.job().problem or {}
    assert (problem["code"], stage.job().blocked) == ("checkpoint.unreachable", False)
    assert blue.checkpoint_root in problem["message"]
    assert files(here.checkpoint) == held
    assert deploy(stage, reconcile, "").checkpoint == here.checkpoint


def test_a_disk_that_is_broken_blocks_a_deploy_until_somebody_restarts_it(
    stage: Stage, reconcile: Any, blue: SparkCluster
) -> None:
    root = Path(blue.checkpoint_root)
    root.mkdir()
    (root / OWNER).symlink_to("/proc/self/mem")  # reading it gives EIO, as on a bad sector

    stage.deploy(stage.topology(), spark="blue")
    reconcile(stage)

    problem = stage.job().problem or {}
    assert (problem["code"], stage.job().blocked) == ("run.disk_broken", True)
    assert "cannot be read or written. A file cannot be used: input/output error." in problem["message"]
    assert problem["hint"] == "Replace the disk, or take the host out of service. Then restart the job."
    (root / OWNER).unlink()
    stage.client.post(f"/api/jobs/{stage.job().id}/restart")
    reconcile(stage)
    assert stage.run().read_plan().checkpoint.startswith(f"{root}/")
