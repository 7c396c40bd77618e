"""Requests and answers about clusters and their contents, as the API's schema shows them."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Container, Mapping
from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from designer.projects.schemas import RequestBody, SentGraph
from designer.streams.inference import Doubt, InferredSchema
from designer.values import exact_json
from designer.values.schemas import Kind, SchemaOut, TypeOut
from runner.control.clusters import spark
from runner.control.clusters.certificates import list_certificates
from runner.control.clusters.checkpoints import get_shared_root
from runner.control.clusters.models import Cluster, SparkCluster
from runner.control.clusters.services import LOCAL, RegistryForm
from runner.control.clusters.topic_schemas import TopicSchema
from runner.kafka import Brokers, Message, Topic, read_cleanup, read_limit
from runner.registry import Access
from runner.spark.probe.probe import Seen

UTF_8 = codecs.getincrementaldecoder("utf-8")
MAX_BYTES, MAX_HEADER_BYTES, MAX_HEADERS = 16_384, 1_024, 100
"""Shown parts of a record: bytes of its key and of its value, of each header, and the number of headers."""
MAX_ODD_LENGTH = 80
Setting = Annotated[str, Field(max_length=65_536)]


class RegistryIn(RequestBody):
    """How to reach a cluster's schema registry. Without `url` it has none. A secret that is null keeps its stored one.

    `is_internal` confirms that the address may be one of an internal network.
    """

    url: Annotated[
        str,
        Field(
            max_length=1_024,
            pattern=r"^\S*$",
            description="Address under which the registry serves Confluent's API, such as "
            "https://schemas.example.com:8081, or Apicurio's https://apicurio.example.com/apis/ccompat/v7.",
        ),
    ] = ""
    config: dict[str, Setting | None] = Field(default_factory=dict)
    is_internal: bool = False

    def to_form(self) -> RegistryForm:
        return RegistryForm(self.url, self.config, self.is_internal)


class ConnectionIn(RequestBody):
    """How to reach a cluster: librdkafka's settings. A secret that is null keeps its stored value.

    Nothing is saved if no broker answers, or not the schema registry, unless `is_untested`.
    """

    bootstrap_servers: Annotated[str, Field(max_length=1_024, description="host:port. Separate several with commas.")]
    config: dict[str, Setting | None] = Field(default_factory=dict)
    prefix: Annotated[
        str,
        Field(
            max_length=64,
            pattern=r"^[a-zA-Z0-9_-]*$",
            description="Prefix of the names that jobs create on this cluster: consumer groups, transactional ids, "
            "marker and dead-letter topics. Empty: the server's prefix.",
        ),
    ] = ""
    registry: RegistryIn = Field(default_factory=RegistryIn)
    is_untested: bool = False


class ClusterIn(ConnectionIn):
    name: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[a-z0-9][a-z0-9-]*$")]


class CertificateOut(Schema):
    """When the certificate of a setting ends, or the one of a broker (`broker kafka1:9093`), and in how many days."""

    setting: str
    ends_at: datetime
    days: int


class RegistryOut(Schema):
    """A cluster's schema registry with the names of its secrets. Only users who may change clusters see `config`."""

    url: str
    config: dict[str, str]
    secrets: list[str]
    is_internal: bool


class NoAnswerOut(Schema):
    """Since when a cluster does not answer, why, and what to do."""

    since: datetime
    why: str
    hint: str


class ClusterOut(Schema):
    """A cluster with the names of its secrets, never the secrets. `is_local`: its address is the server's to give.

    Only users who may change clusters see `config`, `secrets` and `certificates`. `jobs` are those that
    the user may see. `registry` is null if the cluster has none. `no_answer` is null while the cluster answers.
    """

    name: str
    bootstrap_servers: str
    config: dict[str, str]
    secrets: list[str]
    certificates: list[CertificateOut]
    prefix: str
    jobs: list[str]
    is_local: bool
    registry: RegistryOut | None
    no_answer: NoAnswerOut | None

    @classmethod
    def of(cls, cluster: Cluster, *, visible_ids: Container[int], is_whole: bool = True) -> ClusterOut:
        return cls(
            name=cluster.name,
            bootstrap_servers=cluster.bootstrap_servers,
            config=cluster.config if is_whole else {},
            secrets=sorted(cluster.secrets) if is_whole else [],
            certificates=[CertificateOut.from_orm(each) for each in (list_certificates(cluster) if is_whole else ())],
            prefix=cluster.prefix,
            jobs=sorted(job.name for job in cluster.jobs.all() if job.topology.project_id in visible_ids),
            is_local=cluster.name == LOCAL,
            registry=cls._show_registry(cluster, is_whole) if cluster.registry_url else None,
            no_answer=NoAnswerOut(since=cluster.silent_since, **cluster.silence) if cluster.silent_since else None,
        )

    @classmethod
    def _show_registry(cls, cluster: Cluster, is_whole: bool) -> RegistryOut:
        return RegistryOut(
            url=cluster.registry_url,
            config=cluster.registry_config if is_whole else {},
            secrets=sorted(cluster.registry_secrets) if is_whole else [],
            is_internal=cluster.is_registry_internal,
        )


class ClustersOut(Schema):
    """The clusters, whether this user may change them, and if not, why."""

    clusters: list[ClusterOut]
    may_change: bool
    why: str


class BrokersOut(Schema):
    """The cluster that answered: its id in Kafka, and the addresses that its brokers advertise."""

    id: str
    addresses: list[str]

    @classmethod
    def of(cls, brokers: Brokers) -> BrokersOut:
        return cls(id=brokers.id, addresses=list(brokers.addresses))


class AccessOut(Schema):
    """What a schema registry lets its user do. `level`: its global compatibility level, empty if it may not be read.

    `subjects` is their number, null if they may not be listed.
    """

    may_read: bool
    may_list: bool
    may_register: bool
    level: str
    subjects: int | None

    @classmethod
    def of(cls, access: Access) -> AccessOut:
        return cls(**access._asdict())


class TopicSchemaOut(Schema):
    """A schema of a topic's keys or values. `records` is how many of the newest records are written with it.

    `text` is one schema that needs no other. `newest` is the newest version of the subject, and `changes` what it
    changes, in words. `messages` are the messages of Protobuf that the records hold, or the first one of the schema.
    """

    side: Literal["key", "value"]
    subject: str
    version: int
    id: int
    kind: Literal["AVRO", "PROTOBUF", "JSON"]
    text: str
    records: int
    newest: int
    changes: list[str]
    messages: list[str]
    type: TypeOut | None = Field(description="The type of what it describes. Null: it is not read.")

    @classmethod
    def of(cls, schema: TopicSchema) -> TopicSchemaOut:
        type_ = schema.find_type()
        return cls(**schema._asdict(), type=None if type_ is None else type_.to_json())


class SparkConnectionIn(RequestBody):
    """How to reach a Spark cluster. A `secret` that is null keeps its stored value. An empty one is removed.

    Nothing is saved if its test finds a fault, unless `is_untested`.
    """

    master: Annotated[
        str,
        Field(
            max_length=1_024, description="spark://host:port. Separate several with commas. Or k8s://https://host:port."
        ),
    ]
    checkpoint_root: Annotated[
        str,
        Field(
            max_length=1_024,
            description="Folder that all hosts see: hdfs://host:port/folder, s3a://bucket/folder, or a path. "
            "Empty: the folder of STREAMWRIGHT_CHECKPOINTS.",
        ),
    ] = ""
    executor_cores: Annotated[int, Field(ge=1, le=256, description="Cores of each executor.")] = 1
    executor_memory_mb: Annotated[int, Field(ge=512, le=1_048_576, description="Heap of each executor, in MiB.")] = (
        1_024
    )
    python: Annotated[
        str,
        Field(
            max_length=256,
            pattern=r"^\S*$",
            description="Python of the worker hosts. Empty: the name of the server's Python.",
        ),
    ] = ""
    config: dict[str, Setting] = Field(default_factory=dict)
    secret: Annotated[
        str | None, Field(max_length=1_024, pattern=r"^\S*$", description="spark.authenticate.secret")
    ] = None
    is_untested: bool = False

    def to_wanted(self) -> spark.SparkForm:
        return spark.SparkForm(**self.model_dump(exclude={"is_untested", "name"}))


class SparkClusterIn(SparkConnectionIn):
    name: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[a-z0-9][a-z0-9-]*$")]


class DescriptionOut(Schema):
    """`description` can be imported as a topology."""

    description: str


class SparkClusterOut(Schema):
    """A Spark cluster. `is_default`: SPARK_MASTER names it. `has_secret`: one is kept, and never shown.

    Only users who may change clusters see its `config`.
    """

    name: str
    master: str
    checkpoint_root: str
    executor_cores: int
    executor_memory_mb: int
    python: str
    config: dict[str, str]
    has_secret: bool
    jobs: list[str]
    is_default: bool

    @classmethod
    def of(cls, cluster: SparkCluster, *, visible_ids: Container[int], is_whole: bool = True) -> SparkClusterOut:
        return cls(
            name=cluster.name,
            master=cluster.master,
            checkpoint_root=get_shared_root(cluster),
            executor_cores=cluster.executor_cores,
            executor_memory_mb=cluster.executor_memory_mb,
            python=cluster.python,
            config=cluster.config if is_whole else {},
            has_secret=bool(cluster.secrets),
            jobs=sorted(job.name for job in cluster.jobs.all() if job.topology.project_id in visible_ids),
            is_default=cluster.name == spark.DEFAULT,
        )


class SparkClustersOut(Schema):
    """The Spark clusters, and the one of new jobs: empty for the host of their agent."""

    clusters: list[SparkClusterOut]
    default: str


class ProbedHostOut(Schema):
    """A host of a Spark cluster on which a probe ran."""

    host: str
    python: str


class ProbeOut(Schema):
    """The result of a probe of a Spark cluster: its hosts, and all faults. Without `faults` the cluster is fit."""

    hosts: list[ProbedHostOut]
    faults: list[str]

    @classmethod
    def of(cls, report: Seen) -> ProbeOut:
        hosts = [ProbedHostOut(host=each.host, python=each.python) for each in report.hosts]
        return cls(hosts=hosts, faults=report.find_faults())


class ChosenCluster(RequestBody):
    """The cluster a topology is drawn with and deployed to."""

    cluster: str


class TopicIn(RequestBody):
    """A topic to make. `cleanup` is what Kafka does with old records: delete them, or keep the newest of each key."""

    name: Annotated[str, Field(min_length=1, max_length=249, pattern=r"^[a-zA-Z0-9._-]+$")]
    partitions: Annotated[int, Field(ge=1, le=1_024)] = 4
    cleanup: Literal["delete", "compact"] = "delete"
    replication: Annotated[int | None, Field(ge=1, le=32, description="Replicas; null: the cluster's default.")] = None


class GraphIn(RequestBody):
    """A graph whose topics are looked for on a cluster."""

    graph: SentGraph


class TopicOut(Schema):
    name: str
    id: str
    partitions: int

    @classmethod
    def of(cls, topic: Topic) -> TopicOut:
        return cls(name=topic.name, id=topic.id, partitions=topic.partitions)


class HeaderOut(Schema):
    """A header as text; bytes that are no text come in base64 and say so. `value_bytes` is the whole size."""

    key: str
    value: str | None
    is_value_base64: bool
    is_value_cut: bool
    value_bytes: int | None

    @classmethod
    def of(cls, name: str, content: bytes | None) -> HeaderOut:
        value, is_value_base64 = _shorten_text(content, MAX_HEADER_BYTES)
        return cls(
            key=name,
            value=value,
            is_value_base64=is_value_base64,
            is_value_cut=_is_longer(content, MAX_HEADER_BYTES),
            value_bytes=_measure_size(content),
        )


class MessageOut(Schema):
    """A record as text; bytes that are no text come in base64 and say so.

    Of a key or value no more than the first 16,384 bytes are here, of each of at most 100 headers 1,024. What was cut
    says so: `key_bytes` and `value_bytes` are the whole sizes, null of null, `headers_left_out` counts the others.
    """

    partition: int
    offset: int
    timestamp: int
    key: str | None
    is_key_base64: bool
    is_key_cut: bool
    key_bytes: int | None
    value: str | None
    is_value_base64: bool
    is_value_cut: bool
    value_bytes: int | None
    headers: list[HeaderOut]
    headers_left_out: int

    @classmethod
    def of(cls, message: Message) -> MessageOut:
        key, is_key_base64 = _shorten_text(message.key, MAX_BYTES)
        value, is_value_base64 = _shorten_text(message.value, MAX_BYTES, message.value_size)
        return cls(
            partition=message.partition,
            offset=message.offset,
            timestamp=message.timestamp,
            key=key,
            is_key_base64=is_key_base64,
            is_key_cut=_is_longer(message.key, MAX_BYTES),
            key_bytes=_measure_size(message.key),
            value=value,
            is_value_base64=is_value_base64,
            is_value_cut=(message.value_size or 0) > MAX_BYTES,
            value_bytes=message.value_size,
            headers=[HeaderOut.of(*header) for header in message.headers[:MAX_HEADERS]],
            headers_left_out=max(0, len(message.headers) - MAX_HEADERS),
        )


class DoubtOut(Schema):
    """A field whose sampled values are of several types: how many of each, and the JSON of one that does not fit.

    `path` is empty for the whole key or value; `type` is `any` where no type has nine tenths of the values.
    """

    side: Literal["key", "value"]
    path: str
    type: Kind
    counts: dict[str, int]
    odd: str

    @classmethod
    def of(cls, doubt: Doubt) -> DoubtOut:
        odd = exact_json.dumps(doubt.odd).decode()
        return cls(
            side=doubt.side,
            path=doubt.path,
            type=doubt.type.kind,
            counts=dict(doubt.counts),
            odd=odd if len(odd) <= MAX_ODD_LENGTH else f"{odd[:MAX_ODD_LENGTH]}…",
        )


class ExamplesOut(Schema):
    """The newest records of a topic, and what they show of its formats and fields.

    A record that names a schema of the cluster's registry is shown with that schema, as JSON.
    `cleanup` and `retention_ms` (null: forever) are what Kafka does with older ones. `cleanup` is empty if the
    cluster's user may not see the settings of the topic. `has_registry`: the cluster has a schema registry, which may
    know more.
    """

    topic: TopicOut
    cleanup: list[str]
    retention_ms: int | None
    messages: list[MessageOut]
    inferred: SchemaOut
    doubts: list[DoubtOut]
    has_registry: bool

    @classmethod
    def of(
        cls,
        topic: Topic,
        configs: Mapping[str, str],
        messages: list[MessageOut],
        inference: InferredSchema,
        *,
        has_registry: bool,
    ) -> ExamplesOut:
        return cls(
            topic=TopicOut.of(topic),
            cleanup=read_cleanup(configs),
            retention_ms=read_limit(configs.get("retention.ms")),
            messages=messages,
            inferred=inference.schema.to_json(),
            doubts=[DoubtOut.of(doubt) for doubt in inference.doubts],
            has_registry=has_registry,
        )


def _measure_size(content: bytes | None) -> int | None:
    return None if content is None else len(content)


def _is_longer(content: bytes | None, limit: int) -> bool:
    return content is not None and len(content) > limit


def _shorten_text(content: bytes | None, limit: int, size: int | None = None) -> tuple[str | None, bool]:
    """The text of at most the first `limit` bytes, and whether it is base64. `size` is that of the whole."""
    if content is None:
        return None, False
    head = content[:limit]
    try:
        text = UTF_8().decode(head, final=len(head) == (size or len(content)))  # a cut may split a character
    except UnicodeDecodeError:
        return base64.b64encode(head).decode(), True
    return (text, False) if "\x00" not in text else (base64.b64encode(head).decode(), True)
