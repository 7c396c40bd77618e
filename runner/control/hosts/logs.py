"""The logs of a host: of its runs, and of the parts that `make run` starts."""

from __future__ import annotations

import logging
from os import SEEK_END
from pathlib import Path

log = logging.getLogger(__name__)
MAX_BYTES = 64 << 20
KEPT_BYTES = 32 << 20
"""The newest bytes of a log that has become larger than `MAX_BYTES`."""


def trim_logs(folder: Path) -> None:
    """Remove the oldest lines of each log in a folder that is too large: a run may last for months.

    The file stays the same, because its process keeps it open. A line that is written at this moment may be lost.
    """
    for path in folder.glob("*.log"):
        try:
            if path.stat().st_size > MAX_BYTES:
                _trim(path)
        except OSError as error:
            log.warning("The log %s cannot be shortened: %s", path, error)


def _trim(path: Path) -> None:
    with path.open("a+b") as file:
        file.seek(-KEPT_BYTES, SEEK_END)
        file.readline()  # the rest of a line
        newest = file.read()
        file.truncate(0)
        file.write(newest)  # to the end, as its process does
