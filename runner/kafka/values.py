"""Answers of a cluster, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

NO_LIMIT = 2**63 - 1
"""How Kafka writes a limit that is never reached, where -1 does not mean that."""


def read_limit(text: str | None) -> int | None:
    """A limit of a topic's settings. None if there is none.

    >>> [read_limit(text) for text in ("60000", "0", "-1", "9223372036854775807", None)]
    [60000, 0, None, None, None]
    """
    limit = -1 if text is None else int(text)
    return limit if 0 <= limit < NO_LIMIT else None


def read_cleanup(configs: Mapping[str, str]) -> list[str]:
    """What Kafka does with old records of a topic with these settings: `delete`, `compact` or both.

    >>> read_cleanup({"cleanup.policy": "delete,compact"}), read_cleanup({})
    (['compact', 'delete'], [])
    """
    return sorted(filter(None, configs.get("cleanup.policy", "").split(",")))


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as the cluster describes it. `id` changes when someone deletes the topic and makes it again.

    `replication` is the number of replicas of the partition with the fewest. It is 0 if no one asked the cluster.
    """

    name: str
    id: str
    partitions: int
    replication: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Message:
    """A record as it is in a partition. `timestamp` is in ms since 1970, `whole` the original size of a cut value."""

    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()
    whole: int | None = None

    @property
    def value_size(self) -> int | None:
        """Bytes of the whole value, None for null."""
        return len(self.value) if self.value is not None and self.whole is None else self.whole

    def cut(self, size: int) -> Message:
        """The record with at most `size` bytes of its value. It remembers the original size."""
        if self.value is None or len(self.value) <= size:
            return self
        return replace(self, value=self.value[:size], whole=self.value_size)


@dataclass(frozen=True, slots=True)
class Brokers:
    """Kafka's own id of a cluster, and the addresses that its brokers advertise."""

    id: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommittedOffset:
    """Offset that a group committed for a partition: the next one to read, and the text beside it."""

    offset: int
    metadata: str
