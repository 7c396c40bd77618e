"""The gallery over HTTP: applications to begin a topology with."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest
from ninja import Schema
from pydantic import Field

from designer.limits import Json
from designer.projects.code_permission import describe_python
from designer.projects.requests import get_user
from designer.projects.roles import ANY_ACCOUNT
from designer.projects.routing import Router
from designer.projects.schemas import KeptGraph
from designer.topology.graph import Graph
from designer.topology.user_code import find_nodes_with_code
from runner.demo.gallery import Purpose, read_gallery, read_gallery_examples, read_purpose

router = Router(tags=["gallery"])


class ShownRecord(Schema):
    """A record of a topic, with key and value as JSON."""

    topic: str
    key: Json
    value: Json
    timestamp: int


class ApplicationOut(Schema):
    """A topology to begin with: import name and graph to have it."""

    id: str
    name: str
    about: str = Field(description="What it does, and where it differs from its printed form.")
    purpose: Purpose
    records: list[ShownRecord] = Field(description="Five input records.")
    results: list[ShownRecord] = Field(description="The first output records.")
    why_not_run: str = Field(description="Why this user may not run it here, and the next step. Empty if they may.")
    graph: KeptGraph


@router.get(
    "/gallery", needs=ANY_ACCOUNT, response=list[ApplicationOut], summary="List the applications of the gallery"
)
def list_gallery(request: HttpRequest) -> list[Mapping[str, object]]:
    why_no_code = describe_python(get_user(request))["why"]
    return [
        {
            "id": each,
            "purpose": read_purpose(each),
            **application,
            **read_gallery_examples()[each],
            "why_not_run": why_no_code if find_nodes_with_code(Graph.from_json(application["graph"])) else "",
        }
        for each, application in read_gallery().items()
    ]
