"""Where the newest batches of a run ended, beside its working copies: Spark forgets it after 20 batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import orjson

MAX_BYTES = 4 << 20
"""Of a file; there are two, so that some hours of batches are known."""


class Batch(NamedTuple):
    """A committed batch: its time (ms), and by topic the offsets at which each partition began and ended.

    `start` is None if the batch before it is not known.
    """

    number: int
    time: int
    start: dict[str, list[int]] | None
    end: dict[str, list[int]]

    def reads(self, topic: str, partition: int, offset: int) -> bool:
        """Whether it read a record."""
        ends = self.end.get(topic, [])
        return partition < len(ends) and self.get_first(topic, partition) <= offset < ends[partition]

    def count_of(self, topic: str, partition: int) -> int:
        """How many offsets of a partition it read."""
        ends = self.end.get(topic, [])
        return ends[partition] - self.get_first(topic, partition) if partition < len(ends) else 0

    def get_first(self, topic: str, partition: int) -> int:
        """The offset from which on it read a partition; a new one is read from its first."""
        starts = (self.start or {}).get(topic, [])
        return starts[partition] if partition < len(starts) else 0


class BatchLog:
    """A line for each batch. One that is executed again has a second one."""

    def __init__(self, folder: Path) -> None:
        self.file, self.before = folder / "batches", folder / "batches.before"

    def append(self, batch: int, end: dict[str, Any]) -> None:
        """Notes where a batch ends, as the source said it to Spark."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("ab") as file:
            file.write(orjson.dumps([batch, end]) + b"\n")
            is_full = file.tell() > MAX_BYTES
        if is_full:
            self.file.replace(self.before)

    def read(self) -> list[Batch]:
        """Oldest first."""
        ends: dict[int, dict[str, Any]] = {}
        for path in (self.before, self.file):
            for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
                if line.endswith(b"\n"):
                    number, end = orjson.loads(line)
                    ends[number] = end
        return [
            Batch(
                number, end["time"], read_offsets(ends[number - 1]) if number - 1 in ends else None, read_offsets(end)
            )
            for number, end in sorted(ends.items())
        ]


def read_offsets(end: dict[str, Any]) -> dict[str, list[int]]:
    """The offsets at which a batch ends, by topic."""
    return {topic: offsets for group, places in end.items() if group != "time" for topic, offsets in places.items()}
