"""How much of a busy machine a session of processes gets, where the kernel shares it out by sessions (autogroup)."""

from __future__ import annotations

import time
from enum import IntEnum
from pathlib import Path

TRIES, APART_SECONDS = 5, 0.11
"""The kernel takes one such wish each tenth of a second, of all processes together, unless they are root's."""


class Priority(IntEnum):
    """Niceness of a session; that of a single thread could not be taken back.

    A start is waited for. A run steps back behind what people touch and what serves it, and a start that no one
    waits for yet behind both.
    """

    START = 0
    RUN = 10
    AHEAD = 15


def set_priority(pid: int, priority: Priority) -> None:
    """Of the session `pid` leads, where the kernel has one scheduling group for each and lets us."""
    for _ in range(TRIES):
        try:
            Path(f"/proc/{pid}/autogroup").write_text(str(int(priority)))
            return
        except BlockingIOError:
            time.sleep(APART_SECONDS)
        except OSError:
            return
