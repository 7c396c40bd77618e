"""Python code through the HTTP API: off unless the server allows it, and for users with the permission run_code."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client

from designer.projects.models import Topology
from designer.projects.services import create_version
from tests.designer.graphs import drawn, node, orders
from tests.people import person

pytestmark = pytest.mark.django_db
JSON = "application/json"
CODE = "class Mine(Processor):\n  def process(self, record): pass"
WITH_CODE = drawn(
    "orders > mine > out", orders=orders(), mine=node("process", code=CODE), out=node("to", topic="copies")
).to_json()


@pytest.fixture(autouse=True)
def python_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")


@pytest.fixture
def browser() -> Client:
    """Ada, signed in."""
    client = Client()
    client.force_login(person("ada"))
    return client


def saved(browser: Client) -> Any:
    """Ada's draft with code."""
    made = browser.post("/api/topologies", {"name": "Coded", "graph": WITH_CODE}, JSON)
    assert made.status_code == 201, made.content
    return made.json()


def test_code_may_be_drawn_but_not_saved_to_a_version_without_the_permission(browser: Client) -> None:
    topology = saved(browser)

    refused = browser.post(f"/api/topologies/{topology['id']}/versions", {}, JSON)

    assert refused.status_code == 403
    assert refused.json()["code"] == "code.not_permitted"
    assert refused.json()["message"] == "`mine` runs Python, which needs the permission run_code."
    assert refused.json()["hint"] == "Ask an administrator for it: manage.py allow_code ada"


def test_with_the_permission_it_may_and_no_longer_when_that_is_taken_away(browser: Client) -> None:
    versions = f"/api/topologies/{saved(browser)['id']}/versions"

    call_command("allow_code", "ada")
    allowed = browser.post(versions, {}, JSON)
    call_command("allow_code", "ada", "--revoke")
    refused = browser.post(versions, {}, JSON)

    assert (allowed.status_code, refused.status_code) == (201, 403)


def test_nobody_deploys_the_code_of_another_without_the_permission(browser: Client) -> None:
    root = get_user_model().objects.create_superuser(username="root", password="x" * 12)
    version = create_version(topology=Topology.objects.get(id=saved(browser)["id"]), by=root)

    of_version = browser.post("/api/jobs/deploy", {"version": version.id}, JSON)
    of_draft = browser.post("/api/jobs/deploy", {"topology": version.topology_id}, JSON)

    assert [answer.json()["code"] for answer in (of_version, of_draft)] == ["code.not_permitted"] * 2


def test_the_catalogue_says_whether_code_is_allowed_and_what_to_do(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told() -> Any:
        return browser.get("/api/operators").json()["python"]

    lacking = told()
    call_command("allow_code", "ada")
    allowed = told()
    monkeypatch.delenv("STREAMWRIGHT_ALLOW_PYTHON")
    off = told()

    assert lacking == {
        "is_allowed": False,
        "why": "You lack the permission run_code. Ask an administrator for it: manage.py allow_code ada",
    }
    assert allowed == {"is_allowed": True, "why": ""}
    assert off["why"].startswith("Python is off on this server")


def test_the_check_judges_code_by_its_text_alone(browser: Client) -> None:
    wrong = drawn(
        "orders > mine > out",
        orders=orders(),
        mine=node("process", code="raise SystemExit(1)"),
        out=node("to", topic="x"),
    )

    issues = browser.post("/api/check", {"graph": wrong.to_json()}, JSON).json()["issues"]

    assert [(issue["code"], issue["node"], issue["field"]) for issue in issues] == [("code.no_class", "mine", "code")]
