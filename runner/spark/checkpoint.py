"""What Spark's checkpoint says: which batches were planned and committed, and which offsets each read."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import orjson

_BATCH_FILE = re.compile(r"\.?(\d+)(\.crc)?")
_STATE_FILE = re.compile(r"\.?(\d+)\.(zip|changelog)")
"""A snapshot or changelog of a state store, or its checksum: version N is what batch N - 1 left."""
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

    def take_back(self, written: int | None) -> None:
        """Forgets all batches after `written`, so that they are planned and carried out anew.

        Their state goes too: a snapshot would later be taken for that of a batch of the same number.
        """
        if written is None:
            self._empty()
            return
        late = [*_from(self.folder / "commits", written + 1), *_from(self.folder / "offsets", written + 1)]
        if late:
            for path in (self.folder / "state").glob("*/*/*"):
                if (found := _STATE_FILE.match(path.name)) and int(found[1]) > written + 1:
                    path.unlink()
        # in this order, so that a start after a crash in between goes on with it
        for path in late:
            path.unlink()

    def _empty(self) -> None:
        """Leaves nothing of any batch, half-written files included: Spark refuses to begin with batch 0 beside them."""
        for name in ("state", "commits", "offsets"):
            if (folder := self.folder / name).exists():
                shutil.rmtree(folder)

    def fingerprint(self, batch: int) -> str:
        """A hash of all that makes a batch what it is: offsets, batch time, settings."""
        return hashlib.sha256(self._plan(batch)).hexdigest()

    def offsets(self, batch: int) -> Offsets:
        """Where a batch ends, as the one source of the query says (`runner.spark.source.source.Offsets`)."""
        end = orjson.loads(self._plan(batch).splitlines()[-1])
        return {topic: offsets for group, places in end.items() if group != "time" for topic, offsets in places.items()}

    def _plan(self, batch: int) -> bytes:
        return (self.folder / "offsets" / str(batch)).read_bytes()


def _from(folder: Path, first: int) -> Iterator[Path]:
    """The files of batches from `first` on and their checksums, newest first."""
    named = ((_BATCH_FILE.fullmatch(path.name), path) for path in folder.glob("*"))
    found = sorted(((int(name[1]), path) for name, path in named if name), reverse=True)
    return (path for number, path in found if number >= first)


def _newest(folder: Path) -> int | None:
    numbers = [int(path.name) for path in folder.glob("*") if path.name.isdigit()]
    return max(numbers, default=None)
