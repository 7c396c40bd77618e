"""Jobs over HTTP: deploy, watch and stop them."""

from __future__ import annotations

from typing import Annotated

from django.db.models import Q
from django.http import HttpRequest
from ninja import Status
from pydantic import Field
from pydantic.json_schema import JsonSchemaValue

from designer.projects.models import Draft, Topology, Version
from designer.projects.permissions import find_projects_seen
from designer.projects.projects import get_default_project
from designer.projects.requests import get_topology, get_user
from designer.projects.roles import ANY_ACCOUNT, OPERATOR, VIEWER
from designer.projects.routing import Router
from designer.projects.schemas import FormSchemaOut, RefusalOut
from designer.projects.services import create_version
from designer.refusals import NotFound
from designer.topology.forms import make_form_schema
from runner.control.codes import ControlCode
from runner.control.jobs import services
from runner.control.jobs.disk import measure_checkpoint_and_state
from runner.control.jobs.engines import find_engines
from runner.control.jobs.models import Job, JobEvent
from runner.control.jobs.runs import KEPT_RUNS
from runner.control.jobs.schemas import (
    AclOut,
    AclsOut,
    AdoptIn,
    BackIn,
    ChoiceOut,
    CompareIn,
    ComparisonOut,
    CutOverOut,
    DeployIn,
    DiskOut,
    EngineUseOut,
    EventOut,
    JobOut,
    PreviewIn,
    PreviewOut,
    RunOut,
    StreamsApplicationOut,
    StreamsSettingOut,
    WrittenSchemaOut,
)
from runner.control.jobs.statuses import Act
from runner.control.jobs.streams_settings import STREAMS_SETTINGS
from runner.control.jobs.targets import Wish
from runner.kafka.acls import find_missing
from runner.plan import JobSettings
from runner.spark.adopting.application import Application
from runner.spark.codes import RunCode

router = Router(tags=["jobs"])
DEPLOY_REFUSES = (
    ControlCode.DEPLOY_BATCH_IN_PART,
    ControlCode.DEPLOY_CHECKPOINT_DAMAGED,
    ControlCode.DEPLOY_OFFSETS_LOST,
    ControlCode.DEPLOY_STATE_WOULD_BE_LOST,
    ControlCode.EPOCH_UNCLEAN,
    ControlCode.JOB_BAD_SETTINGS,
    ControlCode.KAFKA_ACL_MISSING,
    ControlCode.QUOTA_EXCEEDED,
    ControlCode.SPARK_NO_SHARED_FOLDER,
    RunCode.CHECKPOINT_UNREACHABLE,
    RunCode.RUN_DISK_BROKEN,
    ControlCode.CLUSTER_SECRET_LOST,
    ControlCode.DEPLOY_SCHEMAS_REFUSED,
)
"""What a deploy may refuse, also one that a proof leads to."""
LOOK_REFUSES = (
    ControlCode.JOB_BAD_SETTINGS,
    RunCode.ADOPTED_NOT_READY,
    RunCode.CHECKPOINT_UNREACHABLE,
    RunCode.RUN_DISK_BROKEN,
    ControlCode.CLUSTER_SECRET_LOST,
)
"""What a look at a Kafka Streams application may refuse."""
MAX_ROWS = 100


@router.get("/jobs", needs=ANY_ACCOUNT, response=list[JobOut], summary="All jobs with their status")
def list_jobs(request: HttpRequest) -> list[JobOut]:
    relations = ("topology__project", "version", "cluster", "spark", "created_by", "updated_by")
    jobs = Job.objects.filter(topology__project__in=find_projects_seen(get_user(request)))
    return JobOut.list_all(list(jobs.select_related(*relations).order_by("name")))


@router.get(
    "/jobs/settings-schema",
    needs=ANY_ACCOUNT,
    response=FormSchemaOut,
    summary="JSON Schema of a job's settings: default, range and help of each",
)
def settings_schema(request: HttpRequest) -> JsonSchemaValue:
    return make_form_schema(JobSettings)


@router.get(
    "/jobs/streams-settings",
    needs=ANY_ACCOUNT,
    response=list[StreamsSettingOut],
    summary="List the settings of Kafka Streams and what replaces them",
)
def streams_settings(request: HttpRequest) -> list[StreamsSettingOut]:
    return [StreamsSettingOut(streams=streams, here=here) for streams, here in STREAMS_SETTINGS]


@router.post(
    "/jobs/preview-deploy",
    needs=VIEWER.with_names("topology", "version"),
    refuses=[
        ControlCode.EPOCH_UNCLEAN,
        ControlCode.JOB_BAD_SETTINGS,
        ControlCode.KAFKA_ACL_MISSING,
        ControlCode.QUOTA_EXCEEDED,
        ControlCode.SPARK_NO_SHARED_FOLDER,
        RunCode.CHECKPOINT_UNREACHABLE,
        RunCode.RUN_DISK_BROKEN,
        ControlCode.CLUSTER_SECRET_LOST,
    ],
    response=PreviewOut,
    summary="Preview a deploy: which topics it creates, which state it keeps",
)
def preview_deploy(request: HttpRequest, body: PreviewIn) -> PreviewOut:
    origin = _find_stored_graph(body)
    preview = services.preview_deploy(origin=origin, wish=_read_wish(body))
    return PreviewOut(revision=origin.revision if isinstance(origin, Draft) else None, **preview.to_json())


@router.post(
    "/jobs/deploy",
    needs=OPERATOR.with_names("topology", "version"),
    audit="deploy",
    refuses=DEPLOY_REFUSES,
    response={202: JobOut, 409: ChoiceOut | RefusalOut},
    summary="Run a version, or the draft of a topology",
)
def deploy(request: HttpRequest, body: DeployIn) -> Status[JobOut]:
    job = services.deploy(
        by=get_user(request),
        version=_get_version(request, body),
        wish=_read_wish(body),
        on_state=body.on_state,
    )
    return Status(202, JobOut.of(job))


@router.post(
    "/jobs/preview-adoption",
    needs=OPERATOR.with_names("topology").asking,
    refuses=LOOK_REFUSES,
    response=StreamsApplicationOut,
    summary="Look at a Kafka Streams application that a topology is to continue",
)
def preview_adoption(request: HttpRequest, body: AdoptIn) -> Application:
    return services.look_at_application(
        origin=get_topology(body.topology).draft,
        application=body.application,
        stores=body.stores,
        wish=_read_wish(body),
    )


@router.post(
    "/jobs/compare-adoption",
    needs=OPERATOR.with_names("topology").asking,
    refuses=[*LOOK_REFUSES, RunCode.TRIAL_FAILED],
    response=ComparisonOut,
    summary="Compare a topology's results with those of a Kafka Streams application",
)
def compare_adoption(request: HttpRequest, body: CompareIn) -> ComparisonOut:
    """The topology processes the application's input from the beginning, or for a while beside it. Nothing is
    written."""
    return services.compare_with_application(
        origin=get_topology(body.topology).draft,
        by=get_user(request),
        application=body.application,
        stores=body.stores,
        wish=_read_wish(body),
        live_seconds=body.live_seconds,
    )


@router.post(
    "/jobs/adopt",
    needs=OPERATOR.with_names("topology"),
    audit="adopt",
    refuses=[*DEPLOY_REFUSES, RunCode.ADOPTED_NOT_READY],
    response={202: JobOut},
    summary="Continue a stopped Kafka Streams application as a job",
)
def adopt(request: HttpRequest, body: AdoptIn) -> Status[JobOut]:
    """The job begins at its committed offsets, with the state of its changelog topics."""
    job = services.adopt(
        by=get_user(request),
        topology=get_topology(body.topology),
        application=body.application,
        stores=body.stores,
        wish=_read_wish(body),
    )
    return Status(202, JobOut.of(job))


def _read_wish(body: PreviewIn | DeployIn | AdoptIn) -> Wish:
    return Wish(body.name, body.settings, body.cluster, body.spark)


MAX_PRINCIPAL_LENGTH = 256
Principal = Annotated[
    str, Field(max_length=MAX_PRINCIPAL_LENGTH, description="Principal that gets the ACLs, such as `User:job`.")
]


@router.get(
    "/topologies/{int:topology_id}/acls",
    needs=VIEWER,
    refuses=[ControlCode.JOB_BAD_SETTINGS],
    response=AclsOut,
    summary="The ACLs that its job needs",
)
def list_acls(
    request: HttpRequest,
    topology_id: int,
    name: str = "",
    cluster: str | None = None,
    principal: Principal = "User:NAME",
) -> AclsOut:
    """Of a job with that name on that cluster; left out, they are those of its job, or of a first deploy."""
    needs, place = services.find_needed_acls(origin=get_topology(topology_id).draft, wish=Wish(name, cluster=cluster))
    acls = [AclOut.of(acl, principal, place.bootstrap_servers) for acl in needs.acls]
    return AclsOut(cluster=place.name, acls=acls, notes=list(needs.notes))


@router.post(
    "/topologies/{int:topology_id}/acls/check",
    needs=VIEWER,
    refuses=[ControlCode.JOB_BAD_SETTINGS],
    response=AclsOut,
    summary="List the ACLs that the cluster's user lacks",
)
def check_acls(
    request: HttpRequest,
    topology_id: int,
    name: str = "",
    cluster: str | None = None,
    principal: Principal = "User:NAME",
) -> AclsOut:
    needs, place = services.find_needed_acls(origin=get_topology(topology_id).draft, wish=Wish(name, cluster=cluster))
    missing = find_missing(place.connect(), needs.acls)
    acls = [AclOut.of(acl, principal, place.bootstrap_servers) for acl in missing]
    return AclsOut(cluster=place.name, acls=acls, notes=list(needs.notes))


@router.get(
    "/jobs/deleted", needs=ANY_ACCOUNT, response=list[EventOut], summary="The newest deletions: which job, who, when"
)
def list_deleted(request: HttpRequest) -> list[EventOut]:
    project_ids = list(find_projects_seen(get_user(request)))
    own = Q(before__project__in=project_ids)
    if get_default_project().id in project_ids:
        own |= Q(before__project=None)  # deleted before there were projects
    events = JobEvent.objects.filter(own, what=Act.DELETE).select_related("by").order_by("-id")[:MAX_ROWS]
    return [EventOut.of(event) for event in events]


@router.get("/jobs/{job_id}", needs=VIEWER, response=JobOut, summary="One job with its status")
def read_job(request: HttpRequest, job_id: int) -> JobOut:
    return JobOut.of(services.get_job(job_id))


@router.post(
    "/jobs/{job_id}/stop",
    needs=OPERATOR,
    audit="stop a job",
    response={202: JobOut},
    summary="Finish the batch and stop",
)
def stop(request: HttpRequest, job_id: int) -> Status[JobOut]:
    return Status(202, JobOut.of(services.stop(job=services.get_job(job_id), by=get_user(request))))


@router.post(
    "/jobs/{job_id}/restart",
    needs=OPERATOR,
    audit="restart a job",
    refuses=[ControlCode.QUOTA_EXCEEDED],
    response={202: JobOut},
    summary="Restart the deployed version",
)
def restart(request: HttpRequest, job_id: int) -> Status[JobOut]:
    return Status(202, JobOut.of(services.restart(job=services.get_job(job_id), by=get_user(request))))


@router.get(
    "/jobs/{job_id}/cut-over",
    needs=VIEWER,
    refuses=[
        ControlCode.EPOCH_UNCLEAN,
        RunCode.CHECKPOINT_UNREACHABLE,
        RunCode.RUN_DISK_BROKEN,
        RunCode.TOPIC_RECREATED,
        ControlCode.CLUSTER_SECRET_LOST,
    ],
    response=CutOverOut | None,
    summary="The newest cut over of a job, and the way back",
)
def get_cut_over(request: HttpRequest, job_id: int) -> CutOverOut | None:
    """Says what the state of the version before lacks now, and until when it is kept. Null without a cut over."""
    return services.describe_cut_over(services.get_job(job_id))


@router.post(
    "/jobs/{job_id}/back",
    needs=OPERATOR,
    audit="go back to the version before a cut over",
    refuses=[
        ControlCode.EPOCH_UNCLEAN,
        ControlCode.QUOTA_EXCEEDED,
        RunCode.CHECKPOINT_UNREACHABLE,
        RunCode.RUN_DISK_BROKEN,
        RunCode.TOPIC_RECREATED,
        ControlCode.CLUSTER_SECRET_LOST,
    ],
    response={202: JobOut},
    summary="Let the version before the last cut over take over again",
)
def back(request: HttpRequest, job_id: int, body: BackIn) -> Status[JobOut]:
    """With its state of the cut over. It first reads the records since then again, without writing results."""
    job = services.back(job=services.get_job(job_id), by=get_user(request), is_at_once=body.at_once)
    return Status(202, JobOut.of(job))


@router.post(
    "/jobs/{job_id}/kill-run",
    needs=OPERATOR,
    audit="kill a run",
    response={202: JobOut},
    summary="Kill the run's processes, as a crash would",
)
def kill_run(request: HttpRequest, job_id: int) -> Status[JobOut]:
    return Status(202, JobOut.of(services.kill_run(job=services.get_job(job_id), by=get_user(request))))


@router.delete(
    "/jobs/{job_id}",
    needs=OPERATOR,
    audit="delete a job",
    refuses=[ControlCode.JOB_STILL_RUNS],
    response={204: None},
    summary="Delete a stopped job; its topics stay",
)
def delete(request: HttpRequest, job_id: int) -> Status[None]:
    services.delete(job=services.get_job(job_id), by=get_user(request))
    return Status(204, None)


@router.get(
    "/jobs/{job_id}/runs", needs=VIEWER, response=list[RunOut], summary="The newest runs of a job, with their failures"
)
def list_runs(request: HttpRequest, job_id: int) -> list[RunOut]:
    return [RunOut.of(run) for run in services.get_job(job_id).runs.order_by("-generation")[:KEPT_RUNS]]


@router.get(
    "/jobs/{job_id}/disk",
    needs=VIEWER,
    response=DiskOut,
    summary="Get where a job's checkpoint and state are, and their size",
)
def read_disk(request: HttpRequest, job_id: int) -> DiskOut:
    """Measured now, of the newest epoch: those before it are cleared away once it has committed a batch."""
    return DiskOut.of(measure_checkpoint_and_state(services.get_job(job_id)))


@router.get(
    "/jobs/{job_id}/subjects",
    needs=VIEWER,
    response=list[WrittenSchemaOut],
    summary="List the schemas of the registry with which a job writes",
)
def list_subjects(request: HttpRequest, job_id: int) -> list[WrittenSchemaOut]:
    """Of the newest run. The subjects stay in the registry when the job is deleted."""
    run = services.get_job(job_id).find_last_run()
    return [] if run is None else [WrittenSchemaOut.of(each) for each in run.read_plan().written]


@router.get(
    "/jobs/{job_id}/engines",
    needs=VIEWER,
    response=list[EngineUseOut],
    summary="List which engine runs each sub-topology of a job, and why",
)
def list_engines(request: HttpRequest, job_id: int) -> list[EngineUseOut]:
    """Of the newest run, as the host of the server would run it. Empty before the first run."""
    return [EngineUseOut(nodes=each.nodes, reason=each.reason) for each in find_engines(services.get_job(job_id))]


@router.get(
    "/jobs/{job_id}/events", needs=VIEWER, response=list[EventOut], summary="List what users did with a job, and when"
)
def list_events(request: HttpRequest, job_id: int) -> list[EventOut]:
    events = services.get_job(job_id).events.select_related("by").order_by("-id")[:MAX_ROWS]
    return [EventOut.of(event) for event in events]


def _find_stored_graph(body: DeployIn | PreviewIn) -> Version | Draft:
    """The named version, or the draft of the named topology. Raises NotFound."""
    if body.version is not None:
        version = Version.objects.select_related("topology").filter(id=body.version).first()
        if version is None:
            raise NotFound(f"There is no version {body.version}.", "List the topology's versions.")
        return version
    draft: Draft = _get_topology(body).draft
    return draft


def _get_version(request: HttpRequest, body: DeployIn) -> Version:
    """The version that is named, or the named topology's draft saved as one; raises NotFound, and Conflict."""
    stored_graph = _find_stored_graph(body)
    if isinstance(stored_graph, Version):
        return stored_graph
    topology, by = _get_topology(body), get_user(request)
    return create_version(topology=topology, by=by, note=body.message, revision=body.revision)


def _get_topology(body: DeployIn | PreviewIn) -> Topology:
    if body.topology is None:
        raise NotFound("Neither a topology nor a version is named.", "Name a `topology` or a `version`.")
    return get_topology(body.topology)
