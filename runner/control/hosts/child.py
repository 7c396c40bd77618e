"""The child process of a supervisor, which executes the run: `python -m runner.spark`.

The supervisor writes orders to its standard input and reads events (`runner.spark.events`) from its standard output,
one JSON object a line. This module imports no Django.
"""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO, cast

import orjson

from designer.values import exact_json
from runner.control.environment import make_environment
from runner.control.processes import HostProcess, process
from runner.plan import Plan
from runner.spark.events import Event, Question
from runner.spark.start.ahead import Ahead


class Child:
    """A child that was started, and waits for a plan. None in the queue `events` says that it has ended."""

    def __init__(self, log: Path, folder: Path, *, may_use_s3: bool) -> None:
        self.events: queue.Queue[Event | None] = queue.Queue()
        self._speaking = threading.Lock()
        with log.open("ab") as stderr:
            self.popen = subprocess.Popen(
                make_command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=make_environment(may_use_s3=may_use_s3),
                cwd=folder,
                start_new_session=True,
            )
        self.process: HostProcess = process(self.popen.pid)
        threading.Thread(target=self._read, args=(self.popen.stdout,), daemon=True, name="child-events").start()

    def make_ready(self, ahead: Ahead) -> None:
        """Tell it to do all that is possible before its plan is known."""
        self._send(ahead.model_dump(mode="json"))

    def give(self, plan: Plan) -> None:
        """Tell it to execute this plan."""
        self._send(plan.model_dump(mode="json"))

    def prolong(self, seconds: float) -> None:
        """Allow it to start batches for this long."""
        self._send({"type": "lease", "seconds": seconds})

    def ask_to_stop(self) -> None:
        """Tell it to finish its batch and end."""
        self._send({"type": "stop"})

    def ask(self, question: Question) -> None:
        """Ask it something that it answers with an event. Any thread may call this."""
        self._send({"type": "query", **question})

    def end(self, number: signal.Signals) -> None:
        self.process.signal_group(number)

    def exit_code(self) -> int | None:
        return self.popen.poll()

    def close(self) -> int:
        """Kill the rest of it, and return its exit code."""
        self.process.kill()
        return self.popen.wait()

    def _send(self, message: Mapping[str, object]) -> None:
        assert self.popen.stdin is not None
        with self._speaking:
            try:
                self.popen.stdin.write(orjson.dumps(message) + b"\n")
                self.popen.stdin.flush()
            except OSError:
                return  # it is gone, as the end of its events shows

    def _read(self, stdout: IO[bytes]) -> None:
        for line in stdout:
            try:
                event = exact_json.loads(line.rstrip())  # table rows keep their digits
            except ValueError:
                continue  # a library printed to standard output
            if isinstance(event, dict) and "type" in event:
                self.events.put(cast(Event, event))
        self.events.put(None)


def make_command() -> list[str]:
    """The command to start. Tests replace it with a small child of their own."""
    own = os.environ.get("CHILD_COMMAND")
    return shlex.split(own) if own else [sys.executable, "-m", "runner.spark"]
