"""Questions and changes that people have for a cluster and its topics. Jobs need none of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, cast

from confluent_kafka import (
    OFFSET_END,
    ConsumerGroupTopicPartitions,
    KafkaError,
    KafkaException,
)
from confluent_kafka import TopicPartition as Partition
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ConfigSource,
    NewPartitions,
    ResourceType,
)

from designer.refusals import Refusal
from runner.kafka.cluster import ANSWER_SECONDS, KafkaCluster
from runner.kafka.codes import KafkaCode
from runner.kafka.refusals import allow_error, is_denied

MAX_GROUPS = 500


class PartitionPlace(NamedTuple):
    """Broker ids of a partition's replicas. `leader` is -1 if there is none."""

    leader: int
    replicas: tuple[int, ...]
    in_sync: tuple[int, ...]


GroupState = Literal["Unknown", "Preparing_rebalancing", "Completing_rebalancing", "Stable", "Dead", "Empty"]


class Group(NamedTuple):
    """A consumer group: its state (`Stable`, `Empty` …) and its committed offsets, by topic and partition."""

    name: str
    state: GroupState
    offsets: Mapping[tuple[str, int], int]


class Setting(NamedTuple):
    """A setting of a topic. `is_own`: it was set for this topic, and is neither the broker's nor Kafka's default."""

    name: str
    value: str | None
    is_own: bool
    is_read_only: bool


class NotChanged(Refusal):
    """Kafka refused to change a topic."""

    code = KafkaCode.TOPIC_NOT_CHANGED
    status = 422


def list_places(cluster: KafkaCluster) -> dict[str, tuple[PartitionPlace, ...]]:
    """Every topic with its partitions, including Kafka's own topics."""
    with cluster.answers():
        topics = cluster.admin.list_topics(timeout=ANSWER_SECONDS).topics
    return {
        name: tuple(
            PartitionPlace(each.leader, tuple(each.replicas), tuple(each.isrs))
            for _, each in sorted(topic.partitions.items())
        )
        for name, topic in sorted(topics.items())
        if topic.error is None
    }


def list_groups(cluster: KafkaCluster) -> list[Group]:
    """The consumer groups with committed offsets that the cluster's user may see, by name, 500 at most."""
    with cluster.answers():
        listings = cluster.admin.list_consumer_groups(request_timeout=ANSWER_SECONDS).result().valid
        states = {each.group_id: cast(GroupState, each.state.name.capitalize()) for each in listings[:MAX_GROUPS]}
        futures = {
            name: cluster.admin.list_consumer_group_offsets(
                [ConsumerGroupTopicPartitions(name)], request_timeout=ANSWER_SECONDS
            )[name]
            for name in sorted(states)
        }
        offsets = {
            name: allow_error(future, KafkaError.GROUP_ID_NOT_FOUND)
            for name, future in futures.items()
            if not is_denied(future, KafkaError.GROUP_ID_NOT_FOUND)
        }
    groups = (
        Group(
            name, states[name], {(at.topic, at.partition): at.offset for at in each.topic_partitions if at.offset >= 0}
        )
        for name, each in offsets.items()
        if each is not None
    )
    return [group for group in groups if group.offsets]


def list_settings(cluster: KafkaCluster, topic: str) -> list[Setting]:
    """All settings of a topic that are not secret. Empty if the cluster's user may not see any. Raises TopicMissing."""
    cluster.topic(topic)
    resource = ConfigResource(ResourceType.TOPIC, topic)
    with cluster.answers():
        future = cluster.admin.describe_configs([resource], request_timeout=ANSWER_SECONDS)[resource]
        if is_denied(future):
            return []
        entries = future.result()
    return [
        Setting(each.name, each.value, _read_source(each) == ConfigSource.DYNAMIC_TOPIC_CONFIG, each.is_read_only)
        for each in sorted(entries.values(), key=lambda each: each.name)
        if not each.is_sensitive
    ]


def change_settings(cluster: KafkaCluster, topic: str, changes: Mapping[str, str | None]) -> None:
    """Set settings of a topic. None restores the default. Raises TopicMissing and NotChanged."""
    cluster.topic(topic)
    entries = [
        ConfigEntry(
            name,
            value or "",
            incremental_operation=AlterConfigOpType.DELETE if value is None else AlterConfigOpType.SET,
        )
        for name, value in changes.items()
    ]
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=entries)
    with cluster.answers():
        future = cluster.admin.incremental_alter_configs([resource], request_timeout=ANSWER_SECONDS)[resource]
        _take(future, "change its settings", {KafkaError.INVALID_CONFIG, KafkaError.INVALID_REQUEST})


def add_partitions(cluster: KafkaCluster, topic: str, count: int) -> None:
    """Give a topic `count` partitions in all. Raises TopicMissing and NotChanged."""
    cluster.topic(topic)
    with cluster.answers():
        future = cluster.admin.create_partitions([NewPartitions(topic, count)], request_timeout=ANSWER_SECONDS)[topic]
        _take(future, "add partitions", {KafkaError.INVALID_PARTITIONS})


def delete_all_records(cluster: KafkaCluster, topic: str) -> None:
    """Delete all records of a topic. Its offsets continue where they are. Raises TopicMissing and NotChanged."""
    partitions = [Partition(topic, number, OFFSET_END) for number in range(cluster.topic(topic).partitions)]
    with cluster.answers():
        futures = cluster.admin.delete_records(partitions, request_timeout=ANSWER_SECONDS)
        for future in futures.values():
            _take(future, "empty it", {KafkaError.POLICY_VIOLATION, KafkaError.INVALID_REQUEST})


def _take(future: object, what: str, codes: set[int]) -> None:
    """Wait for a change. Raises NotChanged if Kafka says what is wrong with it."""
    try:
        future.result()  # type: ignore[attr-defined]
    except KafkaException as error:
        if error.args[0].code() not in codes:
            raise
        raise NotChanged(
            f"Kafka did not {what}: {error.args[0].str().rstrip('.')}.", "Correct the request, and try again."
        ) from error


def _read_source(entry: ConfigEntry) -> ConfigSource:
    return ConfigSource(entry.source)
