"""Every Python that Spark starts finds this file. Those that the driver asks hand themselves over, but not the workers.

The fork server needs a tenth of the time in which a new Python imports PySpark. Without a server, Python continues by
itself. This file may import only a little. See `runner.spark.session.fork_server`.
"""

import os
import sys

from runner.spark.private import DRIVER_WORKERS

ADDRESS = "STREAMWRIGHT_FORK_SERVER"


def run_in_fork(address: str) -> None:
    """Let a fork of the server take our environment and streams, and end with it. Return if there is no server."""
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
