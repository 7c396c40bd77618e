"""The gallery through the HTTP API."""

from __future__ import annotations

import pytest
from django.test import Client

from runner.demo.gallery import read_gallery
from tests.people import person

pytestmark = pytest.mark.django_db
JSON = "application/json"


@pytest.fixture
def browser() -> Client:
    """Someone signed in."""
    client = Client()
    client.force_login(person("ada"))
    return client


def test_the_gallery_is_for_those_who_are_signed_in():
    assert Client().get("/api/gallery").status_code == 401


def test_the_gallery_lists_every_application_with_its_picture(browser: Client):
    listed = browser.get("/api/gallery").json()

    assert [each["id"] for each in listed] == list(read_gallery())
    assert all(each["name"] and each["about"] and each["graph"]["nodes"] for each in listed)
    assert all(1 <= len(each["records"]) <= 5 and each["results"] and each["purpose"] for each in listed)


def test_the_gallery_says_why_this_user_may_not_run_an_application_with_python(
    browser: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("STREAMWRIGHT_ALLOW_PYTHON", raising=False)

    listed = browser.get("/api/gallery").json()

    why_not = {each["id"]: each["why_not_run"] for each in listed if each["why_not_run"]}
    assert "e05-session-processor" in why_not
    assert "e27-orders-by-region" not in why_not
    assert all("STREAMWRIGHT_ALLOW_PYTHON=1" in why for why in why_not.values())


def test_a_chosen_application_becomes_a_topology(browser: Client):
    chosen = next(each for each in browser.get("/api/gallery").json() if each["id"] == "e27-orders-by-region")

    made = browser.post(
        "/api/topologies/import", {"streamwright": 1, "name": chosen["name"], "graph": chosen["graph"]}, JSON
    )

    draft = browser.get(f"/api/topologies/{made.json()['id']}/draft").json()
    assert made.json()["name"] == "Orders by region"
    assert draft["graph"] == chosen["graph"]


def test_a_document_of_the_gallery_can_be_imported_as_a_file(browser: Client):
    made = browser.post("/api/topologies/import", read_gallery()["e36-word-count"], JSON)

    assert made.status_code == 201, made.content
    assert made.json()["name"] == "Word count"
