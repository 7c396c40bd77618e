"""Redrives that users requested. Kafka holds their progress: the marks."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from designer.projects.audit_messages import AuditWords
from runner.watch.dead_letters.contents import DeadLettersOfRecord


class RedriveStatus(models.TextChoices):
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"


class Redrive(models.Model):
    """Letters to send back. `records` holds the places of the letters of each record, in the order of sending. `amount`
    is the number of records.

    `sent` and `refused` (places and why) come from the marks and the last attempt. `problem` is why it waits.
    """

    audit_words = AuditWords(untold=frozenset({"records", "topic_id"}))
    job = models.ForeignKey("jobs.Job", on_delete=models.CASCADE, related_name="redrives")
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="+")
    topic = models.CharField(max_length=249)
    topic_id = models.CharField(max_length=64)
    records = models.JSONField()
    amount = models.PositiveIntegerField(default=0)
    edited = models.JSONField(null=True)
    rate = models.FloatField(null=True)
    status = models.CharField(
        max_length=16, choices=RedriveStatus.choices, default=RedriveStatus.RUNNING, db_column="standing"
    )
    sent = models.PositiveIntegerField(default=0)
    refused = models.JSONField(default=list)
    problem = models.TextField(blank=True, default="")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["cluster", "topic"], condition=Q(status="running"), name="one_redrive_of_a_topic"
            )
        ]

    def __str__(self) -> str:
        return f"{self.amount} records of {self.topic}"

    def read_records(self) -> list[DeadLettersOfRecord]:
        return [tuple((partition, offset) for partition, offset in letters) for letters in self.records]
