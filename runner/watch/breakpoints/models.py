"""Breakpoints that users have set on jobs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from typing_extensions import TypedDict

from designer.projects.audit_messages import AuditWords


class Breakpoint(models.Model):
    """A condition on the records that leave a node by a port. It ends with its first hit.

    `looked_at` is the batch of the epoch up to which it was looked for, -1 at the beginning of the epoch. `hit` is the
    first record found, with its `batch`, `time`, `origin` and `record`. `failure` says why it is no longer looked for.
    With `alerts`, a hit is an alert until someone removes the breakpoint.
    """

    audit_words = AuditWords(untold=frozenset({"looked_at", "epoch", "hit", "failure"}))
    job = models.ForeignKey("jobs.Job", on_delete=models.CASCADE, related_name="breakpoints")
    node = models.CharField(max_length=255)
    port = models.CharField(max_length=64)
    condition = models.TextField()
    alerts = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(db_default=Now())
    epoch = models.IntegerField()
    looked_at = models.BigIntegerField()
    hit: models.JSONField[Any, Any] = models.JSONField(null=True)
    failure = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        indexes = [
            models.Index(fields=["job"], condition=models.Q(hit__isnull=True, failure=""), name="watched_breakpoints"),
        ]

    def __str__(self) -> str:
        return f"breakpoint `{self.condition}` at {self.node} of {self.job}"


class AlertedHit(TypedDict):
    """A hit of a breakpoint that is an alert."""

    node: str
    condition: str
    batch: int


def find_hits() -> dict[int, list[AlertedHit]]:
    """The hits of each job that are alerts."""
    found: dict[int, list[AlertedHit]] = {}
    for each in Breakpoint.objects.filter(alerts=True).exclude(hit__isnull=True).order_by("id"):
        hit: AlertedHit = {"node": each.node, "condition": each.condition, "batch": each.hit["batch"]}
        found.setdefault(each.job_id, []).append(hit)
    return found
