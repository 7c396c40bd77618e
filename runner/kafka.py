"""A Kafka cluster as jobs see it: topics with their facts, samples, offsets. No Django.

Every answer is bounded in time; a cluster that does not answer is a `KafkaUnreachable` with the next step.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from confluent_kafka import Consumer, IsolationLevel, KafkaError, KafkaException, Producer, TopicCollection
from confluent_kafka import TopicPartition as Partition
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic, OffsetSpec, ResourceType  # type: ignore[attr-defined]

from designer.refusals import Refusal

ANSWER_SECONDS = 5.0
NEW_TOPIC_SECONDS = 30.0
SETTINGS = frozenset(
    {"client.id", "security.protocol", "sasl.mechanism", "sasl.username", "sasl.password", "socket.timeout.ms"}
    | {"ssl.ca.pem", "ssl.certificate.pem", "ssl.key.pem", "ssl.key.password", "message.max.bytes"}
)
"""The librdkafka settings a cluster may carry. None of them names a file, a class or a library to load."""
SECRETS = frozenset({"sasl.password", "ssl.key.pem", "ssl.key.password"})
T = TypeVar("T")


class KafkaUnreachable(Refusal):
    """No broker of the cluster answered in time."""

    code = "kafka.unreachable"
    status = 503


class TopicMissing(Refusal):
    """A topic that must exist does not."""

    code = "topic.missing"
    status = 422


class NotAllowed(Refusal):
    """The cluster's user may not do what was asked."""

    code = "kafka.not_allowed"
    status = 403

    def __init__(self, words: str) -> None:
        super().__init__(
            f"Kafka refuses this cluster's user: {words}.",
            "Give the user the right to read and write the job's topics.",
        )


class SettingNotAllowed(Refusal):
    code = "cluster.setting_not_allowed"
    status = 422


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as the cluster describes it. `id` changes when a topic is deleted and made again.

    `replication` is how many replicas the partition with the fewest has; 0 where nobody asked the cluster.
    """

    name: str
    id: str
    partitions: int
    replication: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Message:
    """A record as it lies in a partition; `timestamp` is in ms since 1970."""

    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Brokers:
    """Kafka's own id of a cluster, and the addresses its brokers give of themselves."""

    id: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Committed:
    """What a group committed for a partition: the next offset to read, and the text beside it."""

    offset: int
    metadata: str


def allowed(config: Mapping[str, str]) -> dict[str, str]:
    """`config` itself; raises SettingNotAllowed when it names a setting users may not give."""
    for name in config:
        if name not in SETTINGS:
            raise SettingNotAllowed(
                f"`{name}` cannot be set on a cluster.", f"Allowed are {', '.join(sorted(SETTINGS))}."
            )
    return dict(config)


class Cluster:
    """A connection to one Kafka cluster."""

    def __init__(self, bootstrap_servers: str, config: Mapping[str, str] | None = None, name: str = "local") -> None:
        self.name = name
        self.servers = bootstrap_servers
        self.settings = {"bootstrap.servers": bootstrap_servers, **allowed(config or {})}
        self._errors: deque[KafkaError] = deque(maxlen=10)

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> Cluster:
        """From librdkafka settings with `bootstrap.servers` among them."""
        others = {name: value for name, value in settings.items() if name != "bootstrap.servers"}
        return cls(settings["bootstrap.servers"], others)

    @cached_property
    def _admin(self) -> AdminClient:
        config: dict[str, Any] = {**ASKING, **self.settings, "error_cb": self._errors.append}
        return AdminClient(config)

    def check(self) -> Brokers:
        """Who answers; raises KafkaUnreachable when nobody does, or not to this user."""
        with self._answers():
            found = self._admin.list_topics(timeout=ANSWER_SECONDS)
        brokers = sorted(f"{broker.host}:{broker.port}" for broker in found.brokers.values())
        return Brokers(found.cluster_id or "", tuple(brokers))

    def topics(self) -> list[Topic]:
        """All topics but Kafka's own, by name."""
        with self._answers():
            names = [name for name in self._admin.list_topics(timeout=ANSWER_SECONDS).topics if name[:2] != "__"]
        return list(self.find(sorted(names)).values())

    def find(self, names: Sequence[str]) -> dict[str, Topic]:
        """Those of `names` that exist."""
        if not names:
            return {}
        with self._answers():
            futures = self._admin.describe_topics(TopicCollection(list(names)), request_timeout=ANSWER_SECONDS)
            described = {name: _unless(future, KafkaError.UNKNOWN_TOPIC_OR_PART) for name, future in futures.items()}
        return {
            name: Topic(
                name, str(found.topic_id), len(found.partitions), min(len(p.replicas) for p in found.partitions)
            )
            for name, found in described.items()
            if found is not None
        }

    def topic(self, name: str) -> Topic:
        """One topic; raises TopicMissing."""
        found = self.find([name])
        if name not in found:
            raise TopicMissing(
                f"Topic `{name}` does not exist on cluster `{self.name}` ({self.servers}).",
                "Create the topic, or name another one.",
                topic=name,
            )
        return found[name]

    def configs(self, name: str) -> dict[str, str]:
        """A topic's configuration, defaults among it; empty where there is no such topic."""
        return self.configs_of([name]).get(name, {})

    def configs_of(self, names: Sequence[str]) -> dict[str, dict[str, str]]:
        """The configurations of those topics that exist."""
        if not names:
            return {}
        resources = [ConfigResource(ResourceType.TOPIC, name) for name in names]
        with self._answers():
            futures = self._admin.describe_configs(resources, request_timeout=ANSWER_SECONDS)
            found = {one.name: _unless(future, KafkaError.UNKNOWN_TOPIC_OR_PART) for one, future in futures.items()}
        return {
            name: {entry.name: entry.value for entry in entries.values()}
            for name, entries in found.items()
            if entries is not None
        }

    def create(
        self, name: str, partitions: int, config: Mapping[str, str] | None = None, replication: int | None = None
    ) -> Topic:
        """Make a topic, with the cluster's default replication if none is given; one that exists is left as it is."""
        new = NewTopic(name, num_partitions=partitions, replication_factor=replication or -1, config=dict(config or {}))
        with self._answers():
            (future,) = self._admin.create_topics([new], request_timeout=ANSWER_SECONDS).values()
            _unless(future, KafkaError.TOPIC_ALREADY_EXISTS)
        return self._once_known(name)

    def delete(self, name: str) -> None:
        """Delete a topic, if it is there."""
        with self._answers():
            (future,) = self._admin.delete_topics([name], request_timeout=ANSWER_SECONDS).values()
            _unless(future, KafkaError.UNKNOWN_TOPIC_OR_PART)

    def forget(self, group: str) -> None:
        """Delete the offsets of a consumer group, if there are any."""
        with self._answers():
            (future,) = self._admin.delete_consumer_groups([group], request_timeout=ANSWER_SECONDS).values()
            _unless(future, KafkaError.GROUP_ID_NOT_FOUND)

    def end_offsets(self, topics: Iterable[Topic]) -> dict[str, list[int]]:
        """By topic, the offset behind the last committed record of each partition."""
        return self._offsets(topics, OffsetSpec.latest())  # type: ignore[no-untyped-call]

    def start_offsets(self, topics: Iterable[Topic]) -> dict[str, list[int]]:
        """By topic, the first offset each partition still holds."""
        return self._offsets(topics, OffsetSpec.earliest())  # type: ignore[no-untyped-call]

    def offsets_at(self, topic: Topic, time_ms: int) -> list[int]:
        """The first offset of each partition whose record is not older than a time; the end where there is none."""
        found = self._offsets([topic], OffsetSpec.for_timestamp(time_ms))
        if -1 not in (offsets := found[topic.name]):
            return offsets
        ends = self.end_offsets([topic])[topic.name]
        return [end if offset < 0 else offset for offset, end in zip(offsets, ends, strict=True)]

    def committed(self, group: str, topic: Topic) -> list[Committed | None]:
        """What `group` committed, by partition. Waits for transactions in flight to end (KIP-447)."""
        partitions = [Partition(topic.name, number) for number in range(topic.partitions)]
        with self._consumer(**{"group.id": group}) as consumer, self._answers():
            found = consumer.committed(partitions, timeout=ANSWER_SECONDS)
        return [Committed(one.offset, one.metadata or "") if one.offset >= 0 else None for one in found]

    def fence(self, transactional_id: str) -> None:
        """Abort what a writer of this id left open and shut out any that still lives."""
        with self._answers():
            producer = Producer({**self.settings, "transactional.id": transactional_id, "log_level": "2"})
            producer.init_transactions(30.0)

    def sample(self, name: str, count: int = 100, seconds: float = 5.0) -> list[Message]:
        """Up to `count` of the newest committed records of a topic, oldest first."""
        topic = self.topic(name)
        starts, ends = self.start_offsets([topic])[name], self.end_offsets([topic])[name]
        places = [
            Partition(name, number, max(start, end - count))
            for number, (start, end) in enumerate(zip(starts, ends, strict=True))
            if end > start
        ]
        # the end of a partition is told after a fetch that found nothing, which must not wait for more
        quick = {"group.id": "streamwright-sample", "enable.partition.eof": True, "fetch.wait.max.ms": 10}
        with self._consumer(**quick) as consumer:
            messages = list(_read(consumer, places, time.monotonic() + seconds))
        return sorted(messages, key=lambda one: (one.timestamp, one.partition, one.offset))[-count:]

    def reader(self, topic: Topic) -> Reader:
        """What follows a topic; the caller closes it."""
        return Reader(self, topic)

    def _offsets(self, topics: Iterable[Topic], spec: OffsetSpec) -> dict[str, list[int]]:
        asked = {Partition(topic.name, number): spec for topic in topics for number in range(topic.partitions)}
        found: dict[str, list[int]] = {}
        if not asked:
            return found
        with self._answers():
            for partition, offset in self._ask_offsets(asked).items():
                found.setdefault(partition.topic, []).append(offset)
        return found

    def _ask_offsets(self, asked: Mapping[Partition, OffsetSpec]) -> dict[Partition, int]:
        """A partition whose leader is just being chosen is asked again, by a client that knows no old leader."""
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            futures = self._admin.list_offsets(
                dict(asked), isolation_level=IsolationLevel.READ_COMMITTED, request_timeout=ANSWER_SECONDS
            )
            try:
                return {partition: futures[partition].result().offset for partition in asked}
            except KafkaException as error:
                if error.args[0].code() == KafkaError.UNKNOWN_TOPIC_OR_PART:
                    for name in {partition.topic for partition in asked}:
                        self.topic(name)
                if error.args[0].code() not in NO_LEADER:
                    raise
                self.__dict__.pop("_admin", None)
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def _once_known(self, name: str) -> Topic:
        """A new topic takes a moment until every broker knows it, and longer where the brokers are busy."""
        deadline = time.monotonic() + NEW_TOPIC_SECONDS
        while name not in (found := self.find([name])) and time.monotonic() < deadline:
            time.sleep(0.05)
        return found[name] if name in found else self.topic(name)

    def _open(self, **config: Any) -> Consumer:
        settings = {**self.settings, "enable.auto.commit": False, "isolation.level": "read_committed", "log_level": "2"}
        return Consumer(settings | config)

    @contextmanager
    def _consumer(self, **config: Any) -> Iterator[Consumer]:
        consumer = self._open(**config)
        try:
            yield consumer
        finally:
            consumer.close()

    @contextmanager
    def _answers(self) -> Iterator[None]:
        try:
            yield
        except KafkaException as error:
            if error.args[0].code() in SILENCE:
                raise self._unreachable() from error
            if error.args[0].code() in NOT_ALLOWED:
                raise NotAllowed(error.args[0].str()) from error
            raise Refusal(
                f"Kafka at {self.servers} refused: {error.args[0].str().rstrip('.')}.",
                "See the broker's log for the reason.",
            ) from error

    def _unreachable(self) -> KafkaUnreachable:
        """That nobody answers or, where librdkafka heard why somebody does not want to, the reason."""
        self._admin.poll(0)
        reason = next((said for error in reversed(self._errors) if (said := _reason(error))), None)
        if reason is None:
            return KafkaUnreachable(
                f"Kafka does not answer at {self.servers}.",
                f"Start Kafka there, or correct the address or the security protocol of cluster `{self.name}`.",
            )
        return KafkaUnreachable(
            f"Kafka at {self.servers} cannot be spoken to: {reason}.",
            f"Correct the address, the security protocol, the user or the certificates of cluster `{self.name}`.",
        )


class Reader:
    """Reads a topic from where it is put, committed records only, in no group: nothing of it stays on the broker.

    `at` holds the offset each partition is read from next.
    """

    def __init__(self, cluster: Cluster, topic: Topic) -> None:
        self.cluster = cluster
        self.topic = topic
        self.at: dict[int, int] = {}
        self.consumer = cluster._open(**READER)

    def go(self, places: Mapping[int, int]) -> None:
        """Read on from these offsets, by partition."""
        self.at = dict(places)
        self.consumer.assign([Partition(self.topic.name, number, offset) for number, offset in places.items()])

    def ends(self) -> dict[int, int]:
        """The offset behind the last committed record of each partition."""
        return dict(enumerate(self.cluster.end_offsets([self.topic])[self.topic.name]))

    def starts(self) -> dict[int, int]:
        """The first offset each partition still holds."""
        return dict(enumerate(self.cluster.start_offsets([self.topic])[self.topic.name]))

    def read(self, count: int, seconds: float) -> list[Message]:
        """Up to `count` records, as many as come in `seconds`."""
        return [_message(found) for found in self.consumer.consume(count, timeout=seconds) if self._passed(found)]

    def close(self) -> None:
        self.consumer.close()

    def _passed(self, found: Any) -> bool:
        """Whether this is a record; an end of a partition moves on over the marks of transactions."""
        error = found.error()
        if error is not None and error.code() != KafkaError._PARTITION_EOF:
            with self.cluster._answers():
                raise KafkaException(error)
        self.at[found.partition()] = found.offset() + (error is None)
        return error is None


ASKING = {"socket.timeout.ms": "5000", "reconnect.backoff.max.ms": "1000", "log_level": "2"}
"""How the cluster is asked: a broker that comes back is seen within about a second."""
READER = {
    "group.id": "streamwright-reader",
    "enable.partition.eof": True,
    "auto.offset.reset": "earliest",
    "fetch.wait.max.ms": 200,
    # a reader looks at a few records at a time, and there may be many readers
    "fetch.message.max.bytes": 262_144,
    "queued.min.messages": 1_000,
    "queued.max.messages.kbytes": 4_096,
    "fetch.queue.backoff.ms": 20,
}
NO_LEADER = frozenset(
    {KafkaError.NOT_LEADER_FOR_PARTITION, KafkaError.LEADER_NOT_AVAILABLE, KafkaError._NOENT}
    | {KafkaError.FENCED_LEADER_EPOCH, KafkaError.UNKNOWN_LEADER_EPOCH}
)
NOT_ALLOWED = frozenset(
    {KafkaError.TOPIC_AUTHORIZATION_FAILED, KafkaError.GROUP_AUTHORIZATION_FAILED}
    | {KafkaError.CLUSTER_AUTHORIZATION_FAILED, KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED}
)
SILENCE = NO_LEADER | frozenset(
    {KafkaError._TRANSPORT, KafkaError._TIMED_OUT, KafkaError._ALL_BROKERS_DOWN, KafkaError._RESOLVE}
    | {KafkaError._TIMED_OUT_QUEUE, KafkaError.REQUEST_TIMED_OUT, KafkaError._AUTHENTICATION}
    | {KafkaError.COORDINATOR_NOT_AVAILABLE, KafkaError.NOT_COORDINATOR, KafkaError.COORDINATOR_LOAD_IN_PROGRESS}
)


def _reason(error: KafkaError) -> str | None:
    """Why a broker and we do not get on, without librdkafka's names and times around it; None for plain silence."""
    said = error.str()
    if error.code() not in (KafkaError._AUTHENTICATION, KafkaError._SSL, KafkaError._RESOLVE) and "SSL" not in said:
        return None
    return re.sub(r"^\S+: | \(after .*$", "", said).strip().rstrip(".:")


def _unless(future: Future[T], code: int) -> T | None:
    """The result of an answer, or None when it is the expected error."""
    try:
        return future.result()
    except KafkaException as error:
        if error.args[0].code() == code:
            return None
        raise


def _read(consumer: Consumer, places: list[Partition], deadline: float) -> Iterator[Message]:
    """Everything from `places` to the end of each partition, or until the deadline."""
    consumer.assign(places)
    open_partitions = {place.partition for place in places}
    while open_partitions and time.monotonic() < deadline:
        for found in consumer.consume(500, timeout=0.02):
            error = found.error()
            if error is None:
                yield _message(found)
            elif error.code() == KafkaError._PARTITION_EOF:
                open_partitions.discard(found.partition())


def _message(found: Any) -> Message:
    headers = tuple((name, value) for name, value in found.headers() or ())
    return Message(found.partition(), found.offset(), found.timestamp()[1], found.key(), found.value(), headers)
