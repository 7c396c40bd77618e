"""Requests and answers about jobs, as the API's schema shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal, cast

from ninja import Field, Schema
from pydantic import BeforeValidator, SkipValidation, create_model
from typing_extensions import TypedDict

from designer.issues import IssueOut
from designer.limits import check_storable
from designer.projects.schemas import RequestBody
from designer.refusal_codes import RefusalCode
from designer.values.schemas import WrittenSchema
from runner.control.jobs.disk import Folder
from runner.control.jobs.job_status import (
    Cause,
    ExecutorLoss,
    JobStatus,
    describe_loss,
    find_job_status,
    find_job_statuses,
)
from runner.control.jobs.models import Desired, Job, JobEvent, Run
from runner.control.jobs.plans.remains import LossOut
from runner.control.jobs.plans.sink_schemas import SinkSchemaOut
from runner.control.jobs.plans.state_changes import StateChangeOut
from runner.control.jobs.statuses import Act, OnState, StartStep, Status, StopReason
from runner.kafka.acls import Acl
from runner.plan import JobSettings
from runner.spark.repair.damage import DamageOut

StoredCause = Annotated[Cause, SkipValidation]
"""The stored form: runs of earlier versions may have any cause."""

_changes: Any = {
    name: (Annotated[setting.annotation, *setting.metadata, Field(description=setting.description)], None)
    for name, setting in JobSettings.model_fields.items()
}
JobSettingsIn = create_model("JobSettingsIn", __doc__="The settings that a deploy changes.", **_changes)
SentSettings = Annotated[dict[str, Any], BeforeValidator(check_storable, json_schema_input_type=JobSettingsIn)]
"""Settings of a request. The others keep the job's value, or the default. `targets.read_settings` reads them, and its
refusals say what is wrong.
"""

SparkName = Annotated[
    str | None,
    Field(description="The Spark cluster. Empty: the host of an agent. Null: where the job is, or the default."),
]


class DeployIn(RequestBody):
    """What to deploy: a version, or the draft of a topology."""

    topology: int | None = None
    version: int | None = None
    name: str = ""
    settings: SentSettings | None = None
    cluster: str | None = None
    spark: SparkName = None
    on_state: OnState | None = Field(
        None,
        description="What happens to state. Left out: what an earlier deploy chose that no run has carried out yet, "
        "else keep.",
    )
    message: str = Field("", max_length=500, description="Message of the version that a deploy of the draft creates.")
    revision: int | None = Field(
        None, description="The revision of the draft that the preview was of. A later one is a conflict."
    )


class PreviewIn(RequestBody):
    topology: int | None = None
    version: int | None = None
    name: str = ""
    settings: SentSettings | None = None
    cluster: str | None = None
    spark: SparkName = None


class AdoptIn(RequestBody):
    """A Kafka Streams application that a new job of a topology's draft is to continue."""

    topology: int
    application: str = Field(min_length=1, max_length=255, description="Its `application.id`.")
    stores: dict[str, str] = Field(
        default_factory=dict,
        description="Topics of stores that cannot be told by their names: store of the drawing -> changelog topic, or "
        "the name of the application's store.",
    )
    name: str = ""
    settings: SentSettings | None = None
    cluster: str | None = None
    spark: SparkName = None


class CompareIn(AdoptIn):
    """The same, to compare results."""

    live_seconds: float = Field(
        0,
        ge=0,
        le=120,
        description="Compare what the running application reads in so many seconds, from the state in its changelog "
        "topics. 0: compare its whole input, from the beginning.",
    )


class ApplicationInputOut(Schema):
    """A topic that the drawing reads."""

    topic: str
    committed: list[int | None] = Field(description="The application's offset of each partition; null: it has none.")
    lag: int = Field(description="Offsets that it has not processed. The job reads them first.")


class StoreMatchOut(Schema):
    """A store of the drawing, and the topic with its contents."""

    store: str
    node: str
    topic: str | None
    is_changelog: bool = Field(description="False: the store's source topic, which is its changelog, too.")
    records: int = Field(description="Offsets of the topic. It has at most so many rows.")


class StreamsApplicationOut(Schema):
    """What Kafka knows of a Kafka Streams application, beside the drawing that is to continue it."""

    name: str
    state: str | None = Field(description="The state of its consumer group. Null: there is none.")
    is_running: bool
    guarantee: Literal["exactly_once"] | None = Field(description="Null if it cannot be told.")
    inputs: list[ApplicationInputOut]
    stores: list[StoreMatchOut]
    unmatched: list[str] = Field(description="Changelog topics that no store of the drawing takes.")
    waiting: dict[str, int] = Field(description="Records in each repartition topic that have not been processed.")
    problems: list[str] = Field(description="What is in the way of adopting it. Empty: nothing.")
    notes: list[str]


class KeyDifferenceOut(Schema):
    """A key whose last value differs. The values are as a topic's page shows them; null: none."""

    grade: Literal["other_value", "missing", "extra"]
    key: str | None
    application: str | None
    drawing: str | None


class ComparedTopicOut(Schema):
    """An output topic. `missing` keys have only the application's value, `extra` ones only the drawing's."""

    keys: int
    equal: int
    other_value: int
    missing: int
    extra: int
    examples: list[KeyDifferenceOut]


class ComparisonOut(Schema):
    """The last values of a drawing beside those of the application that it is to continue."""

    application: str
    records: int = Field(description="Records of the inputs that the drawing has processed.")
    topics: dict[str, ComparedTopicOut]
    is_equal: bool
    limits: list[str] = Field(description="What the comparison could not see.")


class AclOut(Schema):
    """An ACL that a job needs: operations on a resource, or with `is_prefix` on all whose names begin so.

    Without the `optional` ones the job works, and its pages show less.
    """

    resource: Literal["topic", "group", "transactional-id"]
    name: str
    is_prefix: bool
    operations: list[str]
    optional: list[str]
    why: str
    command: str = Field(description="Command with which a Kafka administrator grants it.")

    @classmethod
    def of(cls, acl: Acl, principal: str, servers: str) -> AclOut:
        return cls(**asdict(acl), command=acl.command(principal, servers))


class AclsOut(Schema):
    """The ACLs of a job, and what no list can say."""

    cluster: str
    acls: list[AclOut]
    notes: list[str]


class DurabilityOut(Schema):
    """How many replicas a topic has, whether it survives the loss of one broker, and why; code in backticks."""

    topic: str
    replication: int
    is_durable: bool
    why: str


class SpreadOut(Schema):
    """Joined topics that differ in partitions, with the number of each. The job spreads all of them over `tasks`
    tasks.
    """

    partitions: dict[str, int]
    tasks: int


class WayOut(Schema):
    """A way for a job to continue: its title, and what happens to state and records."""

    on_state: OnState
    title: str
    help: str


class WrittenSchemaOut(Schema):
    """A schema of the registry with which a sink writes the keys or values of a topic."""

    node: str
    topic: str
    side: Literal["key", "value"]
    record: str
    subject: str
    version: int | None
    id: int

    @classmethod
    def of(cls, written: WrittenSchema) -> WrittenSchemaOut:
        return cls(**{name: getattr(written, name) for name in cls.model_fields})


class PreviewOut(Schema):
    """`application_id` names the group, transactions, dead-letter topic and checkpoint; a new one begins with `prefix`.
    `choices` are values of `on_state` besides keep. A deploy needs one of them where there is a `question`:
    where some state starts empty, or records that were not read yet are gone (`losses`), or the checkpoint
    is damaged (`damage`; `damaged` says so in words), or the version cannot end a batch that is written in part.
    `is_moved`: the job goes to another cluster, and reads its topics from where their sources start. `spark`: the Spark
    cluster it runs on, empty for the host of an agent. `room` says what the job takes of its cores.
    `schemas` are those that a deploy takes from the schema registry; `registry` says why it could not be asked.
    """

    revision: int | None = Field(None, description="The revision of the draft that this is a preview of.")
    job: int | None
    application_id: str
    prefix: str
    creates: list[str]
    tasks: list[int]
    has_new_epoch: bool
    settings: JobSettings
    description: str
    state: list[StateChangeOut]
    spread: list[SpreadOut]
    durability: list[DurabilityOut]
    hints: list[IssueOut] = Field(description="What is allowed but seldom meant, as in a check.")
    losses: list[LossOut]
    choices: list[WayOut]
    question: str
    pending: OnState = Field(
        description="The choice of an earlier deploy that no run has carried out yet: it holds for a deploy without "
        "`on_state`. Else keep."
    )
    is_moved: bool
    bypassed: list[str]
    changes: str | None = Field(description="What differs from the last run, as text; null: nothing ran before.")
    spark: str
    room: str
    damage: list[DamageOut]
    damaged: str
    schemas: list[SinkSchemaOut]
    registry: str


class ChoiceOut(PreviewOut):
    """A deploy needs one of `choices` in `on_state`: a refusal with the whole preview."""

    code: RefusalCode
    message: str
    hint: str


class JobOut(Schema):
    id: int
    name: str
    application_id: str
    project: str
    topology: int
    version: int
    version_number: int
    cluster: str
    spark: str
    status: Status
    desired: Desired
    is_blocked: bool
    problem: StoredCause | None
    settings: JobSettings
    epoch: int
    generation: int
    run: int | None
    host: str
    stop_reason: StopReason
    steps: list[StartStep]
    lost_executors: list[ExecutorLoss]
    failure: StoredCause | None
    last_failure: StoredCause | None
    failed_runs: int
    batch_divisor: int
    start_after: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    created_at: datetime
    created_by: str
    updated_at: datetime
    updated_by: str

    @classmethod
    def of(cls, job: Job) -> JobOut:
        return cls._of_status(job, find_job_status(job))

    @classmethod
    def list_all(cls, jobs: Sequence[Job]) -> list[JobOut]:
        return [cls._of_status(*pair) for pair in zip(jobs, find_job_statuses(jobs), strict=True)]

    @classmethod
    def _of_status(cls, job: Job, job_status: JobStatus) -> JobOut:
        return cls.model_validate(
            {
                **job_status,
                "id": job.id,
                "name": job.name,
                "application_id": job.application_id,
                "project": job.topology.project.name,
                "topology": job.topology_id,
                "version": job.version_id,
                "version_number": job.version.number,
                "cluster": job.cluster.name,
                "spark": job.spark.name if job.spark else "",
                "settings": _read_settings(job.settings),
                "generation": job.generation,
                "created_at": job.created_at,
                "created_by": job.created_by.get_username(),
                "updated_at": job.updated_at,
                "updated_by": job.updated_by.get_username(),
            }
        )


class RunOut(Schema):
    """One life of a job's process; a failed one keeps code, message, hint, node, batch, offsets and traceback."""

    id: int
    generation: int
    epoch: int
    version: int
    status: Status
    host: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    stop_reason: StopReason
    steps: list[StartStep]
    lost_executors: list[ExecutorLoss]
    last_batch: int | None
    offsets: dict[str, list[int]]
    failure: StoredCause | None

    @classmethod
    def of(cls, run: Run) -> RunOut:
        own = {name: getattr(run, name) for name in cls.model_fields.keys() - {"version", "lost_executors"}}
        return cls(version=run.version_id, lost_executors=[describe_loss(loss) for loss in run.lost_executors], **own)


class EventFactsOut(TypedDict, total=False):
    """What an event says of a job, by the ids of its project, version and cluster, or of a `redrive` of its records.

    Events of earlier versions say less, and the first of a job says nothing of what was before.
    """

    name: str
    project: int
    application_id: str
    desired: Desired
    version: int
    cluster: int
    spark: str
    settings: JobSettings
    revision: int
    epoch: int
    on_state: OnState
    redrive: int
    records: int
    edited: bool


class EventOut(Schema):
    what: Act
    by: str
    at: datetime
    before: EventFactsOut
    after: EventFactsOut

    @classmethod
    def of(cls, event: JobEvent) -> EventOut:
        before, after = _read_facts(event.before), _read_facts(event.after)
        return cls(what=Act(event.what), by=event.by.get_username(), at=event.at, before=before, after=after)


class ProvedOut(Schema):
    """What a version was proved with before it took over. `since` and `until` are times of batches (ms since 1970)."""

    against: int | None = Field(description="Number of the version that ran then.")
    equal: bool
    sentence: str
    batches: int
    records: int
    since: int
    until: int
    last_batch: int
    is_rebuilt: bool = Field(False, description="It took over with the state that was rebuilt from the topics.")


class WayBackOut(Schema):
    """How the version before the last cut over can take over again, with its state of that moment.

    `lacking` and `gone` count offsets by topic: what its state lacks, and what Kafka has deleted of that. `exactly` and
    `at_once` say what each way does. `exactly` is not possible if records are gone.
    """

    version: int = Field(description="Number of the version.")
    until: datetime
    lacking: dict[str, int]
    gone: dict[str, int]
    exactly: str
    at_once: str


class CutOverOut(Schema):
    """The newest cut over of a job, or its newest way back. `failure` is why the job went back by itself."""

    at: datetime
    by: str
    proof: ProvedOut | None
    is_back: bool
    failure: StoredCause | None
    back: WayBackOut | None = Field(description="Null: no state of an earlier version is kept.")
    why_not: str = Field(description="Why the kept state cannot be used. Empty if it can, or if none is kept.")


class BackIn(RequestBody):
    """How to go back."""

    at_once: bool = Field(
        False,
        description="Do not read the records since the cut over again. The state of the version then lacks them.",
    )


class FolderOut(Schema):
    """`bytes` on disk, null if the folder is not on this host or not there yet; `is_whole`: all was measured."""

    path: str
    bytes: int | None
    is_whole: bool


class DiskOut(Schema):
    """Null before the first run."""

    checkpoint: FolderOut | None
    state: FolderOut | None

    @classmethod
    def of(cls, folders: tuple[Folder, Folder] | None) -> DiskOut:
        checkpoint, state = (FolderOut(**asdict(folder)) for folder in folders) if folders else (None, None)
        return cls(checkpoint=checkpoint, state=state)


class EngineUseOut(Schema):
    """`reason` says why the Python engine runs these nodes. It is empty if the kernel runs them."""

    nodes: list[str]
    reason: str


class StreamsSettingOut(Schema):
    """Settings of Kafka Streams, and what stands for them here; code in backticks."""

    streams: str
    here: str


def _read_facts(facts: dict[str, Any]) -> EventFactsOut:
    settings = {"settings": _read_settings(facts["settings"])} if "settings" in facts else {}
    return cast(EventFactsOut, facts | settings)


def _read_settings(facts: dict[str, Any]) -> JobSettings:
    """Stored settings, also of earlier versions. Settings that a version did not know have their defaults."""
    return JobSettings.model_construct(**facts)
