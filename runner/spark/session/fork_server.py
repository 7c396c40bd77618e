"""A process that has imported the code that Spark's driver needs from Python when a query starts. It forks on demand.

Spark starts a Python for each stage, to learn its state variables, and some for the source. They start one after the
other, and each needs most of a second to import PySpark. `fork_client/sitecustomize.py` hands them over to a
fork of this process.
"""

from __future__ import annotations

import gc
import json
import os
import secrets
import select
import signal
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from runner.spark.private import DRIVER_WORKERS, open_connection_to_jvm, serve_as_daemon

ADDRESS = "STREAMWRIGHT_FORK_SERVER"
CLIENT = Path(__file__).with_name("fork_client")
MAX_BYTES = 1 << 20


class ForkServer:
    """The server as its owner sees it. It starts at once, serves later processes, and ends with the owner."""

    def __init__(self) -> None:
        os.environ[ADDRESS] = address = f"streamwright-{secrets.token_hex(16)}"
        command = [sys.executable, "-m", "runner.spark.session.fork_server", address]
        self.popen = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)

    def close(self) -> None:
        """End it. Later callers do without it."""
        assert self.popen.stdin is not None
        self.popen.stdin.close()
        self.popen.wait()


def main(address: str) -> None:
    """Serve until standard input ends."""
    # an abstract address leaves no file behind and may be longer than a path, so callers are checked instead
    server = socket.socket(socket.AF_UNIX)
    server.bind("\0" + address)
    server.listen()
    gc.disable()  # imports make hardly any garbage
    for module in (
        *DRIVER_WORKERS,
        "runner.spark.stage.processor",
        "runner.spark.source.source",
        "runner.spark.source.intake",
    ):
        import_module(module)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    gc.enable()
    daemons: list[int] = []  # pidfds
    while sys.stdin not in select.select([server, sys.stdin], [], [])[0]:
        client, _ = server.accept()
        with client:
            if _is_ours(client) and (daemon := _serve(client)) is not None:
                daemons.append(daemon)
    # the start is over, and each of them holds 22 MiB. Should Spark need one again, it starts a new one
    for daemon in daemons:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(daemon, signal.SIGTERM)


def _is_ours(client: socket.socket) -> bool:
    _, user, _ = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return bool(user == os.getuid())


def _serve(client: socket.socket) -> int | None:
    """Forks the process that a client asks for. The pidfd of a daemon of workers, None for another."""
    daemon = None
    message, streams, _, _ = socket.recv_fds(client, MAX_BYTES, 3)
    while not message.endswith(b"\n") and (more := client.recv(MAX_BYTES)):
        message += more
    if message.endswith(b"\n"):
        argv, environment = json.loads(message)
        child = os.fork()
        if child == 0:
            client.send(b"1")
            _run_python(argv, environment, streams)
        if argv[-2] != "-m":
            with suppress(ProcessLookupError):
                daemon = os.pidfd_open(child)
    for stream in streams:
        os.close(stream)
    return daemon


def _run_python(argv: list[str], environment: dict[str, str], streams: list[int]) -> None:
    """Be the Python that Spark started with those arguments: a worker, or a daemon of workers. Never returns."""
    os.environ.clear()
    os.environ.update(environment)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    *_, starter, module = argv
    try:
        if starter != "-m":
            sys.argv = [starter, module]
            serve_as_daemon()
        with open_connection_to_jvm() as connection:
            import_module(module).main(connection, connection)
        sys.stdout.flush()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
