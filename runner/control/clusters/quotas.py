"""Limits on the use of the server and of Kafka by one job or user, set by an administrator in the environment."""

from __future__ import annotations

from typing import Literal

from django.conf import settings

from designer.refusals import Refusal
from runner.control.codes import ControlCode

Quota = Literal["MAX_MEMORY_MB", "MAX_SLOTS", "MAX_PARTITIONS", "MAX_JOBS_PER_USER"]
WORDS: dict[Quota, str] = {
    "MAX_MEMORY_MB": "the heap of a job, in MiB,",
    "MAX_SLOTS": "the slots of a job",
    "MAX_PARTITIONS": "the partitions of a topic",
    "MAX_JOBS_PER_USER": "the running jobs of a user",
}


class QuotaExceeded(Refusal):
    """A request exceeds a limit of the server."""

    code = ControlCode.QUOTA_EXCEEDED
    status = 403


def refuse_above(quota: Quota, count: int) -> None:
    """Raises QuotaExceeded if `count` is above the limit. A limit of 0 means no limit."""
    limit: int = settings.QUOTAS[quota]
    if 0 < limit < count:
        raise QuotaExceeded(
            f"This server limits {WORDS[quota]} to {limit:,}; this needs {count:,}.",
            f"Choose a lower value, or ask an administrator to raise STREAMWRIGHT_{quota}.",
        )
