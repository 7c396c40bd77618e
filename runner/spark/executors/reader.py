"""A process beside each executor of a cluster. It reads committed rows from the working copies of slots, and looks at
the executor for its run.

The first call of a stage on an executor starts it. It ends with the executor's Python. Client and server prove to each
other that they know the run's key. Their messages are not encrypted.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgpack

from runner.spark.executors.executor import find_own_address
from runner.spark.executors.memory import find_parent, list_ancestors, measure_anonymous
from runner.spark.state import View, open_committed

ADDRESS = "reader"
"""The file in an executor's folder that names the address, `host:port`."""
ROWS_AT_ONCE = 1_000
BYTES_AT_ONCE = 1 << 22
WATCH_SECONDS = 1.0
CONNECT_SECONDS = 3.0
LOOK_SECONDS = 3
LOG = "stderr"
"""Log file of an executor, in its working folder. Spark's worker writes it, in a pod `executor_pod.py` does."""
LOG_AT_ONCE = 1 << 17


class Look(NamedTuple):
    """Memory of its host that an executor and its Python hold, in bytes, and new lines of its log.

    `offset` is where the log continues.
    """

    memory: int
    log: bytes
    offset: int


def find_address(folder: Path, key: str) -> str:
    """The address (`host:port`) of an executor's reader. Starts the reader if there is none."""
    place = folder / ADDRESS
    if not place.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{ADDRESS}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not place.exists():
                _start(folder, key)
    return place.read_text()


def _start(folder: Path, key: str) -> None:
    """Listens, so clients may connect at once, and leaves the rest to the reader."""
    with socket.create_server((find_own_address(), 0)) as server:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "runner.spark.executors.reader",
                str(folder),
                str(os.getppid()),
                str(server.fileno()),
            ],
            stdin=subprocess.PIPE,
            pass_fds=[server.fileno()],
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(key.encode())
        process.stdin.close()
        host, port = server.getsockname()
    beside = folder / f"{ADDRESS}.new"
    beside.write_text(f"{host}:{port}")
    beside.replace(folder / ADDRESS)


def serve(server: socket.socket, folder: Path, parent: int, key: bytes) -> None:
    """Answers until the parent has ended: the daemon that the executor's JVM started."""
    java = find_parent(parent)
    threading.Thread(target=_take_clients, args=(server, folder, key, java), daemon=True, name="accept").start()
    while Path(f"/proc/{parent}").exists() and folder.exists():
        time.sleep(WATCH_SECONDS)


def _take_clients(server: socket.socket, folder: Path, key: bytes, java: int) -> None:
    """Accepts clients until the server is closed."""
    while True:
        try:
            client = Connection(server.accept()[0].detach())
        except OSError:
            if server.fileno() < 0:
                return
            raise
        threading.Thread(target=_authenticate, args=(client, folder, key, java), daemon=True, name="answer").start()


def _authenticate(client: Connection, folder: Path, key: bytes, java: int) -> None:
    """Lets in clients that know the key."""
    with suppress(AuthenticationError, EOFError, OSError), client:
        deliver_challenge(client, key)
        answer_challenge(client, key)
        request = msgpack.unpackb(client.recv_bytes())
        if isinstance(request, int):
            _send(client, _look(java, request))
        else:
            _answer(client, folder, *request)


def _look(java: int, offset: int) -> Look:
    memory = sum(map(measure_anonymous, {os.getpid(), *list_ancestors(java)}))
    return Look(memory, *read_log(Path(f"/proc/{java}/cwd/{LOG}"), offset))


def read_log(file: Path, offset: int) -> tuple[bytes, int]:
    """The complete lines of a log from an offset on, only the last ones of many, and the next offset."""
    try:
        with file.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            start = max(offset if offset <= size else 0, size - LOG_AT_ONCE)
            log.seek(start)
            data = log.read(LOG_AT_ONCE)
    except OSError:
        return b"", offset
    end = data.rfind(b"\n") + 1
    first = data.find(b"\n") + 1 if start > offset else 0  # the bytes before it are the rest of a line
    return data[first:end], start + end


def _answer(client: Connection, folder: Path, depth: int, slot: int, nonce: bytes) -> None:
    """Serves one view to one client. The view opens first, and closes with the connection."""
    view = open_committed(folder / f"stage-{depth}" / f"slot-{slot}", nonce)
    _send(client, view is not None)
    if view is not None:
        with view:
            while True:
                _send(client, _read_rows(view, *msgpack.unpackb(client.recv_bytes())))


def _read_rows(view: View, start: bytes, end: bytes | None, reverse: bool) -> tuple[list[tuple[bytes, bytes]], bool]:
    """Rows until there are enough for one answer, and whether there may be more."""
    rows, size = list[tuple[bytes, bytes]](), 0
    for key, value in view.range(start, end, reverse):
        rows.append((key, value))
        size += len(key) + len(value)
        if size >= BYTES_AT_ONCE or len(rows) == ROWS_AT_ONCE:
            return rows, True
    return rows, False


def _send(client: Connection, answer: Any) -> None:
    client.send_bytes(msgpack.packb(answer))


def look(place: str, key: str, offset: int = 0) -> Look | None:
    """The look of the reader at a place, with the log from an offset on. None if no one answers soon."""
    try:
        with _connect(place, key, LOOK_SECONDS) as client:
            client.send_bytes(msgpack.packb(offset))
            return Look(*msgpack.unpackb(client.recv_bytes()))
    except (OSError, EOFError, AuthenticationError):
        return None


def _connect(place: str, key: str, seconds: int = 0) -> Connection:
    """A connection whose other end knows the key, and may be silent for `seconds`. 0: forever.

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
    """The rows of a slot on another host, as of one batch. It reads like `View`."""

    def __init__(self, client: Connection) -> None:
        self._client = client

    @classmethod
    def open(cls, place: str, key: str, depth: int, slot: int, nonce: bytes) -> Self | None:
        """Opens the rows. None if the slot is not at that nonce, or no one answers."""
        try:
            client = _connect(place, key)
            client.send_bytes(msgpack.packb((depth, slot, nonce)))
            if msgpack.unpackb(client.recv_bytes()):
                return cls(client)
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

    def range(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[tuple[bytes, bytes]]:
        """Rows with start <= key < end (None: to the last), some at once."""
        while True:
            rows, more = self._ask_rows(start, end, reverse=reverse)
            yield from rows
            if not more:
                return
            last, _ = rows[-1]
            start, end = (start, last) if reverse else (last + b"\0", end)

    def items(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[tuple[bytes, bytes]]:
        """The same in the form of `Rows`, so a `View` may use these rows."""
        return self.range(start, end, reverse)

    def close(self) -> None:
        self._client.close()

    def _ask_rows(self, start: bytes, end: bytes | None, *, reverse: bool) -> tuple[list[tuple[bytes, bytes]], bool]:
        self._client.send_bytes(msgpack.packb((start, end, reverse)))
        rows, more = msgpack.unpackb(self._client.recv_bytes())
        return [(key, value) for key, value in rows], more


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[3])), Path(sys.argv[1]), int(sys.argv[2]), sys.stdin.buffer.read())
    os._exit(0)
