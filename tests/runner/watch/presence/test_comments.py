"""Comments on nodes: who may write, whom they mention, and what all who have the topology open hear."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import Client

from designer.projects.models import AuditEntry, Grant, Project, Topology
from designer.projects.roles import Role
from designer.projects.services import save_draft
from tests.people import browser_of, person
from tests.runner.watch.live.page import page
from webapp.accounts.models import User

pytestmark = pytest.mark.usefixtures("redis_url")


def comment(client: Client, topology: Topology, text: str, node: str = "late") -> Any:
    body = {"node": node, "text": text}
    return client.post(f"/api/topologies/{topology.pk}/comments", body, "application/json")


def mentions(client: Client) -> list[tuple[str, str]]:
    return [(each["node"], each["text"]) for each in client.get("/api/mentions").json()]


def test_a_comment_is_resolved_and_opened_again(topology: Topology, user: User) -> None:
    ada = browser_of(user)
    made = comment(ada, topology, " Why 15 minutes? ").json()
    address = f"/api/topologies/{topology.pk}/comments/{made['id']}"

    resolved = ada.patch(address, {"is_resolved": True}, "application/json").json()
    opened = ada.patch(address, {"is_resolved": False}, "application/json").json()

    assert (made["text"], made["author"], made["resolved_at"]) == ("Why 15 minutes?", user.username, None)
    assert (resolved["resolved_by"], opened["resolved_by"]) == (user.username, None)
    assert [each["id"] for each in ada.get(f"/api/topologies/{topology.pk}/comments").json()] == [made["id"]]
    assert AuditEntry.objects.filter(what="comment on a node").count() == 1


def test_a_mention_is_a_notice_until_it_was_seen(topology: Topology, user: User) -> None:
    ben = browser_of(person("ben", Role.VIEWER, topology.project))
    comment(browser_of(user), topology, f"@ben, look. @{user.username} @nobody a@ben.example")

    assert mentions(ben) == [("late", f"@ben, look. @{user.username} @nobody a@ben.example")]
    assert mentions(browser_of(user)) == []
    ben.post(f"/api/topologies/{topology.pk}/mentions/seen")
    assert mentions(ben) == []


def test_nobody_hears_of_a_topology_that_they_may_not_see(topology: Topology, user: User) -> None:
    elsewhere = Project.objects.create(name="elsewhere")
    eve = person("eve", Role.EDITOR, elsewhere)
    comment(browser_of(user), topology, "@eve")

    assert mentions(browser_of(eve)) == []
    assert comment(browser_of(eve), topology, "Mine").status_code == 404


def test_those_who_may_see_the_topology_can_be_mentioned(topology: Topology, user: User) -> None:
    person("ben", Role.VIEWER, topology.project)
    person("eve", Role.EDITOR, Project.objects.create(name="elsewhere"))
    group = Group.objects.create(name="crew")
    Grant.objects.create(project=topology.project, group=group, role=Role.VIEWER)
    person("cleo", None).groups.add(group)
    gone = person("dan", Role.EDITOR, topology.project)
    gone.is_active = False
    gone.save()
    address = f"/api/topologies/{topology.pk}/people"

    assert browser_of(user).get(address).json() == sorted(["ben", "cleo", user.username])
    assert browser_of(User.objects.get(username="ben")).get(address).status_code == 403
    assert browser_of(User.objects.get(username="eve")).get(address).status_code == 404


def test_a_viewer_reads_comments_and_writes_none(topology: Topology, user: User) -> None:
    ben = browser_of(person("ben", Role.VIEWER, topology.project))
    comment(browser_of(user), topology, "Good")

    assert comment(ben, topology, "Bad").status_code == 403
    assert [each["text"] for each in ben.get(f"/api/topologies/{topology.pk}/comments").json()] == ["Good"]


@pytest.mark.parametrize("text", ["  ", "a" * 2_001, "a\0b"])
def test_a_comment_without_text_or_with_too_much_is_refused(topology: Topology, user: User, text: str) -> None:
    refused = comment(browser_of(user), topology, text)

    assert refused.status_code == 422
    assert not topology.comments.exists()


def name(topology: Topology, user: User, *names: str) -> None:
    """Save a draft of a stream and a filter with these names."""
    nodes = [
        {"id": id_, "operator": operator, "config": {}, "position": {"x": at * 200, "y": 0}}
        for at, (id_, operator) in enumerate(zip(names, ("stream", "filter"), strict=True))
    ]
    graph = {"nodes": nodes, "edges": []}
    save_draft(topology=topology, graph=graph, revision=topology.draft.revision, by=user)
    topology.draft.refresh_from_db()


def test_comments_follow_a_renamed_node_and_come_back_with_undo(topology: Topology, user: User) -> None:
    name(topology, user, "flights", "late")
    comment(browser_of(user), topology, "Why 15 minutes?")

    name(topology, user, "flights", "delayed")
    assert [each.node for each in topology.comments.all()] == ["delayed"]
    name(topology, user, "delayed-flights", "late")
    assert [each.node for each in topology.comments.all()] == ["late"]
    name(topology, user, "delayed-flights", "late")
    assert [each.node for each in topology.comments.all()] == ["late"]


def test_a_comment_that_was_on_its_way_follows_each_rename_of_its_node(topology: Topology, user: User) -> None:
    name(topology, user, "flights", "late")
    name(topology, user, "flights", "delayed")
    name(topology, user, "flights", "very-delayed")

    answers = [comment(browser_of(user), topology, "Hm", node).json() for node in ("late", "delayed", "unsaved")]

    assert [each["node"] for each in answers] == ["very-delayed", "very-delayed", "unsaved"]


async def test_all_who_have_the_topology_open_hear_of_a_comment(topology: Topology, user: User) -> None:
    ada = await sync_to_async(browser_of)(user)
    address = f"/ws/topologies/{topology.pk}/presence/"
    async with page(address, ada) as first, page(address, ada):
        await first.hear()  # of the second page, so the first has joined
        await sync_to_async(comment)(ada, topology, "Look")
        heard = await first.hear()
        while heard["type"] in ("peer", "draft_saved"):
            heard = await first.hear()

    assert heard == {"type": "comments_changed"}
