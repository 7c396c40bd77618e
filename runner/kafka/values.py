"""Answers of a cluster, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


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
