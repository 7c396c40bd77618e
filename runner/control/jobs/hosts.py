"""Which hosts can execute runs, by what they report about themselves, and which of them gets a run."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from datetime import timedelta
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil
from django.conf import settings
from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Now

from designer.command_line import MANAGE
from designer.refusals import Conflict, Refusal
from runner.control.clusters.checkpoints import is_shared, list_shared_roots
from runner.control.codes import ControlCode
from runner.control.jobs.models import AgentHost, Product, Run
from runner.control.jobs.statuses import LIVE
from runner.plan import Plan
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.failures import DiskBroken

SILENCE = timedelta(seconds=10)


class NoAgent(Refusal):
    """No host can execute a run now. The retry is automatic."""

    code = ControlCode.AGENT_MISSING
    status = 503


class HostOutdated(Refusal):
    """A host has another version of the product. The retry is automatic."""

    code = ControlCode.HOST_OUTDATED
    status = 503

    def __init__(self, *hosts: AgentHost) -> None:
        names, wanted_version = ", ".join(f"`{host}`" for host in hosts), get_wanted_version()
        super().__init__(
            f"Hosts of another version than {wanted_version} take no job: {names}.",
            f"Install version {wanted_version} there, and start the agent again.",
        )


class HostAway(Refusal):
    """The only host with a job's checkpoint has no agent. The retry is automatic."""

    code = ControlCode.HOST_AWAY
    status = 503


def note_beat(name: str, boot: str) -> None:
    """Note that the agent of this machine lives. Records a new or forgotten host."""
    facts = {"boot_id": boot} | _read_facts() | _measure_room()
    if not AgentHost.objects.filter(name=name).update(beat_at=Now(), **facts):
        AgentHost.objects.create(name=name, **facts)


@cache
def _read_facts() -> dict[str, int | str]:
    return {
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": psutil.virtual_memory().total,
        "version": get_our_version(),
    }


def get_wanted_version() -> str:
    """Return the version that a host needs to take runs. Every start asks, so an upgrade takes hosts one by one.

    1. `manage.py migrate` of the new version changes the tables, and notes its version in `Product` as its last step.
    2. From then on an agent of another version gets no run: its code may not know the new tables or plans. Its live
       runs go on with the code that they have.
    3. An agent that ends asks its runs to stop after their batch. Agents of the old version do not begin them again.
    4. An agent of the new version begins them, with the stored plan of each run: same epoch, same checkpoint.
    5. A plan that the old version stored is read with the defaults of what it lacks (`runner.plan.Plan`).

    A crash before the end of 1 leaves the old version wanted, and the migration is repeated. After it, nothing of an
    upgrade is kept in memory: each step asks Postgres again. A kill -9 instead of 3 is a crash like any other, and the
    leases cover it. `test_hosts.py` shows 2 (`test_a_host_of_another_version_is_given_no_run`), 3
    (`test_an_agent_of_another_version_follows_no_run`) and what happens to a run in between
    (`test_an_agent_gives_back_a_run_from_before_its_version_was_another`). `python -m tests.soak.upgrade` upgrades a
    product of the last release after a stop and after a kill.
    """
    return Product.objects.values_list("version", flat=True).first() or get_our_version()


@cache
def get_our_version() -> str:
    """The version of the installed package. A checkout is not installed, and names the release it would be."""
    try:
        return version("streamwright")
    except PackageNotFoundError:
        project = tomllib.loads(Path(settings.BASE_DIR, "pyproject.toml").read_text())
        return str(project["tool"]["setuptools_scm"]["fallback_version"])


def _measure_room() -> dict[str, int]:
    disk = psutil.disk_usage(str(settings.HOME))
    return {
        "memory_free_bytes": psutil.virtual_memory().available,
        "disk_bytes": disk.total,
        "disk_free_bytes": disk.free,
    }


def refuse_taken(name: str, boot: str) -> None:
    """Raises Conflict if the agent of another machine has that name."""
    if find_living_hosts().filter(name=name).exclude(boot_id=boot).exists():
        raise Conflict(
            f"The agent of another machine is also called `{name}`.", "Set STREAMWRIGHT_HOST to another name on one."
        )


def leave(name: str) -> None:
    """Forget a host whose agent ends. A drained one stays, so that it takes no run when it returns."""
    AgentHost.objects.filter(name=name, draining=False).delete()
    # silent from now on: nobody waits ten seconds for a host that has said goodbye
    AgentHost.objects.filter(name=name).update(beat_at=Now() - SILENCE)


def take_back_beats() -> None:
    """Postgres' clock was set back: a host that beat at a later time has done so now."""
    AgentHost.objects.filter(beat_at__gt=Now()).update(beat_at=Now())


def find_living_hosts() -> QuerySet[AgentHost]:
    """The hosts with live agents."""
    return AgentHost.objects.filter(beat_at__gt=Now() - SILENCE)


def find_takers() -> QuerySet[AgentHost]:
    """The hosts for new runs: alive, not draining, and of the product's version."""
    return find_living_hosts().filter(draining=False, version=get_wanted_version())


def is_alive(name: str) -> bool:
    return find_living_hosts().filter(name=name).exists()


def find_outdated() -> QuerySet[AgentHost]:
    """The living hosts of another version than the product's, by name."""
    return find_living_hosts().exclude(version=get_wanted_version()).order_by("name")


def choose_least_loaded(last: str = "") -> str:
    """The name of the host for a new run: the taker with the fewest runs for its cores.

    Chooses the host `last` only if there is no other. Raises NoAgent, HostOutdated.
    """
    runs = Run.objects.filter(host=OuterRef("name"), status__in=LIVE).values("host").annotate(count=Count("id"))
    load = Coalesce(Subquery(runs.values("count")), Value(0), output_field=IntegerField())
    hosts = find_takers().annotate(load=load)
    host = min(hosts, key=lambda host: (host.name == last, host.load / max(host.cores, 1), host.name), default=None)
    if host is None and (others := find_outdated().filter(draining=False)):
        raise HostOutdated(*others)
    if host is None and find_living_hosts().exists():
        raise NoAgent("Every host is being drained.", "Start an agent on another host, or take a host back.")
    if host is None:
        raise NoAgent("No agent is running to start the run.", f"Start an agent with `{MANAGE} agent`.")
    return host.name


def choose_next_host(last: Run | None) -> str:
    """The host for the run after `last`: the same one as long as it takes runs.

    If its checkpoint is on that host's own disk, no other host can continue with it. The same machine may have another
    name now. Raises NoAgent, HostAway, HostOutdated.
    """
    if last is None:
        return choose_least_loaded()
    if may_move(last) and (_broke(last) or not find_takers().filter(name=last.host).exists()):
        return choose_least_loaded(last.host)
    if not is_alive(last.host):
        if find_takers().filter(name=settings.HOST).exists() and get_file(last.read_plan().checkpoint).exists():
            return str(settings.HOST)
        raise HostAway(
            f"The job waits for host `{last.host}`, because only that host has its checkpoint.",
            f"Start the agent of `{last.host}` again. With STREAMWRIGHT_CHECKPOINTS other hosts can take jobs over.",
        )
    if others := find_outdated().filter(name=last.host):
        raise HostOutdated(*others)
    return last.host


def _broke(last: Run) -> bool:
    """Whether a run ended because of a broken disk of its own host."""
    return last.spark_id is None and (last.failure or {}).get("code") == DiskBroken.code


def may_move(last: Run) -> bool:
    """Whether another host can continue a run: every host sees the checkpoints that it reads."""
    return last.id in find_movable([last])


def find_movable(runs: Iterable[Run]) -> frozenset[int]:
    """The ids of those runs that another host can continue. Two queries, however many runs these are.

    A run's own checkpoint is one that it reads once any run of the epoch has started. An earlier one may have, if this
    one has not.
    """
    of_job = Run.objects.filter(job=OuterRef("job"))
    of_epoch, of_revision = of_job.filter(epoch=OuterRef("epoch")), of_job.filter(revision=OuterRef("revision"))
    facts = Run.objects.filter(id__in=[run.id for run in runs]).annotate(
        is_started=Exists(of_epoch.filter(started_at__isnull=False)),
        has_begun=Exists(of_epoch.filter(last_batch__isnull=False)),
        has_moved=Exists(of_revision.filter(last_batch__isnull=False)),
    )
    roots = list_shared_roots()
    return frozenset(
        run.id
        for run in facts
        if all(
            is_shared(each, roots)
            for each in _list_read(run.read_plan_without(seed=run.has_begun, moves=run.has_moved), run.is_started)
        )
    )


def _list_read(plan: Plan, is_started: bool) -> list[str]:
    """The checkpoints that a run with this plan reads."""
    read = [*([plan.seed.checkpoint] if plan.seed else []), *(move.source for move in plan.moves)]
    return [*read, plan.checkpoint] if is_started else read
