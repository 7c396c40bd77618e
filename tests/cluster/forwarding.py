"""Ports of this machine, reached by its hosts at an address of their network."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

CHUNK = 1 << 16


@contextmanager
def forwarded(address: str, port: int) -> Iterator[int]:
    """Listens at an address, and hands on to `port` of 127.0.0.1 what comes to the port it yields.

    In the end it closes what is open: a host that vanished closed nothing.
    """
    opened: list[socket.socket] = []
    with socket.create_server((address, 0)) as server:
        threading.Thread(target=_serve, args=(server, port, opened), daemon=True).start()
        try:
            yield server.getsockname()[1]
        finally:
            for end in opened:
                _shut(end)


def _serve(server: socket.socket, port: int, opened: list[socket.socket]) -> None:
    with contextlib.suppress(OSError):  # it was closed
        while True:
            client, _ = server.accept()
            to = socket.create_connection(("127.0.0.1", port))
            opened += (client, to)
            for ends in ((client, to), (to, client)):
                threading.Thread(target=_pass_on, args=ends, daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
    for end in (source, target):
        _shut(end)


def _shut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
