"""The sample feed for users: their wishes, and its progress."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now


class SampleFeed(models.Model):
    """The one feed of this installation: a single row, created at the feed's first beat."""

    rate = models.FloatField(help_text="Flights a second; 0: as fast as it goes.")
    paused = models.BooleanField(default=False)
    written = models.PositiveBigIntegerField(default=0, help_text="Flights in the topic, by the feed's own numbers.")
    broken = models.PositiveIntegerField(default=0, help_text="Broken records written on request.")
    broken_asked = models.PositiveIntegerField(default=0)
    beat_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return "paused" if self.paused else f"{self.rate:,g} flights a second"
