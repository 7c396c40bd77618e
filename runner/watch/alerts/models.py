"""Changed rules, alerts and their silences, and channels for messages."""

from __future__ import annotations

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from designer.projects.audit_messages import AuditWords
from runner.control.clusters.sealing import open_secrets
from runner.control.jobs.models import Job
from runner.watch.alerts.kinds import KINDS, AlertKind, Kind, Subject

MAX_NAME_LENGTH = 100
MAX_NOTE = 500
MAX_TEXT = 1_000
MAX_ANSWER = 300


class Rule(models.Model):
    """A user's limit for a kind: for one job, for all jobs of a project, or without either for all.

    Elsewhere the kind's own limit applies.
    """

    audit_words = AuditWords(fields={"seconds": "for seconds", "threshold": "limit"})
    kind = models.CharField(max_length=32)
    job = models.ForeignKey(Job, on_delete=models.CASCADE, null=True, related_name="+")
    project = models.ForeignKey("designer.Project", on_delete=models.CASCADE, null=True, related_name="+")
    on = models.BooleanField(default=True)
    threshold = models.FloatField()
    seconds = models.PositiveIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "job", "project"], nulls_distinct=False, name="one_rule_of_a_kind"),
            models.CheckConstraint(condition=Q(job=None) | Q(project=None), name="rule_of_a_job_or_a_project"),
        ]

    def __str__(self) -> str:
        of = f"the project {self.project}" if self.project else "all jobs"
        return f"{self.kind} of {self.job or of}"


class State(models.TextChoices):
    PENDING = "pending"
    FIRING = "firing"
    ENDED = "ended"


class Alert(models.Model):
    """A figure above the limit of its rule. It outlives its job, so that the history stays.

    `where` is the name of its job or host, and `part` the node or topic. `calm_since`: the figure is within the limit
    again since then. `told`: messages were sent, so its end is reported as well.
    """

    kind = models.CharField(max_length=32)
    job = models.ForeignKey(Job, on_delete=models.DO_NOTHING, db_constraint=False, null=True, related_name="+")
    host = models.CharField(max_length=255, blank=True, default="")
    part = models.CharField(max_length=255, blank=True, default="")
    where = models.CharField(max_length=255)
    state = models.CharField(max_length=16, choices=State.choices, default=State.PENDING)
    value = models.FloatField()
    note = models.CharField(max_length=MAX_NOTE, blank=True, default="")
    threshold = models.FloatField()
    since = models.DateTimeField()
    fired_at = models.DateTimeField(null=True)
    calm_since = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    told = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "job", "host", "part"],
                condition=~Q(state=State.ENDED),
                nulls_distinct=False,
                name="one_open_alert",
            ),
        ]
        indexes = [models.Index(fields=["-since"], name="alerts_by_time")]

    def __str__(self) -> str:
        return f"{self.title}: {self.where}"

    @property
    def title(self) -> str:
        return self._kind.title if self._kind else self.kind

    @property
    def subject(self) -> Subject:
        return Subject(self.job_id, self.host, self.part)

    def sentence(self) -> str:
        """The problem, with the newest value."""
        says = self._kind.sentence(self.where, self.part, self.value) if self._kind else self.where
        return f"{says} {self.note}".rstrip()

    @property
    def _kind(self) -> Kind | None:
        """None for an alert from a version of the product with other kinds."""
        return KINDS.get(AlertKind(self.kind))


class Silence(models.Model):
    """Until then, no messages for alerts of a kind (empty: any), of a job or host (neither: all)."""

    kind = models.CharField(max_length=32, blank=True, default="")
    job = models.ForeignKey(Job, on_delete=models.CASCADE, null=True, related_name="+")
    host = models.CharField(max_length=255, blank=True, default="")
    until = models.DateTimeField()
    why = models.CharField(max_length=200, blank=True, default="")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.kind or 'all'} until {self.until}"

    def covers(self, alert: Alert) -> bool:
        everywhere = self.job_id is None and not self.host
        here = self.job_id == alert.job_id if self.job_id is not None else self.host == alert.host
        return self.kind in ("", alert.kind) and (everywhere or here)


class Form(models.TextChoices):
    """How a channel's messages go out."""

    WEBHOOK = "webhook"
    SLACK = "slack"
    EMAIL = "email"


class Channel(models.Model):
    """A target of messages. `shown` names the place. The address is sealed, because that of a webhook is
    often a secret itself.

    `internal`: its creator allows an address in an own network.
    """

    name = models.CharField(max_length=MAX_NAME_LENGTH, unique=True)
    form = models.CharField(max_length=16, choices=Form.choices)
    shown = models.CharField(max_length=1_000)
    secrets = models.JSONField(default=dict)
    internal = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.name

    def open_secrets(self) -> dict[str, str]:
        """The `address` of the channel, and for a webhook the `key` of its signatures. Raises SecretLost."""
        return open_secrets(self.secrets, f"channel `{self.name}`", "Add the channel again on the page Alerts")


class What(models.TextChoices):
    """What a message says."""

    FIRED = "fired"
    ENDED = "ended"
    TEST = "test"


class Delivery(models.Model):
    """One message to one channel, kept until it arrives: if a worker dies, the next one sends it.

    It is tried at `next_at`, and not again while that is null.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="deliveries")
    alert = models.ForeignKey(Alert, on_delete=models.CASCADE, null=True, related_name="deliveries")
    what = models.CharField(max_length=8, choices=What.choices)
    text = models.CharField(max_length=MAX_TEXT)
    tries = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField(null=True, db_default=Now())
    arrived_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=MAX_ANSWER, blank=True, default="")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["channel", "alert", "what"], name="nobody_is_told_twice"),
        ]
        indexes = [models.Index(fields=["next_at"], name="deliveries_that_are_due")]

    def __str__(self) -> str:
        return f"{self.what} to {self.channel}"
