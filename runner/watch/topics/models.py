"""The newest versions of subjects, as the guard has judged them."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models.functions import Now
from typing_extensions import TypedDict

from runner.control.clusters.models import Cluster


class JudgedVersion(models.Model):
    """The newest version of a subject that a drawing or a job reads, and what it does to each of them.

    `affected` are the lines of the guard's report, each with its project. `drawn` identifies the drawings and jobs that
    were judged: others make a new judgement necessary.
    """

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")
    subject = models.CharField(max_length=500)
    topic = models.CharField(max_length=255)
    version = models.PositiveIntegerField()
    noticed_at = models.DateTimeField(db_default=Now())
    drawn = models.CharField(max_length=64)
    affected: models.JSONField[Any, Any] = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["cluster", "subject", "topic"], name="one_judgement_of_a_subject")
        ]

    def __str__(self) -> str:
        return f"{self.subject} version {self.version}"

    @property
    def breaks(self) -> bool:
        """Whether records with this version fail in a drawing or job."""
        return any(each["effect"] == "breaks" for each in self.affected)


class BreakingSchema(TypedDict):
    """A version of a schema with which records of a job fail."""

    subject: str
    version: int
    topic: str
    places: int
    """Number of places in the topology at which they fail."""
    message: str
    """What happens at the first one."""


def find_breaking() -> dict[int, list[BreakingSchema]]:
    """The judged versions with which records of each job fail, by the id of the job."""
    found: dict[int, list[BreakingSchema]] = {}
    for row in JudgedVersion.objects.exclude(affected=[]):
        for each in row.affected:
            places = [one for one in each["consequences"] if one["when"] == "at_once"]
            if each["job"] is not None and each["effect"] == "breaks":
                breaking: BreakingSchema = {
                    "subject": row.subject,
                    "version": row.version,
                    "topic": row.topic,
                    "places": len(places),
                    "message": places[0]["message"],
                }
                found.setdefault(each["job"], []).append(breaking)
    return found
