"""Actions of administrators on hosts: drain one, take it back, forget a lost one."""

from __future__ import annotations

import logging
from collections import defaultdict
from itertools import chain
from typing import NamedTuple

from django.contrib.auth.models import AbstractUser
from django.db import transaction

from designer.refusals import Conflict, NotFound
from runner.control.jobs import hosts
from runner.control.jobs.models import AgentHost, Run
from runner.control.jobs.runs import ask_to_stop
from runner.control.jobs.statuses import LIVE, StopReason

log = logging.getLogger(__name__)


def get_host(name: str) -> AgentHost:
    """A host by its name. Raises NotFound."""
    host = AgentHost.objects.filter(name=name).first()
    if host is None:
        names = ", ".join(AgentHost.objects.order_by("name").values_list("name", flat=True)) or "none yet"
        raise NotFound(f"There is no host `{name}`.", f"Hosts: {names}.")
    return host


class HostState(NamedTuple):
    """A host, whether its agent lives, and its live runs, ordered by the names of their jobs.

    `movable` has the ids of those runs that another host can continue.
    """

    host: AgentHost
    is_alive: bool
    runs: list[Run]
    movable: frozenset[int]


def read_hosts() -> list[HostState]:
    """The states of all hosts, ordered by name. The number of queries is the same for any number of runs."""
    runs = defaultdict[str, list[Run]](list)
    for run in Run.objects.filter(status__in=LIVE).select_related("job__topology").order_by("job__name"):
        runs[run.host].append(run)
    living = set(hosts.find_living_hosts().values_list("name", flat=True))
    movable = hosts.find_movable(chain.from_iterable(runs.values()))
    return [
        HostState(each, each.name in living, runs[each.name], movable) for each in AgentHost.objects.order_by("name")
    ]


def read_host(name: str) -> HostState:
    """The state of a host. Raises NotFound."""
    host = get_host(name)
    runs = list_runs_on(host)
    return HostState(host, hosts.is_alive(name), runs, hosts.find_movable(runs))


def list_runs_on(host: AgentHost) -> list[Run]:
    """The live runs of a host, ordered by the names of their jobs."""
    return list(
        Run.objects.filter(host=host.name, status__in=LIVE).select_related("job__topology").order_by("job__name")
    )


@transaction.atomic
def drain(*, host: AgentHost, by: AbstractUser) -> None:
    """Give a host no new run, and move its jobs to other hosts: each that can move stops after its batch.

    Raises Conflict if no other host takes runs.
    """
    if not hosts.find_takers().exclude(id=host.id).exists():
        raise Conflict(
            f"No other host can take over the jobs of `{host}`.", "Start an agent on another host, or take one back."
        )
    _set_draining(host, True)
    movable = hosts.find_movable(runs := list_runs_on(host))
    for run in runs:
        if run.id in movable:
            ask_to_stop(run, StopReason.HOST_DRAINED)
    log.info("%s drains host %s", by, host)


def take_back(*, host: AgentHost, by: AbstractUser) -> None:
    """Let a drained host take runs again. Jobs that have moved stay where they are."""
    _set_draining(host, False)
    log.info("%s took host %s back", by, host)


def forget(*, host: AgentHost, by: AbstractUser) -> None:
    """Remove a host without an agent from the list. It returns when its agent starts."""
    if hosts.is_alive(host.name):
        raise Conflict(f"The agent of host `{host}` is running.", "Stop the agent first.")
    host.delete()
    log.info("%s forgot host %s", by, host)


def _set_draining(host: AgentHost, is_draining: bool) -> None:
    """Saves only that field: the agent beats meanwhile."""
    host.draining = is_draining
    host.save(update_fields=["draining"])
