"""Places where a test lets the process die, as a power cut would: no cleanup, no goodbye.

`STREAMWRIGHT_FAILPOINT` names a file. When it holds the place that the process comes to, the file is removed and the
process dies: once. `before-commit@3` means batch 3 or a later one.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Literal

Place = Literal["before-produce", "before-commit", "after-commit", "restoring", "stopping"]
VARIABLE = "STREAMWRIGHT_FAILPOINT"


def failpoint(place: Place, batch: int = 0) -> None:
    """Dies here if the file says so."""
    path = os.environ.get(VARIABLE)
    if path is None or not (file := Path(path)).exists():
        return
    wanted, _, number = file.read_text().partition("@")
    if wanted == place and batch >= int(number or 0):
        file.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
