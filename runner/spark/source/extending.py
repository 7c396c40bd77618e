"""Lets a small batch take the records that come while Spark plans it.

Spark asks for the end of a batch, records it, and then plans the batch, which takes half of its time. Otherwise, a
record that comes meanwhile waits for the next batch.

1. The source's process adds a pack to those of the batch, which names a socket (`EXTENSION`).
2. Once the worker of the batch has all other packs, it asks there (`runner.spark.stage.newer`).
3. The source's process looks for newer records, reads them, and makes packs of them: of all that there are, or none.
4. It writes the later end of the batch over the one that Spark has recorded.
5. It answers with the packs.
6. Spark knows only the earlier end, and has the next batch begin there. The source has it begin at the later one.

Results leave the run only once the worker is done, so a crash before 4 leaves a batch with the earlier end, and a crash
after 4 one with the later end. Both are plans like any other. A worker without an answer cannot know whether 4 was
done, so it fails, and the batch with it.
`test_a_source_that_dies_once_it_has_extended_a_batch_loses_and_repeats_nothing` in
`tests/runner/spark/source/test_extending.py` has the source die between 4 and 5.

Only a job with one slot extends its batches: with several, a shuffle comes before the workers that keep state.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import orjson
import pyarrow as pa

from runner.spark.checkpoint import whole
from runner.spark.checkpoint.checkpoint import read_end
from runner.spark.ends import Offsets
from runner.spark.failpoints import fail_at
from runner.spark.stage.newer import TIME
from runner.spark.stage.rows import EXTENSION, PACK, Pack, pack_batch

PEER = struct.Struct("3i")
"""Process, user and group at the other end of a Unix socket."""
SILENCE_SECONDS = 10.0
"""How long a worker may neither send its question nor read its answer. Others wait meanwhile."""
log = logging.getLogger(__name__)


class Newer(NamedTuple):
    """Records that came since a batch was planned, as packs, and the end of the batch with them."""

    end: Offsets
    packs: Sequence[pa.RecordBatch]


class Extender:
    """Extends the batches of one query, in the source's process. `checkpoint` is that of the query.

    `find_newer(start, end)` finds what came since the batch from `start` to `end` was planned. None: nothing to take.
    """

    def __init__(self, checkpoint: Path, find_newer: Callable[[Offsets, Offsets], Newer | None]) -> None:
        self._checkpoint = checkpoint
        self._find_newer = find_newer
        self._listener: socket.socket | None = None
        self._planned: tuple[Offsets, Offsets] | None = None
        self._extended: tuple[Offsets, Newer] | None = None

    def find_start(self, start: Offsets) -> Offsets:
        """Where a batch begins that Spark has begin at `start`."""
        return self._extended[1].end if self._extended is not None and self._extended[0] == start else start

    def offer(self, slot: int, start: Offsets, end: Offsets) -> pa.RecordBatch:
        """The pack that has the worker of a batch ask for more. It ends the offer for the batch before."""
        self._planned = start, end
        if self._listener is None:
            self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._listener.bind(f"\0streamwright-{secrets.token_hex(16)}")
            self._listener.listen()
            Thread(target=self._serve, args=[self._listener], daemon=True, name="extender").start()
        return pack_batch([Pack(slot, EXTENSION, 0, end["time"], self._listener.getsockname())])

    def _serve(self, listener: socket.socket) -> None:
        while True:
            connection, _ = listener.accept()
            with connection:
                try:
                    self._answer(connection)
                except OSError as error:  # a worker that has ended, or does not go on
                    log.info("No worker takes newer records: %s", error)

    def _answer(self, connection: socket.socket) -> None:
        connection.settimeout(SILENCE_SECONDS)
        _, user, _ = PEER.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size))
        if user != os.getuid():
            return
        with connection.makefile("rb") as file:
            question = file.read(TIME.size)
        if len(question) < TIME.size:
            return  # a worker that ended before it asked
        packs = self._extend(*TIME.unpack(question))
        with connection.makefile("wb") as answer, pa.ipc.new_stream(answer, PACK) as stream:
            for each in packs:
                stream.write_batch(each)

    def _extend(self, time: int) -> Sequence[pa.RecordBatch]:
        """Packs for the batch of a time. There are none if nothing came, or if something fails before step 4.

        Spark may execute a stage again within a batch, because a block of its shuffle was lost. Its worker gets the
        same packs: the later end is recorded, so nobody else would read them.
        """
        if self._extended is not None and self._extended[0]["time"] == time:
            return self._extended[1].packs
        planned, self._planned = self._planned, None
        if planned is None or planned[1]["time"] != time:
            return []
        start, end = planned
        try:
            newer = self._find_newer(start, end)
            if newer is None:
                return []
            batch = replace_end(self._checkpoint, end, newer.end)
        except Exception as error:  # the next batch meets it, too, where the run knows its number
            log.info("The batch up to %s takes no newer records: %s", end, error)
            return []
        self._extended = end, newer
        fail_at("extended", batch)
        return newer.packs


def replace_end(checkpoint: Path, end: Offsets, later: Offsets) -> int:
    """Write a later end of the newest batch that Spark has recorded, and return the batch.

    Raises LookupError if it has another end than `end`.
    """
    batch = max(int(each.name) for each in (checkpoint / "offsets").iterdir() if each.name.isdigit())
    file = checkpoint / "offsets" / str(batch)
    plan = file.read_bytes()
    if read_end(plan) != end:
        raise LookupError(f"Batch {batch} is another one.")
    whole.write(file, b"\n".join([*plan.splitlines()[:-1], orjson.dumps(later)]))
    return batch
