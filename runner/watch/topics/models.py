"""The newest versions of subjects, as the guard has judged them."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models.functions import Now

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


def find_breaking() -> dict[int, list[dict[str, Any]]]:
    """The judged versions with which records of each job fail: subject, version, topic, the places, the first one."""
    found: dict[int, list[dict[str, Any]]] = {}
    for row in JudgedVersion.objects.exclude(affected=[]):
        for each in row.affected:
            places = [one for one in each["consequences"] if one["when"] == "at_once"]
            if each["job"] is not None and each["effect"] == "breaks":
                breaking = {"subject": row.subject, "version": row.version, "topic": row.topic}
                breaking |= {"places": len(places), "message": places[0]["message"]}
                found.setdefault(each["job"], []).append(breaking)
    return found
