"""The audit: every write leaves who, from where and what changed, and never a secret."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.utils.timezone import now

from designer.projects.audit import HIDDEN_TEXT, PAUSE, collect, find_differences
from designer.projects.models import AuditEntry, Topology
from designer.projects.roles import Role
from designer.projects.routing import ROUTES
from designer.projects.services import create_topology, create_version
from runner.control.clusters.models import Cluster
from runner.control.clusters.services import get_local_cluster
from runner.control.jobs.models import Job
from tests.people import person
from webapp.accounts import tokens
from webapp.accounts.models import User
from webapp.accounts.tasks import delete_old_audit

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


def test_an_entry_names_the_thing_with_its_place_on_the_page(browser: Client, root: User) -> None:
    topology = create_topology(name="Orders", by=None)
    gone = create_topology(name="Old", by=None)
    version = create_version(topology=topology, by=None)
    job = Job(name="orders", topology=topology, version=version, cluster=get_local_cluster())
    job.application_id, job.created_by, job.updated_by = "orders", root, root
    job.save()
    for about, changes in {
        f"POST /api/jobs/{job.id}/proof": [],
        f"PUT /api/topologies/{topology.id}/draft": [],
        f"DELETE /api/topologies/{gone.id + 1000}": [],
        f"GET /api/versions/{version.id}/deploy": [],
        "POST /api/jobs/deploy": [{"of": "version 1", "field": "note"}, {"of": "job orders", "field": "wants"}],
        "DELETE /api/clusters/eu%20west/topics/orders": [],
        "POST /api/alerts/channels": [{"of": "channel pager", "field": "form"}],
        "POST /api/sample-feed/broken": [],
        "deploy orders": [{"of": "job orders", "field": "wants"}],
    }.items():
        whole = [{"before": None, "after": None, **change} for change in changes]
        AuditEntry.objects.create(by="root", address="10.0.0.7", what="act", about=about, changes=whole)

    entries = browser.get("/api/audit?what=act").json()

    things = {each["about"]: each["thing"] and (each["thing"]["name"], each["thing"]["address"]) for each in entries}
    assert list(reversed(things.values())) == [
        ("job orders", f"/jobs/{job.id}"),
        ("topology Orders", f"/topologies/{topology.id}"),
        (f"topology {gone.id + 1000}, which was deleted", ""),
        ("version 1 of topology Orders", f"/topologies/{topology.id}?version=1"),
        ("job orders", f"/jobs/{job.id}"),
        ("topic orders", "/topics/eu%20west/orders"),
        ("channel pager", ""),
        None,
        None,
    ]


def test_a_write_says_who_from_where_and_only_what_changed(browser: Client) -> None:
    topology = create_topology(name="Orders", by=None)

    browser.patch(f"/api/topologies/{topology.id}", {"name": "Bookings"}, "application/json")

    entry = AuditEntry.objects.get(what="rename a topology")
    assert (entry.by, entry.address, entry.token, entry.until) == ("root", "10.0.0.7", "", None)
    assert entry.about == f"PATCH /api/topologies/{topology.id}"
    assert changed(entry) == {"name": ("Orders", "Bookings"), "id": ("orders", "bookings")}
    assert entry.changes[0]["of"] == "topology Bookings"


def graph(topic: str | None, **position: int) -> dict[str, Any]:
    node = {"id": "orders", "operator": "stream", "config": {"topic": topic}, "position": {"x": 0, "y": 0} | position}
    return {"nodes": [node] if topic else [], "edges": []}


def save(browser: Client, topology: Topology, *graphs: dict[str, Any]) -> None:
    for drawn in graphs:
        draft = {"graph": drawn, "schemas": {}, "revision": topology.draft.revision}
        answer = browser.put(f"/api/topologies/{topology.id}/draft", draft, "application/json")
        assert answer.status_code == 200
        topology.refresh_from_db()


def edits() -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(what="edit a topology").order_by("id")


def test_an_edit_names_the_node_and_the_field(browser: Client) -> None:
    topology = create_topology(name="Orders", by=None, graph=graph("orders"))

    save(browser, topology, graph("bookings", x=40))

    assert edits().get().changes == [
        {"of": "node orders of Orders", "field": "topic", "before": "orders", "after": "bookings"}
    ]


def test_a_session_of_edits_is_one_entry(browser: Client) -> None:
    topology = create_topology(name="Orders", by=None, graph=graph("orders"))

    save(browser, topology, graph("order"), graph("ord"), graph("bookings"), graph("bookings", x=40), graph("b"))

    entry = edits().get()
    assert (entry.until or entry.at) > entry.at
    assert [(each["of"], each["before"], each["after"]) for each in entry.changes] == [
        ("node orders of Orders", "orders", "b"),
        ("nodes of Orders", None, "moved"),
    ]


def test_a_session_ends_with_anything_else_that_its_user_does_and_not_with_others(browser: Client) -> None:
    topology, other = (create_topology(name=name, by=None, graph=graph("orders")) for name in ("Orders", "Flights"))
    ada = Client()
    ada.force_login(person("ada", Role.EDITOR))

    save(browser, topology, graph("one"))
    save(ada, topology, graph("two"))
    save(browser, topology, graph("three"))
    save(browser, other, graph("one"))
    save(browser, topology, graph("four"))

    said = [(entry.by, [(each["before"], each["after"]) for each in entry.changes]) for entry in edits()]
    assert said == [
        ("root", [("orders", "three")]),
        ("ada", [("one", "two")]),
        ("root", [("orders", "one")]),
        ("root", [("three", "four")]),
    ]


def test_a_session_ends_with_a_pause(browser: Client) -> None:
    topology = create_topology(name="Orders", by=None, graph=graph("orders"))
    pause = now() - PAUSE - timedelta(seconds=1)
    about = f"PUT /api/topologies/{topology.id}/draft"
    AuditEntry.objects.create(by="root", address="10.0.0.7", what="edit a topology", about=about, at=pause, until=pause)

    save(browser, topology, graph("bookings"))

    assert [len(entry.changes) for entry in edits()] == [0, 1]


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

    deletion, joining = AuditEntry.objects.filter(what__in=["delete a topology", "change a user"]).order_by("id")
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
    cluster = {"name": "orders", "bootstrap_servers": "127.0.0.1:1", "is_untested": True}
    spark = {
        "name": "big",
        "master": "spark://host:7077",
        "checkpoint_root": "/jobs",
        "secret": SECRET,
        "is_untested": True,
    }
    made = [
        browser.post(path, body, "application/json")
        for path, body in [
            ("/api/clusters", cluster | {"config": config | {"sasl.password": SECRET}}),
            ("/api/spark-clusters", spark),
            ("/api/users", {"name": "ada", "password": SECRET}),
            ("/api/tokens", {"name": "ci"}),
        ]
    ]
    renewed = {
        "bootstrap_servers": "127.0.0.1:2",
        "is_untested": True,
        "config": config | {"sasl.password": f"{SECRET}2"},
    }
    changed = [
        browser.put("/api/clusters/orders", renewed, "application/json"),
        browser.put("/api/password", {"old": "difference engine", "new": SECRET}, "application/json"),
    ]

    kept = str(list(AuditEntry.objects.values()))
    sealed = [*Cluster.objects.get(name="orders").secrets.values(), User.objects.get(username="ada").password]
    assert [answer.status_code for answer in (*made, *changed)] == [201, 201, 201, 201, 200, 204]
    assert kept.count(HIDDEN_TEXT) >= 6
    for secret in [SECRET, made[-1].json()["text"], *sealed]:
        assert secret not in kept


def test_an_entry_is_never_changed_or_deleted(browser: Client) -> None:
    browser.post("/api/groups", {"name": "team"}, "application/json")

    topology = create_topology(name="Orders", by=None, graph=graph("orders"))
    save(browser, topology, graph("bookings"))

    for change in (AuditEntry.objects.all().delete, lambda: AuditEntry.objects.update(by="eve")):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            change()


@pytest.mark.parametrize("table", ["designer_auditentry", "jobs_jobevent"])
def test_truncate_keeps_every_entry(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL streamwright.is_test = ''")
        with pytest.raises(DatabaseError, match="are never deleted"):
            cursor.execute(f"TRUNCATE {table} CASCADE")


def test_what_is_older_than_the_server_keeps_is_forgotten(settings: Any) -> None:
    for days in (29, 31, 1_000):
        AuditEntry.objects.create(what=f"{days} days", address="", about="", at=now() - timedelta(days=days))
    settings.AUDIT_DAYS = 30

    delete_old_audit()

    assert AuditEntry.objects.get().what == "29 days"
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        AuditEntry.objects.all().delete()


def test_no_two_writes_have_the_same_words() -> None:
    words = [route.audit for route in ROUTES.values() if route.audit]

    assert len(words) > 50
    assert len(set(words)) == len(words)


def test_nothing_of_a_deploy_is_named_as_in_the_database(root: User) -> None:
    topology = create_topology(name="Orders", by=root)
    version = create_version(topology=topology, by=root)
    job = Job(name="orders", topology=topology, version=version, cluster=get_local_cluster(), settings={"tasks": 4})
    job.application_id, job.created_by, job.updated_by = "orders", root, root

    with collect() as changes:
        job.save()

    told = {each["field"]: each["after"] for each in changes}
    assert told | {"topology": "Orders", "version": "Orders v1", "cluster": "local", "settings": {"tasks": 4}} == told
    assert told["what happens to state"] == "Keep"
    assert not [field for field in told if "_" in field or (field.endswith("id") and field != "application id")]


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
    assert found(by="ada") == [("ada", "rename a topology"), ("ada", "sign in")]
    assert found(what="Orders") == [("root", "create a topology")]
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
        ({"password": "a"}, {"password": "b"}, [("password", HIDDEN_TEXT, HIDDEN_TEXT)]),
        ({"password": ""}, {"password": "b"}, [("password", "", HIDDEN_TEXT)]),
        ({"a": None}, {"a": {"api_token": "x", "b": 1}}, [("a", None, {"api_token": HIDDEN_TEXT, "b": 1})]),
        ({"tokens": {"id": 1}}, {"tokens": {"id": 2}}, [("tokens", HIDDEN_TEXT, HIDDEN_TEXT)]),
        ([{"id": "x", "y": 1}], [{"id": "x", "y": 2}, {"id": "z"}], [("x.y", 1, 2), ("z", None, {"id": "z"})]),
        ({"a": "x"}, {"a": "y" * 501}, [("a", "x", "y" * 500 + "…")]),
    ],
)
def test_differences_are_the_smallest_places(before: Any, after: Any, found: Any) -> None:
    assert list(find_differences(before, after)) == found
