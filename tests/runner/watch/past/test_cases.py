"""Test cases from differences that a proof has found, with real topics and state."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from designer.projects import models
from designer.projects.models import Topology
from designer.projects.projects import set_private_fields
from designer.projects.services import create_topology, save_draft
from runner.kafka import KafkaCluster
from runner.watch.proving import jobs
from runner.watch.proving.models import Proof
from tests.runner.watch.proving.test_prove import Runner, make_runner
from webapp.accounts.models import User

TEXT, LONG = {"kind": "string"}, {"kind": "integer"}


def struct(**fields: Any) -> dict[str, Any]:
    return {"kind": "struct", "fields": [{"name": name, "type": type_} for name, type_ in fields.items()]}


def draw(topic: str, tax: int) -> dict[str, Any]:
    """orders, joined with the customers of a table, and taxed."""
    of = {"key_format": "string", "value_format": "json"}
    fields = [{"name": "city", "expression": "right.city"}, {"name": "amount", "expression": "left.amount"}]
    nodes = {
        "orders": ("stream", {"topic": topic, **of, "value_type": struct(amount=LONG, email=TEXT)}),
        "customers": ("table", {"topic": f"{topic}-customers", **of, "value_type": struct(city=TEXT)}),
        "joined": ("join", {"fields": fields}),
        "taxed": ("map_values", {"fields": [{"name": "total", "expression": f"amount * {tax}"}], "keep": True}),
        "results": ("to", {"topic": f"{topic}-results"}),
    }
    edges = [
        ("orders", "joined", "left"), ("customers", "joined", "right"), ("joined", "taxed", "records"),
        ("taxed", "results", "stream"),
    ]  # fmt: skip
    return {
        "nodes": [{"id": name, "operator": kind, "config": config} for name, (kind, config) in nodes.items()],
        "edges": [
            {"source": source, "source_port": "result", "target": target, "target_port": port}
            for source, target, port in edges
        ],
    }


@pytest.fixture
def topology(user: User, topic: str, cluster: KafkaCluster) -> Topology:
    for name in (topic, f"{topic}-customers", f"{topic}-results"):
        cluster.create(name, 1, {"retention.ms": "-1"})
    return create_topology(name=f"Taxes of {topic}", by=user, graph=draw(topic, 2))


@pytest.fixture
def runner(user: User, topology: Topology, topic: str, cluster: KafkaCluster, tmp_path: Path) -> Iterator[Runner]:
    """A job that has read customers, then orders; and a proof of a draft with another tax over the orders."""
    made = make_runner(Runner, user, topology, topic, cluster, tmp_path)
    customers = [(f"{name}@x.org", {"city": city}) for name, city in (("ann", "Rome"), ("bob", "Oslo"))]
    made.run_records(0, {f"{topic}-customers": customers})
    made.run_records(1, {topic: [("ann@x.org", {"amount": 0, "email": "ann@x.org"})]})
    made.run_records(2, {topic: [("ann@x.org", {"amount": 5, "email": "ann@x.org"}), ("bob@x.org", {"amount": 0})]})
    save_draft(topology=topology, graph=draw(topic, 3), revision=topology.draft.revision, by=user)
    draft = Topology.objects.get(id=topology.id).draft
    proof = Proof.objects.create(
        job=made.job, title="draft", against=made.job.version, minutes=60, started_by_id=user.pk, started_at=now(),
        beat_at=now(), graph=draft.graph, schemas=draft.schemas,
    )  # fmt: skip
    jobs.carry_out(proof.id, proof.started_at)
    yield made
    made.worker.close()


def make_case(client: Client, runner: Runner) -> Any:
    report = client.get(f"/api/jobs/{runner.job.id}/proof").json()["report"]
    (difference,) = report["first"]
    body = {name: difference[name] for name in ("batch", "at", "topic", "key")} | {"case": "the tax"}
    answer = client.post(f"/api/jobs/{runner.job.id}/proof/case", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    return answer.json()


def read_lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_case_has_the_row_of_the_table_and_only_the_records_that_show_the_difference(
    runner: Runner, topology: Topology, client: Client
) -> None:
    made = make_case(client, runner)
    verdicts = client.post(f"/api/topologies/{topology.id}/cases/run", {}, content_type="application/json").json()

    records = read_lines(made["case"]["records"])
    assert [(each["topic"], each["value"]) for each in records] == [
        (f"{runner.topic}-customers", {"city": "Rome"}),
        (runner.topic, {"amount": 5, "email": "ann@x.org"}),
    ]
    assert [each["value"]["total"] for each in read_lines(made["case"]["expected"])] == [10]
    assert made["notes"] == ["2 of 4 records were left out: they are not needed."]
    assert [each["verdict"] for each in verdicts] == ["failed"]  # the draft has the other tax


def test_private_values_become_others_and_the_case_still_shows_the_difference(
    runner: Runner, topology: Topology, client: Client, user: User
) -> None:
    set_private_fields(project=topology.project, fields=["email", " city", ""], by=user)
    made = make_case(client, runner)

    records = read_lines(made["case"]["records"])
    assert "x.org" not in made["case"]["records"] + made["case"]["expected"]
    assert "Rome" not in made["case"]["records"] + made["case"]["expected"]
    assert records[0]["key"] == records[1]["key"] == records[1]["value"]["email"]
    assert [each["value"]["total"] for each in read_lines(made["case"]["expected"])] == [10]


def test_a_difference_that_the_proof_does_not_have_is_refused(runner: Runner, client: Client) -> None:
    body = {"batch": 2, "at": "orders-9@9", "topic": None, "key": "1", "case": "nothing"}

    answer = client.post(f"/api/jobs/{runner.job.id}/proof/case", body, content_type="application/json")

    assert answer.status_code == 404
    assert not models.TestCase.objects.exists()


def make_case_of(client: Client, runner: Runner, status: int = 201, **body: Any) -> Any:
    path = f"/api/jobs/{runner.job.id}/cases"
    answer = client.post(path, {"case": "a record", **body}, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def order(runner: Runner, offset: int) -> dict[str, Any]:
    return {"topic": runner.topic, "partition": 0, "offset": offset}


def test_a_record_becomes_a_case_with_the_row_that_it_was_joined_with(
    runner: Runner, topology: Topology, client: Client, user: User
) -> None:
    set_private_fields(project=topology.project, fields=["email"], by=user)
    made = make_case_of(client, runner, records=[order(runner, 1)])

    records = read_lines(made["case"]["records"])
    assert [(each["topic"], each["value"].get("amount")) for each in records] == [
        (f"{runner.topic}-customers", None),
        (runner.topic, 5),
    ]
    assert "x.org" not in made["case"]["records"] + made["case"]["expected"]
    assert [each["value"]["total"] for each in read_lines(made["case"]["expected"])] == [10]
    assert made["notes"] == []


def test_the_record_of_a_pinned_batch_becomes_a_case(runner: Runner, client: Client) -> None:
    pins = f"/api/jobs/{runner.job.id}/pins"
    client.put(f"{pins}/2", {"note": "bob", "record": order(runner, 2)}, content_type="application/json")
    client.put(f"{pins}/1", {"note": "all of it"}, content_type="application/json")
    bob = make_case_of(client, runner, batch=2, case="bob")
    batch = make_case_of(client, runner, batch=1, case="all of it")

    assert [each["key"] for each in read_lines(bob["case"]["records"])] == ["bob@x.org", "bob@x.org"]
    assert [each["value"] for each in read_lines(batch["case"]["records"])] == [
        {"city": "Rome"}, {"amount": 0, "email": "ann@x.org"},
    ]  # fmt: skip


def test_what_no_case_can_hold_is_refused(runner: Runner, client: Client) -> None:
    runner.run_records(3, {runner.topic: [("ann@x.org", "no object")]})
    unreadable = make_case_of(client, runner, 422, records=[order(runner, 3)])
    too_many = make_case_of(client, runner, 422, records=[order(runner, 1)] * 21)
    nothing = make_case_of(client, runner, 400)

    assert "cannot be read with the formats of its source" in unreadable["message"]
    assert too_many["code"] and "choose 1 to 20" in nothing["message"]
    assert not models.TestCase.objects.exists()
