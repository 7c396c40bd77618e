"""Jobs on a cluster that asks for a password, and jobs that move from one cluster to another."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from confluent_kafka import Producer
from django.conf import settings

from runner.control.clusters.models import Cluster
from runner.control.clusters.sealing import seal_secrets
from runner.control.clusters.services import choose
from runner.control.jobs.models import Run
from runner.kafka import KafkaCluster as Connection
from tests.secured import CONFIG, PASSWORD

from .conftest import AgentProcess, Stage, edge, eventually, list_ways, node
from .test_state import deployed


@pytest.fixture
def orders_cluster(transactional_db: None, secured: str) -> Cluster:
    config = {name: text for name, text in CONFIG.items() if name != "sasl.password"}
    secrets = seal_secrets({"sasl.password": PASSWORD})
    return Cluster.objects.create(name="orders", bootstrap_servers=secured, config=config, secrets=secrets)


@pytest.fixture
def elsewhere(orders_cluster: Cluster, stage: Stage) -> Connection:
    """The other cluster, which has a topic of the same name."""
    connection = orders_cluster.connect()
    connection.create(stage.orders, 2)
    return connection


@pytest.mark.spark
@pytest.mark.soak
def test_a_job_reads_and_writes_with_a_password_that_is_seen_nowhere(
    stage: Stage, elsewhere: Connection, spark_agent: AgentProcess, reconcile: Any
):
    producer = Producer(elsewhere.settings)
    for number in range(10):
        producer.produce(stage.orders, json.dumps({"id": number}).encode(), key=b"ada")
    producer.flush()

    stage.deploy(stage.topology(), cluster="orders")
    reconcile(stage)
    counts = f"{stage.name}-counts"
    eventually(lambda: [one.value for one in elsewhere.sample(counts)[-1:]] == [(10).to_bytes(8)], "ten orders counted")

    run = stage.run()
    child = psutil.Process(run.child_pid)
    told = [told_by(process) for process in (child, *child.children(recursive=True))]
    assert any("java" in words for words in told) and any("runner.spark" in words for words in told)
    assert PASSWORD not in "".join(told)
    assert PASSWORD not in json.dumps(run.plan)
    assert PASSWORD not in (settings.HOME / "logs" / f"run-{run.id}.log").read_text()
    assert not [path for path in files_of(run) if PASSWORD.encode() in path.read_bytes()]
    stage.client.post(f"/api/jobs/{stage.job().id}/stop")
    stage.await_status("stopped")


def told_by(process: psutil.Process) -> str:
    """The arguments and the environment of a process; nothing of one that has ended meanwhile."""
    with suppress(psutil.NoSuchProcess):
        return " ".join([*process.cmdline(), *process.environ().values()])
    return ""


def files_of(run: Run) -> list[Path]:
    plan = run.read_plan()
    return [path for folder in (plan.checkpoint, plan.state_dir) for path in Path(folder).rglob("*") if path.is_file()]


def test_a_run_takes_the_password_its_cluster_has_when_it_starts_and_a_lost_key_ends_it_with_the_next_step(
    stage: Stage, elsewhere: Connection, orders_cluster: Cluster, agent: AgentProcess, reconcile: Any
):
    stage.deploy(stage.topology(), cluster="orders")
    reconcile(stage)
    stage.await_status("running")
    first = stage.notes("started")[-1]["kafka"]["sasl.password"]

    orders_cluster.secrets = seal_secrets({"sasl.password": "changed"})
    orders_cluster.save()
    stage.client.post(f"/api/jobs/{stage.job().id}/kill-run")
    eventually(lambda: len(stage.notes("started")) == 2, "the next run")

    assert (first, stage.notes("started")[-1]["kafka"]["sasl.password"]) == (PASSWORD, "changed")
    stage.await_status("running")
    orders_cluster.secrets = {"sasl.password": "gAAAA-of-another-server"}
    orders_cluster.save()
    stage.client.post(f"/api/jobs/{stage.job().id}/kill-run")

    failed = eventually(lambda: Run.objects.filter(failure__code="cluster.secret_lost").first(), "the failure")
    assert "cluster `orders`" in failed.failure["message"]


def test_the_first_deploy_goes_to_the_cluster_the_topology_is_drawn_with(
    stage: Stage, elsewhere: Connection, orders_cluster: Cluster, host: str, reconcile: Any
):
    topology = stage.topology()
    choose(topology=topology, cluster=orders_cluster)

    stage.deploy(topology)

    assert stage.job().cluster == orders_cluster


def test_state_stays_behind_when_a_job_moves_and_the_user_is_asked_before(
    stage: Stage, elsewhere: Connection, host: str, reconcile: Any
):
    deployed(stage, reconcile)
    topology = stage.job().topology

    refused = stage.deploy(topology, expect=409, cluster="orders")
    stage.deploy(topology, cluster="orders", on_state="fresh_from_earliest")
    reconcile(stage)

    assert refused["code"] == "deploy.state_would_be_lost"
    assert (refused["is_moved"], list_ways(refused)) == (True, ["fresh_from_earliest"])
    assert refused["state"][0]["why"] == "Its contents come from the topics of another cluster."
    plan = stage.run().read_plan()
    assert (plan.epoch, plan.seed, plan.topics[stage.orders].start) == (2, None, [-2, -2])
    assert plan.topics[stage.orders].id == elsewhere.topic(stage.orders).id


def test_a_job_without_state_just_moves(stage: Stage, elsewhere: Connection, host: str, reconcile: Any):
    graph = stage.counting()
    graph["nodes"] = [graph["nodes"][0], node("copies", "to", topic=f"{stage.name}-copies")]
    graph["edges"] = [edge("orders", "copies")]
    deployed(stage, reconcile, graph)

    stage.deploy(stage.job().topology, cluster="orders")
    reconcile(stage)

    assert stage.run().read_plan().topics[stage.orders].id == elsewhere.topic(stage.orders).id
    assert elsewhere.find([f"{stage.name}-copies"])


def test_a_cluster_with_jobs_is_not_forgotten(stage: Stage, elsewhere: Connection, user: Any):
    stage.deploy(stage.topology(), cluster="orders")
    user.is_superuser = True
    user.save()

    refused = stage.client.delete("/api/clusters/orders")

    assert refused.json()["message"] == f"Cluster `orders` has jobs: `{stage.name}`."
