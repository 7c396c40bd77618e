"""What users ask of jobs: every write of theirs has its home here, and leaves an event with who and when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models.functions import Now
from django.utils.text import slugify
from pydantic import ValidationError

from designer.models import Draft, Topology, Version
from designer.permissions import refuse_code
from designer.refusal_codes import RefusalCode
from designer.refusals import Conflict, NotFound, Refusal
from designer.services import create_version, fix_slug
from runner.control.clusters.checkpoints import choose_checkpoint_root
from runner.control.clusters.cores import describe_room
from runner.control.clusters.models import Cluster, SparkCluster
from runner.control.clusters.quotas import refuse_above
from runner.control.clusters.services import choose_once, get_cluster, get_cluster_of
from runner.control.clusters.spark import THIS_HOST, find_default_spark, find_spark
from runner.control.jobs import tasks
from runner.control.jobs.lifecycle import tell_after_commit
from runner.control.jobs.models import Desired, Job, JobEvent, audit
from runner.control.jobs.plans.acls import AclNeeds, find_acls, refuse_missing
from runner.control.jobs.plans.facts import gather
from runner.control.jobs.plans.planner import draft_plan
from runner.control.jobs.plans.preview import Preview, look_ahead
from runner.control.jobs.runs import ask_to_kill, ask_to_stop
from runner.control.jobs.statuses import LIVE, Act, OnState, StopReason
from runner.plan import JobSettings


class BadSettings(Refusal):
    """A job setting that is unknown or out of its range."""

    code = RefusalCode.JOB_BAD_SETTINGS
    status = 422


class StillRuns(Refusal):
    """A job that is to be deleted is not stopped."""

    code = RefusalCode.JOB_STILL_RUNS
    status = 409


def get_job(job_id: int) -> Job:
    """A job by its id; raises NotFound."""
    job = Job.objects.select_related("topology__project", "version", "cluster", "spark").filter(id=job_id).first()
    if job is None:
        raise NotFound(f"There is no job {job_id}.", "List the jobs to see the existing ones.")
    return job


def get_job_named(name: str) -> Job:
    """A job by its name, as the command line names it; raises NotFound."""
    job = Job.objects.select_related("topology__project", "version", "cluster", "spark").filter(name=name).first()
    if job is None:
        names = ", ".join(Job.objects.order_by("name").values_list("name", flat=True)) or "none yet"
        raise NotFound(f"There is no job `{name}`.", f"Jobs: {names}.")
    return job


def read_settings(changes: dict[str, Any], base: dict[str, Any] | None = None) -> JobSettings:
    """Settings as given on top of `base`; raises BadSettings naming the first wrong one."""
    try:
        return JobSettings.model_validate({**(base or {}), **changes})
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(step) for step in first["loc"])
        fields = JobSettings.model_fields
        help_line = fields[name].description if name in fields else None
        hint = help_line or f"Settings are {', '.join(fields)}."
        raise BadSettings(f"Setting `{name}`: {first['msg'].rstrip('.')}.", hint, setting=name) from error


def preview_deploy(
    *,
    origin: Version | Draft,
    name: str = "",
    settings: dict[str, Any] | None = None,
    cluster: str | None = None,
    spark: str | None = None,
) -> Preview:
    """What deploying would do, before anything stops: topics made, and what happens to each store."""
    job = _find_existing(origin.topology, name, cluster)
    wanted_settings = read_settings(settings or {}, job.settings if job else None)
    place = _choose_cluster(origin.topology, job, cluster)
    executors = _choose_spark(job, spark)
    choose_checkpoint_root(executors)  # there is one
    application_id = job.application_id if job else _choose_application(origin.topology, name, place)
    refuse_missing(find_acls(origin.read_graph(), application_id, wanted_settings, place.name_prefix), place.connect())
    facts = gather(origin, application_id, wanted_settings, place, executors, job)
    plan = draft_plan(facts)
    preview = look_ahead(facts, plan)
    if executors is None:
        return replace(preview, spark=THIS_HOST)
    return replace(preview, spark=executors.name, room=describe_room(executors, plan.slots, application_id))


def find_needed_acls(
    *, origin: Version | Draft, name: str = "", cluster: str | None = None
) -> tuple[AclNeeds, Cluster]:
    """The ACLs that a deploy under that name needs on the cluster it would go to."""
    job = _find_existing(origin.topology, name, cluster)
    place = _choose_cluster(origin.topology, job, cluster)
    application_id = job.application_id if job else _choose_application(origin.topology, name, place)
    wanted_settings = read_settings({}, job.settings if job else None)
    return find_acls(origin.read_graph(), application_id, wanted_settings, place.name_prefix), place


def deploy(
    *,
    by: AbstractUser,
    topology: Topology | None = None,
    version: Version | None = None,
    name: str = "",
    settings: dict[str, Any] | None = None,
    cluster: str | None = None,
    spark: str | None = None,
    on_state: OnState = OnState.KEEP,
    message: str = "",
) -> Job:
    """Want a version running: the given one, or the topology's draft saved as one, with that message.

    `cluster` and `spark` name where, and leave a job where it is if None.

    Whatever keeps it from running is refused now, so that a good version is not stopped for a bad one. Deploying
    what already runs changes nothing, and a version that differs only in what readers see leaves the run alone.
    """
    if version is None:
        if topology is None:
            raise TypeError("deploy needs a topology or a version")
        version = create_version(topology=topology, by=by, note=message)
    refuse_code(version.read_graph(), by)
    preview = preview_deploy(origin=version, name=name, settings=settings, cluster=cluster, spark=spark)
    preview.refuse_unchosen(on_state)
    return _deploy(by, version, name, settings, cluster, spark, on_state)


@transaction.atomic
def _deploy(
    by: AbstractUser,
    version: Version,
    name: str,
    settings: dict[str, Any] | None,
    cluster: str | None,
    spark: str | None,
    on_state: OnState,
) -> Job:
    Topology.objects.select_for_update().get(id=version.topology_id)
    existing_job = _find_existing(version.topology, name, cluster)
    executors = _choose_spark(existing_job, spark)
    job = existing_job or _create_job(version, name, cluster, by)
    job = Job.objects.select_for_update().get(id=job.id)
    before = audit(job)
    wanted_settings = read_settings(settings or {}, job.settings).model_dump(mode="json")
    place = _choose_cluster(version.topology, job, cluster)
    choose_once(topology=version.topology, cluster=place)
    fix_slug(topology=version.topology)
    same = (wanted_settings, place.id, executors and executors.id) == (job.settings, job.cluster_id, job.spark_id)
    if same and _goes_on(job, on_state):
        if version.id == job.version_id:
            return job
        if version.does_as(job.version):
            _rename_version(job, version, by)
            _record_event(job, Act.DEPLOY, by, before)
            return job
    _refuse_more(by, job)
    job.version, job.settings, job.on_state = version, wanted_settings, OnState(on_state)
    job.cluster, job.spark = place, executors
    _want_running(job, by)
    _record_event(job, Act.DEPLOY, by, before)
    return job


@transaction.atomic
def restart(*, job: Job, by: AbstractUser) -> Job:
    """Restart the deployed version: also what a job that gave up needs."""
    job = _lock_job(job)
    before = audit(job)
    _refuse_more(by, job)
    _want_running(job, by)
    _record_event(job, Act.RESTART, by, before)
    return job


@transaction.atomic
def stop(*, job: Job, by: AbstractUser) -> Job:
    """Want it stopped: the run finishes its batch, and nothing is lost or repeated when it is deployed again."""
    job = _lock_job(job)
    before = audit(job)
    job.desired = Desired.STOPPED
    job.updated_by_id, job.updated_at = by.pk, Now()
    job.save(update_fields=["desired", "updated_by", "updated_at"])
    _end_live_run(job, StopReason.STOPPED)
    _record_event(job, Act.STOP, by, before)
    return job


@transaction.atomic
def delete(*, job: Job, by: AbstractUser) -> None:
    """Delete a stopped job with its runs. Its events and topics stay; what it left on disk is cleared away soon.

    Raises StillRuns.
    """
    Topology.objects.select_for_update().filter(id=job.topology_id).first()  # a deploy of it waits, or we do
    job = _lock_job(job)
    if job.desired != Desired.STOPPED or job.find_live_run() is not None:
        raise StillRuns(f"Job `{job.name}` is {job.status()}.", "Stop it first.")
    JobEvent.objects.create(job=job, what=Act.DELETE, by_id=by.pk, before=audit(job))
    left = (job.application_id, job.epoch, list(job.runs.values_list("id", flat=True)), job.cluster.name)
    transaction.on_commit(lambda: tasks.ask_to_clear(*left))
    job.runs.all().delete()
    job.delete()


@transaction.atomic
def kill_run(*, job: Job, by: AbstractUser) -> Job:
    """Kill the live run's processes as a crash would, to see it come back by itself; raises Conflict without one."""
    job = _lock_job(job)
    live = job.find_live_run()
    if live is None:
        raise Conflict(f"Job `{job.name}` has no run to kill.", "Deploy or restart it first.")
    ask_to_kill(live)
    _record_event(job, Act.KILL, by, audit(job))
    return job


def _lock_job(job: Job) -> Job:
    """The job as it is now, for this transaction alone; raises NotFound when it was deleted meanwhile."""
    locked_job = Job.objects.select_for_update().filter(id=job.id).first()
    if locked_job is None:
        raise NotFound(f"Job `{job.name}` was deleted.", "Deploy its topology again to restore it.")
    return locked_job


def _refuse_more(by: AbstractUser, job: Job) -> None:
    """Raises QuotaExceeded where the user keeps as many other jobs running as one may."""
    others = Job.objects.filter(updated_by_id=by.pk, desired=Desired.RUNNING).exclude(id=job.id)
    refuse_above("MAX_JOBS_PER_USER", others.count() + 1)


def _want_running(job: Job, by: AbstractUser) -> None:
    job.desired, job.blocked, job.problem = Desired.RUNNING, False, None
    job.revision += 1
    job.updated_by_id, job.updated_at = by.pk, Now()
    job.save()
    _end_live_run(job, StopReason.REDEPLOYED)


def _rename_version(job: Job, version: Version, by: AbstractUser) -> None:
    """A version that does the same needs no other run: the live one continues under its number."""
    job.version = version
    job.updated_by_id, job.updated_at = by.pk, Now()
    job.save(update_fields=["version", "updated_by", "updated_at"])
    job.runs.filter(status__in=LIVE).update(version=version)


def _end_live_run(job: Job, reason: StopReason) -> None:
    live = job.find_live_run()
    if live is not None:
        ask_to_stop(live, reason)


def _record_event(job: Job, what: Act, by: AbstractUser, before: dict[str, Any]) -> None:
    job.refresh_from_db()
    JobEvent.objects.create(job=job, what=what, by_id=by.pk, before=before, after=audit(job))
    transaction.on_commit(lambda: tasks.ask(job.id))
    tell_after_commit(job.id)


def _choose_application(topology: Topology, name: str, cluster: Cluster) -> str:
    """The application id of a new job: what its group, its transactions and its topics on a cluster are named after."""
    return cluster.name_prefix + (slugify(name)[:100] or topology.slug)


def _find_existing(topology: Topology, name: str, cluster: str | None) -> Job | None:
    """The job of that name, or of the topology when no name is given; raises Conflict for another topology's."""
    own = Job.objects.filter(name=name.strip()) if name else Job.objects.filter(topology=topology).order_by("id")
    application_id = _choose_application(topology, name, _choose_cluster(topology, None, cluster))
    job = own.first() or Job.objects.filter(application_id=application_id).first()
    if job is not None and job.topology_id != topology.id:
        raise Conflict(f"Job `{job.name}` runs another topology, `{job.topology}`.", "Deploy under another name.")
    return job


def _create_job(version: Version, name: str, cluster: str | None, by: AbstractUser) -> Job:
    place = _choose_cluster(version.topology, None, cluster)
    application_id = _choose_application(version.topology, name, place)
    return Job.objects.create(
        name=name.strip()[:128] or version.topology.slug,
        application_id=application_id,
        topology=version.topology,
        version=version,
        cluster=place,
        desired=Desired.STOPPED,
        epoch=_find_last_epoch(application_id),
        settings=JobSettings.model_validate({}).model_dump(mode="json"),
        created_by_id=by.pk,
        updated_by_id=by.pk,
    )


def _find_last_epoch(application_id: str) -> int:
    """The last epoch of a deleted job of that name, whose checkpoints and markers may still be somewhere; else 0."""
    event = JobEvent.objects.filter(what=Act.DELETE, before__application_id=application_id).order_by("-id").first()
    return int(event.before["epoch"]) if event else 0


def _choose_cluster(topology: Topology, job: Job | None, name: str | None) -> Cluster:
    """The cluster that is named, else the one the job is on, else the one the topology is drawn with."""
    if name is not None:
        return get_cluster(name)
    return job.cluster if job is not None else get_cluster_of(topology)


def _choose_spark(job: Job | None, name: str | None) -> SparkCluster | None:
    """The Spark cluster that is named, else the one the job is on, else that of SPARK_MASTER."""
    if name is not None:
        return find_spark(name)
    return job.spark if job is not None else find_default_spark()


def _goes_on(job: Job, on_state: OnState) -> bool:
    """Whether a run of the job is running that need not end."""
    live = job.find_live_run()
    goes_on = on_state in (OnState.KEEP, OnState.FRESH_FROM_NOW, OnState.REPAIR, OnState.REBUILD)
    return goes_on and job.desired == Desired.RUNNING and live is not None and not live.stop_reason
