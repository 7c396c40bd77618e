"""The kept past of a job over HTTP. It changes nothing, and the job does not notice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from ninja import Query as InQuery
from ninja import Status

from designer.projects.requests import get_user
from designer.projects.roles import EDITOR, VIEWER
from designer.projects.routing import Router
from runner.control.codes import ControlCode
from runner.control.jobs.services import get_job
from runner.engine.codes import EngineCode
from runner.engine.queryable import Query
from runner.spark.codes import RunCode
from runner.watch.codes import WatchCode
from runner.watch.past.schemas import (
    BatchesOut,
    BatchSearchIn,
    BatchSearchOut,
    MadeCaseIn,
    MadeCaseOut,
    PastBatchOut,
    RecordsCaseIn,
    StepIn,
    StepThroughOut,
    WhyRecordIn,
    WhyRecordOut,
    WhyRowIn,
    WhyRowOut,
)
from runner.watch.queries.api import TableOut, TextRowsOut
from runner.watch.trials.schemas import OriginOut

if TYPE_CHECKING:
    from runner.watch.past.kept import KeptBatches
    from runner.watch.past.searching import SearchedBatches
    from runner.watch.past.services import PastBatch, SteppedBatch
    from runner.watch.past.stories import RecordStory, RowStory

router = Router(tags=["past"])
REFUSES = [
    ControlCode.CLUSTER_SECRET_LOST,
    EngineCode.QUERY_REFUSED,
    RunCode.CHECKPOINT_UNREACHABLE,
    RunCode.FOLLOW_NOT_KEPT,
    RunCode.RUN_DISK_BROKEN,
    RunCode.TRIAL_FAILED,
    WatchCode.TRIAL_BUSY,
]


def read_place(record: OriginOut | None) -> tuple[str, int, int] | None:
    """The place of a record of a topic."""
    return None if record is None else (record.topic, record.partition, record.offset)


@router.get(
    "/jobs/{job_id}/batches",
    needs=VIEWER,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=BatchesOut,
    summary="List the kept batches of a job",
)
def list_batches(
    request: HttpRequest, job_id: int, since: int | None = None, until: int | None = None, limit: int = 500
) -> KeptBatches:
    """Between two times in ms since 1970. Without them, those of the last hours."""
    from runner.watch.past import kept  # only here: it brings Spark's packages, which few requests need

    count = min(max(limit, 2), kept.MAX_BATCHES)
    return kept.list_batches(job=get_job(job_id), since=since, until=until, limit=count)


@router.get(
    "/jobs/{job_id}/batches/{int:number}",
    needs=VIEWER,
    refuses=REFUSES,
    response=PastBatchOut,
    summary="What each node did in a kept batch",
)
def look_at_batch(
    request: HttpRequest, job_id: int, number: int, node: str | None = None, port: str | None = None
) -> PastBatch:
    """The batch is executed again, in its own process, over the state before it. With a node and a port, also the
    records that left there."""
    from runner.watch.past import services

    return services.look_at(job=get_job(job_id), by=get_user(request), number=number, node=node, port=port)


@router.get(
    "/jobs/{job_id}/batches/{int:number}/tables",
    needs=VIEWER,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=list[TableOut],
    summary="List the tables of a job as of a kept batch",
)
def list_tables_then(request: HttpRequest, job_id: int, number: int) -> list[TableOut]:
    from runner.watch.past import services

    return [TableOut.of(*table) for table in services.find_tables(job=get_job(job_id), number=number).items()]


@router.get(
    "/jobs/{job_id}/batches/{int:number}/tables/{store}",
    needs=VIEWER,
    refuses=REFUSES,
    response=TextRowsOut,
    summary="Rows of a table as of a kept batch",
)
def read_table_then(
    request: HttpRequest, job_id: int, number: int, store: str, query: InQuery[Query]
) -> Mapping[str, object]:
    """Its rows after the batch, by key, by range, by window, or all, in pages. Keys and values are JSON texts."""
    from runner.watch.past import services

    page = services.read_table(job=get_job(job_id), by=get_user(request), number=number, store=store, query=query)
    return {"status": "ready", **page}


@router.post(
    "/jobs/{job_id}/batches/{int:number}/why",
    needs=VIEWER.asking,
    refuses=REFUSES,
    response=WhyRowOut,
    summary="The records that made a row of a table what it is",
)
def explain_row(request: HttpRequest, job_id: int, number: int, body: WhyRowIn) -> RowStory:
    """Newest first, from that batch back. Each batch that changed the row is executed again in its own process."""
    from runner.watch.past import stories

    return stories.explain_row(
        job=get_job(job_id),
        by=get_user(request),
        number=number,
        row=body.row.read(),
        before=body.before,
        until=read_place(body.until),
    )


@router.post(
    "/jobs/{job_id}/why-record",
    needs=VIEWER.asking,
    refuses=REFUSES,
    response=WhyRecordOut,
    summary="What made a record of a topic",
)
def explain_record(request: HttpRequest, job_id: int, body: WhyRecordIn) -> RecordStory:
    """Its batch is executed again in its own process. `POST …/batches/{number}/why` says what made each of its rows."""
    from runner.watch.past import stories

    place = (body.record.topic, body.record.partition, body.record.offset)
    return stories.explain_record(
        job=get_job(job_id), by=get_user(request), record=place, number=body.batch, node=body.node
    )


@router.post(
    "/jobs/{job_id}/batches/{int:number}/step",
    needs=EDITOR.asking,
    refuses=REFUSES,
    response=StepThroughOut,
    summary="Step through a kept batch, record by record",
)
def step_through(request: HttpRequest, job_id: int, number: int, body: StepIn) -> SteppedBatch:
    """Over the state before the batch, with the version that executed it or with the draft. Nothing is written."""
    from runner.watch.past import services

    return services.step(
        job=get_job(job_id),
        by=get_user(request),
        number=number,
        record=read_place(body.record),
        has_draft=body.through == "draft",
    )


@router.post(
    "/jobs/{job_id}/batches/{int:number}/search",
    needs=VIEWER.asking,
    refuses=REFUSES,
    response=BatchSearchOut,
    summary="Search kept batches for records that fulfil a condition",
)
def search(request: HttpRequest, job_id: int, number: int, body: BatchSearchIn) -> SearchedBatches:
    """From that batch back. The batches are executed again in processes of their own, and the job does not stop."""
    from runner.watch.past import searching

    return searching.search(job=get_job(job_id), by=get_user(request), number=number, **body.dict())


@router.post(
    "/jobs/{job_id}/cases",
    needs=EDITOR,
    audit="make records a test case",
    refuses=[*REFUSES, WatchCode.CASE_NOT_TRIED, WatchCode.TRIAL_BAD_LINE],
    response={201: MadeCaseOut},
    summary="Make records of a job's topics, or a pinned batch, a test case",
)
def make_case_of_records(request: HttpRequest, job_id: int, body: RecordsCaseIn) -> Status[Any]:
    """With the fewest older records and rows of tables with which they give the same, and without the private values of
    the project. It expects what the running version gives."""
    from runner.watch.past import cases

    places = [(each.topic, each.partition, each.offset) for each in body.records]
    made = cases.make_case_of_records(
        job=get_job(job_id), name=body.case, records=places, batch=body.batch, by=get_user(request)
    )
    return Status(201, made)


@router.post(
    "/jobs/{job_id}/proof/case",
    needs=EDITOR,
    audit="make a difference a test case",
    refuses=[*REFUSES, WatchCode.CASE_NOT_TRIED, WatchCode.TRIAL_BAD_LINE],
    response={201: MadeCaseOut},
    summary="Make a difference that a proof has found a test case",
)
def make_case(request: HttpRequest, job_id: int, body: MadeCaseIn) -> Status[Any]:
    """Of the fewest records and rows of tables that show it, without the private values of the project. It expects what
    the compared version gives."""
    from runner.watch.past import cases

    made = cases.make_case(
        job=get_job(job_id),
        name=body.case,
        batch=body.batch,
        at=body.at,
        topic=body.topic,
        key=body.key,
        by=get_user(request),
    )
    return Status(201, made)
