"""The target of a deploy: its job, its settings and its clusters, from the user's names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.text import slugify
from pydantic import ValidationError

from designer.checks.configs import describe_expectation
from designer.names import check_name
from designer.projects.models import Topology
from designer.refusals import Conflict, Refusal
from runner.control.clusters.models import Cluster, SparkCluster
from runner.control.clusters.services import get_cluster, get_cluster_of
from runner.control.clusters.spark import find_default_spark, find_spark
from runner.control.codes import ControlCode
from runner.control.jobs.models import MAX_NAME_LENGTH, Job
from runner.plan import MARKER_TOPIC, JobSettings


class BadSettings(Refusal):
    """A job setting that is unknown or out of its range."""

    code = ControlCode.JOB_BAD_SETTINGS
    status = 422


@dataclass(frozen=True)
class Wish:
    """What a user asks for besides the version: a job's name, its settings, and where it runs.

    A setting that is left out keeps the job's value, or gets the default. `cluster` is the name of a Kafka cluster,
    `spark` that of a Spark cluster; empty: on the host of an agent. None keeps what the job has.
    """

    name: str = ""
    settings: Mapping[str, Any] | None = None
    cluster: str | None = None
    spark: str | None = None


AS_IT_IS = Wish()


@dataclass(frozen=True)
class Target:
    """Where a deploy goes: its job (None before the first deploy), its settings and its clusters.

    `spark` is None for the host of an agent.
    """

    job: Job | None
    application_id: str
    settings: JobSettings
    cluster: Cluster
    spark: SparkCluster | None

    @classmethod
    def of(cls, job: Job) -> Target:
        """The job at its last deploy."""
        return cls(job, job.application_id, job.read_settings(), job.cluster, job.spark)

    def find_marker_topic(self) -> str:
        """The topic with the job's marker: where its last run on the cluster has it, whatever the prefix is now."""
        last = self.job.find_last_run() if self.job is not None else None
        if last is not None and last.cluster_id == self.cluster.id:
            return str(last.plan["marker_topic"])
        return self.cluster.name_prefix + MARKER_TOPIC


def find_target(topology: Topology, wish: Wish) -> Target:
    """Return where a deploy of the topology would go.

    Raises Conflict, BadSettings, NotFound, and Refusal for a bad name.
    """
    job = _find_existing(topology, wish)
    settings = read_settings(wish.settings or {}, job.settings if job else None)
    if job is None:
        if wish.name.strip():
            check_name(wish.name, "job", MAX_NAME_LENGTH)
        cluster = _choose_first_cluster(topology, wish)
        spark = find_default_spark() if wish.spark is None else find_spark(wish.spark)
        return Target(None, _choose_application(topology, wish, cluster), settings, cluster, spark)
    cluster = job.cluster if wish.cluster is None else get_cluster(wish.cluster)
    spark = job.spark if wish.spark is None else find_spark(wish.spark)
    return Target(job, job.application_id, settings, cluster, spark)


def read_settings(changes: Mapping[str, Any], base: Mapping[str, Any] | None = None) -> JobSettings:
    """Settings on top of `base`. Raises BadSettings with the first wrong one."""
    try:
        return JobSettings.model_validate({**(base or {}), **changes})
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(step) for step in first["loc"])
        fields = JobSettings.model_fields
        if name not in fields:
            hint = f"Settings are {', '.join(fields)}."
            raise BadSettings(f"There is no setting `{name}`.", hint, setting=name) from error
        expectation, title = describe_expectation(first), re.sub("_m[sb]$", "", name).replace("_", " ").capitalize()
        is_sentence = expectation == first["msg"].rstrip(".")
        message = f"{expectation}." if is_sentence else f"{title} (`{name}`) must be {expectation}."
        raise BadSettings(message, fields[name].description or "", setting=name) from error


def _find_existing(topology: Topology, wish: Wish) -> Job | None:
    """The job of that name, or of the topology without a name. Raises Conflict for another topology's."""
    jobs, name = Job.objects.order_by("id"), wish.name.strip()
    own = jobs.filter(name=name) if name else jobs.filter(topology=topology)
    application_id = _choose_application(topology, wish, _choose_first_cluster(topology, wish))
    taken = jobs.filter(Q(application_id=application_id) | Q(name=name or topology.slug))
    job = own.first() or taken.first()
    if job is not None and job.topology_id == topology.id and name not in ("", job.name) and not slugify(name):
        raise Conflict(
            f"The id of a job is made of its name, and `{name}` has no letter from a to z and no digit.",
            f"Add one to the name: the topology's own id belongs to its job `{job.name}`.",
        )
    if job is not None and job.topology_id != topology.id:
        # Its names are not told: it may be in a project where the user has no role.
        raise Conflict("Another topology has a job of this name.", "Deploy under another name.")
    return job


def _choose_first_cluster(topology: Topology, wish: Wish) -> Cluster:
    """The cluster of a first deploy: the named one, else the topology's."""
    return get_cluster_of(topology) if wish.cluster is None else get_cluster(wish.cluster)


def _choose_application(topology: Topology, wish: Wish, cluster: Cluster) -> str:
    """The application id of a new job: the name for its group, its transactions and its topics on a cluster."""
    return cluster.name_prefix + (slugify(wish.name)[:100] or topology.slug)
