"""Hosts over HTTP: the list, their jobs, and draining one."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.http import HttpRequest
from ninja import Schema, Status

from designer.projects.permissions import explain_lack, find_projects_seen
from designer.projects.requests import get_user
from designer.projects.roles import VIEWER
from designer.projects.routing import Router
from runner.control.clusters.permissions import CLUSTERS
from runner.control.hosts import services
from runner.control.jobs import hosts

router = Router(tags=["hosts"])


class HostOut(Schema):
    """A machine that executes runs. `jobs` are those at work there that the user may see; `stay` are those of them
    that cannot move.

    `is_alive`: its agent has spoken within ten seconds, else the last time was `seen_at`. `version` is the product's.
    """

    name: str
    is_alive: bool
    is_draining: bool
    seen_at: datetime
    cores: int
    memory_bytes: int
    version: str
    jobs: list[str]
    stay: list[str]

    @classmethod
    def of(cls, state: services.HostState, project_ids: Collection[int]) -> HostOut:
        host, is_alive, live_runs, movable = state
        runs = [run for run in live_runs if run.job.topology.project_id in project_ids]
        return cls(
            name=host.name,
            is_alive=is_alive,
            is_draining=host.draining,
            seen_at=host.beat_at,
            cores=host.cores,
            memory_bytes=host.memory_bytes,
            version=host.version,
            jobs=[run.job.name for run in runs],
            stay=[run.job.name for run in runs if run.id not in movable],
        )


class HostsOut(Schema):
    """All hosts. A host of another `version` takes no run. `may_change`: whether the user may drain one."""

    hosts: list[HostOut]
    version: str
    may_change: bool


@router.get("/hosts", needs=VIEWER.anywhere, response=HostsOut, summary="List the hosts that run jobs")
def list_hosts(request: HttpRequest) -> HostsOut:
    project_ids = find_projects_seen(get_user(request))
    return HostsOut(
        hosts=[HostOut.of(state, project_ids) for state in services.read_hosts()],
        version=hosts.get_wanted_version(),
        may_change=not explain_lack(get_user(request), CLUSTERS),
    )


@router.post(
    "/hosts/{name}/drain",
    needs=CLUSTERS,
    audit="drain a host",
    response=HostOut,
    summary="Drain a host: its jobs move, and it gets no new run",
)
def drain(request: HttpRequest, name: str) -> HostOut:
    services.drain(host=services.get_host(name), by=get_user(request))
    return HostOut.of(services.read_host(name), find_projects_seen(get_user(request)))


@router.post(
    "/hosts/{name}/take-back",
    needs=CLUSTERS,
    audit="take a host back",
    response=HostOut,
    summary="Let a drained host take runs again",
)
def take_back(request: HttpRequest, name: str) -> HostOut:
    services.take_back(host=services.get_host(name), by=get_user(request))
    return HostOut.of(services.read_host(name), find_projects_seen(get_user(request)))


@router.delete(
    "/hosts/{name}",
    needs=CLUSTERS,
    audit="forget a host",
    response={204: None},
    summary="Remove a host that has no agent",
)
def forget(request: HttpRequest, name: str) -> Status[None]:
    services.forget(host=services.get_host(name), by=get_user(request))
    return Status(204, None)
