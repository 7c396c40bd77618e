"""How long tests wait for what must come: a wait that is met costs nothing, and a shared machine may stand still for
a minute. What a promise says of time is measured by `make bench`."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 300.0


def wait_until(claim: Callable[[], bool]) -> None:
    """Returns when a claim is true."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not claim():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.02)
