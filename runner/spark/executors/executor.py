"""Facts that a Python worker knows about its executor."""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
from functools import cache
from pathlib import Path

from runner.spark.executors.left_open import Ports
from runner.spark.executors.memory import find_parent
from runner.spark.private import is_in_task
from runner.spark.variables import get_executor_address, get_executor_folder

FULL = 0.8
"""The share of its possible open files at which an executor ends. The rest is for other files that it has open."""
log = logging.getLogger(__name__)


def get_own_folder() -> Path:
    """The folder of our files on the executor's disk. Spark removes it with the executor."""
    return get_executor_folder() / "streamwright"


def find_own_address() -> str:
    """The address of the executor's host: the one that Spark was given, or else the source of its connections."""
    if spark_address := get_executor_address():
        return spark_address
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for documentation, to which nothing is sent
        address: str = probe.getsockname()[0]
        return address


def find_java() -> int:
    """The process of the executor's JVM, which started the daemon that forks workers."""
    return find_parent(os.getppid())


def count_connection(_: Ports) -> None:
    """Counts a connection of a task, and ends the executor before it is full. Spark executes its tasks again."""
    if is_in_task():  # otherwise the run asks for declarations
        stop_when_full(get_own_folder(), find_java())


def stop_when_full(folder: Path, java: int) -> None:
    """Counts a connection that Spark leaves open (`runner.spark.executors.left_open`) in a JVM. At `FULL` the JVM ends.

    `folder` belongs to this JVM alone.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "connections", "ab", buffering=0) as connections:
        connections.write(b".")
        count = connections.tell()
    if count >= FULL * _read_max_files(java):
        log.warning("This executor left %d connections open and ends. Spark starts another one.", count)
        os.kill(java, signal.SIGTERM)


@cache
def _read_max_files(java: int) -> float:
    """Number of files that a process may have open."""
    match = re.search(r"^Max open files +(\d+)", Path(f"/proc/{java}/limits").read_text(), re.MULTILINE)
    return int(match[1]) if match else float("inf")
