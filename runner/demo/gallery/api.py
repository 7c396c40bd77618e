"""The gallery over HTTP: applications to begin a topology with."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from designer.answers import KeptGraph
from runner.demo.gallery import gallery

router = Router(tags=["gallery"])


class ApplicationOut(Schema):
    """A topology to begin with: import name and graph to have it."""

    id: str
    name: str
    about: str = Field(description="What it does, and where it differs from its printed form.")
    graph: KeptGraph


@router.get("/gallery", response=list[ApplicationOut], summary="Applications to begin a topology with")
def list_gallery(request: HttpRequest) -> list[dict[str, Any]]:
    return [{"id": application_id, **exported} for application_id, exported in gallery().items()]
