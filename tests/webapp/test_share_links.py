"""Share links: what a stranger with one sees of a topology, until when, and that it is nothing more."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Producer
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from designer.projects.models import AuditEntry, Grant, Project, Topology
from designer.projects.projects import get_default_project
from designer.projects.roles import Role
from designer.projects.services import create_topology, create_version, move_topology
from runner.control.clusters.models import Cluster
from runner.control.jobs.models import Job
from runner.kafka import KafkaCluster
from runner.watch.live.snapshot import make_key, read_clock
from runner.watch.redis_client import get_redis
from tests.people import browser_of, person
from webapp.accounts import throttle, tokens
from webapp.accounts.models import ShareLink, User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis_url")]
SECRET = "a-secret-order"
"""In every record, wherever one could be."""
CONFIG = {"x": 0, "y": 0}
NUMBERS = {
    "at": 0,
    "run": 1,
    "rate": 500.0,
    "executors": {SECRET: 1},
    "nodes": {"orders": {"rate": 500.0, "out": 9, "dropped_samples": {"late": [{"key": SECRET}]}}},
    "sources": {"orders": {"rate": 500.0, "total_lag": 3, "held_by": {"client": SECRET}, "changed": SECRET}},
}


@pytest.fixture
def user() -> User:
    cache.clear()
    return person("ada", Role.EDITOR)


@pytest.fixture
def topic() -> str:
    return f"totals-{uuid4().hex[:8]}"


@pytest.fixture
def topology(user: User, topic: str) -> Topology:
    nodes = [
        {"id": "orders", "operator": "stream", "config": {"topic": "orders"}, "position": CONFIG},
        {"id": "totals", "operator": "to", "config": {"topic": topic}, "position": CONFIG},
    ]
    edges = [{"source": "orders", "source_port": "result", "target": "totals", "target_port": "stream"}]
    return create_topology(name="Order totals", by=user, graph={"nodes": nodes, "edges": edges})


def make(by: User, topology: Topology, **body: Any) -> Any:
    address = f"/api/topologies/{topology.pk}/share-links"
    return browser_of(by).post(address, {"hours": 24, **body}, "application/json")


def read(secret: str, path: str = "") -> Any:
    """A stranger with a link asks."""
    return Client().get(f"/api/shared{path}", headers={"authorization": f"Bearer {secret}"})


def deploy(topology: Topology, user: User, cluster: str = "127.0.0.1:9") -> Job:
    """Nothing runs, but its newest numbers are in Redis."""
    version = create_version(topology=topology, by=user)
    job = Job.objects.create(
        name=f"totals-{uuid4().hex[:8]}",
        application_id=uuid4().hex,
        topology=topology,
        version=version,
        cluster=Cluster.objects.create(name="shared", bootstrap_servers=cluster),
        created_by_id=user.pk,
        updated_by_id=user.pk,
    )
    numbers = json.dumps(NUMBERS | {"at": read_clock()})
    get_redis(1.0).hset(make_key(job.id), mapping={"numbers": numbers, "sequence": 7})
    return job


def test_a_stranger_with_the_link_sees_the_drawing(user: User, topology: Topology) -> None:
    made = make(user, topology).json()

    shown = read(made["text"])

    assert shown.json()["name"] == "Order totals"
    assert (shown.json()["version"], shown.json()["graph"]) == (None, topology.draft.graph)
    assert {operator["name"] for operator in shown.json()["operators"]} == {"stream", "to"}
    assert (Client().get("/shared").status_code == 302, Client().get("/").status_code == 302) == (False, True)
    assert ShareLink.objects.get().used_at is not None


def test_only_a_digest_of_the_secret_is_stored(user: User, topology: Topology) -> None:
    secret = make(user, topology).json()["text"]
    (listed,) = browser_of(user).get(f"/api/topologies/{topology.pk}/share-links").json()

    assert secret.startswith(listed["begins"])
    assert secret not in str(listed)
    assert secret not in str(ShareLink.objects.values())
    assert AuditEntry.objects.filter(what="create a share link").count() == 1
    assert secret not in str(AuditEntry.objects.values())


def test_a_stranger_sees_live_numbers_and_no_content_of_a_record(user: User, topology: Topology) -> None:
    deploy(topology, user)
    secret = make(user, topology).json()["text"]

    live = read(secret, "/live")

    assert live.json()["drawing"] == "version 1"
    assert live.json()["numbers"]["nodes"] == {"orders": {"rate": 500.0, "out": 9}}
    assert live.json()["numbers"]["sources"] == {"orders": {"rate": 500.0, "total_lag": 3}}
    assert SECRET not in live.content.decode()
    assert read(secret, "/records").json()["code"] == "shared.no_records"


def test_a_link_shows_records_if_its_maker_chose_so(
    user: User, topology: Topology, topic: str, kafka_servers: str
) -> None:
    KafkaCluster(kafka_servers).create(topic, 1)
    producer = Producer({"bootstrap.servers": kafka_servers})
    producer.produce(topic, json.dumps({"total": 5}).encode(), b"ada")
    producer.flush()
    deploy(topology, user, kafka_servers)

    (shown,) = read(make(user, topology, shows_records=True).json()["text"], "/records").json()

    assert shown["topic"] == topic
    assert [(record["key"], json.loads(record["value"])) for record in shown["records"]] == [("ada", {"total": 5})]


def expire(topology: Topology, user: User) -> None:
    ShareLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def revoke(topology: Topology, user: User) -> None:
    link = ShareLink.objects.get()
    assert browser_of(user).delete(f"/api/topologies/{topology.pk}/share-links/{link.pk}").status_code == 204


def demote(topology: Topology, user: User) -> None:
    Grant.objects.filter(user=user).update(role=Role.VIEWER)


def dismiss(topology: Topology, user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def move_away(topology: Topology, user: User) -> None:
    move_topology(topology=topology, project=Project.objects.create(name="elsewhere"))


@pytest.mark.parametrize("end", [expire, revoke, demote, dismiss, move_away])
def test_a_link_ends(end: Callable[[Topology, User], None], user: User, topology: Topology) -> None:
    secret = make(user, topology).json()["text"]
    assert read(secret).status_code == 200

    end(topology, user)

    for path in ("", "/live", "/records"):
        assert (read(secret, path).status_code, read(secret, path).json()["code"]) == (404, "shared.unknown")


def test_a_link_is_no_sign_in(user: User, topology: Topology) -> None:
    secret = make(user, topology).json()["text"]
    stranger, headers = Client(), {"authorization": f"Bearer {secret}"}

    for path in ("topologies", f"topologies/{topology.pk}/draft", f"topologies/{topology.pk}/share-links", "rights"):
        assert stranger.get(f"/api/{path}", headers=headers).status_code == 401
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert stranger.generic(method, "/api/shared", headers=headers).status_code == 405


def test_links_are_made_by_editors_in_person(user: User, topology: Topology) -> None:
    viewer = person("ben", Role.VIEWER, topology.project)
    stranger = person("eve", Role.ADMINISTRATOR, Project.objects.create(name="elsewhere"))
    _, token = tokens.create(user=user, name="ci", days=1)
    address = f"/api/topologies/{topology.pk}/share-links"
    by_token = Client().post(address, "{}", "application/json", headers={"authorization": f"Bearer {token}"})

    assert [make(by, topology).status_code for by in (viewer, stranger)] == [403, 404]
    assert by_token.status_code == 403
    assert not ShareLink.objects.exists()


def test_nobody_revokes_the_link_of_another_topology(user: User, topology: Topology) -> None:
    make(user, topology)
    own = create_topology(name="own", by=user, project=get_default_project())

    refused = browser_of(user).delete(f"/api/topologies/{own.pk}/share-links/{ShareLink.objects.get().pk}")

    assert refused.status_code == 404
    assert ShareLink.objects.exists()


@pytest.mark.parametrize("hours", [0, -1, 721])
def test_no_link_is_for_ever(hours: int, user: User, topology: Topology) -> None:
    assert make(user, topology, hours=hours).status_code == 400


def test_guessing_links_is_slow(user: User, topology: Topology, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = make(user, topology).json()["text"]
    monkeypatch.setitem(throttle.MAX_TRIES, "unknown share links", 2)
    monkeypatch.setitem(throttle.MAX_TRIES, "reads of share links", 4)

    guesses = [read("sh_guess").status_code for _ in range(3)]

    assert guesses == [404, 404, 429]
    assert read(secret).status_code == 200
    assert read(secret).json()["code"] == "shared.too_many"
