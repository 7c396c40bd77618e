"""Proofs over HTTP. A job has one: the newest."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Status

from designer.projects.models import Draft, Version
from designer.projects.requests import get_user
from designer.projects.roles import EDITOR, OPERATOR, VIEWER
from designer.projects.routing import Router
from designer.projects.schemas import RefusalOut
from designer.refusals import NotFound
from runner.control.codes import ControlCode
from runner.control.jobs.api import DEPLOY_REFUSES
from runner.control.jobs.models import Job
from runner.control.jobs.schemas import ChoiceOut, JobOut
from runner.control.jobs.services import get_job
from runner.engine.records.record import Origin
from runner.spark.codes import RunCode
from runner.watch.proving import newest
from runner.watch.proving.corrections import find_correction
from runner.watch.proving.models import Correction, Proof
from runner.watch.proving.newest import find_proof, stop
from runner.watch.proving.schemas import (
    CorrectionIn,
    CorrectionOut,
    CutOverIn,
    PinIn,
    PinsOut,
    ProofIn,
    ProofOut,
)

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
    origin = _find_origin(job, body.version)
    from runner.watch.proving import jobs  # only here: it brings Spark's packages, which few requests need

    proof = jobs.start(
        job=job,
        origin=origin,
        by=get_user(request),
        minutes=body.minutes,
        live_seconds=body.live_seconds,
        is_rebuilt=body.is_rebuilt,
    )
    return Status(202, proof)


def _find_origin(job: Job, version_id: int | None) -> Version | Draft:
    """A version of the job's topology, or its draft. Raises NotFound."""
    if version_id is None:
        draft: Draft = job.topology.draft
        return draft
    version = Version.objects.filter(topology=job.topology, id=version_id).first()
    if version is None:
        raise NotFound(f"There is no version {version_id} of {job.topology}.", "List the topology's versions.")
    return version


@router.get("/jobs/{job_id}/proof", needs=VIEWER, response=ProofOut | None, summary="The newest proof of a job")
def get_proof(request: HttpRequest, job_id: int) -> Proof | None:
    """Its report grows about once a second while it is `running`. Null if no change of the job was proved."""
    return find_proof(job=get_job(job_id))


PIN_REFUSES = [
    ControlCode.CLUSTER_SECRET_LOST,
    RunCode.CHECKPOINT_UNREACHABLE,
    RunCode.FOLLOW_NOT_KEPT,
    RunCode.RUN_DISK_BROKEN,
]


@router.get(
    "/jobs/{job_id}/pins",
    needs=VIEWER,
    refuses=PIN_REFUSES,
    response=PinsOut,
    summary="List the pinned batches of a job",
)
def list_pins(request: HttpRequest, job_id: int) -> PinsOut:
    """Of the checkpoint that the job uses now."""
    from runner.watch.proving import pins  # only here: it brings Spark's packages, which few requests need

    return pins.list_pins(job=get_job(job_id))


@router.put(
    "/jobs/{job_id}/pins/{int:batch}",
    needs=EDITOR,
    audit="pin a batch",
    refuses=PIN_REFUSES,
    response=PinsOut,
    summary="Keep the manifest of a batch",
)
def pin_batch(request: HttpRequest, job_id: int, batch: int, body: PinIn) -> PinsOut:
    """Until it is unpinned, or another version of the job begins a checkpoint of its own."""
    from runner.watch.proving import pins

    at = body.record
    record = Origin(at.topic, at.partition, at.offset).to_json() if at else None
    return pins.pin(job=get_job(job_id), batch=batch, by=get_user(request), note=body.note, record=record)


@router.delete(
    "/jobs/{job_id}/pins/{int:batch}",
    needs=EDITOR,
    audit="unpin a batch",
    refuses=PIN_REFUSES,
    response=PinsOut,
    summary="Let the manifest of a batch go when its time comes",
)
def unpin_batch(request: HttpRequest, job_id: int, batch: int) -> PinsOut:
    from runner.watch.proving import pins

    return pins.unpin(job=get_job(job_id), batch=batch)


@router.post(
    "/jobs/{job_id}/proof/cut-over",
    needs=OPERATOR,
    audit="cut over to a proved version",
    refuses=DEPLOY_REFUSES,
    response={202: JobOut, 409: ChoiceOut | RefusalOut},
    summary="Let the proved version take over at the border of a batch",
)
def cut_over(request: HttpRequest, job_id: int, body: CutOverIn) -> Status[JobOut]:
    """The one of the newest proof. The state of the running version is kept for a day, for the way back."""
    job = newest.cut_over(job=get_job(job_id), by=get_user(request), on_state=body.on_state)
    return Status(202, JobOut.of(job))


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


CORRECTION_REFUSES = [
    ControlCode.CLUSTER_SECRET_LOST,
    ControlCode.TOPIC_INTERNAL,
    RunCode.CHECKPOINT_UNREACHABLE,
    RunCode.FOLLOW_NOT_KEPT,
]


@router.post(
    "/jobs/{job_id}/correction",
    needs=EDITOR,
    audit="prepare a correction",
    refuses=CORRECTION_REFUSES,
    response={202: CorrectionOut},
    summary="Work out what corrects the results that a job has sent since a batch",
)
def prepare_correction(request: HttpRequest, job_id: int, body: CorrectionIn) -> Status[Correction]:
    """If the draft, or a version, is right. Nothing is sent, and the job is not touched."""
    job = get_job(job_id)
    origin = _find_origin(job, body.version)
    from runner.watch.proving import correcting  # only here: it brings Spark's packages, which few requests need

    correction = correcting.start(
        job=job,
        origin=origin,
        by=get_user(request),
        first_batch=body.batch,
        topic=body.topic,
        tables=body.tables,
    )
    return Status(202, correction)


@router.get(
    "/jobs/{job_id}/correction", needs=VIEWER, response=CorrectionOut | None, summary="The newest correction of a job"
)
def get_correction(request: HttpRequest, job_id: int) -> Correction | None:
    """Its preview is there once it is `ready`. Null if no results of the job were corrected."""
    return find_correction(job=get_job(job_id))


@router.post(
    "/jobs/{job_id}/correction/send",
    needs=OPERATOR,
    audit="send corrections",
    refuses=[*CORRECTION_REFUSES, ControlCode.JOB_STILL_RUNS],
    response={202: CorrectionOut},
    summary="Send the prepared corrections of a stopped job",
)
def send_correction(request: HttpRequest, job_id: int) -> Status[Correction]:
    """All of them or none, in one transaction. Asked again after a crash, nothing is sent twice."""
    from runner.watch.proving import correcting

    correction = correcting.request_send(job=get_job(job_id), by=get_user(request))
    correcting.start_process(correction)
    return Status(202, correction)


@router.post(
    "/jobs/{job_id}/correction/take-over",
    needs=OPERATOR,
    audit="take over with the corrected state",
    refuses=[*DEPLOY_REFUSES, ControlCode.JOB_STILL_RUNS],
    response={202: JobOut, 409: ChoiceOut | RefusalOut},
    summary="Let the right version go on with the corrected state",
)
def take_over_corrected(request: HttpRequest, job_id: int) -> Status[JobOut]:
    """The version with which the newest corrections were worked out, behind the last batch that they correct. Its state
    is that of a job that was right since the first one. The state of the version before is kept for a day."""
    from runner.watch.proving import correcting

    return Status(202, JobOut.of(correcting.take_over(job=get_job(job_id), by=get_user(request))))
