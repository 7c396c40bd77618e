"""Pages of one topology hear of each other, over real Redis."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from designer.projects.models import Topology
from designer.projects.services import save_draft
from runner.watch.presence.consumers import MAX_A_SECOND
from runner.watch.sockets.viewer import NOT_FOUND
from tests.people import browser_of, person
from tests.runner.watch.live.page import Page, page
from webapp.accounts.models import User

pytestmark = pytest.mark.usefixtures("redis_url")


def address(topology: Topology) -> str:
    return f"/ws/topologies/{topology.id}/presence/"


async def hear(page: Page, kind: str) -> dict[str, Any]:
    """The next message of this kind."""
    while (heard := await page.hear())["type"] != kind:
        continue
    return heard


@pytest.fixture
def ada(user: User) -> Client:
    return browser_of(user)


@pytest.fixture
def ben(transactional_db: None) -> Client:
    return browser_of(person("ben"))


async def test_a_page_hears_where_the_others_are_and_that_they_leave(topology: Topology, ada: Client, ben: Client):
    async with page(address(topology), ada) as first:
        async with page(address(topology), ben) as second:
            arrived = await hear(first, "peer")
            await first.say("here", x=10, y=20.5, selection=["orders"])
            heard = await hear(second, "peer")
            while heard["selection"] == []:
                heard = await hear(second, "peer")

        left = await hear(first, "peer_left")

    assert (arrived["type"], arrived["name"], arrived["x"]) == ("peer", "ben", None)
    assert {**heard, "page": ""} == {
        "type": "peer", "page": "", "name": "ada", "x": 10.0, "y": 20.5, "selection": ["orders"],
    }  # fmt: skip
    assert left == {"type": "peer_left", "page": arrived["page"]}


async def test_a_page_that_joins_hears_what_was_said_before(topology: Topology, ada: Client, ben: Client):
    async with page(address(topology), ada) as first:
        await first.say("here", x=1, y=2, selection=["counts"])
        async with page(address(topology), ben) as second:
            heard = await hear(second, "peer")
            while heard["selection"] == []:
                heard = await hear(second, "peer")

    assert (heard["name"], heard["selection"]) == ("ada", ["counts"])


async def test_a_page_hears_the_revision_of_the_draft_when_it_joins_and_when_it_is_saved(
    topology: Topology, user: User, ada: Client
):
    def save() -> int:
        nodes = [{"id": "late", "operator": "filter", "config": {}, "position": {"x": 0, "y": 0}}]
        graph = {"nodes": nodes, "edges": []}
        return save_draft(topology=topology, graph=graph, revision=topology.draft.revision, by=user).revision

    async with page(address(topology), ada) as first:
        joined = await hear(first, "draft_saved")
        revision = await sync_to_async(save)()
        saved = await hear(first, "draft_saved")

    assert joined == {"type": "draft_saved", "revision": topology.draft.revision}
    assert saved == {"type": "draft_saved", "revision": revision}
    assert revision > topology.draft.revision


async def test_nothing_unexpected_and_no_flood_is_passed_on(topology: Topology, ada: Client, ben: Client):
    async with page(address(topology), ada) as first, page(address(topology), ben) as second:
        await hear(first, "peer")
        for wrong in ({"x": "left"}, {"x": 1e9}, {"selection": ["n"] * 51}, {"selection": ["n" * 65]}, {"script": "x"}):
            await first.say("here", **wrong)
        for number in range(2 * MAX_A_SECOND):
            await first.say("here", x=number, y=0, selection=[])
        heard = [each for each in await second.hear_all(0.5) if each.get("x") is not None]

    assert 0 < len(heard) <= MAX_A_SECOND
    assert [each["x"] for each in heard] == [float(number) for number in range(len(heard))]


async def test_only_those_who_see_the_topology_are_let_in(topology: Topology, transactional_db: None):
    stranger = await sync_to_async(lambda: browser_of(person("zoe", role=None)))()
    async with page(address(topology), stranger) as closed:
        assert await closed.closed_with() == NOT_FOUND
