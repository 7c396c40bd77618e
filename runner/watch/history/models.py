"""Stored numbers of jobs."""

from __future__ import annotations

from django.db import models

from runner.control.jobs.models import Job


class Step(models.IntegerChoices):
    """Number of seconds in one row."""

    MINUTE = 60
    TEN_MINUTES = 600


class HistoryRow(models.Model):
    """The numbers of a job from `at` on, for a step. `runner.watch.history.rows` describes them.

    Rows are deleted when they are too old for every chart, so a job has 3,100 at most.
    """

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="+")
    step = models.PositiveIntegerField(choices=Step.choices)
    at = models.DateTimeField()
    values = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "step", "at"], name="one_row_for_a_step")]

    def __str__(self) -> str:
        return f"{self.job} at {self.at}"
