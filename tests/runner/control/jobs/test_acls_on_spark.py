"""A job on a real run, before a Kafka that speaks TLS, asks for tokens, and allows what the printed ACLs say."""

from __future__ import annotations

import json
import shlex
from argparse import ArgumentParser
from dataclasses import replace

import pytest
from confluent_kafka import Producer
from django.test import Client

from designer.projects.services import create_topology
from runner.control.jobs.models import Job
from runner.control.jobs.reconciling import reconcile_job
from runner.kafka.acls import Acl, Resource

from . import test_acls
from .conftest import AgentProcess, eventually
from .test_acls import JOB, Stage

stage, client = test_acls.stage, test_acls.client

pytestmark = pytest.mark.soak
RESOURCES: tuple[Resource, ...] = ("topic", "group", "transactional-id")


def read_command(line: str) -> Acl:
    """What `kafka-acls` would give."""
    words = ArgumentParser()
    words.add_argument("--bootstrap-server")
    words.add_argument("--add", action="store_true")
    words.add_argument("--allow-principal", choices=[JOB])
    words.add_argument("--operation", action="append")
    words.add_argument("--resource-pattern-type", default="literal")
    kind = words.add_mutually_exclusive_group(required=True)
    for resource in RESOURCES:
        kind.add_argument(f"--{resource}")
    read = vars(words.parse_args(shlex.split(line)[1:]))
    (resource,) = (each for each in RESOURCES if read[each.replace("-", "_")])
    name, is_prefix = read[resource.replace("-", "_")], read["resource_pattern_type"] == "prefixed"
    return Acl(resource, name, tuple(read["operation"]), "", is_prefix)


def order(stage: Stage, *values: bytes) -> None:
    producer = Producer(stage.root.settings)
    for value in values:
        producer.produce(stage.source, value, b"ada")
    assert producer.flush(30) == 0


def written(stage: Stage) -> list[int]:
    return sorted(json.loads(message.value or b"")["id"] for message in stage.root.sample(stage.sink, 100))


@pytest.mark.parametrize("with_optional", [True, False])
def test_a_job_needs_the_printed_acls_and_nothing_else(
    stage: Stage,
    client: Client,
    spark_agent: AgentProcess,
    with_optional: bool,
) -> None:
    topology = create_topology(name=stage.name, by=None, graph=stage.graph.to_json())
    listed = client.get(f"/api/topologies/{topology.id}/acls?cluster=guarded&principal={JOB}").json()["acls"]
    printed = [read_command(each["command"]) for each in listed]
    stage.give(*(printed if with_optional else [replace(acl, optional=()) for acl in stage.needed()]))
    order(stage, *(json.dumps({"id": number}).encode() for number in range(10)), b"no order")

    def deploy() -> Job:
        answer = client.post("/api/jobs/deploy", {"topology": topology.id, "cluster": "guarded"}, "application/json")
        assert answer.status_code == 202, answer.content
        reconcile_job(answer.json()["id"])
        return Job.objects.get(id=answer.json()["id"])

    def stop(job: Job) -> None:
        client.post(f"/api/jobs/{job.id}/stop")
        eventually(lambda: client.get(f"/api/jobs/{job.id}").json()["status"] == "stopped", "the end of the run")

    def copied(job: Job, numbers: range) -> bool:
        job.refresh_from_db()
        failures = [run.failure for run in job.runs.all() if run.failure]
        assert (failures, job.problem) == ([], None)
        return stage.sink in stage.root.topic_names() and written(stage) == [*numbers]

    job = deploy()
    eventually(lambda: copied(job, range(10)), "ten orders copied")
    letters = job.read_settings().dead_letters_of(job.application_id)
    eventually(lambda: len(stage.root.sample(letters)) == 1, "the dead letter")
    stop(job)

    order(stage, *(json.dumps({"id": number}).encode() for number in range(10, 15)))
    again = deploy()
    eventually(lambda: copied(again, range(15)), "the rest, and nothing twice")
    stop(again)
