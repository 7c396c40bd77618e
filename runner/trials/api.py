"""Trials over HTTP: what a drawing makes of the newest records of its topics."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from designer.exchange import read_schemas
from designer.graph import Graph
from designer.limits import Json
from designer.requests import user_of
from runner.clusters.services import cluster_named
from runner.queries.api import WindowOut
from runner.trials import services

router = Router(tags=["trials"])


class TrialIn(Schema):
    """A drawing, saved or not, and the node whose output is wanted."""

    graph: Json
    schemas: Json = Field(default_factory=dict, description="Inferred schemas of sources, by node id.")
    node: str
    cluster: str | None = None
    lines: str | None = Field(
        None,
        max_length=1_000_000,
        description='Records to try instead of the newest, a line each, in this order: {"topic", "key", "value", '
        '"timestamp"}. Those of topics that do not feed the node are left out.',
    )


class OriginOut(Schema):
    """The record of a topic that was being processed."""

    topic: str
    partition: int
    offset: int


class TriedOut(Schema):
    """A record that left the node. Key and value are JSON texts, null is Kafka's own; `timestamp` ms since 1970."""

    key: str | None
    window: WindowOut | None
    value: str | None
    timestamp: int
    origin: OriginOut


class GivenOut(Schema):
    """How many records left by a port, and the newest of them."""

    count: int
    records: list[TriedOut]


class FailedOut(Schema):
    node: str
    message: str
    origin: OriginOut


class TrialOut(Schema):
    """`read`: records taken of each topic. `sources`: a few of each source. `counters`: in, out, dropped and errors of
    each node that was tried; `dropped`: those by node and reason.

    `stopped` is the refusal of a node whose policy is to fail; what came before it is here.
    """

    read: dict[str, int]
    outputs: dict[str, GivenOut]
    sources: list[TriedOut]
    counters: dict[str, dict[str, int]]
    dropped: dict[str, dict[str, int]]
    failed: list[FailedOut]
    stopped: dict[str, Any] | None


@router.post("/trials", response=TrialOut, summary="What a drawing makes of the newest records of its topics")
def try_out(request: HttpRequest, wanted: TrialIn) -> dict[str, Any]:
    """Nothing is written and no offset is committed: a process of its own gets the records and returns the answer."""
    return services.try_out(
        graph=Graph.from_json(wanted.graph),
        schemas=read_schemas(wanted.schemas),
        node=wanted.node,
        cluster=cluster_named(wanted.cluster).connect(),
        by=user_of(request),
        lines=wanted.lines,
    )
