"""Every write of comments on nodes, and the mentions in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from designer.limits import check_storable
from designer.projects.models import Comment, Draft, Mention, Topology
from designer.projects.permissions import find_projects_seen
from designer.refusal_codes import DesignerCode
from designer.refusals import Refusal
from designer.topology.graph import Graph

MAX_COMMENTS = 1_000
"""Of a topology."""
MAX_LENGTH = 2_000
MENTION = re.compile(r"(?<![\w@.+-])@([\w.@+-]+)")
"""A name of a user, as Django allows it."""


class BadComment(Refusal):
    """A comment without text, or too long, or one too many."""

    code = DesignerCode.COMMENT_BAD
    status = 422


@transaction.atomic
def add_comment(*, topology: Topology, node: str, text: str, by: AbstractUser) -> Comment:
    """Add a comment, and mention the users whom it names and who may see the topology.

    It follows a rename of its node that was saved before it came. Raises BadComment.
    """
    text = text.strip()
    check_storable(text)
    if not text:
        raise BadComment("The comment is empty.", "Write what you think.")
    if len(text) > MAX_LENGTH:
        raise BadComment(f"The comment has {len(text):,} characters; {MAX_LENGTH:,} are allowed.", "Write less.")
    draft = Draft.objects.select_for_update().get(topology_id=topology.id)  # a save that renames waits, or is seen here
    if topology.comments.count() >= MAX_COMMENTS:
        raise BadComment(f"The topology has {MAX_COMMENTS:,} comments, the maximum.", "Use a note instead.")
    comment = Comment.objects.create(topology=topology, node=_find_renamed(draft, node), text=text, author_id=by.pk)
    Mention.objects.bulk_create(
        Mention(comment=comment, user_id=user.pk) for user in _find_mentioned(topology, text) if user.pk != by.pk
    )
    return comment


def resolve_comment(*, comment: Comment, is_resolved: bool, by: AbstractUser) -> Comment:
    """Close a comment, or open it again. Nothing happens if it is so already."""
    if (comment.resolved_at is not None) != is_resolved:
        comment.resolved_at = timezone.now() if is_resolved else None
        comment.resolved_by_id = by.pk if is_resolved else None
        comment.save(update_fields=["resolved_at", "resolved_by"])
    return comment


def follow_renames(*, topology: Topology, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Give the comments of each renamed node its new name."""
    if not topology.comments.exists():
        return
    for old, new in _find_renames(before, after).items():
        for comment in topology.comments.filter(node=old):
            comment.node = new
            comment.save(update_fields=["node"])


def find_mentions(user: AbstractUser) -> QuerySet[Mention]:
    """The mentions of a user that the user has not seen, in topologies that the user may still see, newest first."""
    mentions = Mention.objects.filter(
        user=user.pk, seen_at=None, comment__topology__project__in=find_projects_seen(user)
    )
    return mentions.select_related("comment__topology", "comment__author").order_by("-id")


def note_seen(*, topology: Topology, user: AbstractUser) -> None:
    """The user has seen the comments of a topology."""
    Mention.objects.filter(user=user.pk, seen_at=None, comment__topology=topology).update(seen_at=timezone.now())


def _find_renamed(draft: Draft, node: str) -> str:
    """Return today's name of the node that had this name in the newest revision with such a node.

    A name in no kept revision stays: its node may not be saved yet.
    """
    later: list[Mapping[str, Any]] = []
    for graph in draft.revisions.values_list("graph", flat=True).iterator():
        later.insert(0, graph)
        if node in Graph.from_json(graph).by_id:
            break
    for before, after in pairwise(later):
        node = _find_renames(before, after).get(node, node)
    return node


def _find_renames(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, str]:
    """Return the new name of each renamed node by its old one.

    A draft does not say that a node was renamed, but a rename keeps its operator and place: it is one if a node
    vanished, and a new one of the same operator is where it was.
    """
    old, new = Graph.from_json(before), Graph.from_json(after)
    gone = {(node.operator, node.position): node.id for node in old.nodes if node.id not in new.by_id}
    come = {(node.operator, node.position): node.id for node in new.nodes if node.id not in old.by_id}
    return {gone[place]: name for place, name in come.items() if place in gone}


def _find_mentioned(topology: Topology, text: str) -> Iterator[AbstractUser]:
    """Others are not mentioned: the notice would tell them of a topology that they may not know."""
    names = {name.rstrip(".") for name in MENTION.findall(text)}
    for user in get_user_model().objects.filter(username__in=names, is_active=True):
        if topology.project_id in find_projects_seen(user):
            yield user
