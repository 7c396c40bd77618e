"""How much of a busy machine a session of processes gets. Works where Linux divides it by sessions (autogroup)."""

from __future__ import annotations

import time
from enum import IntEnum
from pathlib import Path

TRIES, APART_SECONDS = 5, 0.11
"""The kernel takes one such request each tenth of a second from all processes together, except root's."""


# On two cores, a running job of usual priority cost the canvas half its frames.
class Priority(IntEnum):
    """The niceness of a session. A process without rights can raise that of a single thread, but never lower it again.

    A user waits for a start, so it goes first. A run goes after what users touch and the services behind it, and a
    start that nobody waits for yet goes last.
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
