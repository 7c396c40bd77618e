"""One look at everything: all jobs with their live numbers, and all hosts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.db.models.functions import Now
from django.utils import timezone
from typing_extensions import TypedDict

from runner.control.clusters.certificates import list_certificates
from runner.control.clusters.models import Cluster
from runner.control.jobs import hosts, restart_policy
from runner.control.jobs.models import AgentHost, Job, Run
from runner.control.jobs.statuses import LIVE, Status
from runner.watch.breakpoints.models import AlertedHit, find_hits
from runner.watch.live import snapshot
from runner.watch.live.messages import Point, Snapshot
from runner.watch.topics.models import BreakingSchema, find_breaking


class JobFacts(TypedDict):
    """What is known of a job besides its snapshot."""

    application: str
    """Its application id."""
    name: str
    topology: str
    version: str
    """The number of the version that should run."""
    host: str
    """The host of its newest run."""
    cluster: str
    spark: str
    """Its Spark cluster. Empty on a host of Streamwright."""
    recent_failures: int
    """Failed runs of the last minutes, without requested kills."""
    asked_s: float
    """Time since a user's last request for it."""
    oldest: Point | None
    """The first point of its last hour."""
    breaking_schemas: list[BreakingSchema]
    """The newest schemas with which its records fail."""
    hits: list[AlertedHit]
    """Hits of its breakpoints that are alerts."""
    certificate_days: int | None
    """Days until the first certificate of its cluster, or of a broker, ends."""


class HostFacts(TypedDict):
    """What the agent of a host has last reported."""

    host: str
    up: bool
    draining: bool
    outdated: bool
    """It has another version than the product."""
    jobs: int
    cores: int
    memory_bytes: int
    memory_free_bytes: int
    disk_bytes: int
    disk_free_bytes: int
    beat_at: float
    """When it reported, in s since 1970."""


@dataclass(frozen=True, slots=True)
class Fleet:
    """Each job with its snapshot (`runner.watch.live.snapshot`), and each host."""

    jobs: Sequence[tuple[JobFacts, Snapshot]]
    hosts: Sequence[HostFacts]


def read_fleet() -> Fleet:
    """The present facts of all jobs and hosts, from Postgres and Redis."""
    jobs = list(Job.objects.select_related("topology", "version", "cluster", "spark").order_by("application_id"))
    snapshots, oldest = snapshot.read_all(jobs), snapshot.read_oldest([job.id for job in jobs])
    failures, breaking, hits = _count_recent_failures(), find_breaking(), find_hits()
    certificate_days = {each.id: _find_certificate_days(each) for each in {job.cluster for job in jobs}}
    return Fleet(
        [
            (
                {
                    "application": job.application_id,
                    "name": job.name,
                    "topology": job.topology.name,
                    "version": str(job.version.number),
                    "host": state["host"],
                    "cluster": job.cluster.name,
                    "spark": job.spark.name if job.spark else "",
                    "recent_failures": failures.get(job.id, 0),
                    "asked_s": (timezone.now() - job.updated_at).total_seconds(),
                    "oldest": oldest.get(job.id),
                    "breaking_schemas": breaking.get(job.id, []),
                    "hits": hits.get(job.id, []),
                    "certificate_days": certificate_days[job.cluster_id],
                },
                state,
            )
            for job, state in zip(jobs, snapshots, strict=True)
        ],
        _read_hosts(),
    )


def _find_certificate_days(cluster: Cluster) -> int | None:
    return min((each.days for each in list_certificates(cluster)), default=None)


def _read_hosts() -> list[HostFacts]:
    alive = set(hosts.find_living_hosts().values_list("name", flat=True))
    outdated_names = set(hosts.find_outdated().values_list("name", flat=True))
    jobs = dict(Run.objects.filter(status__in=LIVE).values_list("host").annotate(count=Count("id")))
    return [
        {
            "host": host.name,
            "up": host.name in alive,
            "draining": host.draining,
            "outdated": host.name in outdated_names,
            "jobs": jobs.get(host.name, 0),
            "cores": host.cores,
            "memory_bytes": host.memory_bytes,
            "memory_free_bytes": host.memory_free_bytes,
            "disk_bytes": host.disk_bytes,
            "disk_free_bytes": host.disk_free_bytes,
            "beat_at": host.beat_at.timestamp(),
        }
        for host in AgentHost.objects.order_by("name")
    ]


def _count_recent_failures() -> dict[int, int]:
    """The number of failed runs in the last minutes by job, without requested kills."""
    runs = Run.objects.filter(status=Status.FAILED, kill_asked=False, ended_at__gt=Now() - restart_policy.WINDOW)
    return dict(runs.values_list("job_id").annotate(count=Count("id")))
