"""A job's use of the disk: the folders of its newest epoch, measured on request."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from runner.control.jobs.models import Job
from runner.spark.checkpoint.hadoop import HadoopPath, get_file, measure_size

MAX_ENTRIES = 100_000
"""Maximum number of files and folders to count. More would take too long."""
BLOCK = 512
"""The unit of `st_blocks` on every file system."""


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder takes on disk."""

    path: str
    bytes: int | None
    """Without the holes in its files. None if the folder is not on this host, or not there yet."""
    is_whole: bool = True
    """False if it has more than `MAX_ENTRIES` entries. Then `bytes` is that of the entries which were counted."""


def measure_checkpoint_and_state(job: Job) -> tuple[Folder, Folder] | None:
    """The folders of the job's newest run. None before the first."""
    run = job.find_last_run()
    if run is None:
        return None
    plan = run.read_plan()
    return measure(plan.checkpoint), measure(plan.state_dir)


def measure(path: str, most: int = MAX_ENTRIES) -> Folder:
    if isinstance(place := get_file(path), HadoopPath):
        return Folder(path, measure_size(place) if place.exists() else None)
    if not place.is_dir():
        return Folder(path, None)
    size = 0
    for count, entry in enumerate(_list_entries(path), 1):
        if count > most:
            return Folder(path, size, is_whole=False)
        with suppress(OSError):  # a run removes files at any time
            size += entry.stat(follow_symlinks=False).st_blocks * BLOCK
    return Folder(path, size)


def _list_entries(path: str) -> Iterator[os.DirEntry[str]]:
    """Everything below a folder, as far as it is readable."""
    with suppress(OSError), os.scandir(path) as entries:
        for entry in entries:
            yield entry
            if entry.is_dir(follow_symlinks=False):
                yield from _list_entries(entry.path)
