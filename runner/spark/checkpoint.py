"""What Spark's checkpoint says: which batches were planned and committed, and which offsets each read."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path

import orjson

Offsets = dict[str, list[int]]
"""Topic -> the next offset to read, by partition."""


class Checkpoint:
    """The folder of one query."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    @cached_property
    def query_id(self) -> str:
        """Spark's id of the query; it is there once the query was started for the first time."""
        identity: str = orjson.loads((self.folder / "metadata").read_bytes())["id"]
        return identity

    def last_planned(self) -> int | None:
        """The newest batch whose offsets are written down."""
        return _newest(self.folder / "offsets")

    def last_committed(self) -> int | None:
        """The newest batch that Spark knows to be done."""
        return _newest(self.folder / "commits")

    def is_committed(self, batch: int) -> bool:
        return (self.folder / "commits" / str(batch)).exists()

    def fingerprint(self, batch: int) -> str:
        """A hash of all that makes a batch what it is: offsets, batch time, settings."""
        return hashlib.sha256(self._plan(batch)).hexdigest()

    def offsets(self, batch: int) -> Offsets:
        """Where a batch ends, as the one source of the query says (`runner.spark.source.Offsets`)."""
        end = orjson.loads(self._plan(batch).splitlines()[-1])
        return {topic: offsets for group, places in end.items() if group != "time" for topic, offsets in places.items()}

    def _plan(self, batch: int) -> bytes:
        return (self.folder / "offsets" / str(batch)).read_bytes()


def _newest(folder: Path) -> int | None:
    numbers = [int(path.name) for path in folder.glob("*") if path.name.isdigit()]
    return max(numbers, default=None)
