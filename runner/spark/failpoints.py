"""Places where a test lets the process die as in a power cut: no cleanup, no goodbye.

`STREAMWRIGHT_FAILPOINT` names a file. When the process reaches the place in that file, the file is removed and the
process dies: once. `before-commit@3` means batch 3 or a later one. At `planned` Spark has recorded what the batch
reads. At `extended` the source has recorded a later end of it. At `before-commit` Spark has recorded its end, too. At
`ahead` a batch has been executed before the commit of the one before it, which waits while the file exists. At
`slot-open` a slot waits with its transaction open. At `before-takeover` and `after-takeover` an epoch is about to
take over from the one before, or has just done so. At `adopting@3` the third step of `runner.spark.adopting` is done,
and so on to the eighth: up to the seventh in the process that plans the run, then in the run.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Literal

from runner.spark.variables import get_failpoint_file

Place = Literal[
    "planned",
    "extended",
    "before-produce",
    "before-commit",
    "after-commit",
    "slot-open",
    "slot-before-commit",
    "slot-after-commit",
    "ahead",
    "restoring",
    "stopping",
    "before-takeover",
    "after-takeover",
    "adopting",
]


def fail_at(place: Place, batch: int = 0) -> None:
    """Dies here if the file says so. At `adopting`, the number is that of a step."""
    if (file := _find_file(place, batch)) is not None:
        file.unlink()
        os.kill(os.getpid(), signal.SIGKILL)


def wait_at(place: Place, batch: int) -> None:
    """Waits here while the file says so: another thread must come to the same place and die there."""
    while _find_file(place, batch) is not None:
        time.sleep(0.01)


def _find_file(place: Place, batch: int) -> Path | None:
    """The file, if it names the place."""
    file = get_failpoint_file()
    if file is None or not file.exists():
        return None
    wanted_place, _, number = file.read_text().partition("@")
    return file if wanted_place == place and batch >= int(number or 0) else None
