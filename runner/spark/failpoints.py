"""Places where a test lets the process die, as a power cut would: no cleanup, no goodbye.

`STREAMWRIGHT_FAILPOINT=before-commit@3` kills the process the first time batch 3 or a later one comes to that place;
`restoring` and `stopping` need no number.
"""

from __future__ import annotations

import os
import signal
from typing import Literal

Place = Literal["before-produce", "before-commit", "after-commit", "restoring", "stopping"]
VARIABLE = "STREAMWRIGHT_FAILPOINT"


def failpoint(place: Place, batch: int = 0) -> None:
    """Dies here if the environment says so."""
    wanted, _, number = os.environ.get(VARIABLE, "").partition("@")
    if wanted == place and batch >= int(number or 0):
        os.kill(os.getpid(), signal.SIGKILL)
