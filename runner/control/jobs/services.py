"""Requests of users on jobs. Every write is here, and leaves an event with the user and the time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models.functions import Now

from designer.projects.code_permission import refuse_code
from designer.projects.models import Draft, Topology, Version
from designer.projects.services import create_version, set_slug
from designer.refusals import Conflict, NotFound, Refusal
from runner.control.clusters.checkpoints import choose_checkpoint_root
from runner.control.clusters.internal_topics import refuse_hidden_output
from runner.control.clusters.models import Cluster
from runner.control.clusters.quotas import refuse_above
from runner.control.clusters.services import choose_once
from runner.control.codes import ControlCode
from runner.control.jobs import cut_overs, tasks
from runner.control.jobs.lifecycle import send_after_commit
from runner.control.jobs.models import Adoption, Desired, Job, JobEvent, JobFacts, describe_job
from runner.control.jobs.plans import adopting
from runner.control.jobs.plans.acls import AclNeeds, find_acls, refuse_missing
from runner.control.jobs.plans.facts import collect_facts
from runner.control.jobs.plans.graph_facts import refuse_unpermitted
from runner.control.jobs.plans.planner import make_plan
from runner.control.jobs.plans.preview import Preview, look_ahead
from runner.control.jobs.plans.taking_over import WayBack, look_back, read_kept_plan
from runner.control.jobs.runs import ask_to_kill, ask_to_stop
from runner.control.jobs.schemas import ComparisonOut, CutOverOut, ProvedOut, WayBackOut
from runner.control.jobs.statuses import LIVE, Act, OnState, StopReason
from runner.control.jobs.targets import AS_IT_IS, Target, Wish, find_target
from runner.plan import Corrected, JobSettings
from runner.spark.adopting.application import Application
from runner.spark.failures import read_checkpoint

MAX_NOTE = 500
"""Characters of the note of a version."""


class StillRuns(Refusal):
    """A job cannot be deleted because it is not stopped."""

    code = ControlCode.JOB_STILL_RUNS
    status = 409


def get_job(job_id: int) -> Job:
    """A job by its id. Raises NotFound."""
    job = Job.objects.select_related("topology__project", "version", "cluster", "spark").filter(id=job_id).first()
    if job is None:
        raise NotFound(f"There is no job {job_id}.", "List the jobs to see the existing ones.")
    return job


def get_job_named(name: str) -> Job:
    """A job by its name in the command line. Raises NotFound."""
    job = Job.objects.select_related("topology__project", "version", "cluster", "spark").filter(name=name).first()
    if job is None:
        names = ", ".join(Job.objects.order_by("name").values_list("name", flat=True)) or "none yet"
        raise NotFound(f"There is no job `{name}`.", f"Jobs: {names}.")
    return job


def preview_deploy(*, origin: Version | Draft, wish: Wish = AS_IT_IS) -> Preview:
    """The effects of a deploy, before anything stops: the topics that it creates, and the outcome of each store."""
    target = find_target(origin.topology, wish)
    choose_checkpoint_root(target.spark)  # raises if there is none
    refuse_missing(_find_acls(origin, target), target.cluster.connect())
    facts = collect_facts(origin, target)
    return look_ahead(facts, make_plan(facts))


def find_needed_acls(*, origin: Version | Draft, wish: Wish = AS_IT_IS) -> tuple[AclNeeds, Cluster]:
    """The ACLs for a deploy on its cluster."""
    target = find_target(origin.topology, wish)
    return _find_acls(origin, target), target.cluster


def _find_acls(origin: Version | Draft, target: Target) -> AclNeeds:
    return find_acls(origin.read_graph(), target.application_id, target.settings, target.find_marker_topic())


def deploy(
    *,
    by: AbstractUser,
    topology: Topology | None = None,
    version: Version | None = None,
    wish: Wish = AS_IT_IS,
    on_state: OnState | None = None,
    message: str = "",
) -> Job:
    """Deploy a version: the given one, or the topology's draft saved as one, with that message.

    Without `on_state`, the choice of an earlier deploy that no run has carried out yet still holds, else keep.
    A version that cannot run is refused first, so that a good version is not stopped for a bad one. Deploying
    what already runs changes nothing, and a version that differs only in what readers see leaves the run alone.
    """
    if version is None:
        if topology is None:
            raise TypeError("deploy needs a topology or a version")
        version = create_version(topology=topology, by=by, note=message)
    refuse_unpermitted(version.read_graph(), by)
    preview = preview_deploy(origin=version, wish=wish)
    preview.refuse_unchosen(on_state)
    return _deploy(by, version, wish, on_state, preview)


def take_over_corrected(*, job: Job, origin: Version | Draft, by: AbstractUser, corrected: Corrected) -> Job:
    """Deploy the version with which results were corrected, with the state that was worked out with them.

    Like a cut over, it keeps the state of the version before. Raises the refusals of a deploy.
    """
    refuse_unpermitted(origin.read_graph(), by)
    wish = Wish(job.name)
    preview = replace(preview_deploy(origin=origin, wish=wish), state=())  # no store starts empty
    preview.refuse_unchosen(OnState.KEEP)
    if isinstance(origin, Draft):
        note = f"Corrected results up to batch {corrected.batch}"
        origin = create_version(topology=origin.topology, by=by, note=note, revision=origin.revision)
    return _deploy(by, origin, wish, OnState.KEEP, preview, corrected=corrected)


def cut_over(
    *,
    job: Job,
    origin: Version | Draft,
    by: AbstractUser,
    proof: ProvedOut,
    on_state: OnState,
    rebuilt: Corrected | None = None,
) -> Job:
    """Deploy what was proved, and keep the state of the version before it for the way back (`cut_overs`).

    `proof` says what it was proved with, and `rebuilt` is the state that was rebuilt for it, if it takes over with
    this. A draft becomes a version. Raises the refusals of a deploy.
    """
    refuse_unpermitted(origin.read_graph(), by)
    wish = Wish(job.name)
    preview = preview_deploy(origin=origin, wish=wish)
    if rebuilt is not None:
        preview, on_state = replace(preview, state=()), OnState.KEEP  # no store starts empty
    preview.refuse_unchosen(on_state)
    if isinstance(origin, Draft):
        note = f"Proved: {proof.sentence}"[:MAX_NOTE]
        version = create_version(topology=origin.topology, by=by, note=note, revision=origin.revision)
    else:
        version = origin
    return _deploy(by, version, wish, on_state, preview, proof, corrected=rebuilt)


def look_at_application(
    *, origin: Version | Draft, application: str, stores: Mapping[str, str], wish: Wish = AS_IT_IS
) -> Application:
    """What Kafka knows of a Kafka Streams application, and what is in the way of continuing it. Changes nothing."""
    facts = collect_facts(origin, find_target(origin.topology, wish))
    return adopting.look(facts, make_plan(facts), application, stores)


def compare_with_application(
    *,
    origin: Version | Draft,
    by: AbstractUser,
    application: str,
    stores: Mapping[str, str],
    wish: Wish = AS_IT_IS,
    live_seconds: float = 0.0,
) -> ComparisonOut:
    """Play a drawing over an application's input, and compare the last value of each key with what it has written.

    From the beginning of the input, or live: with the application's state, over what it reads in so many seconds.
    Nothing is written. Raises NotComparable, and as `look_at_application` does.
    """
    refuse_unpermitted(origin.read_graph(), by)
    facts = collect_facts(origin, find_target(origin.topology, wish))
    report = adopting.compare_results(facts, make_plan(facts), application, stores, live_seconds)
    return ComparisonOut.model_validate(report)


def adopt(
    *, by: AbstractUser, topology: Topology, application: str, stores: Mapping[str, str], wish: Wish = AS_IT_IS
) -> Job:
    """Deploy a topology's draft as a new job that continues a stopped Kafka Streams application.

    `stores` names topics of stores whose changelog cannot be told by its name. Raises NotAdoptable, Conflict, and the
    refusals of a deploy.
    """
    refuse_unpermitted(topology.draft.read_graph(), by)
    look_at_application(origin=topology.draft, application=application, stores=stores, wish=wish).refuse_problems()
    version = create_version(topology=topology, by=by, note=f"Continues {application}"[:MAX_NOTE])
    preview = preview_deploy(origin=version, wish=wish)
    preview.refuse_unchosen(OnState.KEEP)
    return _deploy(by, version, wish, OnState.KEEP, preview, adoption=(application, stores))


def back(*, job: Job, by: AbstractUser, is_at_once: bool = False) -> Job:
    """Have the version before the last cut over take over again, with its state of that moment.

    It first reads the records since then again, without writing results, unless `is_at_once`. Raises NotFound if no
    state is kept, and the refusals of `plans.taking_over.look_back`.
    """
    look_back_of(job).decide(is_at_once=is_at_once)
    return _back(job, by, is_at_once=is_at_once)


@transaction.atomic
def _back(job: Job, by: AbstractUser, *, is_at_once: bool) -> Job:
    job = _lock_job(job)
    row = cut_overs.find_way_back(job)
    if row is None or row.kept is None:
        raise _make_nothing_kept(job)
    refuse_code(row.kept.version.read_graph(), by)
    _refuse_more(by, job)
    cut_overs.go_back(job, row.kept, by.pk, is_at_once=is_at_once)
    _end_live_run(job, StopReason.REDEPLOYED)
    transaction.on_commit(lambda: tasks.ask(job.id))
    send_after_commit(job.id)
    return job


@read_checkpoint()
def look_back_of(job: Job) -> WayBack:
    """What the state of the version before the last cut over lacks. Raises NotFound and as `look_back` does."""
    row, last = cut_overs.find_way_back(job), job.find_last_run()
    if row is None or row.kept is None or last is None:
        raise _make_nothing_kept(job)
    return look_back(read_kept_plan(row.kept), last.read_current_plan(), job.cluster.connect())


def describe_cut_over(job: Job) -> CutOverOut | None:
    """The newest cut over or way back of a job, and how to go back from it. None if there was none."""
    row = job.cut_overs.select_related("by").order_by("-id").first()
    if row is None:
        return None
    kept, found, why_not = cut_overs.find_way_back(job), None, ""
    if kept is not None and kept.kept is not None:
        old, new = kept.kept.version.number, job.version.number
        try:
            found = WayBackOut(version=old, until=kept.keep_until, **look_back_of(job).describe(old, new))
        except Refusal as refusal:
            why_not = f"{refusal.message} {refusal.hint}"
    return CutOverOut(
        at=row.at,
        by=row.by.get_username(),
        proof=row.proof,
        is_back=row.takes_over_id is not None,
        failure=row.failure,
        back=found,
        why_not=why_not,
    )


def _make_nothing_kept(job: Job) -> NotFound:
    return NotFound(
        f"No state of an earlier version of `{job.name}` is kept.", "Deploy the version that you want to run."
    )


@transaction.atomic
def _deploy(
    by: AbstractUser,
    version: Version,
    wish: Wish,
    on_state: OnState | None,
    preview: Preview,
    proof: ProvedOut | None = None,
    adoption: tuple[str, Mapping[str, str]] | None = None,
    corrected: Corrected | None = None,
) -> Job:
    """Finds the target again: no other deploy of the topology can change it from here on.

    With a `proof`, or with a `corrected` state, it cuts over. With an `adoption`, an application and topics of stores,
    the job continues it.
    """
    Topology.objects.select_for_update().get(id=version.topology_id)
    target = find_target(version.topology, wish)
    refuse_hidden_output(target.settings.dead_letters_of(target.application_id))
    job = target.job or _create_job(version, wish.name, target, by)
    job = Job.objects.select_for_update().get(id=job.id)
    before = describe_job(job)
    if on_state is None:  # a run may have carried out the earlier choice since the preview: then nothing is pending
        on_state = preview.pending if preview.pending == job.on_state else OnState.KEEP
    settings, cluster, spark = target.settings.model_dump(mode="json"), target.cluster, target.spark
    choose_once(topology=version.topology, cluster=cluster)
    set_slug(topology=version.topology)
    # a user who deploys twice, or has only moved nodes on the canvas, must not pay with a restart of a live job
    same = (settings, cluster.id, spark and spark.id) == (job.settings, job.cluster_id, job.spark_id)
    if same and _goes_on(job, on_state) and not preview.has_other_schemas:
        if version.id == job.version_id:
            return job
        if version.does_as(job.version):
            _rename_version(job, version, by)
            _write_event(job, Act.DEPLOY, by, before)
            return job
    _refuse_more(by, job)
    job.version, job.settings, job.on_state = version, settings, on_state
    job.cluster, job.spark = cluster, spark
    _ask_to_run(job, by)
    if proof is not None or corrected is not None:
        cut_overs.note_request(
            job,
            by.pk,
            proof=proof and proof.model_dump(),
            corrected=corrected and corrected.model_dump(mode="json"),
        )
    if adoption is not None:
        application, stores = adoption
        Adoption.objects.create(job=job, by_id=by.pk, application=application, stores=dict(stores))
    _write_event(job, Act.DEPLOY if proof is None and corrected is None else Act.CUT_OVER, by, before)
    return job


@transaction.atomic
def restart(*, job: Job, by: AbstractUser) -> Job:
    """Restart the deployed version, even if the job gave up."""
    job = _lock_job(job)
    before = describe_job(job)
    _refuse_more(by, job)
    _ask_to_run(job, by)
    cut_overs.note_restart(job, before["revision"])
    _write_event(job, Act.RESTART, by, before)
    return job


@transaction.atomic
def stop(*, job: Job, by: AbstractUser) -> Job:
    """Stop a job. The run finishes its batch, so the next deploy loses and repeats nothing."""
    job = _lock_job(job)
    before = describe_job(job)
    job.desired = Desired.STOPPED
    job.updated_by_id, job.updated_at = by.pk, Now()
    job.save(update_fields=["desired", "updated_by", "updated_at"])
    _end_live_run(job, StopReason.STOPPED)
    _write_event(job, Act.STOP, by, before)
    return job


@transaction.atomic
def delete(*, job: Job, by: AbstractUser) -> None:
    """Delete a stopped job with its runs. Its events and topics stay. Its files are deleted soon.

    Raises StillRuns.
    """
    Topology.objects.select_for_update().filter(id=job.topology_id).first()  # a deploy of it waits, or we do
    job = _lock_job(job)
    if job.desired != Desired.STOPPED or job.find_live_run() is not None:
        raise StillRuns(f"Job `{job.name}` is {job.status()}.", "Stop it first.")
    JobEvent.objects.create(job=job, what=Act.DELETE, by_id=by.pk, before=describe_job(job))
    # read before the rows go: the task begins after the commit, when nothing else knows these names
    left = (job.application_id, job.epoch, list(job.runs.values_list("id", flat=True)), job.cluster.name)
    transaction.on_commit(lambda: tasks.ask_to_clear(*left))
    job.runs.all().delete()
    job.delete()


@transaction.atomic
def kill_run(*, job: Job, by: AbstractUser) -> Job:
    """Kill the live run's processes as a crash would, to see the job recover. Raises Conflict without one."""
    job = _lock_job(job)
    live = job.find_live_run()
    if live is None:
        raise Conflict(f"Job `{job.name}` has no run to kill.", "Deploy or restart it first.")
    ask_to_kill(live)
    _write_event(job, Act.KILL, by, describe_job(job))
    return job


def _lock_job(job: Job) -> Job:
    """The present job, locked for this transaction. Raises NotFound if it was deleted meanwhile."""
    locked_job = Job.objects.select_for_update().filter(id=job.id).first()
    if locked_job is None:
        raise NotFound(f"Job `{job.name}` was deleted.", "Deploy its topology again to restore it.")
    return locked_job


def _refuse_more(by: AbstractUser, job: Job) -> None:
    """Raises QuotaExceeded if the user already runs the maximum of other jobs."""
    others = Job.objects.filter(updated_by_id=by.pk, desired=Desired.RUNNING).exclude(id=job.id)
    refuse_above("MAX_JOBS_PER_USER", others.count() + 1)


def _ask_to_run(job: Job, by: AbstractUser) -> None:
    job.desired, job.blocked, job.problem = Desired.RUNNING, False, None
    # in one transaction with the end of the live run: an agent that sees the run end also sees the new revision, so it
    # never begins the old plan once more (`start_again`)
    job.revision += 1
    job.updated_by_id, job.updated_at = by.pk, Now()
    job.save()
    _end_live_run(job, StopReason.REDEPLOYED)


def _rename_version(job: Job, version: Version, by: AbstractUser) -> None:
    """An equivalent version needs no other run: the live one continues under its number."""
    job.version = version
    job.updated_by_id, job.updated_at = by.pk, Now()
    job.save(update_fields=["version", "updated_by", "updated_at"])
    job.runs.filter(status__in=LIVE).update(version=version)


def _end_live_run(job: Job, reason: StopReason) -> None:
    live = job.find_live_run()
    if live is not None:
        ask_to_stop(live, reason)


def _write_event(job: Job, what: Act, by: AbstractUser, before: JobFacts) -> None:
    job.refresh_from_db()
    JobEvent.objects.create(job=job, what=what, by_id=by.pk, before=before, after=describe_job(job))
    transaction.on_commit(lambda: tasks.ask(job.id))
    send_after_commit(job.id)


def _create_job(version: Version, name: str, target: Target, by: AbstractUser) -> Job:
    return Job.objects.create(
        name=name.strip() or version.topology.slug,
        application_id=target.application_id,
        topology=version.topology,
        version=version,
        cluster=target.cluster,
        desired=Desired.STOPPED,
        epoch=_find_last_epoch(target.application_id),
        settings=JobSettings.model_validate({}).model_dump(mode="json"),
        created_by_id=by.pk,
        updated_by_id=by.pk,
    )


def _find_last_epoch(application_id: str) -> int:
    """The last epoch of a deleted job of that name, with checkpoints and markers that may still exist. Else 0."""
    event = JobEvent.objects.filter(what=Act.DELETE, before__application_id=application_id).order_by("-id").first()
    return int(event.before["epoch"]) if event else 0


def _goes_on(job: Job, on_state: OnState) -> bool:
    """Whether the job has a run that can continue."""
    live = job.find_live_run()
    goes_on = on_state in (OnState.KEEP, OnState.FRESH_FROM_NOW, OnState.REPAIR, OnState.REBUILD)
    return goes_on and job.desired == Desired.RUNNING and live is not None and not live.stop_reason
