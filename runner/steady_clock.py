"""The time of day as this process knew it first, and from then on by a clock that nobody can set.

Durations are differences of it: the clock of a host may be set forward or back at any moment.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

_BEGAN_NS = time.time_ns() - time.monotonic_ns()


def read_steady_clock() -> int:
    """Milliseconds since 1970. After a step of the host's clock they differ from the time of day by that step."""
    return (_BEGAN_NS + time.monotonic_ns()) // 1_000_000


def read_steady_time() -> datetime:
    return datetime.fromtimestamp(read_steady_clock() / 1_000, UTC)
