"""Ends of the newest batches of a run, beside its working copies. Spark forgets them after 20 batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import orjson

MAX_BYTES = 4 << 20
"""Of one file. Two files together cover some hours of batches."""


class Batch(NamedTuple):
    """A committed batch: its time (ms), and the offsets at which each partition began and ended, by topic.

    `start` is None if the batch before it is not known.
    """

    number: int
    time: int
    start: dict[str, list[int]] | None
    end: dict[str, list[int]]

    def reads(self, topic: str, partition: int, offset: int) -> bool:
        """True if it read this record."""
        ends = self.end.get(topic, [])
        return partition < len(ends) and self.get_first(topic, partition) <= offset < ends[partition]

    def count_of(self, topic: str, partition: int) -> int:
        """Number of offsets of a partition that it read."""
        ends = self.end.get(topic, [])
        return ends[partition] - self.get_first(topic, partition) if partition < len(ends) else 0

    def get_first(self, topic: str, partition: int) -> int:
        """First offset of a partition that it read. A new partition is read from its first offset."""
        starts = (self.start or {}).get(topic, [])
        return starts[partition] if partition < len(starts) else 0


class BatchLog:
    """Holds a line for each batch, and two for a batch that was executed again."""

    def __init__(self, folder: Path) -> None:
        self.file, self.before = folder / "batches", folder / "batches.before"

    def append(self, batch: int, end: dict[str, Any]) -> None:
        """Records where a batch ends, in the form in which the source told Spark."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("ab") as file:
            file.write(orjson.dumps([batch, end]) + b"\n")
            is_full = file.tell() > MAX_BYTES
        if is_full:
            self.file.replace(self.before)

    def read(self) -> list[Batch]:
        """Reads the batches, oldest first."""
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
