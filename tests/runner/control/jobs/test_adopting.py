"""A job's first epoch continues a Kafka Streams application, until it has committed a batch."""

from __future__ import annotations

from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from runner.control.jobs.models import Adoption, Job
from runner.control.jobs.statuses import Act, Status
from runner.plan import Adopted, AdoptedStore

from .conftest import Stage
from .test_state import batch_done, ended


@pytest.fixture
def application(stage: Stage) -> str:
    """A stopped application that has counted some orders."""
    name = f"{stage.name}-streams"
    changelog = stage.cluster.create(f"{name}-counted-changelog", 2).name
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    for partition in range(2):
        producer.produce(stage.orders, b'{"id":1}', b"k", partition=partition)
        producer.produce(changelog, b"\0" * 7 + b"\1", b"k", partition=partition)
    assert producer.flush(20) == 0
    consumer = Consumer({"bootstrap.servers": stage.cluster.servers, "group.id": name})
    consumer.commit(
        offsets=[TopicPartition(stage.orders, 0, 1), TopicPartition(stage.orders, 1, 1)], asynchronous=False
    )
    consumer.close()
    return name


def ask(stage: Stage, path: str, expect: int, **body: Any) -> dict[str, Any]:
    answer = stage.client.post(f"/api/jobs/{path}", body, "application/json")
    assert answer.status_code == expect, answer.content
    found: dict[str, Any] = answer.json()
    return found


def adopt(stage: Stage, application: str, expect: int = 202, **more: Any) -> dict[str, Any]:
    body = {"topology": stage.topology().id, "application": application, "name": stage.name, **more}
    return ask(stage, "adopt", expect, **body)


def test_the_first_run_gets_the_offsets_and_the_changelogs(
    stage: Stage, host: str, reconcile: Any, application: str
) -> None:
    adopt(stage, application)
    reconcile(stage)

    plan = stage.run().read_plan()
    store = AdoptedStore(store="counted", topic=f"{application}-counted-changelog", until=[1, 1])
    assert plan.adopted == Adopted(application=application, stores=[store])
    assert (plan.topics[stage.orders].start, plan.is_seeded, plan.seed) == ([1, 1], True, None)
    assert stage.job().version.note == f"Continues {application}"
    assert stage.job().find_last_start() == Act.DEPLOY


def test_another_version_takes_the_state_over_until_a_batch_is_committed(
    stage: Stage, host: str, reconcile: Any, application: str
) -> None:
    adopt(stage, application)
    reconcile(stage)
    first = stage.run().read_plan()
    ended(stage)

    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="earliest")))
    reconcile(stage)

    second = stage.run().read_plan()
    assert (second.epoch, second.adopted, second.topics[stage.orders].start) == (2, first.adopted, [1, 1])
    batch_done(stage, second, 0, [2, 2])
    assert stage.run().read_plan().without_seed().adopted is None


def test_a_look_and_a_refusal_change_nothing_and_name_what_is_in_the_way(stage: Stage, application: str) -> None:
    topic = f"{application}-by-key-repartition"
    stage.cluster.create(topic, 1)
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    producer.produce(topic, b"1", b"k")
    assert producer.flush(20) == 0

    topology = stage.topology().id
    body = {"topology": topology, "application": application, "name": stage.name}
    found = ask(stage, "preview-adoption", 200, **body)
    refusal = ask(stage, "adopt", 409, **body)

    assert (found["waiting"], found["is_running"]) == ({topic: 1}, False)
    assert refusal["code"] == "adopted.not_ready"
    assert "1 record that the application has not taken from there" in refusal["message"]
    assert not Job.objects.exists() and not Adoption.objects.exists()


def test_a_job_does_not_share_the_name_of_the_application(stage: Stage, application: str) -> None:
    refusal = adopt(stage, application, expect=409, name=application)

    assert "would have the application id" in refusal["message"]


def test_a_job_that_has_run_adopts_nothing(stage: Stage, host: str, reconcile: Any, application: str) -> None:
    topology = stage.topology()
    stage.deploy(topology, name=stage.name)
    reconcile(stage)

    refusal = ask(stage, "adopt", 409, topology=topology.id, application=application, name=stage.name)

    assert "has run before" in refusal["message"]
    assert stage.run().status == Status.STARTING
