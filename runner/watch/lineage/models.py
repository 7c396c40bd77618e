"""Which events of a run a collector has."""

from __future__ import annotations

from django.db import models

from runner.control.jobs.models import Run


class SentEvent(models.Model):
    """An OpenLineage event of a run that the collector has accepted. `state` is START, COMPLETE, ABORT or FAIL."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=16)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "state"], name="one_event_of_a_state")]

    def __str__(self) -> str:
        return f"{self.state} of {self.run}"
