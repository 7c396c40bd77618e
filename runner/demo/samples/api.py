"""Sample data over HTTP: the feed of flights, and applications of the gallery that run with records of their own."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from django.utils import timezone
from ninja import Schema, Status
from pydantic import Field

from designer.projects.permissions import find_projects_seen
from designer.projects.projects import get_project
from designer.projects.requests import get_topology, get_user
from designer.projects.roles import ANY_ACCOUNT, OPERATOR, VIEWER
from designer.projects.routing import Router
from designer.projects.schemas import RequestBody
from runner.control.jobs.api import DEPLOY_REFUSES
from runner.demo.samples import playing, services, tasks
from runner.demo.samples.models import SampleData, SampleFeed

router = Router(tags=["sample feed"])
MAX_RATE = 50_000
Rate = Annotated[float, Field(ge=1, le=MAX_RATE, allow_inf_nan=False, description="Flights a second.")]


class FeedOut(Schema):
    """What is wanted of the feed, and how far it is: `written` flights in all, `broken` records on request."""

    is_alive: bool
    rate: float
    is_paused: bool
    written: int
    broken: int
    topic: str

    @classmethod
    def of(cls, feed: SampleFeed) -> FeedOut:
        return cls(
            is_alive=services.is_alive(),
            rate=feed.rate,
            is_paused=feed.paused,
            written=feed.written,
            broken=feed.broken,
            topic="flights",
        )


class FeedIn(RequestBody):
    """What is left out stays as it is."""

    rate: Rate | None = None
    is_paused: bool | None = None


class BrokenRecordsIn(RequestBody):
    count: Annotated[int, Field(ge=1, le=100)]


@router.get(
    "/sample-feed",
    needs=ANY_ACCOUNT,
    response=FeedOut | None,
    summary="The sample feed and how far it is; null without one",
)
def read_feed(request: HttpRequest) -> FeedOut | None:
    feed = SampleFeed.objects.first()
    return FeedOut.of(feed) if feed else None


@router.patch(
    "/sample-feed",
    needs=OPERATOR.anywhere,
    audit="change the sample feed",
    response=FeedOut,
    summary="Change the rate of the sample feed, or pause it",
)
def change_feed(request: HttpRequest, body: FeedIn) -> FeedOut:
    return FeedOut.of(services.change(rate=body.rate, is_paused=body.is_paused, by=get_user(request)))


@router.post(
    "/sample-feed/broken",
    needs=OPERATOR.anywhere,
    audit="send a broken sample record",
    response={202: FeedOut},
    summary="Write malformed records among the flights",
)
def send_broken(request: HttpRequest, body: BrokenRecordsIn) -> Status[FeedOut]:
    return Status(202, FeedOut.of(services.send_broken(count=body.count, by=get_user(request))))


class SampleDataOut(Schema):
    """The sample data of a topology: whether its records are played, and the topics that were made for it."""

    topology: int
    project: str
    application: str = Field(description="Its id in the gallery.")
    is_playing: bool
    plays_until: datetime
    topics: list[str]

    @classmethod
    def of(cls, data: SampleData) -> SampleDataOut:
        return cls(
            topology=data.topology_id,
            project=data.topology.project.name,
            application=data.application,
            is_playing=data.plays_until > timezone.now(),
            plays_until=data.plays_until,
            topics=data.topics,
        )


class RunIn(RequestBody):
    project: str | None = Field(None, description="Project of the new topology. Default: `default`.")


class PlayIn(RequestBody):
    is_playing: bool = Field(description="Whether to play the records for the next 15 minutes, or to pause.")


@router.post(
    "/gallery/{application}/run",
    needs=OPERATOR.with_names("project"),
    audit="run with sample data",
    refuses=DEPLOY_REFUSES,
    response={202: SampleDataOut},
    summary="Run an application with sample data",
)
def run_with_sample_data(request: HttpRequest, application: str, body: RunIn) -> Status[SampleDataOut]:
    """Makes a topology and topics of its own, deploys it, and plays records for 15 minutes."""
    by, project = get_user(request), get_project(body.project)
    topology = playing.run_with_sample_data(application_id=application, by=by, project=project)
    data = playing.get_sample_data(topology)
    tasks.ask(data)
    return Status(202, SampleDataOut.of(data))


@router.get(
    "/sample-data",
    needs=ANY_ACCOUNT,
    response=list[SampleDataOut],
    summary="List the topologies that run with sample data",
)
def list_sample_data(request: HttpRequest) -> list[SampleDataOut]:
    """Of the projects that the user sees, the oldest first."""
    seen = SampleData.objects.filter(removed_by=None, topology__project__in=find_projects_seen(get_user(request)))
    return [SampleDataOut.of(data) for data in seen.select_related("topology__project").order_by("id")]


@router.get(
    "/topologies/{topology_id}/sample-data",
    needs=VIEWER,
    response=SampleDataOut | None,
    summary="Get the sample data of a topology",
)
def read_sample_data(request: HttpRequest, topology_id: int) -> SampleDataOut | None:
    """Null if the topology runs without sample data."""
    data = SampleData.objects.filter(topology=topology_id, removed_by=None).first()
    return SampleDataOut.of(data) if data else None


@router.patch(
    "/topologies/{topology_id}/sample-data",
    needs=OPERATOR,
    audit="play or pause sample data",
    response=SampleDataOut,
    summary="Play or pause the records of a topology",
)
def play_sample_data(request: HttpRequest, topology_id: int, body: PlayIn) -> SampleDataOut:
    data = playing.get_sample_data(get_topology(topology_id))
    data = playing.play(data=data) if body.is_playing else playing.pause(data=data)
    tasks.ask(data)
    return SampleDataOut.of(data)


@router.delete(
    "/topologies/{topology_id}/sample-data",
    needs=OPERATOR,
    audit="remove sample data",
    response={202: None},
    summary="Remove a topology with its sample data",
)
def remove_sample_data(request: HttpRequest, topology_id: int) -> Status[None]:
    """Stops the job, and deletes it with the topology and the topics that were made for it."""
    data = playing.get_sample_data(get_topology(topology_id))
    playing.ask_to_remove(data=data, by=get_user(request))
    tasks.ask(data)
    return Status(202, None)
