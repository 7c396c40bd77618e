"""A browser that closes while its request is executed: all of it happens, and the audit tells it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.db import connections

from designer.projects import models
from designer.projects.models import AuditEntry, Topology
from tests.patience import PATIENCE_SECONDS
from tests.people import person
from webapp.accounts import tokens
from webapp.asgi import application  # before a connection is made: it lets them be shared

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis_url")]
NODES = [
    {"id": f"n{number}", "operator": "stream", "config": {"topic": "t"}, "position": {"x": number, "y": 0}}
    for number in range(200)
]
CASES = [{"name": f"case {number}", "records": [], "expected": []} for number in range(50)]
EXPORTED = {"streamwright": 1, "name": "Orders", "graph": {"nodes": NODES, "edges": []}, "cases": CASES}


@pytest.fixture(autouse=True)
async def close_connections() -> AsyncIterator[None]:
    """The thread of asynchronous tests keeps its own, and no one else closes it."""
    yield
    await sync_to_async(connections.close_all)()


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.1])
async def test_an_import_that_came_is_carried_out_and_told(seconds: float) -> None:
    ada = await sync_to_async(person)("ada")
    _, token = await sync_to_async(tokens.create)(user=ada, name="page", days=1)
    headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())]
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/api/topologies/import",
        "query_string": b"",
        "headers": [*headers, (b"content-type", b"application/json")],
    }
    page = ApplicationCommunicator(application, scope)
    await page.send_input({"type": "http.request", "body": json.dumps(EXPORTED).encode()})

    await asyncio.sleep(seconds)
    await page.send_input({"type": "http.disconnect"})
    await page.wait(PATIENCE_SECONDS)

    topology = await Topology.objects.select_related("draft").aget()
    assert len(topology.draft.graph["nodes"]) == len(NODES)
    assert await models.TestCase.objects.acount() == len(CASES)
    assert (await AuditEntry.objects.aget()).what == "import a topology"
