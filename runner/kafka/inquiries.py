"""Facts that only brokers know and confluent-kafka cannot ask for: sizes of topics, groups of any protocol,
transactional ids, open transactions, and when their certificates end."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

from runner.kafka.cluster import KafkaCluster
from runner.kafka.wire import Answer, Wire, compact_items, compact_text, find_certificate_end, write_varint

LIST_GROUPS, DESCRIBE_LOG_DIRS, DESCRIBE_PRODUCERS, DESCRIBE_TRANSACTIONS, LIST_TRANSACTIONS = 16, 35, 61, 65, 66
NO_TAGS = b"\0"


class OpenTransaction(NamedTuple):
    """The transaction that holds up readers of a partition from `offset` on.

    `transactional_id` is None if no coordinator knows it: then it never ends by itself. `since` is its beginning in ms
    since 1970, or in that case the last record of its producer. Kafka aborts it `timeout_ms` later.
    """

    partition: int
    offset: int
    producer_id: int
    transactional_id: str | None
    since: int
    timeout_ms: int | None


class _Producer(NamedTuple):
    id: int
    last_ms: int
    begins_at: int


def measure_topics(cluster: KafkaCluster) -> dict[str, int]:
    """The bytes of one copy of each topic's partitions. Raises KafkaUnreachable and BrokerError."""
    largest: dict[tuple[str, int], int] = {}
    for host, port in cluster.brokers().values():
        with Wire(host, port, cluster.settings) as wire:
            for place, size in _read_log_sizes(wire.ask(DESCRIBE_LOG_DIRS, 1, struct.pack(">i", -1), is_compact=False)):
                largest[place] = max(size, largest.get(place, 0))
    sizes: dict[str, int] = {}
    for (topic, _), size in largest.items():
        sizes[topic] = sizes.get(topic, 0) + size
    return sizes


def find_certificate_ends(cluster: KafkaCluster) -> dict[str, int]:
    """When the certificate of each broker ends, in s since 1970. Empty without TLS. Raises KafkaUnreachable."""
    if not cluster.settings.get("security.protocol", "").upper().endswith("SSL"):
        return {}
    settings, places = cluster.settings, cluster.brokers().values()
    return {f"{host}:{port}": find_certificate_end(host, port, settings) for host, port in places}


def list_group_states(cluster: KafkaCluster) -> dict[str, str]:
    """The state of each group that this user may see, such as `Empty` or `Stable`.

    Groups of the streams protocol (KIP-1071) are among them, which librdkafka leaves out.
    Raises KafkaUnreachable and BrokerError.
    """
    states: dict[str, str] = {}
    for host, port in cluster.brokers().values():
        with Wire(host, port, cluster.settings) as wire:
            answer = wire.ask(LIST_GROUPS, 4, compact_items([]) + NO_TAGS)
            answer.number("i")
            answer.check(answer.number("h"))
            states.update(answer.compact_items(_read_group))
    return states


def find_transactional_ids(cluster: KafkaCluster) -> list[str]:
    """The transactional ids that brokers know and this user may see. Raises KafkaUnreachable and BrokerError."""
    names: list[str] = []
    for host, port in cluster.brokers().values():
        with Wire(host, port, cluster.settings) as wire:
            names += _list_transactions(wire, [])
    return names


def open_transaction(cluster: KafkaCluster, topic: str, partition: int) -> OpenTransaction | None:
    """The oldest open transaction of a partition, None if there is none.

    Raises KafkaUnreachable and BrokerError.
    """
    brokers, leaders = cluster.brokers(), cluster.leaders(topic)
    if leaders.get(partition) not in brokers:
        return None
    with ExitStack() as stack:
        wires = {number: stack.enter_context(Wire(*place, cluster.settings)) for number, place in brokers.items()}
        producers = _describe_producers(wires[leaders[partition]], topic, partition)
        first = min((each for each in producers if each.begins_at >= 0), key=lambda each: each.begins_at, default=None)
        if first is None:
            return None
        for wire in wires.values():
            if (name := _name_transaction(wire, first.id)) is not None:
                since, timeout = _describe_transaction(wire, name)
                return OpenTransaction(partition, first.begins_at, first.id, name, since, timeout)
    return OpenTransaction(partition, first.begins_at, first.id, None, first.last_ms, None)


def _read_log_sizes(answer: Answer) -> Iterator[tuple[tuple[str, int], int]]:
    answer.number("i")
    for folder in answer.items(_read_folder):
        yield from folder


def _read_folder(answer: Answer) -> list[tuple[tuple[str, int], int]]:
    answer.check(answer.number("h"))
    answer.text()
    return [each for topic in answer.items(_read_topic) for each in topic]


def _read_topic(answer: Answer) -> list[tuple[tuple[str, int], int]]:
    name = answer.text()

    def partition(answer: Answer) -> tuple[tuple[str, int], int]:
        number, size, _, _ = (answer.number(layout) for layout in "iqqb")
        return (name, number), size

    return answer.items(partition)


def _describe_producers(wire: Wire, topic: str, partition: int) -> list[_Producer]:
    topic_request = compact_text(topic) + compact_items([struct.pack(">i", partition)]) + NO_TAGS
    answer = wire.ask(DESCRIBE_PRODUCERS, 0, compact_items([topic_request]) + NO_TAGS)
    answer.number("i")
    topics = answer.compact_items(_read_producers_of_topic)
    return [producer for partitions in topics for producers in partitions for producer in producers]


def _read_producers_of_topic(answer: Answer) -> list[list[_Producer]]:
    answer.compact_text()
    producers = answer.compact_items(_read_producers_of_partition)
    answer.tags()
    return producers


def _read_producers_of_partition(answer: Answer) -> list[_Producer]:
    answer.number("i")
    answer.check(answer.number("h"))
    answer.compact_text()
    producers = answer.compact_items(_read_producer)
    answer.tags()
    return producers


def _read_producer(answer: Answer) -> _Producer:
    number, _, _, last_ms, _, begins_at = (answer.number(layout) for layout in "qiiqiq")
    answer.tags()
    return _Producer(number, last_ms, begins_at)


def _name_transaction(wire: Wire, producer: int) -> str | None:
    """The transactional id of a producer, if this broker coordinates it."""
    return next(iter(_list_transactions(wire, [producer])), None)


def _list_transactions(wire: Wire, producers: list[int]) -> list[str]:
    """The transactional ids of those producers that this broker coordinates. Without producers: all of them."""
    ids = [struct.pack(">q", producer) for producer in producers]
    answer = wire.ask(LIST_TRANSACTIONS, 0, compact_items([]) + compact_items(ids) + NO_TAGS)
    answer.number("i")
    answer.check(answer.number("h"))
    answer.compact_items(Answer.compact_text)
    return answer.compact_items(_read_transaction)


def _read_group(answer: Answer) -> tuple[str, str]:
    name = answer.compact_text()
    answer.compact_text()
    state = answer.compact_text()
    answer.tags()
    return name, state


def _read_transaction(answer: Answer) -> str:
    name = answer.compact_text()
    answer.number("q")
    answer.compact_text()
    answer.tags()
    return name


def _describe_transaction(wire: Wire, name: str) -> tuple[int, int]:
    """Beginning of a transaction, and how long it may take, in ms."""
    answer = wire.ask(DESCRIBE_TRANSACTIONS, 0, write_varint(2) + compact_text(name) + NO_TAGS)
    answer.number("i")
    answer.varint()
    answer.check(answer.number("h"))
    answer.compact_text()
    answer.compact_text()
    timeout, since = answer.number("i"), answer.number("q")
    return since, timeout
