"""Topologies from and as programs over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from designer.projects.services import create_topology
from tests.people import person
from tests.runner.graph_builder import GraphBuilder
from webapp.accounts.models import User

JSON = "application/json"
LARGE_ORDERS = """Topologies:
   Sub-topology: 0
    Source: KSTREAM-SOURCE-0000000000 (topics: [orders])
      --> large-only
    Processor: large-only (stores: [])
      --> KSTREAM-SINK-0000000002
      <-- KSTREAM-SOURCE-0000000000
    Sink: KSTREAM-SINK-0000000002 (topic: large-orders)
      <-- large-only
"""


@pytest.fixture
def user(db: None) -> User:
    return person("ada")


@pytest.fixture
def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_program_of_a_draft_is_named_after_its_topology(browser: Client, user: User) -> None:
    graph = GraphBuilder().stream("orders").to("out", "orders").graph
    topology = create_topology(name="Large orders", by=user, graph=graph.to_json())

    answer = browser.get(f"/api/topologies/{topology.id}/program").json()

    assert answer["file"] == "large-orders.py"
    assert 'orders.to("out", topic="out")' in answer["program"]
    assert browser.get("/api/topologies/987654/program").status_code == 404


def test_a_description_is_imported_as_a_topology_and_says_what_it_leaves_open(browser: Client) -> None:
    made = browser.post("/api/topologies/import", {"description": LARGE_ORDERS, "name": "Large orders"}, JSON).json()
    drawn = browser.get(f"/api/topologies/{made['id']}/draft").json()["graph"]

    assert made["name"] == "Large orders" and made["notes"] == [
        {"node": "large-only", "message": "Drawn as map_values: the name `large-only` does not say what it is."}
    ]
    assert operators(drawn) == {"orders": "stream", "large-only": "map_values", "large-orders": "to"}


def test_what_a_description_leaves_empty_is_an_issue_of_its_field(browser: Client) -> None:
    read = browser.post("/api/descriptions/read", {"description": LARGE_ORDERS.replace("large-only", "filter")}, JSON)
    issues = browser.post("/api/check", {"graph": read.json()["graph"]}, JSON).json()["issues"]

    assert ("filter", "predicate", "field.missing") in {(each["node"], each["field"], each["code"]) for each in issues}


@pytest.mark.parametrize(
    ("sent", "said"), [({"description": 7}, "not a string"), ({"description": "x"}, "`Topologies:`")]
)
def test_what_is_no_description_is_refused(browser: Client, sent: Any, said: str) -> None:
    answer = browser.post("/api/topologies/import", sent, JSON)

    assert answer.status_code == 422
    assert said in answer.json()["message"] and answer.json()["hint"]


def operators(graph: Any) -> dict[str, str]:
    return {node["id"]: node["operator"] for node in graph["nodes"]}
