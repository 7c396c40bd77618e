"""Rows of a slot that are with an executor on another host, as a client asks for them.

The reader beside the executor answers (`runner.spark.executors.reader`). Client and reader prove to each other that
they know the run's key. Their messages are not encrypted.
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from pathlib import Path
from typing import NamedTuple, Self

import msgpack

from .changelog import NO_NONCE
from .rows import Row

CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 30
"""Longest silence of a reader that answers. A host that is switched off does not close its connections."""
AWAY = "away"
"""The file in a slot's folder that says which executor has its rows."""
COPY = ("data.mdb", "lock.mdb", "pending")
"""The files of a working copy. The history beside them is not one of them."""


class Away(NamedTuple):
    """Where the rows of a slot are: the address (`host:port`) of the reader beside its executor, and the run's key.

    The run leaves it in the slot's folder on its host, so that other processes there can open the slot's past.
    """

    place: str
    key: str
    depth: int
    slot: int

    def write(self, directory: Path) -> None:
        """Leaves it in the slot's folder, for processes of this user alone."""
        directory.mkdir(parents=True, exist_ok=True)
        beside = directory / f"{AWAY}.{os.getpid()}"
        beside.touch(mode=0o600)
        beside.write_bytes(msgpack.packb(self))
        beside.replace(directory / AWAY)

    @classmethod
    def read(cls, directory: Path) -> Self | None:
        """None if the slot's rows are on this host, or nowhere."""
        try:
            return cls(*msgpack.unpackb((directory / AWAY).read_bytes()))
        except FileNotFoundError:
            return None


def forget_place(directory: Path, *, is_away: bool) -> None:
    """Forgets where the rows of a slot were, before a run has them on this host, or on executors (`is_away`).

    A working copy that did not follow the slot while it was away shows the state of an old batch: it goes, too.
    """
    if is_away or (directory / AWAY).exists():
        for name in (*COPY, AWAY):  # in this order: a crash in between leaves the file that says to do it again
            with suppress(FileNotFoundError):
                (directory / name).unlink()


def connect(place: str, key: str, seconds: int) -> Connection:
    """A connection whose other end knows the key, and may be silent for `seconds`.

    Raises OSError, EOFError, AuthenticationError.
    """
    host, _, port = place.rpartition(":")
    connection = socket.create_connection((host, int(port)), CONNECT_SECONDS)
    connection.settimeout(None)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", seconds, 0))
    client = Connection(connection.detach())
    answer_challenge(client, key.encode())
    deliver_challenge(client, key.encode())
    return client


class FarView:
    """The rows of a slot on another host, as of one batch, whose state `nonce` names. It reads like `View`."""

    def __init__(self, client: Connection, nonce: bytes) -> None:
        self._client = client
        self.nonce = nonce

    @classmethod
    def open(cls, place: str, key: str, depth: int, slot: int, nonce: bytes = NO_NONCE) -> Self | None:
        """Opens the rows as of a nonce, or else the newest ones. None if they are not there, or no one answers."""
        try:
            client = connect(place, key, ANSWER_SECONDS)
            client.send_bytes(msgpack.packb((depth, slot, nonce)))
            found = msgpack.unpackb(client.recv_bytes())
            if found is not None:
                return cls(client, found)
            client.close()
        except (OSError, EOFError, AuthenticationError):
            return None
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, key: bytes) -> bytes | None:
        rows, _ = self._ask_rows(key, key + b"\0", reverse=False)
        return next((value for _, value in rows), None)

    def range(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[Row]:
        """Rows with start <= key < end (None: to the last), some at once."""
        while True:
            rows, more = self._ask_rows(start, end, reverse=reverse)
            yield from rows
            if not more:
                return
            last, _ = rows[-1]
            start, end = (start, last) if reverse else (last + b"\0", end)

    def items(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[Row]:
        """What `range` gives, under the name that `Rows` has for it, so a `View` may use these rows."""
        return self.range(start, end, reverse)

    def lend(self) -> None:
        """The kernel cannot read them by itself."""

    def close(self) -> None:
        self._client.close()

    def _ask_rows(self, start: bytes, end: bytes | None, *, reverse: bool) -> tuple[list[Row], bool]:
        self._client.send_bytes(msgpack.packb((start, end, reverse)))
        rows, more = msgpack.unpackb(self._client.recv_bytes())
        return [(key, value) for key, value in rows], more
