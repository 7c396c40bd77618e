"""What a Python worker knows of the executor it belongs to."""

from __future__ import annotations

import os
import socket
from pathlib import Path


def own_folder() -> Path:
    """The folder of our files on the executor's disk, which Spark removes with the executor."""
    return Path(os.environ["SPARK_LOCAL_DIRS"].split(",")[0]) / "streamwright"


def own_address() -> str:
    """The address of the executor's host: as Spark was told, else the one that its connections go out from."""
    if told := os.environ.get("SPARK_LOCAL_IP"):
        return told
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent
        address: str = probe.getsockname()[0]
        return address
