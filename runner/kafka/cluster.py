"""A Kafka cluster as jobs see it: topics with their facts, samples, offsets.

Every answer is bounded in time. A cluster that does not answer raises `KafkaUnreachable` with the next step.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple

from confluent_kafka import (
    Consumer,
    ConsumerGroupTopicPartitions,
    IsolationLevel,
    KafkaError,
    KafkaException,
    Producer,
    TopicCollection,
)
from confluent_kafka import TopicPartition as Partition
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic, OffsetSpec, ResourceType  # type: ignore[attr-defined]

from runner.kafka.reading import read_to_end
from runner.kafka.refusals import (
    NO_COORDINATOR,
    NO_LEADER,
    TopicMissing,
    allow_error,
    get_allowed,
    is_denied,
    make_bad_connection,
    make_refusal,
)
from runner.kafka.settings import check_allowed, complete_settings
from runner.kafka.values import Brokers, CommittedOffset, Message, Topic

ANSWER_SECONDS = 5.0
NEW_TOPIC_SECONDS = 30.0
ASKING = {"socket.timeout.ms": "5000", "reconnect.backoff.max.ms": "1000", "log_level": "2"}
"""Client settings for questions: a client sees a broker that comes back within about a second."""
# a fetch that found nothing must end soon: only then does the client report the end of a partition
SAMPLING = {
    "group.id": "streamwright-sample",
    "enable.partition.eof": True,
    "fetch.wait.max.ms": 1,
    "reconnect.backoff.max.ms": 1_000,
}


class Sampler(NamedTuple):
    """A consumer that reads samples, and the ids of the topics that it has read, by name."""

    consumer: Consumer
    topic_ids: dict[str, str]


class KafkaCluster:
    """A connection to one Kafka cluster. `prefix` begins the names that jobs use on it."""

    def __init__(
        self, bootstrap_servers: str, config: Mapping[str, str] | None = None, name: str = "local", prefix: str = ""
    ) -> None:
        self.name = name
        self.prefix = prefix
        self.servers = bootstrap_servers
        self.settings = {"bootstrap.servers": bootstrap_servers, **complete_settings(check_allowed(config or {}))}
        self._errors: deque[KafkaError] = deque(maxlen=10)
        self._samplers: deque[Sampler] = deque()

    @classmethod
    def of(cls, settings: Mapping[str, str], name: str = "local") -> KafkaCluster:
        """A connection from librdkafka settings, which include `bootstrap.servers`."""
        others = {name: value for name, value in settings.items() if name != "bootstrap.servers"}
        return cls(settings["bootstrap.servers"], others, name)

    @cached_property
    def admin(self) -> AdminClient:
        config: dict[str, Any] = {**ASKING, **self.settings, "error_cb": self._errors.append}
        try:
            return AdminClient(config)
        except KafkaException as error:
            raise make_bad_connection(error.args[0], self.name) from error

    def check(self) -> Brokers:
        """The cluster's id and brokers. Raises KafkaUnreachable if no broker answers, or none answers this user."""
        with self.answers():
            metadata = self.admin.list_topics(timeout=ANSWER_SECONDS)
        brokers = sorted(f"{broker.host}:{broker.port}" for broker in metadata.brokers.values())
        return Brokers(metadata.cluster_id or "", tuple(brokers))

    def brokers(self) -> dict[int, tuple[str, int]]:
        """Host and port of each broker, by its id."""
        with self.answers():
            broker_metadata = self.admin.list_topics(timeout=ANSWER_SECONDS).brokers
        return {number: (str(broker.host), broker.port) for number, broker in broker_metadata.items()}

    def leaders(self, topic: str) -> dict[int, int]:
        """The broker that leads each partition of a topic, -1 if none does."""
        with self.answers():
            topic_metadata = self.admin.list_topics(topic, timeout=ANSWER_SECONDS).topics[topic]
        return {number: partition.leader for number, partition in topic_metadata.partitions.items()}

    def topic_names(self) -> frozenset[str]:
        """The names of all topics except Kafka's own."""
        with self.answers():
            return frozenset(name for name in self.admin.list_topics(timeout=ANSWER_SECONDS).topics if name[:2] != "__")

    def topics(self) -> list[Topic]:
        """All topics except Kafka's own, by name."""
        return list(self.find(sorted(self.topic_names())).values())

    def find(self, names: Sequence[str]) -> dict[str, Topic]:
        """Return the topics of these names that exist, by name. Raises KafkaUnreachable."""
        if not names:
            return {}
        with self.answers():
            futures = self.admin.describe_topics(TopicCollection(list(names)), request_timeout=ANSWER_SECONDS)
            descriptions = {
                name: allow_error(future, KafkaError.UNKNOWN_TOPIC_OR_PART) for name, future in futures.items()
            }
        return {
            name: Topic(
                name,
                str(description.topic_id),
                len(description.partitions),
                min(len(p.replicas) for p in description.partitions),
            )
            for name, description in descriptions.items()
            if description is not None
        }

    def topic(self, name: str) -> Topic:
        """One topic. Raises TopicMissing."""
        topics = self.find([name])
        if name not in topics:
            raise TopicMissing(
                f"Topic `{name}` does not exist on cluster `{self.name}` ({self.servers}).",
                "Create the topic, or name another one.",
                topic=name,
            )
        return topics[name]

    def configs(self, name: str) -> dict[str, str]:
        """A topic's configuration, including defaults. Empty if the topic does not exist."""
        return self.configs_of([name]).get(name, {})

    def configs_of(self, names: Sequence[str], *, only_visible: bool = False) -> dict[str, dict[str, str]]:
        """The configurations of those topics that exist.

        Raises NotAllowed if the cluster's user may not see one of them. With `only_visible`, it is left out.
        """
        if not names:
            return {}
        resources = [ConfigResource(ResourceType.TOPIC, name) for name in names]
        with self.answers():
            futures = self.admin.describe_configs(resources, request_timeout=ANSWER_SECONDS)
            configs = {
                one.name: allow_error(future, KafkaError.UNKNOWN_TOPIC_OR_PART)
                for one, future in futures.items()
                if not (only_visible and is_denied(future, KafkaError.UNKNOWN_TOPIC_OR_PART))
            }
        return {
            name: {entry.name: entry.value for entry in entries.values()}
            for name, entries in configs.items()
            if entries is not None
        }

    def create(
        self, name: str, partitions: int, config: Mapping[str, str] | None = None, replication: int | None = None
    ) -> Topic:
        """Make a topic, with the cluster's default replication if none is given. An existing topic does not change.

        A user who may not create topics is refused only if the topic does not exist.
        """
        new = NewTopic(name, num_partitions=partitions, replication_factor=replication or -1, config=dict(config or {}))
        with self.answers():
            (future,) = self.admin.create_topics([new], request_timeout=ANSWER_SECONDS).values()
            if is_denied(future, KafkaError.TOPIC_ALREADY_EXISTS) and not self.find([name]):
                future.result()
        return self._wait_until_known(name)

    def delete(self, name: str) -> None:
        """Delete a topic, if it exists."""
        with self.answers():
            (future,) = self.admin.delete_topics([name], request_timeout=ANSWER_SECONDS).values()
            allow_error(future, KafkaError.UNKNOWN_TOPIC_OR_PART)

    def forget(self, *groups: str) -> None:
        """Delete the offsets of consumer groups, as far as there are any."""
        with self.answers():
            for future in self.admin.delete_consumer_groups(list(groups), request_timeout=ANSWER_SECONDS).values():
                allow_error(future, KafkaError.GROUP_ID_NOT_FOUND)

    def list_group_names(self) -> list[str]:
        """The names of the consumer groups that the cluster's user may see."""
        with self.answers():
            listings = self.admin.list_consumer_groups(request_timeout=ANSWER_SECONDS).result().valid
        return [each.group_id for each in listings]

    def ask_allowed_on_topics(self, names: Sequence[str]) -> dict[str, frozenset[str] | None]:
        """Operations that the cluster's user may do, such as `Read`, by topic. None if the topic does not exist."""
        if not names:
            return {}
        options = {"include_authorized_operations": True, "request_timeout": ANSWER_SECONDS}
        with self.answers():
            futures = self.admin.describe_topics(TopicCollection(list(dict.fromkeys(names))), **options)
            return {name: get_allowed(future, (KafkaError.UNKNOWN_TOPIC_OR_PART,)) for name, future in futures.items()}

    def ask_allowed_on_group(self, name: str) -> frozenset[str]:
        """Operations that the cluster's user may do with a consumer group, even if the group does not exist."""
        options = {"include_authorized_operations": True, "request_timeout": ANSWER_SECONDS}
        deadline = time.monotonic() + ANSWER_SECONDS
        with self.answers():
            while True:
                (future,) = self.admin.describe_consumer_groups([name], **options).values()
                # a coordinator that was just chosen needs a second question
                operations = get_allowed(future, () if time.monotonic() > deadline else NO_COORDINATOR)
                if operations is not None:
                    return operations
                time.sleep(0.1)

    def may_create(self, name: str) -> bool:
        """True if the cluster's user may create a topic of that name. Creates none."""
        new = NewTopic(name, num_partitions=1, replication_factor=-1)
        with self.answers():
            (future,) = self.admin.create_topics([new], validate_only=True, request_timeout=ANSWER_SECONDS).values()
            return not is_denied(future)

    def end_offsets(self, topics: Iterable[Topic]) -> dict[str, list[int]]:
        """The offset after the last committed record of each partition, by topic."""
        return self._list_offsets(topics, OffsetSpec.latest())  # type: ignore[no-untyped-call]

    def read_high_watermarks(self, topics: Iterable[Topic]) -> dict[str, list[int]]:
        """The offset after the last record of each partition, committed or not, by topic."""
        latest = OffsetSpec.latest()  # type: ignore[no-untyped-call]
        return self._list_offsets(topics, latest, IsolationLevel.READ_UNCOMMITTED)

    def start_offsets(self, topics: Iterable[Topic]) -> dict[str, list[int]]:
        """The first offset that each partition still holds, by topic."""
        return self._list_offsets(topics, OffsetSpec.earliest())  # type: ignore[no-untyped-call]

    def offsets_at(self, topic: Topic, time_ms: int) -> list[int]:
        """The offset of each partition's first record that is not older than a time. Its end if there is none."""
        offsets_by_topic = self._list_offsets([topic], OffsetSpec.for_timestamp(time_ms))
        if -1 not in (offsets := offsets_by_topic[topic.name]):
            return offsets
        ends = self.end_offsets([topic])[topic.name]
        return [end if offset < 0 else offset for offset, end in zip(offsets, ends, strict=True)]

    def read_committed(self, group: str, topic: Topic) -> list[CommittedOffset | None]:
        """Offsets that `group` committed, by partition. Waits for open transactions to end (KIP-447)."""
        return self.read_committed_of(group, [topic])[topic.name]

    def read_committed_of(self, group: str, topics: Sequence[Topic]) -> dict[str, list[CommittedOffset | None]]:
        """Offsets that `group` committed in several topics, by name and partition. Waits as `read_committed` does."""
        partitions = [Partition(topic.name, number) for topic in topics for number in range(topic.partitions)]
        offsets: dict[str, list[CommittedOffset | None]] = {topic.name: [] for topic in topics}
        if not partitions:
            return offsets
        with self._connect_for(**{"group.id": group}) as consumer, self.answers():
            answers = consumer.committed(partitions, timeout=ANSWER_SECONDS)
        for one in answers:
            offsets[one.topic].append(CommittedOffset(one.offset, one.metadata or "") if one.offset >= 0 else None)
        return offsets

    def find_committed_topics(self, group: str) -> frozenset[str]:
        """The topics for which a group has committed offsets. Empty if there is no such group."""
        with self.answers():
            (future,) = self.admin.list_consumer_group_offsets(
                [ConsumerGroupTopicPartitions(group)], request_timeout=ANSWER_SECONDS
            ).values()
            committed = allow_error(future, KafkaError.GROUP_ID_NOT_FOUND)
        places = committed.topic_partitions if committed is not None else []
        return frozenset(each.topic for each in places if each.offset >= 0)

    def fence(self, transactional_id: str, seconds: float = 30.0) -> None:
        """Abort the open transaction of this id and shut out any writer that still lives."""
        with self.answers():
            producer = Producer({**self.settings, "transactional.id": transactional_id, "log_level": "2"})
            producer.init_transactions(seconds)

    def sample(self, name: str, count: int = 100, seconds: float = 5.0) -> list[Message]:
        """Up to `count` of the newest committed records of a topic, oldest first."""
        topic = self.topic(name)
        starts, ends = self.start_offsets([topic])[name], self.end_offsets([topic])[name]
        places = {
            Partition(name, number, max(start, end - count)): end
            for number, (start, end) in enumerate(zip(starts, ends, strict=True))
            if end > start
        }
        sampler, deadline = self._take_sampler(topic), time.monotonic() + seconds
        messages = list(read_to_end(sampler.consumer, places, deadline))
        if time.monotonic() < deadline:
            sampler.consumer.unassign()
            self._samplers.append(sampler)
        elif not messages:
            self.topic(name)  # raises KafkaUnreachable if the broker stopped meanwhile
        return sorted(messages, key=lambda one: (one.timestamp, one.partition, one.offset))[-count:]

    def _take_sampler(self, topic: Topic) -> Sampler:
        """A consumer for a sample, which is connected if another sample has ended.

        Not one that read an earlier topic of this name: librdkafka takes the leader epochs of the new one for old news.
        """
        try:
            while True:
                sampler = self._samplers.pop()
                if sampler.topic_ids.setdefault(topic.name, topic.id) == topic.id:
                    return sampler
        except IndexError:
            return Sampler(self.consumer(**SAMPLING), {topic.name: topic.id})

    def _list_offsets(
        self, topics: Iterable[Topic], spec: OffsetSpec, isolation: IsolationLevel = IsolationLevel.READ_COMMITTED
    ) -> dict[str, list[int]]:
        specs = {Partition(topic.name, number): spec for topic in topics for number in range(topic.partitions)}
        offsets: dict[str, list[int]] = {}
        if not specs:
            return offsets
        with self.answers():
            for partition, offset in self._ask_offsets(specs, isolation).items():
                offsets.setdefault(partition.topic, []).append(offset)
        return offsets

    def _ask_offsets(self, specs: Mapping[Partition, OffsetSpec], isolation: IsolationLevel) -> dict[Partition, int]:
        """Asks again about a partition whose leader was just chosen, with a client that knows no old leader."""
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            futures = self.admin.list_offsets(dict(specs), isolation_level=isolation, request_timeout=ANSWER_SECONDS)
            try:
                return {partition: futures[partition].result().offset for partition in specs}
            except KafkaException as error:
                if error.args[0].code() == KafkaError.UNKNOWN_TOPIC_OR_PART:
                    for name in {partition.topic for partition in specs}:
                        self.topic(name)
                if error.args[0].code() not in NO_LEADER:
                    raise
                self.__dict__.pop("admin", None)
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def _wait_until_known(self, name: str) -> Topic:
        """Wait until every broker knows a new topic. That takes a moment, and longer if the brokers are busy."""
        deadline = time.monotonic() + NEW_TOPIC_SECONDS
        while name not in (topics := self.find([name])) and time.monotonic() < deadline:
            time.sleep(0.05)
        return topics[name] if name in topics else self.topic(name)

    def consumer(self, **config: Any) -> Consumer:
        settings = {**self.settings, "enable.auto.commit": False, "isolation.level": "read_committed", "log_level": "2"}
        return Consumer(settings | config)

    @contextmanager
    def _connect_for(self, **config: Any) -> Iterator[Consumer]:
        consumer = self.consumer(**config)
        try:
            yield consumer
        finally:
            consumer.close()

    @contextmanager
    def answers(self) -> Iterator[None]:
        """Turn Kafka's errors into refusals."""
        self._listen()
        self._errors.clear()
        try:
            yield
        except KafkaException as error:
            self._listen()
            raise make_refusal(error.args[0], self._errors, self.servers, self.name) from error

    def _listen(self) -> None:
        """Take librdkafka's errors since the last call. It reports them only when asked, and keeps them until then."""
        if "admin" in self.__dict__:
            self.admin.poll(0)
