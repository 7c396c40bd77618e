"""The sample feed over HTTP: its progress, its rate, a pause, and unreadable records."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from designer.schemas import RequestBody
from runner.demo.samples import services
from runner.demo.samples.models import SampleFeed

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


@router.get("/sample-feed", response=FeedOut | None, summary="The sample feed and how far it is; null without one")
def read_feed(request: HttpRequest) -> FeedOut | None:
    feed = SampleFeed.objects.first()
    return FeedOut.of(feed) if feed else None


@router.patch("/sample-feed", response=FeedOut, summary="Change the rate of the sample feed, or pause it")
def change_feed(request: HttpRequest, body: FeedIn) -> FeedOut:
    return FeedOut.of(services.change(rate=body.rate, is_paused=body.is_paused))


@router.post("/sample-feed/broken", response={202: FeedOut}, summary="Write malformed records among the flights")
def send_broken(request: HttpRequest, body: BrokenRecordsIn) -> Status[FeedOut]:
    return Status(202, FeedOut.of(services.send_broken(count=body.count)))
