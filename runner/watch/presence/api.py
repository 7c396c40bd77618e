"""Comments on nodes over HTTP. The websocket of the topology tells all who have it open that there are new ones."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Schema, Status
from pydantic import Field

from designer.projects.comments import add_comment, find_mentions, note_seen, resolve_comment
from designer.projects.models import Comment, Mention
from designer.projects.permissions import list_people
from designer.projects.requests import get_topology, get_user
from designer.projects.roles import ANY_ACCOUNT, EDITOR, VIEWER
from designer.projects.routing import Router
from designer.projects.schemas import RequestBody
from designer.refusals import NotFound
from designer.topology.graph import MAX_NODE_ID_LENGTH

router = Router(tags=["comments"])


class CommentOut(Schema):
    id: int
    node: str
    text: str
    author: str | None
    created_at: datetime
    resolved_at: datetime | None
    resolved_by: str | None

    @staticmethod
    def resolve_author(comment: Comment) -> str | None:
        return comment.author.get_username() if comment.author else None

    @staticmethod
    def resolve_resolved_by(comment: Comment) -> str | None:
        return comment.resolved_by.get_username() if comment.resolved_by else None


class CommentIn(RequestBody):
    node: Annotated[str, Field(min_length=1, max_length=MAX_NODE_ID_LENGTH)]
    text: str = Field(description="`@name` mentions a user who may see the topology.")


class CommentChange(RequestBody):
    is_resolved: bool


class MentionOut(Schema):
    """A comment that names the user, who has not seen it."""

    id: int
    topology: int
    topology_name: str
    node: str
    text: str
    author: str | None

    @classmethod
    def of(cls, mention: Mention) -> MentionOut:
        comment = mention.comment
        return cls(
            id=mention.pk,
            topology=comment.topology_id,
            topology_name=comment.topology.name,
            node=comment.node,
            text=comment.text,
            author=comment.author.get_username() if comment.author else None,
        )


@router.get(
    "/topologies/{topology_id}/comments",
    needs=VIEWER,
    response=list[CommentOut],
    summary="The comments on a topology's nodes, oldest first",
)
def list_comments(request: HttpRequest, topology_id: int) -> QuerySet[Comment]:
    return get_topology(topology_id).comments.select_related("author", "resolved_by")


@router.get(
    "/topologies/{topology_id}/people",
    needs=EDITOR,
    response=list[str],
    summary="The names of the users whom a comment can mention: those who may see the topology",
)
def list_people_of_topology(request: HttpRequest, topology_id: int) -> list[str]:
    return list_people(get_topology(topology_id).project_id)


@router.post(
    "/topologies/{topology_id}/comments",
    needs=EDITOR,
    audit="comment on a node",
    response={201: CommentOut},
    summary="Comment on a node",
)
def comment_on_node(request: HttpRequest, topology_id: int, body: CommentIn) -> Status[Comment]:
    comment = add_comment(topology=get_topology(topology_id), node=body.node, text=body.text, by=get_user(request))
    return Status(201, comment)


@router.patch(
    "/topologies/{topology_id}/comments/{int:comment_id}",
    needs=EDITOR,
    audit="resolve a comment or open it again",
    response=CommentOut,
    summary="Resolve a comment, or open it again",
)
def change_comment(request: HttpRequest, topology_id: int, comment_id: int, body: CommentChange) -> Comment:
    comment = Comment.objects.filter(topology=topology_id, id=comment_id).first()
    if comment is None:
        raise NotFound(f"There is no comment {comment_id}.", "List the comments of the topology again.")
    resolve_comment(comment=comment, is_resolved=body.is_resolved, by=get_user(request))
    return comment


@router.get(
    "/mentions",
    needs=ANY_ACCOUNT,
    response=list[MentionOut],
    summary="Comments that name you and that you have not seen",
)
def list_mentions(request: HttpRequest) -> list[MentionOut]:
    return [MentionOut.of(mention) for mention in find_mentions(get_user(request))[:50]]


@router.post(
    "/topologies/{topology_id}/mentions/seen",
    needs=VIEWER.asking,
    response={204: None},
    summary="Note that you have seen the comments of a topology",
)
def note_mentions_seen(request: HttpRequest, topology_id: int) -> Status[None]:
    note_seen(topology=get_topology(topology_id), user=get_user(request))
    return Status(204, None)
