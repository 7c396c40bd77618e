"""`python -m runner.watch.trials FD`: forks a process for each trial, which executes it within limits.

The socket FD delivers the connections of trials (`runner.watch.trials.forks`). A trial gets records, but no access to
Kafka: whatever the graph does, nothing outside of its process can change. The process of the next trial is forked
ahead and waits: a fork takes 10 ms of a preview. Code that has run once is faster, so a small trial runs before all.
"""

from __future__ import annotations

import gc
import os
import resource
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

from designer.refusals import Refusal
from designer.values import exact_json
from runner.engine.code.user_code import trust_this_process
from runner.spark.state.copy_file import count_mapped_bytes
from runner.watch.trials import questions
from runner.watch.trials.answers import answer

FIRST = questions.AskOutput(
    graph={
        "nodes": [
            {
                "id": "orders",
                "operator": "stream",
                "config": {
                    "topic": "orders",
                    "key_type": {"kind": "string"},
                    "value_type": {"kind": "struct", "fields": [{"name": "amount", "type": {"kind": "integer"}}]},
                },
            },
            {"id": "large", "operator": "filter", "config": {"predicate": "amount > 1"}},
            {"id": "named", "operator": "map_values", "config": {"fields": [{"name": "n", "expression": "amount"}]}},
            {"id": "grouped", "operator": "group_by_key", "config": {}},
            {"id": "counted", "operator": "count", "config": {}},
        ],
        "edges": [
            {"source": "orders", "source_port": "result", "target": "large", "target_port": "records"},
            {"source": "large", "source_port": "result", "target": "named", "target_port": "records"},
            {"source": "named", "source_port": "result", "target": "grouped", "target_port": "stream"},
            {"source": "grouped", "source_port": "result", "target": "counted", "target_port": "grouped"},
        ],
    },
    schemas={},
    node="counted",
    records=[["orders", 0, number, number, "YQ==", "eyJhbW91bnQiOjJ9", []] for number in range(50)],
)
"""The trial that runs before all others."""
HEAD_START_SECONDS = 0.1
"""Time between a trial and the fork for the next one, which would take its processor."""
MEMORY = 2 << 30
"""Bytes of address space. The parent's patience limits CPU time."""


def main() -> None:
    """Forks until the owner has ended, then ends with all trials."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(3):  # Python makes code faster that runs several times
        answer(FIRST)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as control:
        next_process = _fork(control)
        while (message := socket.recv_fds(control, 1, 1)) and message[0]:
            with socket.socket(fileno=message[1][0]) as connection:
                while not next_process.take(connection):  # something killed it as it waited
                    next_process = _fork(control)
                with suppress(OSError):  # the caller no longer waits
                    connection.sendall(b"%d\n" % next_process.pid)
            # the trial has the processors first, unless another one comes meanwhile
            select.select([control], [], [], HEAD_START_SECONDS)
            next_process = _fork(control)
    os.killpg(0, signal.SIGKILL)


class WaitingProcess(NamedTuple):
    """A fork that waits for the connection of its trial."""

    pid: int
    control: socket.socket

    def take(self, connection: socket.socket) -> bool:
        """Gives it the connection. False if it has ended."""
        with self.control:
            try:
                socket.send_fds(self.control, [b"1"], [connection.fileno()])
            except OSError:
                return False
        return True


def _fork(control: socket.socket) -> WaitingProcess:
    ours, theirs = socket.socketpair()
    if (pid := os.fork()) == 0:
        control.close()
        ours.close()
        with theirs:
            message, files, _, _ = socket.recv_fds(theirs, 1, 1)
        if not message:  # the parent has ended
            os._exit(0)
        with socket.socket(fileno=files[0]) as connection:
            _serve(connection)
    theirs.close()
    return WaitingProcess(pid, ours)


def _serve(connection: socket.socket) -> NoReturn:
    """Reads a trial, executes it and sends the result."""
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(quiet, stream.fileno())
    try:
        with connection.makefile("rb") as sent:
            question = questions.read_question(exact_json.loads(sent.read()))
        mapped = (
            count_mapped_bytes(Path(question.plan["state_dir"])) if isinstance(question, questions.JobQuestion) else 0
        )
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY + mapped, MEMORY + mapped))
        trust_this_process()  # users' Python finds nothing here that it could change
        reply = answer(question)
    except Refusal as refusal:
        reply = {"refusal": refusal.to_json(), "status": refusal.status}
    except BaseException as error:
        reply = {"ended": traceback.format_exception_only(error)[-1].strip()}
    try:
        connection.sendall(exact_json.dumps(reply))
        connection.shutdown(socket.SHUT_WR)  # the end of a process takes a while
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
