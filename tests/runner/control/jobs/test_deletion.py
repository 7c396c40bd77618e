"""The end of a job: what goes with it, what stays, and a new one under the same name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient
from django.conf import settings
from django.test import Client

from designer.projects.models import Topology
from runner.control.jobs import tasks
from runner.control.jobs.models import Job, JobEvent, Run
from runner.control.jobs.reconciling import reconcile_job
from tests.patience import PATIENCE_SECONDS
from tests.runner.watch.live.test_socket import answer, next_event, socket

from .conftest import AgentProcess, Stage, eventually
from .test_on_spark import counts, live, order


@pytest.fixture
def worker(environment: dict[str, str]) -> Iterator[None]:
    """A real Celery worker."""
    command = [sys.executable, "-m", "celery", "-A", "webapp", "worker", "-P", "solo", "--without-gossip"]
    with (settings.HOME / "worker.log").open("ab") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=settings.BASE_DIR)
    yield
    process.terminate()
    process.wait(PATIENCE_SECONDS)


def delete(stage: Stage, job_id: int) -> Any:
    return stage.client.delete(f"/api/jobs/{job_id}")


def stopped(stage: Stage, **wanted: Any) -> Job:
    """A job that was deployed and stopped before anything ran."""
    job_id = stage.deploy(stage.topology(), **wanted)["id"]
    stage.client.post(f"/api/jobs/{job_id}/stop")
    return stage.job()


def leave_epoch(stage: Stage, number: int) -> list[Path]:
    """What an epoch leaves on disk: its checkpoint and its state."""
    folders = [settings.HOME / place / stage.name / f"epoch-{number}" for place in ("checkpoints", "state")]
    for folder in folders:
        (folder / "commits").mkdir(parents=True)
        (folder / "commits" / "0").write_text("v1\n{}")
    return folders


def commit(stage: Stage, group: str, topic: str) -> str:
    """Commit an offset for a group, and return its name."""
    consumer = Consumer({"bootstrap.servers": stage.cluster.servers, "group.id": group})
    consumer.commit(offsets=[TopicPartition(topic, 0, 7)], asynchronous=False)
    consumer.close()
    return group


def groups(stage: Stage) -> set[str]:
    admin = AdminClient({"bootstrap.servers": stage.cluster.servers})
    return {group.group_id for group in admin.list_consumer_groups().result().valid}


def test_a_job_is_deleted_once_stopped_leaves_nothing_but_its_topics_and_starts_fresh_when_deployed_again(
    stage: Stage, agent: AgentProcess, worker: None, reconcile: Any
) -> None:
    first = stage.deploy(stage.topology())["id"]
    waiting = delete(stage, first)
    reconcile(stage)
    stage.await_status("running")
    running = delete(stage, first)
    assert (waiting.status_code, running.status_code) == (409, 409)
    assert waiting.json()["code"] == "job.still_runs"
    assert running.json()["message"] == f"Job `{stage.name}` is running."
    assert running.json()["hint"] == "Stop it first."
    eventually(lambda: stage.run().last_batch, "a batch")
    stage.client.post(f"/api/jobs/{first}/stop")
    stage.await_status("stopped")
    run, topology = stage.run(), stage.job().topology
    plan = run.read_plan()
    log = settings.HOME / "logs" / f"run-{run.id}.log"
    left = [*leave_epoch(stage, run.epoch), log]
    kept = {commit(stage, name, stage.orders) for name in (f"{stage.name}.0", f"{stage.name}-2")}
    kept.add(commit(stage, f"{stage.name}.{run.epoch + 7}", plan.marker_topic))
    forgotten = {commit(stage, plan.application_id, stage.orders)}
    for marker in (plan.marker_group, plan.slots_group, plan.corrections_group, plan.slot_group(12)):
        forgotten.add(commit(stage, marker, plan.marker_topic))
    assert log.exists() and forgotten <= groups(stage)

    assert delete(stage, first).status_code == 204

    assert stage.client.get("/api/jobs").json() == []
    for path in ("", "/runs", "/events", "/live", "/history"):
        assert stage.client.get(f"/api/jobs/{first}{path}").status_code == 404
    eventually(lambda: not any(path.exists() for path in left), "an empty disk")
    eventually(lambda: not forgotten & groups(stage), "the groups' end")
    assert kept <= groups(stage)
    assert not (settings.HOME / "checkpoints" / stage.name).exists()
    assert stage.cluster.find([stage.orders, f"{stage.name}-counts"]).keys() == {stage.orders, f"{stage.name}-counts"}
    second = stage.deploy(topology)["id"]
    reconcile(stage)
    stage.await_status("running")
    eventually(lambda: stage.run().last_batch is not None, "a batch of the new job")
    plan = stage.run().read_plan()
    assert second != first
    assert (plan.generation, plan.epoch, plan.seed) == (1, run.epoch + 1, None)
    assert plan.topics[stage.orders].start == [-2, -2]
    stage.client.post(f"/api/jobs/{second}/stop")
    stage.await_status("stopped")


@pytest.mark.spark
@pytest.mark.soak
def test_a_new_job_under_the_name_of_a_deleted_one_counts_everything_anew(
    stage: Stage, spark_agent: AgentProcess
) -> None:
    topology = stage.topology()
    order(stage, range(10))
    first = life(stage, topology, 10)
    order(stage, range(10, 14))

    second = life(stage, topology, 14)

    assert (second.epoch, second.generation) == (first.epoch + 1, first.generation)
    assert counts(stage) == {b"ada": (7).to_bytes(8), b"eve": (7).to_bytes(8)}


def life(stage: Stage, topology: Topology, orders: int) -> Run:
    """Deploy a job, let it count so many orders, stop it, delete it."""
    stage.deploy(topology)
    reconcile_job(stage.job().id)
    eventually(lambda: counted(stage) == orders, f"{orders} orders counted")
    run = stage.run()
    stage.client.post(f"/api/jobs/{run.job_id}/stop")
    stage.await_status("stopped")
    assert delete(stage, run.job_id).status_code == 204
    return run


def counted(stage: Stage) -> int:
    numbers = live(stage)
    return numbers["nodes"]["counted"]["in"] if numbers else 0


def test_what_a_job_of_the_same_name_has_begun_since_is_left_alone(stage: Stage, host: str, reconcile: Any) -> None:
    job = stage.deploy(stage.topology())["id"]
    reconcile(stage)
    old, new = leave_epoch(stage, 1), leave_epoch(stage, 2)
    commit(stage, stage.name, stage.orders)

    tasks.clear_away(stage.name, 1, [], "local")

    assert [path.exists() for path in (*old, *new)] == [False, False, True, True]
    assert stage.name in groups(stage)
    assert stage.job().id == job


def test_an_epoch_is_never_begun_twice_even_if_no_trace_of_it_is_left(stage: Stage, host: str, reconcile: Any) -> None:
    topology = stopped(stage).topology
    for epoch in (1, 2):
        stage.deploy(topology)
        reconcile(stage)
        assert stage.run().epoch == epoch
        stage.client.post(f"/api/jobs/{stage.job().id}/stop")
        reconcile(stage)
        stage.job().runs.update(status="stopped")

        assert delete(stage, stage.job().id).status_code == 204


def test_who_deleted_a_job_and_what_was_asked_of_it_before_stays_on_record(stage: Stage) -> None:
    job = stopped(stage)

    delete(stage, job.id)

    (deletion,) = stage.client.get("/api/jobs/deleted").json()
    assert (deletion["what"], deletion["by"], deletion["after"]) == ("delete", "ada", {})
    assert (deletion["before"]["name"], deletion["before"]["desired"]) == (stage.name, "stopped")
    assert [str(event) for event in JobEvent.objects.filter(job_id=job.id).order_by("id")] == [
        f"{what} {stage.name}" for what in ("deploy", "stop", "delete")
    ]


def test_a_job_is_deleted_once(stage: Stage) -> None:
    job = stopped(stage)

    answers = [delete(stage, job.id) for _ in range(2)]

    assert [each.status_code for each in answers] == [204, 404]
    assert answers[1].json()["message"] == f"There is no job {job.id}."


@pytest.mark.parametrize("verb", ["stop", "restart", "delete"])
def test_what_is_asked_of_a_job_that_was_deleted_meanwhile_is_refused(stage: Stage, verb: str) -> None:
    from designer.refusals import NotFound
    from runner.control.jobs import services

    job = stopped(stage)
    delete(stage, job.id)

    with pytest.raises(NotFound, match="was deleted"):
        getattr(services, verb)(job=job, by=stage.user)


def test_a_topology_can_be_deleted_once_its_job_is(stage: Stage, host: str, reconcile: Any) -> None:
    topology = stage.topology()
    job_id = stage.deploy(topology)["id"]
    reconcile(stage)
    stage.client.post(f"/api/jobs/{job_id}/stop")
    stage.job().runs.update(status="stopped")

    refused = stage.client.delete(f"/api/topologies/{topology.id}")
    delete(stage, job_id)
    done = stage.client.delete(f"/api/topologies/{topology.id}")

    assert (refused.status_code, done.status_code) == (409, 204)
    assert refused.json()["message"] == f"`{stage.name}` is still used by {stage.name}."
    assert refused.json()["hint"] == "Stop and delete these first."


async def test_whoever_watches_a_job_that_is_deleted_is_told(stage: Stage) -> None:
    job = await sync_to_async(stopped)(stage)

    async with socket(job.id, stage.client) as communicator:
        await next_event(communicator)
        await sync_to_async(delete)(stage, job.id)
        message = await answer(communicator)
        while message["type"] == "websocket.send":
            message = await answer(communicator)

    assert (message["type"], message["code"]) == ("websocket.close", 4404)


def test_nobody_deletes_without_a_login(transactional_db: None) -> None:
    assert Client().delete("/api/jobs/1").status_code == 401
