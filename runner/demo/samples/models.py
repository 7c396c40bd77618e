"""The sample feed for users: their wishes, and its progress."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from designer.projects.audit_messages import AuditWords


class SampleFeed(models.Model):
    """The one feed of this installation: a single row, created at the feed's first beat."""

    audit_words = AuditWords(untold=frozenset({"beat_at"}))
    rate = models.FloatField(help_text="Flights a second; 0: as fast as it goes.")
    paused = models.BooleanField(default=False)
    written = models.PositiveBigIntegerField(default=0, help_text="Flights in the topic, by the feed's own numbers.")
    broken = models.PositiveIntegerField(default=0, help_text="Broken records written on request.")
    broken_asked = models.PositiveIntegerField(default=0)
    beat_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return "paused" if self.paused else f"{self.rate:,g} flights a second"


class SampleData(models.Model):
    """A topology of the gallery that runs with sample data: what is played, and what was made for it.

    With `removed_by`, nothing is played any more, and workers take everything away.
    """

    topology = models.OneToOneField("designer.Topology", on_delete=models.CASCADE, related_name="sample_data")
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="+")
    application = models.CharField(max_length=64, help_text="Its id in the gallery.")
    topics = models.JSONField(default=list, help_text="Names of the topics that were made for it.")
    cycle = models.PositiveIntegerField(default=0, help_text="The next cycle of records.")
    created_at = models.DateTimeField(db_default=Now())
    next_at = models.DateTimeField(db_default=Now(), help_text="When the next cycle is due.")
    plays_until = models.DateTimeField(db_default=Now())
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", help_text="Who removes it."
    )

    def __str__(self) -> str:
        return f"{self.application} in {self.topology}"
