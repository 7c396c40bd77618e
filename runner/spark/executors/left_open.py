"""Closes connections that Spark leaves open. Otherwise each task of a stage would cost its JVM a file forever.

A task's Python asks the JVM for state over its own connection. Spark 4.2 does not close its end of that
(`TransformWithStateInPySparkStateServer.run`), and a JVM without files to open hangs. So each task notes its ports,
and the run closes the connections that a task has left. It reaches only the JVM of its own process: on a cluster,
executors that are nearly full end (`runner.spark.executors.executor`).
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

Ports = tuple[int, int]
"""Ports of the JVM's end and of Python's."""
# Spark 4.2 never closes its end: after 43 minutes at 10 batches a second, the JVM had 20,000 files open and the job
# hung. An interrupt would close it, but on a cluster the exception ends the executor.
GRACE_SECONDS = 10.0
"""Time for the JVM's thread to end by itself, after Python has closed its end."""
MAX_NOTES = 1 << 20
"""Bytes."""
CLOSE_WAIT = "08"
_PORTS = struct.Struct(">HH")


def note(file: str, ports: Ports) -> None:
    """Records a connection. Several tasks do it at once."""
    with open(file, "ab", buffering=0) as notes:
        notes.write(_PORTS.pack(*ports))


class LeftOpen:
    """The noted connections of a JVM. They close once Python has closed its end and `grace` (s) is over."""

    def __init__(self, file: Path, grace: float = GRACE_SECONDS) -> None:
        self.file = file
        self.grace = grace
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
        self._read = 0
        self._left_since: dict[Ports, float | None] = {}

    def close(self, pid: int, close_file: Callable[[int], object]) -> None:
        """Has `close_file` close the connections of the process that are due, by the numbers of their files."""
        self._left_since |= dict.fromkeys(self._take())
        if not self._left_since:
            return
        connections, now = find_connections(Path(f"/proc/{pid}/net/tcp").read_text()), time.monotonic()
        due = {}
        for ports, since in list(self._left_since.items()):
            if ports not in connections:
                del self._left_since[ports]
                continue
            state, inode = connections[ports]
            if state == CLOSE_WAIT:
                self._left_since[ports] = since = since or now
                if now - since >= self.grace:
                    due[inode] = ports
        for number, inode in _list_sockets(pid) if due else ():
            if inode in due:
                close_file(number)
                del self._left_since[due[inode]]

    def _take(self) -> Iterator[Ports]:
        """Connections that tasks noted since the last call."""
        if not self.file.exists():  # a start clears its folder
            return iter(())
        with self.file.open("rb") as notes:
            notes.seek(self._read)
            new = notes.read()
        new = new[: len(new) // _PORTS.size * _PORTS.size]
        self._read += len(new)
        if self._read > MAX_NOTES:
            self.file.write_bytes(b"")
            self._read = 0
        return _PORTS.iter_unpack(new)


def find_connections(table: str) -> Mapping[Ports, tuple[str, str]]:
    """State and inode of each connection in a /proc/net/tcp, by the ports of its ends."""
    connections = {}
    for line in table.splitlines()[1:]:
        _, local, remote, state, _, _, _, _, _, inode, *_ = line.split()
        connections[_read_port(local), _read_port(remote)] = state, inode
    return connections


def _read_port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def _list_sockets(pid: int) -> Iterator[tuple[int, str]]:
    """The open sockets of a process, each with its inode."""
    for number in os.listdir(f"/proc/{pid}/fd"):
        with suppress(FileNotFoundError):  # it was closed meanwhile
            kind, _, inode = os.readlink(f"/proc/{pid}/fd/{number}").partition(":")
            if kind == "socket":
                yield int(number), inode.strip("[]")
