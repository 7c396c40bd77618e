"""Proofs that users asked for."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from designer.projects.audit_messages import AuditWords
from designer.projects.models import StoredGraph


class ProofStatus(models.TextChoices):
    RUNNING = "running"
    EQUAL = "equal"
    DIFFERS = "differs"
    FAILED = "failed"


class Proof(StoredGraph):
    """The newest proof of a job: the candidate's graph, and the report as far as it is known.

    `title` names the candidate: `draft`, or `version` if it is one. It was compared with the version `against`.
    `failure` is why it could not be proved, as a refusal. A process renews `beat_at` about once a second while it works
    on it. `is_stopped` asks it to end with what it knows.
    """

    audit_words = AuditWords(untold=frozenset({"graph", "schemas", "report", "failure"}))
    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="proof")
    against = models.ForeignKey("designer.Version", on_delete=models.SET_NULL, null=True, related_name="+")
    version = models.ForeignKey("designer.Version", on_delete=models.SET_NULL, null=True, related_name="+")
    title = models.CharField(max_length=64)
    minutes = models.FloatField()
    live_seconds = models.FloatField(default=0.0)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()
    is_stopped = models.BooleanField(default=False)
    status = models.CharField(max_length=16, choices=ProofStatus.choices, default=ProofStatus.RUNNING)
    report = models.JSONField(null=True)
    failure = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"proof of {self.title} against {self.job}"
