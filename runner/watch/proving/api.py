"""Proofs over HTTP. A job has one: the newest."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Status

from designer.projects.models import Draft, Version
from designer.projects.requests import get_user
from designer.projects.roles import EDITOR, VIEWER
from designer.projects.routing import Router
from designer.refusals import NotFound
from runner.control.codes import ControlCode
from runner.control.jobs.services import get_job
from runner.watch.proving.models import Proof
from runner.watch.proving.newest import find_proof, stop
from runner.watch.proving.schemas import ProofIn, ProofOut

router = Router(tags=["proofs"])


@router.post(
    "/jobs/{job_id}/proof",
    needs=EDITOR,
    audit="prove a change",
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response={202: ProofOut},
    summary="Run a changed version beside a job, and compare the results",
)
def start_proof(request: HttpRequest, job_id: int, body: ProofIn) -> Status[Proof]:
    """Over the batches of the last minutes at full speed, then over new ones. Nothing is written, no offset is
    committed, and the job is not touched."""
    job = get_job(job_id)
    origin: Version | Draft = job.topology.draft
    if body.version is not None:
        version = Version.objects.filter(topology=job.topology, id=body.version).first()
        if version is None:
            raise NotFound(f"There is no version {body.version} of {job.topology}.", "List the topology's versions.")
        origin = version
    from runner.watch.proving import jobs  # only here: it brings Spark's packages, which few requests need

    proof = jobs.start(
        job=job,
        origin=origin,
        by=get_user(request),
        minutes=body.minutes,
        live_seconds=body.live_seconds,
    )
    return Status(202, proof)


@router.get("/jobs/{job_id}/proof", needs=VIEWER, response=ProofOut, summary="The newest proof of a job")
def get_proof(request: HttpRequest, job_id: int) -> Proof:
    """Its report grows about once a second while it is `running`."""
    return find_proof(job=get_job(job_id))


@router.post(
    "/jobs/{job_id}/proof/stop",
    needs=EDITOR,
    audit="stop a proof",
    response={202: ProofOut},
    summary="End a proof with what it knows",
)
def stop_proof(request: HttpRequest, job_id: int) -> Status[Proof]:
    """Its report stays."""
    return Status(202, stop(job=get_job(job_id)))
