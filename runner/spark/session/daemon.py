"""The parent of Spark's Python workers. It imports once what each worker needs, so a worker is a quick fork.

It has one thread when it forks, except the allocator's own thread, which handles forks.
"""

import gc
import io
import os
import socket
from importlib import import_module
from typing import Any, BinaryIO

from runner.spark.private import WORKER_MODULES, get_worker_task, replace_worker_task, serve_as_daemon
from runner.spark.session.allocator import FreeMemory, keep_freed_memory

NEEDED_MODULES = (
    *WORKER_MODULES,
    "runner.spark.source.intake",
    "runner.spark.source.source",
    "runner.spark.stage.processor",
    "runner.spark.stage.stage",
)
BUFFER = 1 << 16
carry_out = get_worker_task()
free_memory = FreeMemory()


class Prompt(io.RawIOBase):
    """Acknowledges data from Spark for a worker as soon as it is read.

    Spark sends a task and then its rows. Nagle's algorithm holds the rows back until the task is acknowledged.
    Linux delays that for 40 ms in case there is something to answer.
    """

    def __init__(self, file: int) -> None:
        self.socket = socket.socket(fileno=os.dup(file))

    def close(self) -> None:
        self.socket.close()
        super().close()

    def readable(self) -> bool:  # name from Python
        return True

    def readinto(self, buffer: Any) -> int:
        read = self.socket.recv_into(buffer)
        # Spark leaves Nagle's algorithm on, so the rows of each task waited 40 ms. Spark's Unix sockets would help,
        # but each one leaves a path in the JVM's list of files to delete.
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        return read


def read_promptly(infile: BinaryIO, outfile: BinaryIO) -> None:
    """Executes a task as a worker does, once it comes, and reads its input promptly."""
    free_memory.await_task(infile.fileno())
    with io.BufferedReader(Prompt(infile.fileno()), BUFFER) as prompt:
        carry_out(prompt, outfile)


if __name__ == "__main__":
    gc.disable()  # imports make hardly any garbage
    for module in NEEDED_MODULES:
        import_module(module)
    replace_worker_task(read_promptly)
    keep_freed_memory()
    gc.freeze()
    gc.enable()
    serve_as_daemon()
