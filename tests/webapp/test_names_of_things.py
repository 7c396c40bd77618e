"""Every route that takes the name of a user's thing refuses one that is not a line of visible characters."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from designer.projects.services import create_topology
from tests.designer.test_names import HIDDEN
from webapp.accounts.models import User
from webapp.api import api

pytestmark = pytest.mark.django_db
REQUESTS: dict[str, dict[str, Any]] = {
    "POST /api/topologies": {},
    "PATCH /api/topologies/{topology_id}": {},
    "POST /api/topologies/import": {"streamwright": 1, "graph": {"nodes": [], "edges": []}},
    "POST /api/topologies/{topology_id}/cases": {"records": "", "expected": ""},
    "PATCH /api/topologies/{topology_id}/cases/{case_id}": {"revision": 1},
    "POST /api/jobs/adopt": {"application": "a"},
    "POST /api/jobs/compare-adoption": {"application": "a"},
    "POST /api/jobs/deploy": {},
    "POST /api/jobs/preview-adoption": {"application": "a"},
    "POST /api/jobs/preview-deploy": {},
    "POST /api/alerts/channels": {"form": "webhook", "address": "http://127.0.0.1:9/", "is_internal": True},
    "POST /api/clusters": {"bootstrap_servers": "127.0.0.1:9", "config": {}, "is_untested": True},
    "POST /api/clusters/{name}/topics": {},
    "POST /api/spark-clusters": {"master": "spark://a:1", "checkpoint_root": "hdfs://a:1/b", "is_untested": True},
    "POST /api/groups": {},
    "POST /api/projects": {},
    "POST /api/tokens": {"days": 1},
    "POST /api/users": {"password": "difference engine"},
    "POST /api/alerts/silences why": {"minutes": 5},
    "POST /api/alerts/silences host": {"minutes": 5},
}
"""Each route with a name in its body, and the other members of a request that would be carried out."""


@pytest.fixture
def names(db: None) -> tuple[Client, dict[str, Any]]:
    """A client of a product administrator, and what the paths name."""
    user = User.objects.create_superuser("root", password="difference engine")
    topology = create_topology(name="orders", by=user)
    client = Client()
    client.force_login(user)
    case = client.post(
        f"/api/topologies/{topology.pk}/cases", {"name": "a", "records": "", "expected": ""}, "application/json"
    ).json()
    return client, {"topology_id": topology.pk, "case_id": case["id"], "name": "local", "topology": topology.pk}


@pytest.mark.parametrize("name", HIDDEN.values(), ids=HIDDEN.keys())
def test_no_route_takes_a_name_with_hidden_characters(name: str, names: tuple[Client, dict[str, Any]]) -> None:
    client, places = names
    accepted = []
    for request, others in REQUESTS.items():
        method, path, member = (*request.split(), "name")[:3]
        body = {**others, member: name} | ({"topology": places["topology"]} if "jobs" in path else {})
        answer = client.generic(method, path.format(**places), json.dumps(body), "application/json")
        text = answer.content.decode()
        reasons = ("visible characters", "name", "request.unwritable")
        if answer.status_code not in (400, 422) or not any(reason in text for reason in reasons):
            accepted.append((request, answer.status_code, text[:200]))

    assert accepted == []


def test_each_route_with_a_name_is_tried() -> None:
    schema = api.get_openapi_schema()

    def has_name(body: dict[str, Any]) -> bool:
        if "$ref" in body:
            body = schema["components"]["schemas"][body["$ref"].rpartition("/")[2]]
        return "name" in body.get("properties", {}) or any(map(has_name, body.get("anyOf", [])))

    named = {
        f"{method.upper()} {path}"
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if "requestBody" in operation and has_name(operation["requestBody"]["content"]["application/json"]["schema"])
    }
    assert named == {request for request in REQUESTS if len(request.split()) == 2}
