"""A process for each trial, forked from one with all imports of trials.

`__main__` of this package is that process.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from threading import Lock

from django.conf import settings

from runner.control.environment import make_environment


class Forks:
    """The process that forks. It starts with the first question and ends with its owner. Threads may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def ask(self, question: bytes, seconds: float) -> bytes:
        """The answer of a separate process, or nothing if it ended early. Raises TimeoutError after killing it."""
        ours, theirs = socket.socketpair()
        with ours, ours.makefile("rb") as answer:
            with theirs:
                self._pass_connection(theirs)
            ours.settimeout(seconds)
            pid = int(answer.readline() or 0)
            if not pid:
                return b""
            try:
                ours.sendall(question)
                ours.shutdown(socket.SHUT_WR)
                return answer.read()
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise
            except OSError:  # it ended before it read the question
                return b""

    def close(self) -> None:
        """Ends the process with all trials. Another question starts it again."""
        with self._lock:
            self._end()

    def _pass_connection(self, connection: socket.socket) -> None:
        with self._lock:
            if self._control is not None:
                try:
                    socket.send_fds(self._control, [b"1"], [connection.fileno()])
                    return
                except OSError:  # something killed it
                    self._end()
            self._start()
            assert self._control is not None
            socket.send_fds(self._control, [b"1"], [connection.fileno()])

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "runner.watch.trials", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=make_environment(),
                cwd=settings.BASE_DIR,
                start_new_session=True,
            )

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            self._process.wait()
            self._process = None
