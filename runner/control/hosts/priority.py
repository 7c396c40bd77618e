"""The share of a busy machine for a session of processes, if the kernel divides it by sessions (autogroup)."""

from __future__ import annotations

import time
from enum import IntEnum
from pathlib import Path

TRIES, APART_SECONDS = 5, 0.11
"""The kernel takes one such request each tenth of a second from all processes together, except root's."""


# On two cores, a running job of usual priority cost the canvas half its frames.
class Priority(IntEnum):
    """Niceness of a session. That of a single thread could not be reverted.

    Users wait for a start. A run goes after users' actions and the services behind them. A start that no user waits for
    yet goes after both.
    """

    START = 0
    RUN = 10
    AHEAD = 15


def set_priority(pid: int, priority: Priority) -> None:
    """Sets it for the session that `pid` leads, if the kernel groups by sessions and allows it."""
    for _ in range(TRIES):
        try:
            Path(f"/proc/{pid}/autogroup").write_text(str(int(priority)))
            return
        except BlockingIOError:
            time.sleep(APART_SECONDS)
        except OSError:
            return
