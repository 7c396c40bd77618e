"""The subjects of a registry over HTTP, who uses them, and records that are written with their schemas."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from designer.projects.models import Project
from designer.projects.services import create_topology, create_version
from designer.values.schemas import SchemaText
from runner.control.clusters.services import get_local_cluster
from runner.control.jobs.models import Job, Run
from runner.plan import JobSettings, Plan
from runner.watch.topics.subjects import find_subject_uses
from tests.designer.graphs import drawn, node
from tests.gate import Gate, open_gate
from tests.people import person
from webapp.accounts.models import User

PLAN = Plan(
    application_id="app",
    epoch=1,
    generation=1,
    graph={"nodes": [], "edges": []},
    schemas={},
    tasks=[],
    slots=1,
    settings=JobSettings.model_validate({}),
    topics={},
    marker_topic="markers",
    checkpoint="/checkpoints/orders/epoch-1",
    state_dir="",
    shared_shuffles=True,
)
V1 = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
V2 = V1 | {"fields": [*V1["fields"], {"name": "note", "type": "string", "default": ""}]}


class Shop:
    """A topic whose values have a subject in the registry of the local cluster."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.topic = f"orders-{uuid4().hex[:8]}"
        self.subject = f"{self.topic}-value"
        cluster = get_local_cluster()
        cluster.registry_url, cluster.is_registry_internal = gate.address, True
        cluster.save()
        self.kafka = cluster.connect()
        self.kafka.create(self.topic, 1)
        self.registry = cluster.connect_registry()

    def register(self, schema: Any) -> int:
        return self.registry.register(self.subject, SchemaText("AVRO", json.dumps(schema)))

    def draw(self, by: User, project: Project | None = None) -> int:
        """A topology that reads the subject, and writes with another one."""
        avro = {"value_format": "avro", "value_schema": json.dumps(V1)}
        graph = drawn(
            "orders > copy",
            orders=node("stream", topic=self.topic, key_format="string", **avro, schema_registry=True),
            copy=node("to", topic=f"{self.topic}-copy", **avro, schema_registry="register"),
        )
        topology = create_topology(name=f"Reads {self.topic}", by=by, graph=graph.to_json(), project=project)
        return int(topology.id)


@pytest.fixture
def shop(transactional_db: None, kafka_servers: str, registry_url: str, tmp_path: Path) -> Iterator[Shop]:
    with open_gate(Gate(registry_url), tmp_path) as (gate, _, _):
        yield Shop(gate)


def look(client: Client, path: str = "", expect: int = 200) -> Any:
    answer = client.get(f"/api/clusters/local/subjects{path}")
    assert answer.status_code == expect, answer.content
    return answer.json()


def test_a_subject_has_its_versions_with_what_each_changes(client: Client, shop: Shop):
    first, second = shop.register(V1), shop.register(V2)
    shop.registry.client.set_compatibility(shop.subject, "FULL")

    found = look(client, f"/{shop.subject}")

    newest, oldest = found["versions"]
    assert (found["level"], newest["version"], newest["id"], oldest["id"]) == ("FULL", 2, second, first)
    assert newest["changes"] == ["adds `note` (string)"]
    assert '+      "name": "note",' in newest["diff"]
    assert (oldest["diff"], json.loads(oldest["text"])) == ([], V1)


def test_a_version_names_what_it_refers_to(client: Client, shop: Shop):
    money = f"shop.Money{uuid4().hex[:8]}"
    shop.registry.register(money, SchemaText("AVRO", json.dumps({**V1, "name": money})))
    order = {"type": "record", "name": "Paid", "fields": [{"name": "paid", "type": money}]}
    body = {"schema": json.dumps(order), "references": [{"name": money, "subject": money, "version": 1}]}
    shop.registry._send("POST", f"subjects/{shop.subject}/versions", body)

    [version] = look(client, f"/{shop.subject}")["versions"]

    assert version["references"] == [{"name": money, "subject": money, "version": 1}]


def test_the_list_says_who_reads_and_writes_each_subject(client: Client, user: User, shop: Shop):
    shop.register(V1)
    topology = shop.draw(user)

    found = look(client)

    [subject] = [each for each in found["subjects"] if each["name"] == shop.subject]
    use = {"topology": topology, "name": f"Reads {shop.topic}", "node": "orders", "job": None, "does": "reads"}
    assert (found["is_complete"], subject["uses"]) == (True, [{**use, "topic": shop.topic}])


def test_projects_that_a_user_does_not_see_are_not_named(client: Client, user: User, shop: Shop):
    shop.register(V1)
    hidden = Project.objects.create(name=f"secret-{uuid4().hex[:8]}")
    shop.draw(person("eve"), hidden)
    user.is_superuser = False
    user.save()

    assert look(client, f"/{shop.subject}")["uses"] == []


def test_where_nobody_may_list_subjects_those_of_the_drawings_are_shown(client: Client, user: User, shop: Shop):
    shop.register(V1)
    shop.draw(user)
    shop.gate.denied = {("GET", "/subjects")}

    found = look(client)

    assert not found["is_complete"]
    assert [each["name"] for each in found["subjects"]] == [f"{shop.topic}-copy-value", shop.subject]


def test_a_record_is_written_with_a_chosen_schema_and_refused_at_its_field(client: Client, shop: Shop):
    number = shop.register(V1)
    address = f"/api/clusters/local/topics/{shop.topic}/records"

    def send(value: str) -> Any:
        body = {"records": [{"key": "a", "value": value}], "value_schema": number}
        return client.post(address, body, content_type="application/json")

    refused = send('{"id": "five"}').json()
    assert "cannot be written as avro" in refused["message"] and "`id`" in refused["message"]
    assert send('{"id": 5}').status_code == 201
    [message] = shop.kafka.sample(shop.topic)
    assert message.value == struct.pack(">bI", 0, number) + b"\x0a"


def test_more_jobs_take_no_more_queries(user: User) -> None:
    cluster = get_local_cluster()
    projects = Project.objects.values_list("id", flat=True)

    def deploy(name: str) -> None:
        version = create_version(topology=create_topology(name=name, by=user), by=user)
        ids = {"created_by_id": user.pk, "updated_by_id": user.pk, "topology_id": version.topology_id}
        job = Job.objects.create(name=name, application_id=name, version=version, cluster=cluster, **ids)
        Run.objects.create(job=job, version=version, revision=0, generation=1, epoch=1, plan=PLAN.to_stored())

    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            find_subject_uses(cluster, projects)
        return len(queries)

    deploy("flights")
    for_one = count_queries()
    for name in ("orders", "payments"):
        deploy(name)

    assert count_queries() == for_one
