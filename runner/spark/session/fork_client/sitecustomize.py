"""Found by every Python that Spark starts: those that the driver asks, and not the workers, hand themselves over.

It takes a fork server a tenth of the time that a Python of its own needs to import PySpark; without one it continues by
itself. Little may be imported here. See `runner.spark.session.fork_server`.
"""

import os
import sys

from runner.spark.private import DRIVER_WORKERS

ADDRESS = "STREAMWRIGHT_FORK_SERVER"


def run_in_fork(address: str) -> None:
    """Let a fork of the server take our environment and streams, and end when it has ended; return if there is none."""
    import json
    import socket

    server = socket.socket(socket.AF_UNIX)
    try:
        server.connect("\0" + address)
    except OSError:
        return
    socket.send_fds(server, [json.dumps([sys.orig_argv, dict(os.environ)]).encode() + b"\n"], [0, 1, 2])
    if server.recv(1):
        server.recv(1)
        os._exit(0)


if ADDRESS in os.environ and sys.orig_argv[-1] in DRIVER_WORKERS:
    run_in_fork(os.environ[ADDRESS])
