"""The events of a job's websocket, in the past tense. Each carries the sequence number of its new state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypedDict

from runner.control.jobs.job_status import find_job_status
from runner.control.jobs.models import Job

LiveEvent = Mapping[str, object]
"""A `LiveEvent` of `runner.watch.messages` as JSON, before it gets its sequence number."""


class GroupMessage(TypedDict):
    """An event on its way to the viewers of a job, by Channels."""

    type: Literal["live.event"]
    event: str
    """The JSON of a `LiveEvent` with its sequence number."""


def name_group(job_id: int) -> str:
    """The Channels group for viewers of a job."""
    return f"job.{job_id}"


def make_status_event(job: Job) -> LiveEvent:
    return {"type": "run.status_changed", **find_job_status(job)}


def make_progress_event(changes: Mapping[str, object]) -> LiveEvent:
    """All numbers that changed since the last progress event."""
    return {"type": "job.progressed", "numbers": changes}
