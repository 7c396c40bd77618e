"""The shapes of requests and answers about jobs, as the API's schema shows them."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from designer.schemas import Schema as RecordSchema
from runner.jobs.models import Cluster, Job, JobEvent, Run
from runner.jobs.standing import standing
from runner.kafka import Message, Topic

UTF_8 = codecs.getincrementaldecoder("utf-8")


class DeployIn(Schema):
    """What to deploy: a version, or the draft of a topology."""

    topology: int | None = None
    version: int | None = None
    name: str = ""
    settings: dict[str, Any] | None = None
    cluster: str | None = None
    on_state: Literal["keep", "fresh_from_earliest", "fresh_from_now"] = "keep"


class PreviewIn(Schema):
    topology: int | None = None
    version: int | None = None
    name: str = ""
    settings: dict[str, Any] | None = None
    cluster: str | None = None


class FateOut(Schema):
    node: str
    store: str
    fate: Literal["kept", "new", "reloaded", "starts_empty", "dropped"]
    why: str


class DurabilityOut(Schema):
    """How many replicas a topic has, whether it survives the loss of one broker, and why; code in backticks."""

    topic: str
    replication: int
    lasts: bool
    why: str


class PreviewOut(Schema):
    """`choices` are values of `on_state` besides keep. Where some state starts empty one must be chosen, or cancel."""

    job: int | None
    creates: list[str]
    tasks: list[int]
    new_epoch: bool
    settings: dict[str, Any]
    description: str
    state: list[FateOut]
    durability: list[DurabilityOut]
    choices: dict[str, str]


class StepOut(Schema):
    """A step of a start, in the order of their names here; `at` is when it began, ms since 1970."""

    step: Literal["session", "kafka", "restoring", "first_batch", "running"]
    at: int


class JobOut(Schema):
    id: int
    name: str
    application_id: str
    topology: int
    version: int
    version_number: int
    cluster: str
    status: str
    desired: str
    blocked: bool
    problem: dict[str, Any] | None
    settings: dict[str, Any]
    epoch: int
    generation: int
    run: int | None
    stop_reason: str
    steps: list[StepOut]
    failure: dict[str, Any] | None
    start_after: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    created_at: datetime
    created_by: str
    updated_at: datetime
    updated_by: str

    @classmethod
    def of(cls, job: Job) -> JobOut:
        stands = standing(job)
        return cls(
            id=job.id,
            name=job.name,
            application_id=job.application_id,
            topology=job.topology_id,
            version=job.version_id,
            version_number=job.version.number,
            cluster=job.cluster.name,
            settings=job.settings,
            generation=job.generation,
            created_at=job.created_at,
            created_by=job.created_by.get_username(),
            updated_at=job.updated_at,
            updated_by=job.updated_by.get_username(),
            **{
                name: stands[name]
                for name in cls.model_fields
                if name in stands and name != "generation" and name != "version"
            },
        )


class RunOut(Schema):
    """One life of a job's process; a failed one keeps code, message, hint, node, batch, offsets and traceback."""

    id: int
    generation: int
    epoch: int
    version: int
    status: str
    host: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    stop_reason: str
    steps: list[StepOut]
    last_batch: int | None
    offsets: dict[str, list[int]]
    failure: dict[str, Any] | None

    @classmethod
    def of(cls, run: Run) -> RunOut:
        own = {name: getattr(run, name) for name in cls.model_fields if name != "version"}
        return cls(version=run.version_id, **own)


class EventOut(Schema):
    what: str
    by: str
    at: datetime
    before: dict[str, Any]
    after: dict[str, Any]

    @classmethod
    def of(cls, event: JobEvent) -> EventOut:
        return cls(what=event.what, by=event.by.get_username(), at=event.at, before=event.before, after=event.after)


class ClusterOut(Schema):
    """A cluster without its settings, which may hold secrets."""

    name: str
    bootstrap_servers: str

    @classmethod
    def of(cls, cluster: Cluster) -> ClusterOut:
        return cls(name=cluster.name, bootstrap_servers=cluster.bootstrap_servers)


class StreamsSettingOut(Schema):
    """Settings of Kafka Streams, and what stands for them here; code in backticks."""

    streams: str
    here: str


class TopicIn(Schema):
    """A topic to make. `cleanup` is what Kafka does with old records: delete them, or keep the newest of each key."""

    name: Annotated[str, Field(min_length=1, max_length=249, pattern=r"^[a-zA-Z0-9._-]+$")]
    partitions: Annotated[int, Field(ge=1, le=1_024)] = 4
    cleanup: Literal["delete", "compact"] = "delete"
    replication: Annotated[int | None, Field(ge=1, le=32, description="Replicas; null: the cluster's default.")] = None


class TopicOut(Schema):
    name: str
    id: str
    partitions: int

    @classmethod
    def of(cls, topic: Topic) -> TopicOut:
        return cls(name=topic.name, id=topic.id, partitions=topic.partitions)


class MessageOut(Schema):
    """A record as text; bytes that are no text come in base64 and say so, and so does a value that was cut."""

    partition: int
    offset: int
    timestamp: int
    key: str | None
    key_is_base64: bool
    value: str | None
    value_is_base64: bool
    value_cut: bool = False
    headers: list[dict[str, str | None]]

    @classmethod
    def of(cls, message: Message, longest: int | None = None) -> MessageOut:
        """The record as it is, or with no more than the first `longest` bytes of its value."""
        key, key_is_base64 = _text(message.key)
        value, value_is_base64 = _text(message.value, longest)
        return cls(
            partition=message.partition,
            offset=message.offset,
            timestamp=message.timestamp,
            key=key,
            key_is_base64=key_is_base64,
            value=value,
            value_is_base64=value_is_base64,
            value_cut=longest is not None and len(message.value or b"") > longest,
            headers=[{"key": name, "value": _text(content)[0]} for name, content in message.headers],
        )


class SampleOut(Schema):
    """The newest messages of a topic, and what they show of its formats and fields.

    `cleanup` and `retention_ms` (null: for ever) are what Kafka does with older ones.
    """

    topic: TopicOut
    cleanup: list[str]
    retention_ms: int | None
    messages: list[MessageOut]
    inferred: dict[str, Any]

    @classmethod
    def of(cls, topic: Topic, configs: Mapping[str, str], messages: list[Message], inferred: RecordSchema) -> SampleOut:
        retention = int(configs.get("retention.ms", -1))
        return cls(
            topic=TopicOut.of(topic),
            cleanup=sorted(configs.get("cleanup.policy", "delete").split(",")),
            retention_ms=None if retention < 0 else retention,
            messages=[MessageOut.of(message) for message in messages],
            inferred=inferred.to_json(),
        )


def _text(content: bytes | None, longest: int | None = None) -> tuple[str | None, bool]:
    """The text of at most the first `longest` bytes, and whether it is base64."""
    if content is None:
        return None, False
    shown = content[:longest]
    try:
        text = UTF_8().decode(shown, final=len(shown) == len(content))  # a cut may go through a character
    except UnicodeDecodeError:
        return base64.b64encode(shown).decode(), True
    return (text, False) if "\x00" not in text else (base64.b64encode(shown).decode(), True)
