"""Dead letters over HTTP: what there is, what the draft would make of it, and sending it back."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Query as InQuery
from ninja import Status

from designer.projects.requests import get_user
from designer.projects.roles import EDITOR, OPERATOR, VIEWER
from designer.projects.routing import Router
from runner.control.codes import ControlCode
from runner.control.jobs.services import get_job
from runner.spark.codes import RunCode
from runner.watch.codes import WatchCode
from runner.watch.dead_letters import services, trying
from runner.watch.dead_letters.groups import MAX_GROUPS
from runner.watch.dead_letters.schemas import (
    ChosenDeadLettersIn,
    DeadLetterGroupOut,
    DeadLettersOut,
    FilterIn,
    RedriveIn,
    RedriveOut,
    ShownDeadLetterOut,
    TriedDeadLettersOut,
)

router = Router(tags=["dead letters"])
MAX_ROWS = 50


@router.get(
    "/jobs/{job_id}/letters",
    needs=VIEWER,
    response=DeadLettersOut,
    summary="The dead letters of a job, grouped and searched",
)
def list_dead_letters(request: HttpRequest, job_id: int, query: InQuery[FilterIn]) -> DeadLettersOut:
    """Read from their topic now: at most the newest 100,000, for at most 10 s. `read` says what that was."""
    job = get_job(job_id)
    overview = services.look(job=job, choice=query.filter())
    groups = sorted(overview.grouping.groups.values(), key=lambda each: (-each.count, each.id))
    start, step = overview.grouping.steps()
    seen_again = services.SeenAgain(job.version.read_graph())
    return DeadLettersOut(
        topic=services.get_topic(job),
        cluster=job.cluster.name,
        has_topic=overview.topic is not None,
        read=overview.read,
        start=start,
        step=step,
        groups=[
            DeadLetterGroupOut.of(each, overview.grouping, start, step, seen_again.find(each.sources, each.node))
            for each in groups[:MAX_GROUPS]
        ],
        groups_left_out=len(groups[MAX_GROUPS:]),
        matched=overview.grouping.match_count,
        waiting=overview.grouping.waiting_count,
        letters=[
            ShownDeadLetterOut.of(each, overview.grouping)
            for each in sorted(overview.grouping.shown_dead_letters, reverse=True)
        ],
    )


@router.post(
    "/jobs/{job_id}/letters/try",
    needs=EDITOR.asking,
    refuses=[ControlCode.CLUSTER_SECRET_LOST, WatchCode.TRIAL_BUSY, RunCode.TRIAL_FAILED],
    response=TriedDeadLettersOut,
    summary="List the letters that the draft would now process",
)
def try_dead_letters(request: HttpRequest, job_id: int, body: ChosenDeadLettersIn) -> TriedDeadLettersOut:
    """The records of the first 1,000 letters, through the draft of the job's topology. Nothing is written."""
    trial = trying.try_dead_letters(
        job=get_job(job_id), choice=body.filter(), letters=body.places(), by=get_user(request)
    )
    return TriedDeadLettersOut.of_tried(trial)


@router.get("/jobs/{job_id}/redrives", needs=VIEWER, response=list[RedriveOut], summary="The newest redrives of a job")
def list_redrives(request: HttpRequest, job_id: int) -> list[RedriveOut]:
    redrives = get_job(job_id).redrives.select_related("by").defer("records").order_by("-id")[:MAX_ROWS]
    return [RedriveOut.of(each) for each in redrives]


@router.post(
    "/jobs/{job_id}/redrives",
    needs=OPERATOR,
    audit="redrive dead letters",
    refuses=[ControlCode.TOPIC_INTERNAL, WatchCode.RECORD_NOT_BASE64],
    response={201: RedriveOut},
    summary="Send letters back to their source topics",
)
def create_redrive(request: HttpRequest, job_id: int, body: RedriveIn) -> Status[RedriveOut]:
    """Each record once, with key, value, headers and time as they were. It continues without the client."""
    redrive = services.redrive(
        job=get_job(job_id),
        choice=body.filter(),
        letters=body.places(),
        rate=body.rate,
        edit=body.edited.to_edit() if body.edited else None,
        by=get_user(request),
    )
    return Status(201, RedriveOut.of(redrive))


@router.post(
    "/jobs/{job_id}/redrives/{redrive_id}/stop",
    needs=OPERATOR,
    audit="stop a redrive",
    refuses=[ControlCode.TOPIC_INTERNAL, WatchCode.RECORD_NOT_BASE64],
    response=RedriveOut,
    summary="Stop a redrive",
)
def stop_redrive(request: HttpRequest, job_id: int, redrive_id: int) -> RedriveOut:
    job = get_job(job_id)
    return RedriveOut.of(services.stop(redrive=services.redrive_of(job, redrive_id), by=get_user(request)))
