"""The audit: every write leaves who, from where and what changed, and never a secret."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client

from designer.audit import HIDDEN, differences
from designer.models import AuditEntry, Topology
from designer.rights.needs import Role
from designer.services import create_topology
from runner.control.clusters.models import Cluster
from tests.people import person
from webapp.accounts import tokens
from webapp.accounts.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]
SECRET = "canary-of-lovelace"


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root", password="difference engine")


@pytest.fixture
def browser(root: User) -> Client:
    browser = Client(REMOTE_ADDR="10.0.0.7")
    browser.force_login(root)
    return browser


def changed(entry: AuditEntry) -> dict[str, tuple[Any, Any]]:
    return {change["field"]: (change["before"], change["after"]) for change in entry.changes}


def test_a_write_says_who_from_where_and_only_what_changed(browser: Client) -> None:
    topology = create_topology(name="Orders", by=None)

    browser.patch(f"/api/topologies/{topology.id}", {"name": "Bookings"}, "application/json")

    entry = AuditEntry.objects.filter(what__startswith="PATCH").get()
    assert (entry.by, entry.address, entry.token) == ("root", "10.0.0.7", "")
    assert (entry.what, entry.about) == ("PATCH /topologies/{topology_id}", f"/api/topologies/{topology.id}")
    assert changed(entry) == {"name": ("Orders", "Bookings"), "slug": ("orders", "bookings")}
    assert entry.changes[0]["of"] == "topology Bookings"


def test_an_edit_names_the_node_and_the_field(browser: Client) -> None:
    def graph(topic: str) -> dict[str, Any]:
        node = {"id": "orders", "operator": "stream", "config": {"topic": topic}, "position": {"x": 0, "y": 0}}
        return {"nodes": [node], "edges": []}

    topology = create_topology(name="Orders", by=None, graph=graph("orders"))
    draft = {"graph": graph("bookings"), "schemas": {}, "revision": 1}

    browser.put(f"/api/topologies/{topology.id}/draft", draft, "application/json")

    fields = changed(AuditEntry.objects.get(what="PUT /topologies/{topology_id}/draft"))
    assert fields["graph.nodes.orders.config.topic"] == ("orders", "bookings")
    assert "graph.nodes.orders.position.x" not in fields


def test_what_is_refused_fails_or_asks_leaves_nothing(browser: Client) -> None:
    browser.get("/api/topologies")
    browser.post("/api/check", {"graph": {"nodes": [], "edges": []}}, "application/json")
    browser.delete("/api/topologies/999999")
    browser.post("/api/topologies", {"name": ""}, "application/json")
    viewer = Client()
    viewer.force_login(person("vera", Role.VIEWER))
    viewer.post("/api/topologies", {"name": "Orders"}, "application/json")

    assert set(AuditEntry.objects.values_list("what", flat=True)) == {"sign in"}


def test_a_deletion_and_members_of_a_group_are_told(browser: Client) -> None:
    topology = create_topology(name="Orders", by=None)
    ada = person("ada", None)
    browser.post("/api/groups", {"name": "team"}, "application/json")

    browser.delete(f"/api/topologies/{topology.id}")
    browser.patch(f"/api/users/{ada.pk}", {"groups": ["team"]}, "application/json")

    deletion, joining = AuditEntry.objects.filter(what__regex="^(DELETE|PATCH)").order_by("id")
    assert {"of": "topology Orders", "field": "", "before": "Orders", "after": None} in deletion.changes
    assert {"of": "user ada", "field": "groups", "before": None, "after": "team"} in joining.changes


def test_a_token_is_named(root: User) -> None:
    _, text = tokens.create(user=root, name="ci", days=1)

    Client().post("/api/groups", {"name": "team"}, "application/json", headers={"authorization": f"Bearer {text}"})

    assert [(entry.by, entry.token) for entry in AuditEntry.objects.all()] == [("root", "ci")]


def test_a_command_is_told(root: User) -> None:
    call_command("allow_code", "root")

    entry = AuditEntry.objects.get()
    assert (entry.what, entry.address, entry.about) == ("manage.py allow_code", "command line", "root")
    assert "Can run Python code" in entry.changes[0]["after"]


def test_an_import_on_the_command_line_is_told_and_an_export_is_not(root: User, tmp_path: Any) -> None:
    file = tmp_path / "orders.json"
    file.write_text('{"streamwright": 1, "name": "Orders", "graph": {"nodes": [], "edges": []}}')

    call_command("import", str(file))
    call_command("export", "orders")

    entry = AuditEntry.objects.get()
    assert (entry.by, entry.what, entry.address) == ("root", "manage.py import", "command line")
    assert ("name", "Orders") in {(each["field"], str(each["after"])) for each in entry.changes}


def test_signing_in_and_out_is_told(browser: Client) -> None:
    browser.post("/login", {"username": "root", "password": "difference engine"})
    browser.post("/logout")

    assert list(AuditEntry.objects.order_by("id").values_list("what", "by")) == [
        ("sign in", "root"),
        ("sign out", "root"),
    ]


def test_no_entry_holds_a_secret(browser: Client, root: User) -> None:
    config = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.username": "ada"}
    cluster = {"name": "orders", "bootstrap_servers": "127.0.0.1:1", "untested": True}
    spark = {"name": "big", "master": "spark://host:7077", "secret": SECRET, "untested": True}
    made = [
        browser.post(path, body, "application/json")
        for path, body in [
            ("/api/clusters", cluster | {"config": config | {"sasl.password": SECRET}}),
            ("/api/spark-clusters", spark),
            ("/api/users", {"name": "ada", "password": SECRET}),
            ("/api/tokens", {"name": "ci"}),
        ]
    ]
    renewed = {"bootstrap_servers": "127.0.0.1:2", "untested": True, "config": config | {"sasl.password": f"{SECRET}2"}}
    changed = [
        browser.put("/api/clusters/orders", renewed, "application/json"),
        browser.put("/api/password", {"old": "difference engine", "new": SECRET}, "application/json"),
    ]

    kept = str(list(AuditEntry.objects.values()))
    sealed = [*Cluster.objects.get(name="orders").secrets.values(), User.objects.get(username="ada").password]
    assert [answer.status_code for answer in (*made, *changed)] == [201, 201, 201, 201, 200, 204]
    assert kept.count(HIDDEN) >= 6
    for secret in [SECRET, made[-1].json()["text"], *sealed]:
        assert secret not in kept


def test_an_entry_is_never_changed_or_deleted(browser: Client) -> None:
    browser.post("/api/groups", {"name": "team"}, "application/json")

    for change in (AuditEntry.objects.all().delete, lambda: AuditEntry.objects.update(by="eve")):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            change()


def test_entries_are_filtered_and_exported(browser: Client) -> None:
    for name in ("Orders", "Bookings"):
        browser.post("/api/topologies", {"name": name}, "application/json")
    ada = Client()
    ada.force_login(person("ada"))
    topology = Topology.objects.get(name="Bookings")
    ada.patch(f"/api/topologies/{topology.id}", {"name": "Flights"}, "application/json")

    def found(**query: str) -> list[tuple[str, str]]:
        return [(each["by"], each["what"]) for each in browser.get("/api/audit", query).json()]

    exported = browser.get("/api/audit.csv", {"what": "topologies", "by": "root"})
    head, *lines = csv.reader(io.StringIO(exported.content.decode()))
    assert found(by="ada") == [("ada", "PATCH /topologies/{topology_id}"), ("ada", "sign in")]
    assert found(what="Orders") == [("root", "POST /topologies")]
    assert found(since="2999-01-01T00:00:00Z") == []
    assert len(found(until="2999-01-01T00:00:00Z")) == 5
    assert (exported.headers["Content-Type"], head[0], len(lines)) == ("text/csv", "at", 2)
    assert ada.get("/api/audit").status_code == 403


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM"])
def test_no_cell_of_an_export_is_a_formula(name: str, browser: Client) -> None:
    AuditEntry.objects.create(by=name, address="", what=name, about=name)

    _, line, *_ = csv.reader(io.StringIO(browser.get("/api/audit.csv").content.decode()))

    assert f"'{name}" in line and name not in line


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {}, [("a", 1, None)]),
        ({"password": "a"}, {"password": "b"}, [("password", HIDDEN, HIDDEN)]),
        ({"password": ""}, {"password": "b"}, [("password", "", HIDDEN)]),
        ({"a": None}, {"a": {"api_token": "x", "b": 1}}, [("a", None, {"api_token": HIDDEN, "b": 1})]),
        ({"tokens": {"id": 1}}, {"tokens": {"id": 2}}, [("tokens", HIDDEN, HIDDEN)]),
        ([{"id": "x", "y": 1}], [{"id": "x", "y": 2}, {"id": "z"}], [("x.y", 1, 2), ("z", None, {"id": "z"})]),
        ({"a": "x"}, {"a": "y" * 501}, [("a", "x", "y" * 500 + "…")]),
    ],
)
def test_differences_are_the_smallest_places(before: Any, after: Any, found: Any) -> None:
    assert list(differences(before, after)) == found
