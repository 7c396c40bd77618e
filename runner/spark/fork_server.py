"""A process that has imported what Spark's driver needs to ask a stage for its state variables, and forks on demand.

Spark starts a Python for each stage whenever a query starts; importing PySpark takes it most of a second, one stage
after the other. `fork_client/sitecustomize.py` lets those Pythons hand themselves over to a fork of this process.
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
from pathlib import Path

ADDRESS = "STREAMWRIGHT_FORK_SERVER"
CLIENT = Path(__file__).with_name("fork_client")
LARGEST = 1 << 20


class ForkServer:
    """The server as its owner sees it: started at once, known to what is started after it, ended with the owner."""

    def __init__(self) -> None:
        os.environ[ADDRESS] = address = f"streamwright-{secrets.token_hex(16)}"
        command = [sys.executable, "-m", "runner.spark.fork_server", address]
        self.popen = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)

    def close(self) -> None:
        """End it; whoever asks it from now on does without."""
        assert self.popen.stdin is not None
        self.popen.stdin.close()
        self.popen.wait()


def main(address: str) -> None:
    """Serve until standard input ends."""
    # an abstract address leaves no file behind and may be longer than a path; who connects is checked instead
    server = socket.socket(socket.AF_UNIX)
    server.bind("\0" + address)
    server.listen()
    from pyspark.sql.streaming import transform_with_state_driver_worker  # noqa: F401

    import runner.spark.processor  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    while sys.stdin not in select.select([server, sys.stdin], [], [])[0]:
        client, _ = server.accept()
        with client:
            if _is_ours(client):
                _serve(client)


def _is_ours(client: socket.socket) -> bool:
    _, user, _ = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return bool(user == os.getuid())


def _serve(client: socket.socket) -> None:
    message, outputs, _, _ = socket.recv_fds(client, LARGEST, 2)
    while not message.endswith(b"\n") and (more := client.recv(LARGEST)):
        message += more
    if message.endswith(b"\n") and os.fork() == 0:
        client.send(b"1")
        _work(json.loads(message), outputs)
    for output in outputs:
        os.close(output)


def _work(environment: dict[str, str], outputs: list[int]) -> None:
    """Be the Python that Spark started. Returns never."""
    from pyspark.sql.streaming.transform_with_state_driver_worker import main as work
    from pyspark.worker_util import get_sock_file_to_executor

    os.environ.clear()
    os.environ.update(environment)
    for number, output in enumerate(outputs, 1):
        os.dup2(output, number)
    try:
        with get_sock_file_to_executor() as connection:
            work(connection, connection)
        sys.stdout.flush()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
