"""Plan of a run: a topology with the facts of its cluster, as plain data.

The planner (`runner.control.jobs`) makes it, Postgres stores it with the run, and `python -m runner.spark` reads it
from standard input. `runner.engine.planning.layout` decides how any graph is cut. A plan does not say that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from designer.streams.starting import Start
from designer.topology.graph import SEEN_ONLY, Graph
from designer.values.schemas import RegistrySchemas, SchemaText, WrittenSchema, read_registry_schemas

CHECKPOINT = 5
"""Version of offsets and state in a checkpoint. A job with another version begins a new epoch where it is."""

MARKER_TOPIC = "streamwright-markers"
"""After the cluster's prefix, the topic with the last written batch of every job."""


def _convert_guarantee(guarantee: Any) -> Any:
    """Maps each name that Kafka Streams has for exactly once to the only one here."""
    return "exactly_once" if guarantee in ("exactly_once_beta", "exactly_once_v2") else guarantee


Guarantee = Annotated[Literal["exactly_once", "at_least_once"], BeforeValidator(_convert_guarantee)]


class JobSettings(BaseModel):
    """Settings of a job. Each field's description is its help line; units are in it."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)

    guarantee: Guarantee = Field(
        "exactly_once",
        description="exactly_once: each result is written once, for read_committed readers. at_least_once: results "
        "of the last batch may be duplicated after a crash.",
    )
    tasks: int = Field(
        0,
        ge=0,
        le=1_024,
        description="Number of tasks of each sub-topology. 0: the partition count that Kafka Streams would use.",
        json_schema_extra={"default_means": "automatic"},
    )
    slots: int = Field(
        0,
        ge=0,
        le=256,
        description="Spark groups that share the tasks. 1 gives the lowest latency, more give a higher rate. 0: a new "
        "job that finds 500,000 records or more gets one per core, at most 4; others get 1. On a Spark cluster, its "
        "cores count. A run uses as many cores as slots, at least 2. The Kafka writer and Java's threads use a little "
        "more.",
        json_schema_extra={"default_means": "automatic"},
    )
    # 100 ms: Kafka Streams commits that often with exactly_once_v2, and a batch of a job with one slot is done by
    # then.
    batch_interval_ms: int = Field(
        100,
        ge=0,
        le=600_000,
        description="Shortest time between the starts of two batches, in milliseconds.",
        json_schema_extra={"format": "milliseconds"},
    )
    records_per_batch: int = Field(
        200_000, ge=1, le=10_000_000, description="Maximum number of records that one batch reads from the streams."
    )
    batch_size_mb: int = Field(
        512,
        ge=1,
        le=65_536,
        description="Size of the records that one batch reads at most, in MiB. It is estimated from some of them. A "
        "batch reads at least one record of each partition.",
        json_schema_extra={"format": "mebibytes"},
    )
    memory_mb: int = Field(
        768,
        ge=512,
        le=262_144,
        description="Heap of the run's Java process, in MiB.",
        json_schema_extra={"format": "mebibytes"},
    )
    memory_limit_mb: int = Field(
        0,
        ge=0,
        le=4_194_304,
        description="Maximum memory that all processes of the run may use, in MiB. A run that uses more is "
        "ended. 0: no "
        "limit. State files do not count, because the system can reclaim their pages.",
        json_schema_extra={"format": "mebibytes", "default_means": "no limit"},
    )
    cache: bool = Field(True, description="A table forwards the last value of a key once per batch, not each update.")
    deserialization: Literal["fail", "skip", "dead_letter"] = Field(
        "dead_letter", description="What happens to a record if its bytes cannot be decoded."
    )
    processing: Literal["fail", "skip", "dead_letter"] = Field(
        "dead_letter", description="What happens to a record if an expression fails."
    )
    production: Literal["fail", "skip", "dead_letter"] = Field(
        "dead_letter", description="What happens to a record if its format or topic does not accept it."
    )
    dead_letter_topic: str = Field(
        "",
        max_length=249,
        description="Empty: <application id>-dead-letters.",
        json_schema_extra={"default_means": "default"},
    )
    start: Start = Field(
        "earliest",
        description="Where the first run starts reading streams: earliest, latest, or a time (ISO 8601, or ms since "
        "1970).",
    )

    def dead_letters_of(self, application_id: str) -> str:
        """The topic of dead letters."""
        return self.dead_letter_topic or f"{application_id}-dead-letters"


class TopicFacts(BaseModel):
    """A topic as it was when the epoch began. Refuse a topic with another id, because someone recreated it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    partitions: int
    start: list[int] = Field(description="First offset to read, by partition; -2: earliest, -1: latest.")


class Seed(BaseModel):
    """Checkpoint of an older epoch. The new epoch starts with its named stores.

    The new epoch copies them into its own state in its first batch. After that nobody reads the older checkpoint, and
    the supervisor of the run removes it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    checkpoint: str
    plan: dict[str, Any]
    stores: list[str] = Field(description="Store names that are kept.")
    rows: Annotated[
        str,
        Field(
            description="Name of a file in the checkpoint. It has the rows that the new epoch starts with, instead of "
            "the state there: those of the version that the results were corrected with. The plan is that of this "
            "version."
        ),
    ] = ""
    digest: Annotated[str, Field(description="BLAKE2b of that file.")] = ""

    @staticmethod
    def make_digest(content: bytes) -> str:
        """The digest of such a file."""
        return hashlib.blake2b(content, digest_size=16).hexdigest()


class Corrected(BaseModel):
    """What an epoch starts with whose state was worked out together with corrections, or rebuilt in a proof.

    It holds up to a batch of an epoch. `seed` has no checkpoint yet: the file lies in the one of that epoch.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    epoch: int
    batch: int
    seed: Seed
    behind: Annotated[
        dict[str, list[int]] | None,
        Field(
            description="By topic, up to where the state holds its records. The new epoch begins there, and writes "
            "nothing for records that the older one has read since. Null: the older one ended with that batch."
        ),
    ] = None


class Follows(BaseModel):
    """An epoch before this one, which wrote its last results with `batch` (-1: none). `group` has its marker."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    group: str
    batch: int


class AdoptedStore(BaseModel):
    """A store that begins with the contents of a topic of a Kafka Streams application."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    store: str
    topic: str
    until: Annotated[list[int], Field(description="By partition, the offset before which the topic is read.")]
    is_changelog: Annotated[
        bool, Field(description="False: it is the store's source topic, which is its changelog, too.")
    ] = True


class Adopted(BaseModel):
    """A Kafka Streams application that the epoch continues (`runner/spark/adopting`).

    The epoch reads the stores in its first batch. After that nobody reads the application's topics.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    application: str
    stores: list[AdoptedStore]


KUBERNETES = "k8s://"
"""Prefix of a master that is a Kubernetes API server."""
S3 = "s3a://"
"""Prefix of an address in a bucket."""


class Executors(BaseModel):
    """The executors of a run on the Spark cluster `name`, as an administrator registered it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    master: str = Field(description="`spark://host:port`, several separated by commas, or `k8s://https://host:port`.")
    cores: Annotated[int, Field(description="Of each executor.")] = 1
    memory_mb: Annotated[int, Field(description="Heap of each executor, in MiB.")] = 1_024
    python: Annotated[
        str, Field(description="The Python of worker hosts. Empty: the one of this product's version, `python3.11`.")
    ] = ""
    settings: Annotated[dict[str, str], Field(description="Further settings of Spark.")] = {}
    secret: Annotated[str, Field(description="`spark.authenticate.secret` of the cluster: never stored.")] = ""
    reader_key: Annotated[str, Field(description="What readers of this run's tables must know.")] = ""

    @property
    def are_pods(self) -> bool:
        """True if Kubernetes runs them."""
        return self.master.startswith(KUBERNETES)


class Move(BaseModel):
    """A checkpoint that the run copies before it reads it, because the job moved. `token` names the move."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    target: str
    token: str


class StoreFingerprint(BaseModel):
    """What the contents of a state store depend on. A changed version keeps a store whose fingerprint stays equal.

    `key`, `value` and `window` are the JSON of `Side` and `WindowSpec`. Compare the values that they stand for, not
    the JSON: a later version may write further members.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    node: Annotated[str, Field(description="The node that writes the store.")]
    tasks: Annotated[int | None, Field(description="Number of tasks that share it. Null: a global table.")]
    kind: str
    key: Mapping[str, Any]
    value: Mapping[str, Any]
    window: Mapping[str, Any] | None = None
    form: Annotated[str, Field(description="How its operator keeps values, besides their type.")] = ""
    holds_records: Annotated[bool, Field(description="Its values are records as they came to its node.")] = False
    follows: Annotated[
        list[str],
        Field(description="Stores of the same records, or of the rows that it takes back. It is kept only with them."),
    ] = []


class Plan(BaseModel):
    """Everything that `runner.spark` needs. Paths are absolute. `checkpoint` may be a URI of a Hadoop file system."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    application_id: str
    epoch: int
    generation: int
    graph: Mapping[str, Any]
    schemas: Mapping[str, Any] = Field(description="Inferred schemas of sources: node id -> Schema JSON.")
    tasks: list[int] = Field(description="Kafka's task count of each sub-topology of the layout, by its number.")
    stores: Annotated[
        dict[str, StoreFingerprint] | None,
        Field(description="Fingerprints of its stores, by name. Null in plans of 0.1.0: their graph says the same."),
    ] = None
    slots: int
    settings: JobSettings
    batch_divisor: Annotated[
        int,
        Field(
            ge=1,
            description="A batch reads one part of so many of what the settings allow, because runs before had no "
            "memory left, or were too slow to write a batch.",
        ),
    ] = 1
    kafka: dict[str, str] = Field(
        default_factory=dict,
        description="librdkafka client settings, bootstrap.servers among them. They hold secrets: never kept.",
    )
    registry: Annotated[
        dict[str, str],
        Field(description="The cluster's schema registry (`Registry.to_settings`). It holds secrets: never kept."),
    ] = {}
    registry_schemas: Annotated[
        dict[str, SchemaText],
        Field(description="Schemas of the registry that the run knows, by id. The checkpoint keeps them."),
    ] = {}
    written: Annotated[
        list[WrittenSchema],
        Field(description="Schemas of the registry with which sinks write. The deploy registered or found them."),
    ] = []
    held: Annotated[
        dict[str, dict[int, int]],
        Field(description="By topic and partition, the first offset that waits for its schema: nothing reads it."),
    ] = {}
    asks_registry: Annotated[
        bool, Field(description="Records with unknown schema ids wait for the registry. False: they fail.")
    ] = True
    topics: dict[str, TopicFacts]
    marker_topic: str
    checkpoint: str
    state_dir: str
    seed: Annotated[
        Seed | None, Field(description="State to begin with. Null once the epoch has committed a batch: it is used.")
    ] = None
    adopted: Annotated[
        Adopted | None,
        Field(
            description="The application to begin with, instead of a seed. Null once the epoch has committed a batch."
        ),
    ] = None
    has_begun: Annotated[
        bool, Field(description="Postgres knows of a batch that a run of the epoch has committed, so a marker exists.")
    ] = False
    is_seeded: Annotated[
        bool, Field(description="The epoch began with a seed, so its own topics do not hold the origin of its state.")
    ] = False
    follows: Annotated[
        list[Follows],
        Field(
            description="The epoch before, which ends in one transaction with the first marker of this one. With it "
            "those before it, back to one that has written."
        ),
    ] = []
    executors: Annotated[
        Executors | None,
        Field(description="None: all processes of the run are on its host. It holds a secret: never stored."),
    ] = None
    hadoop: Annotated[
        dict[str, str],
        Field(description="Hadoop's settings for the file systems of the checkpoints that it reads: never stored."),
    ] = {}
    shared_shuffles: bool = Field(
        False, description="Aggregates of one group share a shuffle. Plans of an older form have one for each."
    )
    moves: Annotated[list[Move], Field(description="Copies of checkpoints to make first.")] = []
    silent_until: Annotated[
        dict[str, list[int]],
        Field(description="By topic, up to where records only build state: Kafka already holds their results."),
    ] = {}
    arrival_order: Annotated[
        bool, Field(description="Each record goes through everything before the next, as in a test driver: for tests.")
    ] = False

    @model_validator(mode="before")
    @classmethod
    def _remember_seed(cls, data: Any) -> Any:
        """Reads plans of v0.1.0, which keep their seed for as long as their epoch lasts and have no `is_seeded`."""
        return {**data, "is_seeded": True} if isinstance(data, dict) and data.get("seed") else data

    def read_graph(self) -> Graph:
        return Graph.from_json(self.graph)

    def without_seed(self) -> Plan:
        """The plan of an epoch that has committed a batch. Its state is its own, and the seed may be gone."""
        return self.model_copy(update={"seed": None, "adopted": None, "has_begun": True})

    def read_registry_schemas(self) -> RegistrySchemas:
        return read_registry_schemas(self.registry_schemas)

    def to_stored(self) -> dict[str, Any]:
        """The part that may be stored in a database or in another plan."""
        return self.model_dump(
            mode="json", exclude={"kafka", "registry", "registry_schemas", "held", "executors", "hadoop"}
        )

    def move_to(self, addresses: Mapping[str, str]) -> Plan:
        """The plan with other checkpoint addresses, for the plan itself and for its seed."""
        seed = self.seed and self.seed.model_copy(
            update={"checkpoint": addresses.get(self.seed.checkpoint, self.seed.checkpoint)}
        )
        checkpoint = addresses.get(self.checkpoint, self.checkpoint)
        return self.model_copy(update={"checkpoint": checkpoint, "seed": seed})

    def checkpoints(self) -> list[str]:
        """Addresses of all checkpoints that it reads or writes."""
        addresses = [address for move in self.moves for address in (move.source, move.target)]
        return [self.checkpoint, *([self.seed.checkpoint] if self.seed else []), *addresses]

    @property
    def is_on_s3(self) -> bool:
        """True if S3 holds any of its checkpoints."""
        return any(address.startswith(S3) for address in self.checkpoints())

    @property
    def marker_group(self) -> str:
        return f"{self.application_id}.{self.epoch}"

    @property
    def transactional_id(self) -> str:
        """Id that all epochs and generations share, so a new writer fences every older one."""
        return self.application_id

    @property
    def slots_group(self) -> str:
        """Group of the marker that says that a cluster's slots have written results of this epoch."""
        return f"{self.marker_group}.slots"

    @property
    def corrections_group(self) -> str:
        """Group of the marker that says which correction of this epoch's results was sent last."""
        return f"{self.marker_group}.corrections"

    def slot_group(self, slot: int) -> str:
        """Group of the marker of one slot, if a cluster's slots write their own results."""
        return f"{self.marker_group}.slot-{slot}"

    def slot_transactional_id(self, slot: int) -> str:
        return f"{self.transactional_id}.slot-{slot}"

    def find_first_offsets(self) -> dict[str, list[int]] | None:
        """The offsets at which the first batch of the epoch begins, by topic. None if nobody knew them before."""
        starts = {
            name: [max(0, at) for at in facts.start] for name, facts in self.topics.items() if -1 not in facts.start
        }
        return starts if len(starts) == len(self.topics) else None

    @property
    def bytes_per_batch(self) -> int:
        """Most bytes of the records that a batch reads, as far as they are known."""
        return (self.settings.batch_size_mb << 20) // self.batch_divisor

    def outcome(self) -> str:
        """A hash of everything that decides the results of a batch, except its offsets and time."""
        settings = self.settings.model_dump(exclude={"memory_mb", "memory_limit_mb", "batch_interval_ms", "start"})
        written = sorted((each.node, each.topic, each.side, each.record, each.id) for each in self.written)
        parts = [self.shape(), settings, self.arrival_order, *([written] if written else [])]
        return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()

    @property
    def dead_letter_topic(self) -> str:
        return self.settings.dead_letters_of(self.application_id)

    def shape(self) -> str:
        """A hash of everything that a checkpoint depends on. The same shape continues in the same epoch."""
        parts: Mapping[str, Any] = {
            "checkpoint": CHECKPOINT,
            "nodes": [{k: v for k, v in node.items() if k not in SEEN_ONLY} for node in self.graph["nodes"]],
            "edges": self.graph["edges"],
            "schemas": self.schemas,
            "tasks": self.tasks,
            "slots": self.slots,
            "shared_shuffles": self.shared_shuffles,
            "topics": {name: facts.id for name, facts in self.topics.items()},
        }
        return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()
