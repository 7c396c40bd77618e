"""Which machine a run goes to: the live agent with the fewest runs."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Count, IntegerField, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce, Now

from designer.refusals import Refusal
from runner.control.jobs.models import AgentHost, Run
from runner.control.jobs.statuses import LIVE

SILENCE = timedelta(seconds=10)


class NoAgent(Refusal):
    """Nobody could carry out a run now; it is tried again by itself."""

    code = "agent.missing"
    status = 503


def beat(name: str, boot: str) -> None:
    """Say that the agent of this machine lives."""
    AgentHost.objects.update_or_create(name=name, defaults={"boot_id": boot, "beat_at": Now()})


def leave(name: str) -> None:
    AgentHost.objects.filter(name=name).delete()


def least_loaded() -> str:
    """The name of the host for a new run; raises NoAgent."""
    runs = Run.objects.filter(host=OuterRef("name"), status__in=LIVE).values("host").annotate(count=Count("id"))
    load = Coalesce(Subquery(runs.values("count")), Value(0), output_field=IntegerField())
    hosts = AgentHost.objects.filter(beat_at__gt=Now() - SILENCE).annotate(load=load)
    host = hosts.order_by("load", "name").first()
    if host is None:
        raise NoAgent("No agent is running to start the run.", "Start an agent with `manage.py agent`.")
    return host.name


def is_alive(name: str) -> bool:
    return AgentHost.objects.filter(name=name, beat_at__gt=Now() - SILENCE).exists()
