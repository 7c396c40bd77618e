"""The worker's side of `runner.spark.source.extending`: it asks the source for the records that came meanwhile."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterable, Iterator

import pyarrow as pa

from runner.spark.codes import RunCode
from runner.spark.failures import TRIED_AGAIN, RunFailed
from runner.spark.stage.rows import EXTENSION, Pack

PATIENCE_SECONDS = 120.0
TIME = struct.Struct("q")
"""What a worker asks with: the time of its batch, which names it."""


def take_newer(packs: Iterable[Pack]) -> Iterator[Pack]:
    """The packs of a batch, and those of newer records where one says whom to ask.

    Raises RunFailed if no one answers.
    """
    for pack in packs:
        if pack.depth == EXTENSION:
            yield from _ask(pack)
        else:
            yield pack


def _ask(pack: Pack) -> Iterator[Pack]:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(PATIENCE_SECONDS)
            connection.connect(pack.pack)
            connection.sendall(TIME.pack(pack.batch_time))
            with connection.makefile("rb") as file, pa.ipc.open_stream(file) as stream:
                newer = stream.read_all()
    except (OSError, pa.ArrowException) as error:
        message = f"The process that reads from Kafka did not answer a worker: {error}"
        raise RunFailed(RunCode.SPARK_WORKER_DIED, message, TRIED_AGAIN, retriable=True) from error
    return (Pack(*row.values()) for row in newer.to_pylist())
