"""The writes on the sample feed, by users and by the feed itself, and the product's sample topology."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.text import slugify

from designer.command_line import MANAGE, START
from designer.projects.models import Topology
from designer.projects.permissions import refuse
from designer.projects.roles import OPERATOR
from designer.projects.services import import_topology
from designer.refusals import NotFound
from runner.control.jobs.models import Job
from runner.demo.samples import FLIGHT_DELAYS, get_sample
from runner.demo.samples.models import SampleFeed
from runner.demo.samples.pace import START_RATE, WantedPace

JOB = "flight-delays"
THE_ONE = 1
SILENCE = timedelta(seconds=5)


def get_feed() -> SampleFeed:
    """The sample feed of this installation. Raises NotFound if none ever ran."""
    feed = SampleFeed.objects.filter(id=THE_ONE).first()
    if feed is None:
        raise NotFound(
            "This installation has no sample feed.", f"`{START}` starts one; elsewhere `{MANAGE} feed --loop` does."
        )
    return feed


def is_alive() -> bool:
    """Whether the feed beat recently, in Postgres time."""
    return SampleFeed.objects.filter(id=THE_ONE, beat_at__gt=Now() - SILENCE).exists()


def change(*, rate: float | None = None, is_paused: bool | None = None, by: AbstractUser) -> SampleFeed:
    """Change the wanted rate, or pause or continue the feed. None keeps a value. The feed sees it within 0.5 s.

    Raises RoleMissing and NotFound unless the user is an operator in the project of the sample topology.
    """
    feed = get_feed()
    _refuse_foreign(by)
    wishes = {name: value for name, value in {"rate": rate, "paused": is_paused}.items() if value is not None}
    SampleFeed.objects.filter(id=feed.id).update(**wishes)
    return get_feed()


def send_broken(*, count: int, by: AbstractUser) -> SampleFeed:
    """Request malformed records in the topic, even while paused. Raises what `change` does."""
    feed = get_feed()
    _refuse_foreign(by)
    SampleFeed.objects.filter(id=feed.id).update(broken_asked=F("broken_asked") + count)
    return get_feed()


def _refuse_foreign(user: AbstractUser) -> None:
    sample = find_sample_topology()
    refuse(user, OPERATOR, [("topology_id", sample.pk)] if sample else [])


@transaction.atomic
def note_progress(*, flight_count: int, broken_count: int, rate: float | None) -> WantedPace:
    """The feed reports its progress and gets the wishes.

    `written` counts all flights of the topic, `broken` the records written on request since the last beat. `rate` is
    the start value of a feed: it replaces the rate wanted before.
    """
    feed, _ = SampleFeed.objects.select_for_update().get_or_create(id=THE_ONE, defaults={"rate": START_RATE})
    if rate is not None:
        feed.rate, feed.paused = rate, False
    feed.written = flight_count
    feed.broken += broken_count
    feed.beat_at = Now()
    feed.save()
    return WantedPace(feed.rate, feed.paused, feed.broken_asked - feed.broken)


def find_sample_topology() -> Topology | None:
    """The product's sample topology, even after a deploy and a new name."""
    return Topology.objects.filter(slug=slugify(get_sample(FLIGHT_DELAYS)["name"])).first()


def is_sample_deployed() -> bool:
    """Whether the sample's job exists, running or not."""
    return Job.objects.filter(name=JOB).exists()


def ensure_sample_topology(*, by: AbstractUser | None) -> Topology:
    """The product's sample topology. Imports it if it is missing."""
    return find_sample_topology() or import_topology(export=get_sample(FLIGHT_DELAYS), by=by)
