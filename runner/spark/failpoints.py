"""Places where a test lets the process die, as a power cut would: no cleanup, no goodbye.

`STREAMWRIGHT_FAILPOINT` names a file. When it holds the place that the process comes to, the file is removed and the
process dies: once. `before-commit@3` means batch 3 or a later one. At `ahead` a batch has been executed before the
one before it is committed, which waits for that as long as the file is there. At `slot-open` a slot waits with its
transaction open.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Literal

from runner.spark.variables import get_failpoint_file

Place = Literal[
    "before-produce",
    "before-commit",
    "after-commit",
    "slot-open",
    "slot-before-commit",
    "slot-after-commit",
    "ahead",
    "restoring",
    "stopping",
]


def fail_at(place: Place, batch: int = 0) -> None:
    """Dies here if the file says so."""
    if (file := _find_file(place, batch)) is not None:
        file.unlink()
        os.kill(os.getpid(), signal.SIGKILL)


def wait_at(place: Place, batch: int) -> None:
    """Waits here for as long as the file says so: another thread is to come to the same place and die there."""
    while _find_file(place, batch) is not None:
        time.sleep(0.01)


def _find_file(place: Place, batch: int) -> Path | None:
    """The file, if it names the place."""
    file = get_failpoint_file()
    if file is None or not file.exists():
        return None
    wanted_place, _, number = file.read_text().partition("@")
    return file if wanted_place == place and batch >= int(number or 0) else None
