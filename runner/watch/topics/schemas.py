"""Requests and answers about topics and their records, as the API's schema shows them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from designer.projects.schemas import RequestBody
from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import FormatName, Side, SideOut
from runner.kafka import read_cleanup, read_limit
from runner.kafka.administering import GroupState, Setting
from runner.watch.topics.decoding import DecodedMessageOut, encode
from runner.watch.topics.facts import GroupLag, TopicFacts
from runner.watch.topics.guard import Affected, Effect, Report, When
from runner.watch.topics.models import JudgedVersion
from runner.watch.topics.producing import LandedRecord, NewRecord
from runner.watch.topics.texts import encode_text
from runner.watch.topics.uses import Use

SETTING_HELP = {
    "cleanup.policy": "What Kafka does with old records: delete them, or compact to the newest of each key. A table "
    "needs compact, or it loses rows.",
    "retention.ms": "Age at which Kafka deletes records, in ms; -1 keeps them. A job further behind loses input.",
    "retention.bytes": "Size of a partition at which Kafka deletes its oldest records; -1 means no limit.",
    "max.message.bytes": "Largest batch of records that Kafka takes. A larger result becomes a dead letter.",
    "min.insync.replicas": "Copies that must have a record before a write succeeds. Too few brokers stop all writers.",
    "message.timestamp.type": "CreateTime keeps the time that the producer gave. LogAppendTime replaces it by the "
    "broker's, so windows go by arrival.",
    "message.timestamp.before.max.ms": "Kafka refuses records whose time is older than this.",
    "message.timestamp.after.max.ms": "Kafka refuses records whose time is further ahead than this.",
    "compression.type": "How Kafka stores records; producer keeps what each writer chose.",
    "delete.retention.ms": "How long a deleted key (null value) stays in a compacted topic. A reader that is away "
    "for longer misses the deletion.",
    "min.compaction.lag.ms": "Age below which Kafka compacts no record.",
    "max.compaction.lag.ms": "Age at which Kafka compacts a record at the latest.",
    "min.cleanable.dirty.ratio": "Share of uncompacted records at which Kafka begins to compact.",
    "segment.bytes": "Size of a file of records. Kafka deletes and compacts whole files, never the newest.",
    "segment.ms": "Age at which Kafka begins a new file, in ms. Retention cannot take smaller steps.",
    "unclean.leader.election.enable": "Whether a copy that lacks records may become leader. Records are lost then.",
}
"""By name. Settings without a meaning here concern the broker more than readers and writers."""

MAX_RECORDS, MAX_FOUND = 10_000, 200
Text = Annotated[str | None, Field(description="Null is Kafka's null. `base64:` begins bytes that are not text.")]
Offset = Annotated[int, Field(ge=0, lt=2**63)]


class UseOut(Schema):
    """A node of a topology that reads or writes a topic. `job` runs it; null of a draft. `is_wanted`: it should run."""

    topology: int
    name: str
    node: str
    job: int | None
    does: Literal["reads", "writes"]
    is_wanted: bool

    @classmethod
    def of(cls, use: Use) -> UseOut:
        return cls(
            topology=use.topology,
            name=use.name,
            node=use.node,
            job=use.job,
            does=use.does,
            is_wanted=use.is_wanted,
        )


class GroupLagOut(Schema):
    """How many records a consumer group has not read. `job`: the job whose group it is."""

    group: str
    state: GroupState
    lag: int
    job: int | None

    @classmethod
    def of(cls, group: GroupLag, jobs: dict[str, int]) -> GroupLagOut:
        return cls(**group._asdict(), job=jobs.get(group.group))


class TopicFactsOut(Schema):
    """A topic: how large it is, how long it keeps records, and who reads and writes it.

    `records` counts the offsets it still holds, `end` those it ever had. `bytes` are of one copy, null if the
    brokers do not say. `retention_ms` and `retention_bytes` are null if there is no limit. `cleanup` is empty if the
    cluster's user may not see the settings of the topic, and then nothing is known of limits either.
    """

    name: str
    is_internal: bool
    partitions: int
    replication: int
    records: int
    end: int
    bytes: int | None
    cleanup: list[str]
    retention_ms: int | None
    retention_bytes: int | None
    uses: list[UseOut]
    groups: list[GroupLagOut]

    @classmethod
    def of(cls, facts: TopicFacts, uses: list[Use], jobs: dict[str, int]) -> TopicFactsOut:
        return cls(
            name=facts.name,
            is_internal=facts.is_internal,
            partitions=len(facts.places),
            replication=min((len(each.replicas) for each in facts.places), default=0),
            records=facts.records,
            end=sum(facts.ends),
            bytes=facts.bytes,
            cleanup=read_cleanup(facts.configs),
            retention_ms=read_limit(facts.configs.get("retention.ms")),
            retention_bytes=read_limit(facts.configs.get("retention.bytes")),
            uses=[UseOut.of(use) for use in uses],
            groups=[GroupLagOut.of(group, jobs) for group in facts.groups],
        )


class TopicsOut(Schema):
    topics: list[TopicFactsOut]


class TopicEndsOut(Schema):
    """How many offsets each topic ever had, at a time (ms since 1970): two such answers make a rate."""

    at: int
    ends: dict[str, int]


class PartitionOut(Schema):
    """A partition: ids of brokers, and the first offset and the one after the last committed record."""

    number: int
    leader: int
    replicas: list[int]
    in_sync: list[int]
    start: int
    end: int


class TopicSettingOut(Schema):
    """A setting of a topic. `is_own`: it was set for this topic. `meaning` is empty if it is the broker's alone."""

    name: str
    value: str | None
    is_own: bool
    is_read_only: bool
    meaning: str

    @classmethod
    def of(cls, setting: Setting) -> TopicSettingOut:
        return cls(
            name=setting.name,
            value=setting.value,
            is_own=setting.is_own,
            is_read_only=setting.is_read_only,
            meaning=SETTING_HELP.get(setting.name, ""),
        )


class TopicDetailsOut(TopicFactsOut):
    """A topic with its partitions, its settings, and what it seems to hold: two sides as a schema has them."""

    ends: list[PartitionOut]
    settings: list[TopicSettingOut]
    key: SideOut
    value: SideOut


class SearchIn(RequestBody):
    """A search for records. `next` is that of the answer before, to continue where it ended.

    `key` must be equal, `text` be in the key, the value or a header, both as they are shown. Without a format, it is
    guessed.
    """

    begin: Literal["newest", "oldest", "offset", "time"] = "newest"
    partition: Annotated[int, Field(ge=0)] | None = None
    offset: Offset = 0
    time_ms: Offset = 0
    key: Annotated[str, Field(max_length=1_024)] = ""
    text: Annotated[str, Field(max_length=1_024)] = ""
    count: Annotated[int, Field(ge=1, le=MAX_FOUND)] = 50
    next: dict[int, Offset] | None = None
    key_format: FormatName | None = None
    value_format: FormatName | None = None

    def list_chosen_sides(self) -> list[Literal["key", "value"]]:
        """The sides whose format the user chose. A record's own schema counts before a chosen format with a schema."""
        formats: dict[Literal["key", "value"], FormatName | None] = {"key": self.key_format, "value": self.value_format}
        return [side for side, name in formats.items() if name is not None and name not in SCHEMA_FORMATS]


class FoundRecordsOut(Schema):
    """Records that were found; `scanned` were read for them. `next` continues from there, null at the end."""

    records: list[DecodedMessageOut]
    next: dict[int, int] | None
    scanned: int


class NewHeaderIn(RequestBody):
    key: str
    value: Text = None


class NewRecordIn(RequestBody):
    """A record to write. Without a partition the key decides, without a time (ms since 1970) it is now."""

    key: Text = None
    value: Text = None
    headers: Annotated[list[NewHeaderIn], Field(max_length=100)] = []
    partition: Annotated[int | None, Field(ge=0, lt=2**31)] = None
    timestamp: Annotated[int | None, Field(ge=1, lt=2**63)] = None

    def to_record(self, key: Side | None, value: Side | None) -> NewRecord:
        return NewRecord(
            encode(self.key, key, "key"),
            encode(self.value, value, "value"),
            tuple((each.key, encode_text(each.value, f"header {each.key}")) for each in self.headers),
            self.partition,
            self.timestamp,
        )


class NewRecordsIn(RequestBody):
    """Records to write, in their order. Without a format, keys and values are written as text.

    `key_schema` and `value_schema` are ids of the schema registry: that side is written with the schema, behind
    Confluent's 5 bytes.
    """

    records: Annotated[list[NewRecordIn], Field(min_length=1, max_length=MAX_RECORDS)]
    key_format: FormatName | None = None
    value_format: FormatName | None = None
    key_schema: Annotated[int | None, Field(ge=0, lt=2**32)] = None
    value_schema: Annotated[int | None, Field(ge=0, lt=2**32)] = None


class RecordMetadataOut(Schema):
    """Where a record is; `timestamp` in ms since 1970."""

    partition: int
    offset: int
    timestamp: int

    @classmethod
    def of(cls, record: LandedRecord) -> RecordMetadataOut:
        return cls(**record._asdict())


class TopicChangeIn(RequestBody):
    """Settings to change, null for the default, and how many partitions the topic gets."""

    settings: Annotated[dict[str, Annotated[str, Field(max_length=1_024)] | None], Field(max_length=50)] = {}
    partitions: Annotated[int | None, Field(ge=1, le=1_024)] = None


class GuardIn(RequestBody):
    """A new schema for a topic's keys or values, before anybody writes records with it."""

    side: Literal["key", "value"] = "value"
    kind: Literal["AVRO", "PROTOBUF", "JSON"] = "AVRO"
    text: Annotated[str, Field(min_length=1, max_length=1_000_000, description="The text of the schema.")]
    subject: Annotated[str, Field(max_length=300, description="By default the topic's own, such as orders-value.")] = ""


class CompatibilityOut(Schema):
    """Whether the registry accepts the schema as the subject's next version, at its compatibility level."""

    is_compatible: bool
    level: str
    reasons: list[str]


class ConsequenceOut(Schema):
    """What the schema does to a node. `adopted`: only if an editor takes the schema over into the source."""

    kind: str
    when: When
    node: str
    field: str
    column: str
    message: str


class AffectedOut(Schema):
    """A drawing, or a job with its version. `breaks`: records fail at once.

    `has_problems`: it has errors of its own, so its state and what comes after them is not judged.
    """

    topology: int
    name: str
    job: int | None
    is_running: bool
    nodes: list[str]
    effect: Effect
    consequences: list[ConsequenceOut]
    has_problems: bool = False

    @classmethod
    def of(cls, affected: Affected) -> AffectedOut:
        consequences = [ConsequenceOut(**each._asdict()) for each in affected.consequences]
        return cls(
            topology=affected.topology,
            name=affected.name,
            job=affected.job,
            is_running=affected.is_running,
            nodes=list(affected.nodes),
            effect=affected.effect,
            consequences=consequences,
            has_problems=affected.has_problems,
        )


class GuardOut(Schema):
    """What a schema does to everything that reads the topic. `verdict` is null if no registry says.

    `unjudged` says why the cluster's registry gave no verdict, empty if it gave one or the cluster has none.
    `unseen` counts drawings and jobs of projects that the user does not see, and to which it does something.
    """

    topic: str
    subject: str
    verdict: CompatibilityOut | None
    affected: list[AffectedOut]
    unseen: int
    breaks: bool
    unjudged: str

    @classmethod
    def of(cls, report: Report) -> GuardOut:
        verdict = None
        if (found := report.verdict) is not None:
            reasons = list(found.reasons)
            verdict = CompatibilityOut(is_compatible=found.is_compatible, level=found.level, reasons=reasons)
        return cls(
            topic=report.topic,
            subject=report.subject,
            verdict=verdict,
            affected=[AffectedOut.of(each) for each in report.affected],
            unseen=report.unseen,
            breaks=report.breaks,
            unjudged=report.unjudged,
        )


class JudgedVersionOut(Schema):
    """The newest version of a subject, and what it does to the drawings and jobs that read the topic.

    Those that it leaves alone are not listed. `unseen` counts others that the user does not see.
    """

    subject: str
    topic: str
    version: int
    noticed_at: datetime
    breaks: bool
    affected: list[AffectedOut]
    unseen: int

    @classmethod
    def of(cls, row: JudgedVersion, seen: Collection[int]) -> JudgedVersionOut:
        visible = [each for each in row.affected if each["project"] in seen]
        return cls(
            subject=row.subject,
            topic=row.topic,
            version=row.version,
            noticed_at=row.noticed_at,
            breaks=any(each["effect"] == "breaks" for each in row.affected),
            affected=[
                AffectedOut(**{name: part for name, part in each.items() if name != "project"}) for each in visible
            ],
            unseen=len(row.affected) - len(visible),
        )
