"""Breakpoints over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Schema, Status
from pydantic import Field

from designer.projects.requests import get_user
from designer.projects.roles import EDITOR, VIEWER
from designer.projects.routing import Router
from designer.projects.schemas import RequestBody
from runner.control.codes import ControlCode
from runner.control.jobs.services import get_job
from runner.engine.codes import EngineCode
from runner.watch.breakpoints.models import Breakpoint
from runner.watch.past.schemas import HitOut

router = Router(tags=["breakpoints"])


class BreakpointIn(RequestBody):
    """A condition on the records that leave a node by a port."""

    node: str = Field(max_length=255)
    port: str = Field(max_length=64)
    condition: str = Field(max_length=10_000, description="An expression over the record, such as `amount < 0`.")
    alerts: bool = Field(False, description="Whether a hit is an alert, until someone removes the breakpoint.")


class BreakpointOut(Schema):
    """A breakpoint. It ends with its first hit, whose batch is pinned."""

    id: int
    node: str
    port: str
    condition: str
    alerts: bool
    by: str
    at: datetime
    looked_at: int = Field(description="The batch up to which it was looked for. -1: none yet.")
    hit: HitOut | None
    failure: str = Field(description="Why it is no longer looked for. Empty if it is, or if it has a hit.")

    @staticmethod
    def resolve_by(breakpoint_: Breakpoint) -> str:
        return breakpoint_.by.get_username()


@router.get(
    "/jobs/{job_id}/breakpoints", needs=VIEWER, response=list[BreakpointOut], summary="List the breakpoints of a job"
)
def list_breakpoints(request: HttpRequest, job_id: int) -> QuerySet[Breakpoint]:
    """The newest first."""
    return Breakpoint.objects.filter(job=get_job(job_id)).select_related("by").order_by("-id")


@router.post(
    "/jobs/{job_id}/breakpoints",
    needs=EDITOR,
    audit="set a breakpoint",
    refuses=[ControlCode.CLUSTER_SECRET_LOST, EngineCode.QUERY_REFUSED],
    response={201: BreakpointOut},
    summary="Watch new batches of a job for records that fulfil a condition",
)
def set_breakpoint(request: HttpRequest, job_id: int, body: BreakpointIn) -> Status[Any]:
    """The job does not stop, and does not notice: its batches are executed again in processes of their own."""
    from runner.watch.past import breakpoints  # only here: it brings Spark's packages, which few requests need

    return Status(201, breakpoints.set_breakpoint(job=get_job(job_id), by=get_user(request), **body.dict()))


@router.delete(
    "/jobs/{job_id}/breakpoints/{int:breakpoint_id}",
    needs=EDITOR,
    audit="remove a breakpoint",
    response={204: None},
    summary="Remove a breakpoint, and end its alert",
)
def remove_breakpoint(request: HttpRequest, job_id: int, breakpoint_id: int) -> Status[None]:
    """The batch of its hit stays pinned."""
    from runner.watch.past import breakpoints

    breakpoints.remove_breakpoint(job=get_job(job_id), breakpoint_id=breakpoint_id)
    return Status(204, None)
