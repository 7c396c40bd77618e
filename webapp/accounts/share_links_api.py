"""Share links over HTTP: editors make and revoke them, and anyone who has one reads its topology without a sign-in.

What strangers get is chosen member by member. A member of the live numbers that is not named here is not sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

import orjson
from django.http import HttpRequest, HttpResponse
from ninja import Field, Schema, Status
from typing_extensions import TypedDict

from designer.projects.models import StoredGraph, Version
from designer.projects.presentation import describe_operators
from designer.projects.requests import get_topology, get_user
from designer.projects.roles import EDITOR, PUBLIC
from designer.projects.routing import Router
from designer.projects.schemas import KeptGraph, OperatorOut, RequestBody
from designer.refusals import Refusal
from designer.streams.flows import find_valid_operators
from designer.streams.topics import WritesTopic
from runner.control.clusters.internal_topics import is_hidden
from runner.control.codes import ControlCode
from runner.control.jobs import statuses
from runner.control.jobs.models import Job
from runner.kafka import NotAllowed, TopicMissing
from runner.watch.live import snapshot
from runner.watch.live.messages import RunNumbers
from runner.watch.topics.decoding import decode
from runner.watch.topics.registry import RecordSchemas
from runner.watch.topics.uses import find_schema
from webapp.accounts import share_links
from webapp.accounts.models import ShareLink, User
from webapp.accounts.permissions import read_bearer
from webapp.accounts.throttle import count_read
from webapp.codes import WebCode

router = Router(tags=["share links"])
SHOWN_OF_RUN = ("at", "run", "generation", "rate", "lag", "waiting", "latency_ms", "state", "batch", "slowest")
SHOWN_OF_NODE = ("in", "out", "dropped", "errors", "rate", "out_rate", "busy", "state")
SHOWN_OF_SOURCE = ("rate", "total_lag", "lag_s", "catch_up_s", "trend", "held_up", "lag")
MAX_TOPICS, MAX_RECORDS = 5, 5
"""Topics whose records a link shows, and the records of each."""


class RecordsHidden(Refusal):
    """The maker of the link did not choose to show records."""

    code = WebCode.SHARED_NO_RECORDS
    status = 403


class ShareLinkIn(RequestBody):
    hours: int = Field(24, description=f"Lifetime in hours, at most {share_links.MAX_HOURS}.")
    shows_records: bool = Field(False, description="Whether it shows the newest records that the version writes.")


class ShareLinkOut(Schema):
    """A link without its secret. `begins` are its first characters."""

    id: int
    begins: str
    shows_records: bool
    created_by: str
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None

    @staticmethod
    def resolve_created_by(link: ShareLink) -> str:
        return link.created_by.get_username()


class NewShareLinkOut(Schema):
    link: ShareLinkOut
    text: str = Field(description="The secret, which the address of the page ends with. It is shown only now.")


class SharedOut(Schema):
    """A topology as a share link shows it: the running version, or the draft if none was ever deployed."""

    name: str
    drawing: str = Field(description="Changes when another drawing is to be shown.")
    version: int | None = Field(description="Number of the version. Null for a draft.")
    graph: KeptGraph
    operators: list[OperatorOut] = Field(description="Only those in the graph.")
    shows_records: bool
    expires_at: datetime


class SharedLive(TypedDict):
    """The live numbers that a share link shows. Status and numbers are null if there is no job or no run."""

    drawing: str
    status: statuses.Status | None
    run: int | None
    numbers: RunNumbers | None
    age_ms: int | None


class SharedRecordOut(Schema):
    partition: int
    offset: int
    timestamp: int
    key: str | None
    is_key_base64: bool
    value: str | None
    is_value_base64: bool


class SharedTopicOut(Schema):
    topic: str
    records: list[SharedRecordOut]


@router.get(
    "/topologies/{topology_id}/share-links",
    needs=EDITOR.in_person,
    response=list[ShareLinkOut],
    summary="The share links of a topology",
)
def list_share_links(request: HttpRequest, topology_id: int) -> Any:
    return share_links.find_links(get_topology(topology_id))


@router.post(
    "/topologies/{topology_id}/share-links",
    needs=EDITOR.in_person,
    audit="create a share link",
    response={201: NewShareLinkOut},
    summary="Create a link with which anybody reads a topology",
)
def create_share_link(request: HttpRequest, topology_id: int, body: ShareLinkIn) -> Status[Any]:
    link, text = share_links.create(
        topology=get_topology(topology_id),
        by=cast(User, get_user(request)),
        hours=body.hours,
        shows_records=body.shows_records,
    )
    link.refresh_from_db()
    return Status(201, {"link": link, "text": text})


@router.delete(
    "/topologies/{topology_id}/share-links/{int:share_link_id}",
    needs=EDITOR.in_person,
    audit="revoke a share link",
    response={204: None},
    summary="Revoke a share link",
)
def revoke_share_link(request: HttpRequest, topology_id: int, share_link_id: int) -> Status[None]:
    share_links.revoke(topology=get_topology(topology_id), link_id=share_link_id)
    return Status(204, None)


@router.get(
    "/shared",
    needs=PUBLIC,
    auth=None,
    refuses=[WebCode.SHARED_UNKNOWN, WebCode.SHARED_TOO_MANY, WebCode.SHARED_UNAVAILABLE],
    response=SharedOut,
    summary="The topology of a share link, which is the bearer token",
)
def read_shared(request: HttpRequest) -> SharedOut:
    link = _open_link(request)
    drawing, shown, _ = _find_drawing(link)
    used = {node.operator for node in shown.read_graph().nodes}
    return SharedOut(
        name=link.topology.name,
        drawing=drawing,
        version=shown.number if isinstance(shown, Version) else None,
        graph=shown.graph,
        operators=[operator for operator in describe_operators() if operator.name in used],
        shows_records=link.shows_records,
        expires_at=link.expires_at,
    )


@router.get(
    "/shared/live",
    needs=PUBLIC,
    auth=None,
    refuses=[WebCode.SHARED_UNKNOWN, WebCode.SHARED_TOO_MANY, WebCode.SHARED_UNAVAILABLE],
    response=SharedLive,
    summary="The live numbers of a share link's topology, without contents of records",
)
def read_shared_live(request: HttpRequest) -> HttpResponse:
    drawing, _, job = _find_drawing(_open_link(request))
    state: Mapping[str, Any] = {} if job is None else snapshot.read(job)
    answer = {
        "drawing": drawing,
        "status": state.get("status"),
        "run": state.get("run"),
        "numbers": _choose_numbers(state.get("numbers")),
        "age_ms": state.get("age_ms"),
    }
    return HttpResponse(orjson.dumps(answer), content_type="application/json")


@router.get(
    "/shared/records",
    needs=PUBLIC,
    auth=None,
    refuses=[
        WebCode.SHARED_UNKNOWN,
        WebCode.SHARED_NO_RECORDS,
        ControlCode.CLUSTER_SECRET_LOST,
        WebCode.SHARED_TOO_MANY,
        WebCode.SHARED_UNAVAILABLE,
    ],
    response=list[SharedTopicOut],
    summary="The newest records that a share link's topology has written, if the link shows them",
)
def read_shared_records(request: HttpRequest) -> list[SharedTopicOut]:
    link = _open_link(request)
    if not link.shows_records:
        raise RecordsHidden("This link shows no records.", "Ask the person who sent it for one that does.")
    _, shown, job = _find_drawing(link)
    return [] if job is None else list(_read_written(link, shown, job))


def _open_link(request: HttpRequest) -> ShareLink:
    count_read(request)
    try:
        return share_links.open_link(read_bearer(request) or "")
    except share_links.UnknownLink:
        count_read(request, is_unknown=True)
        raise


def _find_drawing(link: ShareLink) -> tuple[str, StoredGraph, Job | None]:
    """What a link shows, with a name that changes when it does, and its job."""
    job = Job.objects.filter(topology=link.topology_id).select_related("cluster", "version").order_by("id").first()
    if job is None:
        draft = link.topology.draft
        return f"draft {draft.revision}", draft, None
    run = job.find_last_run()
    version = run.version if run else job.version
    return f"version {version.number}", version, job


def _choose_numbers(numbers: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Only figures: samples of records and texts that name programs, hosts or errors are left out."""
    if numbers is None:
        return None
    return {
        **_choose(numbers, SHOWN_OF_RUN),
        "nodes": {name: _choose(node, SHOWN_OF_NODE) for name, node in numbers["nodes"].items()},
        "sources": {name: _choose(source, SHOWN_OF_SOURCE) for name, source in numbers["sources"].items()},
    }


def _choose(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: values[name] for name in names if name in values}


def _read_written(link: ShareLink, shown: StoredGraph, job: Job) -> Any:
    """The newest records of each topic that a version writes."""
    operators = find_valid_operators(shown.read_graph()).values()
    names = {name for each in operators if isinstance(each, WritesTopic) for name in each.topic_names()}
    connection = job.cluster.connect()
    for topic in sorted(name for name in names if not is_hidden(name))[:MAX_TOPICS]:
        try:
            messages = connection.sample(topic, MAX_RECORDS)
        except (NotAllowed, TopicMissing):
            continue
        schema = find_schema(job.cluster, connection, topic, [link.topology.project_id])
        schemas = RecordSchemas(job.cluster.find_registry(), topic)
        records = [decode(each, schema.key, schema.value, schemas, frozenset()) for each in reversed(messages)]
        yield SharedTopicOut(
            topic=topic,
            records=[SharedRecordOut(**each.model_dump(include=set(SharedRecordOut.model_fields))) for each in records],
        )
