"""Proofs and corrections that users asked for."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired
from uuid import uuid4

from django.conf import settings
from django.db import models
from pydantic import Field
from typing_extensions import TypedDict

from designer.projects.audit_messages import AuditWords
from designer.projects.models import StoredGraph
from designer.refusals import RefusalJson
from runner.control.jobs.plans.state_changes import Effect
from runner.spark.proving.report import ComparedBatches, CorrectionKind


class ProofStatus(models.TextChoices):
    RUNNING = "running"
    EQUAL = "equal"
    DIFFERS = "differs"
    FAILED = "failed"


class ProofStore(TypedDict):
    """What a deploy would do with a store, and why."""

    node: str
    store: str
    effect: Effect
    why: str


class RebuiltTopic(TypedDict):
    """A topic from which state is rebuilt. `since` is the time of its oldest record (ms), null if none is read yet."""

    since: int | None
    offsets: Annotated[list[int], Field(description="Where it begins, by partition.")]
    is_cut: Annotated[bool, Field(description="Kafka no longer has its first records.")]


class ProofRebuilt(TypedDict):
    """How far the new version's state is rebuilt from the topics: `done` of `count` offsets."""

    done: int
    count: int
    topics: dict[str, RebuiltTopic]


class ProofReport(ComparedBatches):
    """What is known of a proof so far, with the limits of what it could look at, and what its process uses."""

    limits: list[str]
    rebuilt: NotRequired[ProofRebuilt | None]
    """None: the new version kept the stores that a deploy would keep. Older reports do not have it."""
    stores: list[ProofStore]
    seconds: float
    records_per_second: int
    memory: int
    """Bytes that its processes hold, besides files of state."""
    cores: float
    """Processor time of its processes, per second."""
    disk: int
    """Bytes of its copies of the state."""
    kept_batches: NotRequired[int]
    """Kept batches that are to be compared. New ones come on top. Older reports do not have it."""
    left_s: NotRequired[float | None]
    """About how long the rebuilding, or else the comparing of kept batches, still takes. None if nobody knows."""


class Proof(StoredGraph):
    """The newest proof of a job: the candidate's graph, and the report as far as it is known.

    `title` names the candidate: `draft`, or `version` if it is one. It was compared with the version `against`.
    `failure` is why it could not be proved, as a refusal. A process renews `beat_at` about once a second while it works
    on it. `is_stopped` asks it to end with what it knows. If the candidate's state `is_rebuilt` from the topics,
    `state` is a `runner.plan.Corrected` with which it can take over, or null if it cannot.
    """

    audit_words = AuditWords(untold=frozenset({"graph", "schemas", "report", "state", "failure"}))
    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="proof")
    against = models.ForeignKey("designer.Version", on_delete=models.SET_NULL, null=True, related_name="+")
    version = models.ForeignKey("designer.Version", on_delete=models.SET_NULL, null=True, related_name="+")
    title = models.CharField(max_length=64)
    minutes = models.FloatField()
    live_seconds = models.FloatField(default=0.0)
    is_rebuilt = models.BooleanField(default=False)
    state = models.JSONField(null=True)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()
    is_stopped = models.BooleanField(default=False)
    status = models.CharField(max_length=16, choices=ProofStatus.choices, default=ProofStatus.RUNNING)
    report: models.JSONField[ProofReport | None, ProofReport | None] = models.JSONField(null=True)
    failure: models.JSONField[RefusalJson | None, RefusalJson | None] = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"proof of {self.title} against {self.job}"


class CorrectionStatus(models.TextChoices):
    PREPARING = "preparing"
    READY = "ready"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


class OneCorrection(TypedDict):
    """A correction: what the job has sent, and what is right."""

    of: Annotated[str, Field(description="The topic that it corrects.")]
    kind: CorrectionKind
    key: str
    sent: Annotated[list[Any], Field(description="Values that the job has sent.")]
    right: Annotated[list[Any], Field(description="Right values. Null is a tombstone.")]
    at: Annotated[str, Field(description="The input record: `orders-3@18811`.")]
    batch: int


class CorrectionPreview(TypedDict):
    """What would be sent. `since` and `until` are times of batches, in ms since 1970."""

    batches: int
    records: int
    since: int
    until: int
    last_batch: int
    count: int
    counts: Annotated[
        dict[str, dict[CorrectionKind, int]], Field(description="Number of corrections by topic and kind.")
    ]
    tables: list[str]
    first: list[OneCorrection]
    limits: list[str]


class Correction(StoredGraph):
    """What corrects the results that a job has sent since a batch, if the stored graph is right. Newest last.

    It covers the batches `first_batch` to `last_batch` of an epoch. `tables` are the topics of which the newest value
    of a key counts; null lets Streamwright choose. Differences in other topics are told in `topic`. While it is `ready`
    or `sending`, a file that the `token` names has the records to send, and `digest` is that of the file. The marker in
    Kafka names the token, too. `seed` is the part of a `runner.plan.Seed` that is known of the state behind the last
    batch if the graph is right, or null if it cannot be taken along. A process renews `beat_at` while it works on it.
    """

    audit_words = AuditWords(untold=frozenset({"graph", "schemas", "preview", "seed", "failure"}))
    job = models.ForeignKey("jobs.Job", on_delete=models.CASCADE, related_name="corrections")
    token = models.UUIDField(default=uuid4, unique=True, editable=False)
    title = models.CharField(max_length=64)
    against = models.ForeignKey("designer.Version", on_delete=models.SET_NULL, null=True, related_name="+")
    epoch = models.IntegerField()
    first_batch = models.BigIntegerField()
    last_batch = models.BigIntegerField(null=True)
    tables: models.JSONField[list[str] | None, list[str] | None] = models.JSONField(null=True)
    topic = models.CharField(max_length=249, blank=True, default="")
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()
    status = models.CharField(max_length=16, choices=CorrectionStatus.choices, default=CorrectionStatus.PREPARING)
    preview: models.JSONField[CorrectionPreview | None, CorrectionPreview | None] = models.JSONField(null=True)
    seed = models.JSONField(null=True)
    digest = models.CharField(max_length=64, blank=True, default="")
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    sent_at = models.DateTimeField(null=True)
    """When someone asked to send it."""
    failure: models.JSONField[RefusalJson | None, RefusalJson | None] = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"correction of {self.job} since batch {self.first_batch}"
