"""A product on two hosts: one dies, one is drained, and the job goes on at the other; or it goes on a Spark cluster."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka.admin import AdminClient, NewPartitions  # type: ignore[attr-defined]
from django.contrib.auth.models import Permission
from django.test import Client

from runner import kafka
from runner.control.clusters.cores import UI_PORT
from runner.control.hosts import services as host_services
from runner.control.hosts.services import get_host
from runner.control.jobs import hosts, services
from runner.control.jobs.models import Run
from runner.control.jobs.reconciling import reconcile_job
from runner.control.jobs.statuses import Status
from tests.cluster.agents import Agents, agents, checkpoints
from tests.cluster.conftest import Cluster
from tests.cluster.standalone import EXECUTOR, SECRET
from tests.conftest import database_url
from tests.people import person
from tests.runner.control.jobs.conftest import Stage, eventually
from tests.runner.spark.runs import World
from webapp.accounts.models import User

pytestmark = pytest.mark.cluster
OTHER_VERSION = "99.1"


@pytest.fixture
def user(transactional_db: None) -> User:
    user = person("ada")
    user.user_permissions.add(Permission.objects.get(codename="manage_clusters"))
    return user


@pytest.fixture
def stage(user: User, cluster: Cluster, redis_url: str, settings: Any) -> Stage:
    """A topology whose topics are on the broker that the hosts reach."""
    settings.KAFKA_BOOTSTRAP_SERVERS = cluster.kafka
    settings.CHECKPOINTS = checkpoints(cluster)
    client = Client()
    client.force_login(user)
    stage = Stage(f"job-{uuid4().hex[:8]}", client, user, kafka.KafkaCluster(cluster.kafka))
    stage.cluster.create(stage.orders, 2)
    return stage


@pytest.fixture
def on_hosts(cluster: Cluster, stage: Stage, tmp_path: Path, redis_url: str, settings: Any) -> Iterator[Agents]:
    keys = "\n".join([settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS])
    parts = {"DATABASE_URL": database_url(), "REDIS_URL": redis_url}
    with agents(cluster, tmp_path, keys, parts, hosts.is_alive) as found:
        yield found


def test_a_job_goes_on_when_its_host_dies(stage: Stage, on_hosts: Agents, world: World, user: User) -> None:
    first = await_first(stage, world)

    on_hosts.host(first.host).vanish()
    produce(world, stage, 500)
    second = await_read(stage, 1_000)
    stop(stage, user)

    assert second.host != first.host
    assert (ended(stage, first).failure or {})["code"] == "host.lost"
    assert counts(world, stage) == {f"c{n}": list(range(1, 21)) for n in range(50)}


@pytest.mark.soak
def test_a_host_that_is_cut_off_writes_nothing_more(stage: Stage, on_hosts: Agents, world: World, user: User) -> None:
    """Both hosts have a run of the job for a while: the first goes on until its lease is over, unseen by the other."""
    first = await_first(stage, world)

    on_hosts.host(first.host).cut_off(off=True)
    produce(world, stage, 500)
    second = await_read(stage, 1_000)
    on_hosts.host(first.host).cut_off(off=False)
    eventually(lambda: hosts.is_alive(first.host), "the host to be back")
    produce(world, stage, 500)
    await_read(stage, 1_500)
    stop(stage, user)

    assert second.host != first.host
    assert counts(world, stage) == {f"c{n}": list(range(1, 31)) for n in range(50)}


@pytest.mark.soak
def test_a_host_of_another_version_takes_no_run_until_it_has_the_right_one(
    stage: Stage, on_hosts: Agents, world: World, user: User
) -> None:
    """Of two hosts without runs, `blue` would be given the first.

    `make test` only says that a host has another version (jobs/test_hosts.py).
    """
    on_hosts.host("blue").die()
    on_hosts.start("blue", version=OTHER_VERSION)
    eventually(lambda: get_host("blue").version == OTHER_VERSION, "the beat of the other version")
    told = {each["name"]: each["version"] for each in stage.client.get("/api/hosts").json()["hosts"]}

    first = await_first(stage, world)
    on_hosts.host("red").die()
    problem = eventually(lambda: refused(stage), "the job to wait for a host")
    on_hosts.host("blue").die()
    on_hosts.start("blue")
    produce(world, stage, 500)
    second = await_read(stage, 1_000)
    stop(stage, user)

    assert told == {"red": hosts.get_our_version(), "blue": OTHER_VERSION}
    assert (first.host, second.host) == ("red", "blue")
    assert problem["message"] == f"Hosts of another version than {hosts.get_our_version()} take no job: `blue`."
    assert counts(world, stage) == {f"c{n}": list(range(1, 21)) for n in range(50)}


def refused(stage: Stage) -> dict[str, Any] | None:
    """Why no host takes the job, as its page says."""
    reconcile_job(stage.job().id)
    found: dict[str, Any] | None = stage.client.get(f"/api/jobs/{stage.job().id}").json()["problem"]
    return found


@pytest.mark.soak
def test_a_job_goes_on_when_its_host_is_drained(stage: Stage, on_hosts: Agents, world: World, user: User) -> None:
    """`make test` moves a job above, and drains hosts whose agents are no processes (jobs/test_hosts.py)."""
    first = await_first(stage, world)

    host_services.drain(host=get_host(first.host), by=user)
    eventually(lambda: stage.run().host != first.host, "the job to move")
    produce(world, stage, 500)
    await_read(stage, 1_000)
    stop(stage, user)

    assert (ended(stage, first).status, ended(stage, first).stop_reason) == (Status.STOPPED, "host drained")
    assert counts(world, stage) == {f"c{n}": list(range(1, 21)) for n in range(50)}


def await_first(stage: Stage, world: World) -> Run:
    """Deploys the topology; the run that has counted the first 500 orders."""
    stage.deploy(stage.topology(), settings={"cache": False})
    eventually(lambda: begun(stage), "the first run")
    produce(world, stage, 500)
    return await_read(stage, 500)


def stop(stage: Stage, user: User) -> None:
    services.stop(job=stage.job(), by=user)
    eventually(lambda: stage.run().status == Status.STOPPED, "the job to stop")


def ended(stage: Stage, run: Run) -> Run:
    """The run as it is now."""
    found: Run = stage.job().runs.get(generation=run.generation)
    return found


def test_a_job_is_deployed_onto_a_spark_cluster_that_passed_its_test(
    stage: Stage, on_hosts: Agents, world: World, cluster: Cluster
) -> None:
    """Executors of two cores: of one, the test of the cluster would start twice as many."""
    widen(stage, 4)
    spark = {
        "name": "big",
        "master": cluster.spark.master,
        "executor_cores": 2,
        "executor_memory_mb": 512,
        "secret": SECRET,
        "config": {UI_PORT: str(cluster.spark.page)},
    }
    answer = stage.client.post("/api/spark-clusters", spark, "application/json")
    assert answer.status_code == 201, answer.content
    produce(world, stage, 500)
    wanted = {"topology": stage.topology().id, "spark": "big", "settings": {"slots": 4, "cache": False}}
    told = stage.client.post("/api/jobs/preview-deploy", wanted, "application/json").json()

    answer = stage.client.post("/api/jobs/deploy", wanted, "application/json")
    assert answer.status_code == 202, answer.content
    eventually(lambda: begun(stage), "the run")
    await_read(stage, 500)
    at_work = [len(host.javas(EXECUTOR)) for host in cluster.spark.network.hosts]
    assert stage.client.post(f"/api/jobs/{stage.job().id}/stop").status_code == 202
    stage.await_status(Status.STOPPED)

    assert told["room"] == "Cores of Spark cluster `big`: 4, free: 4. The job takes 4."
    assert at_work == [1, 1]
    assert counts(world, stage) == {f"c{n}": list(range(1, 11)) for n in range(50)}


def widen(stage: Stage, partitions: int) -> None:
    """Gives the topic more partitions, and so more slots to the job."""
    admin = AdminClient({**stage.cluster.settings})
    (widened,) = admin.create_partitions([NewPartitions(stage.orders, partitions)]).values()
    widened.result()
    eventually(lambda: stage.cluster.topic(stage.orders).partitions == partitions, "the partitions")


def begun(stage: Stage) -> bool:
    """What a beat does, until the new broker answers all that a deploy asks."""
    reconcile_job(stage.job().id)
    return stage.job().find_last_run() is not None


def produce(world: World, stage: Stage, amount: int) -> None:
    world.produce(stage.orders, [(f"c{n % 50}", '{"id": 1}', n) for n in range(amount)])


def await_read(stage: Stage, amount: int) -> Run:
    """The run that has committed so many records. One run may fail before: that of a host that died."""

    def reader() -> Run | None:
        run, failures = stage.run(), stage.job().runs.exclude(failure=None).values_list("failure", flat=True)
        assert len(failures) < 2, list(failures)
        return run if sum(run.offsets.get(stage.orders, [])) >= amount else None

    found: Run = eventually(reader, f"{amount} records read")
    return found


def counts(world: World, stage: Stage) -> dict[str, list[int]]:
    """The counts of each customer in their order."""
    found: dict[str, list[int]] = {}
    for message in world.read(f"{stage.name}-counts"):
        found.setdefault(message.key().decode(), []).append(int.from_bytes(message.value(), "big"))
    return found
