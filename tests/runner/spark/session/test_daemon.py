"""The parent of Spark's workers: what a worker reads is acknowledged at once."""

import fcntl
import io
import socket
import struct
import termios
from collections.abc import Iterator
from contextlib import closing

import pytest

from runner.spark.session.daemon import Prompt

Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Both ends of a connection that has been used as Spark and a worker do: asked and answered, several times."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        closing(socket.create_connection(server.getsockname())) as spark,
        closing(server.accept()[0]) as worker,
    ):
        for _ in range(20):
            spark.sendall(b"task")
            worker.recv(4)
            worker.sendall(b"done")
            spark.recv(4)
        yield spark, worker


def unacknowledged_once_read(spark: socket.socket, worker: socket.socket) -> int:
    """How many bytes of a task that was just read are not acknowledged; then it is answered."""
    spark.sendall(b"task")
    assert io.BufferedReader(Prompt(worker.fileno())).read(4) == b"task"
    (size,) = struct.unpack("i", fcntl.ioctl(spark, termios.TIOCOUTQ, b"\0" * 4))
    worker.sendall(b"done")
    spark.recv(4)
    return int(size)


def test_what_is_read_promptly_is_acknowledged(ends: Ends) -> None:
    # a busy machine may hand over an acknowledgement late, but not ten
    assert any(unacknowledged_once_read(*ends) == 0 for _ in range(10))


def test_it_reads_to_the_end_and_leaves_the_connection_to_its_owner(ends: Ends) -> None:
    spark, worker = ends
    reader = io.BufferedReader(Prompt(worker.fileno()), 16)
    spark.sendall(b"0123456789" * 10)
    spark.shutdown(socket.SHUT_WR)
    assert reader.read() == b"0123456789" * 10
    reader.close()
    worker.sendall(b"done")
    assert spark.recv(4) == b"done"
