"""A process beside each executor of a cluster. It reads committed rows from the working copies of slots, and what their
batches changed. It also looks at the executor for its run.

The first call of a stage on an executor starts it. It ends with the executor's Python. Client and server prove to each
other that they know the run's key. Their messages are not encrypted.
"""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from pathlib import Path
from typing import Any, NamedTuple

import msgpack

from runner.spark.executors.executor import find_own_address
from runner.spark.executors.memory import find_parent, list_ancestors, measure_anonymous
from runner.spark.state import View, open_committed, open_newest
from runner.spark.state.changelog import NO_NONCE
from runner.spark.state.far import connect
from runner.spark.state.history import BEGIN, History, Place, Undo

ADDRESS = "reader"
"""The file in an executor's folder that names the address, `host:port`."""
ROWS_AT_ONCE = 1_000
BYTES_AT_ONCE = 1 << 22
WATCH_SECONDS = 1.0
RETRY_SECONDS = 0.1
"""Wait before the next client, if one could not be taken."""
LOOK_SECONDS = 3
LOG = "stderr"
"""Log file of an executor, in its working folder. Spark's worker writes it, in a pod `executor_pod.py` does."""
LOG_AT_ONCE = 1 << 17
CHANGES_AT_ONCE = 16 << 20
"""Bytes of changes in one answer. A single batch may have more."""
NewUndos = tuple[list[Undo], Place]
"""What a slot changed, oldest first, and the place behind it."""


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
    """Accepts clients until the server is closed. One that is gone again, or for which there is no room, may retry."""
    while server.fileno() >= 0:
        try:
            client = Connection(server.accept()[0].detach())
            threading.Thread(target=_authenticate, args=(client, folder, key, java), daemon=True, name="answer").start()
        except (OSError, RuntimeError):  # of the client, or no descriptor or thread is free
            time.sleep(RETRY_SECONDS)


def _authenticate(client: Connection, folder: Path, key: bytes, java: int) -> None:
    """Lets in clients that know the key."""
    with suppress(AuthenticationError, EOFError, OSError), client:
        deliver_challenge(client, key)
        answer_challenge(client, key)
        request = msgpack.unpackb(client.recv_bytes())
        if isinstance(request, int):
            _send(client, _look(java, request))
        elif isinstance(request, dict):
            _send(client, _find_changes(folder, request))
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


def _find_changes(folder: Path, places: Mapping[str, Place]) -> dict[str, NewUndos]:
    """What is new in the histories of the slots."""
    found, left = dict[str, NewUndos](), CHANGES_AT_ONCE
    for directory in sorted(folder.glob("stage-*/slot-*")):
        name = f"{directory.parent.name}/{directory.name}"
        number, at = places.get(name, BEGIN)
        undos, to = History(directory).read_after((number, at), left)
        if undos:
            found[name] = undos, to
            left -= sum(len(each.blob) for each in undos)
        if left <= 0:
            break
    return found


def _answer(client: Connection, folder: Path, depth: int, slot: int, nonce: bytes) -> None:
    """Serves one view to one client. The view opens first, and closes with the connection."""
    directory = folder / f"stage-{depth}" / f"slot-{slot}"
    view, found = open_newest(directory) if nonce == NO_NONCE else (open_committed(directory, nonce), nonce)
    _send(client, None if view is None else found)
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
        with connect(place, key, LOOK_SECONDS) as client:
            client.send_bytes(msgpack.packb(offset))
            return Look(*msgpack.unpackb(client.recv_bytes()))
    except (OSError, EOFError, AuthenticationError):
        return None


def read_changes(place: str, key: str, places: Mapping[str, Place]) -> dict[str, NewUndos] | None:
    """What the slots of an executor changed behind the places that were read before, by `stage-N/slot-N`.

    It is not all of it if there is much: ask again until nothing comes. None if no one answers soon.
    """
    try:
        with connect(place, key, LOOK_SECONDS) as client:
            client.send_bytes(msgpack.packb(dict(places)))
            answer = msgpack.unpackb(client.recv_bytes())
    except (OSError, EOFError, AuthenticationError):
        return None
    return {name: ([Undo(*each) for each in undos], (number, at)) for name, (undos, (number, at)) in answer.items()}


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[3])), Path(sys.argv[1]), int(sys.argv[2]), sys.stdin.buffer.read())
    os._exit(0)
