"""Jobs over HTTP: deploy, watch how they stand, stop; and what their clusters hold."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Status

from designer.inference import infer
from designer.models import Topology, Version
from designer.refusals import NotFound
from designer.services import create_version
from runner.jobs import services
from runner.jobs.answers import (
    ClusterOut,
    DeployIn,
    EventOut,
    JobOut,
    PreviewIn,
    PreviewOut,
    RunOut,
    SampleOut,
    TopicOut,
)
from runner.jobs.models import Cluster, Job
from runner.jobs.standing import who
from runner.plan import JobSettings

router = Router(tags=["jobs"])
MOST = 100


@router.get("/jobs", summary="All jobs with their status")
def list_jobs(request: HttpRequest) -> list[JobOut]:
    jobs = Job.objects.select_related("version", "cluster", "created_by", "updated_by").order_by("name")
    return [JobOut.of(job) for job in jobs]


@router.get("/jobs/settings-schema", summary="JSON Schema of a job's settings: default, range and help of each")
def settings_schema(request: HttpRequest) -> dict[str, Any]:
    return JobSettings.model_json_schema()


@router.post("/jobs/preview-deploy", summary="What deploying would do: topics made, state kept or not")
def preview_deploy(request: HttpRequest, wanted: PreviewIn) -> PreviewOut:
    preview = services.preview_deploy(
        version=_version(request, wanted), name=wanted.name, settings=wanted.settings, cluster=wanted.cluster
    )
    return PreviewOut(**preview.to_json())


@router.post("/jobs/deploy", response={202: JobOut}, summary="Run a version, or the draft of a topology")
def deploy(request: HttpRequest, wanted: DeployIn) -> Status[JobOut]:
    job = services.deploy(
        by=who(request),
        version=_version(request, wanted),
        name=wanted.name,
        settings=wanted.settings,
        cluster=wanted.cluster,
        on_state=wanted.on_state,
    )
    return Status(202, JobOut.of(job))


@router.get("/jobs/{job_id}", summary="One job with its status")
def read_job(request: HttpRequest, job_id: int) -> JobOut:
    return JobOut.of(services.job_of(job_id))


@router.post("/jobs/{job_id}/stop", response={202: JobOut}, summary="Finish the batch and stop")
def stop(request: HttpRequest, job_id: int) -> Status[JobOut]:
    return Status(202, JobOut.of(services.stop(job=services.job_of(job_id), by=who(request))))


@router.post("/jobs/{job_id}/restart", response={202: JobOut}, summary="Run the deployed version anew")
def restart(request: HttpRequest, job_id: int) -> Status[JobOut]:
    return Status(202, JobOut.of(services.restart(job=services.job_of(job_id), by=who(request))))


@router.get("/jobs/{job_id}/runs", summary="The newest runs of a job, with their failures")
def list_runs(request: HttpRequest, job_id: int) -> list[RunOut]:
    return [RunOut.of(run) for run in services.job_of(job_id).runs.order_by("-generation")[:MOST]]


@router.get("/jobs/{job_id}/events", summary="Who asked what of a job, and when")
def list_events(request: HttpRequest, job_id: int) -> list[EventOut]:
    events = services.job_of(job_id).events.select_related("by").order_by("-id")[:MOST]
    return [EventOut.of(event) for event in events]


@router.get("/clusters", summary="The Kafka clusters jobs can run on")
def list_clusters(request: HttpRequest) -> list[ClusterOut]:
    services.local_cluster()
    return [ClusterOut.of(cluster) for cluster in Cluster.objects.order_by("name")]


@router.get("/clusters/{name}/topics", summary="The topics of a cluster")
def list_topics(request: HttpRequest, name: str) -> list[TopicOut]:
    return [TopicOut.of(topic) for topic in services.cluster_named(name).connect().topics()]


@router.get("/clusters/{name}/topics/{topic}", summary="The newest messages of a topic and the schema they show")
def sample_topic(request: HttpRequest, name: str, topic: str, count: int = Query(20, ge=1, le=MOST)) -> SampleOut:
    connection = services.cluster_named(name).connect()
    messages = connection.sample(topic, MOST)
    inferred = infer([(message.key, message.value) for message in messages])
    return SampleOut.of(connection.topic(topic), messages[-count:], inferred)


def _version(request: HttpRequest, wanted: DeployIn | PreviewIn) -> Version:
    """The version that is named, or the named topology's draft saved as one; raises NotFound."""
    if wanted.version is not None:
        version = Version.objects.select_related("topology").filter(id=wanted.version).first()
        if version is None:
            raise NotFound(f"There is no version {wanted.version}.", "List the topology's versions.")
        return version
    topology = Topology.objects.filter(id=wanted.topology).first()
    if topology is None:
        raise NotFound(f"There is no topology {wanted.topology}.", "Name a `topology` or a `version`.")
    return create_version(topology=topology, by=who(request))
