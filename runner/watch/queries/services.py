"""The tables of a job for queries, and their answers."""

from __future__ import annotations

from collections.abc import Mapping

from designer.refusal_codes import read_code
from designer.refusals import Conflict, Refusal, RefusalJson
from runner.control.jobs.models import Job
from runner.control.jobs.statuses import Status
from runner.engine.planning.layout import Store
from runner.engine.queryable import Query, find_queryable
from runner.spark.events import Answer, PageOfRows, Readiness
from runner.spark.layouts import lay_out_plan
from runner.watch.queries.mailbox import ask, of_run


def find_tables(job: Job) -> Mapping[str, Store]:
    """The stores of a job's last run that accept queries, by name."""
    run = job.find_last_run()
    if run is None:
        return {}
    return find_queryable(lay_out_plan(run.read_plan()))


def ask_rows(job: Job, store: str, query: Query) -> PageOfRows | Readiness:
    """A page of the table's rows, or how far it is restored if it is not there yet.

    Raises Conflict if the job does not run, NoAnswer, and the run's refusals.
    """
    run = job.find_live_run()
    if run is None or run.status == Status.STOPPING:
        raise Conflict(f"{job.name} is not running, so its tables cannot be queried.", "Start the job, then try again.")
    if run.status != Status.RUNNING:
        return {"ready": 0, "of": None}
    answer: Answer = ask(of_run(run.id), {"store": store, "query": query.model_dump()})
    if "refusal" in answer:
        raise _make_refusal(answer["refusal"], answer["status"])
    return answer["page"] if "page" in answer else answer["restoring"]


def _make_refusal(fields: RefusalJson, status: int) -> Refusal:
    refusal = Refusal(fields["message"], fields["hint"])
    refusal.code, refusal.status = read_code(fields["code"]), status
    return refusal
