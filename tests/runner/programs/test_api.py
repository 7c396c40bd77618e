"""The program of a topology over HTTP."""

from __future__ import annotations

import pytest
from django.test import Client

from designer.services import create_topology
from tests.runner.drawing import Drawing
from webapp.accounts.models import User


@pytest.mark.django_db
def test_the_program_of_a_draft_is_named_after_its_topology() -> None:
    user = User.objects.create_user("ada", password="a long password")
    client = Client()
    client.force_login(user)
    graph = Drawing().stream("orders").to("out", "orders").graph
    topology = create_topology(name="Large orders", by=user, graph=graph.to_json())

    answer = client.get(f"/api/topologies/{topology.id}/program").json()

    assert answer["file"] == "large-orders.py"
    assert 'orders.to("out", topic="out")' in answer["program"]
    assert client.get("/api/topologies/987654/program").status_code == 404
