"""The folders for the state of replays. Each is locked by the process that uses it, so that others see that it is used.

A lock holds across containers that share a disk, where the id of a process says nothing.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

PREFIX = "replay-"


@contextmanager
def make_scratch(parent: Path) -> Iterator[Path]:
    """Make a folder below `parent`, and remove it in the end. Remove what killed processes left there."""
    parent.mkdir(parents=True, exist_ok=True)
    remove_left(parent)
    with ExitStack() as stack:
        with _lock(parent):  # or another process would see the folder before its lock
            folder = Path(mkdtemp(prefix=PREFIX, dir=parent))
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            stack.enter_context(_lock(folder))
        yield folder


def remove_left(parent: Path) -> None:
    """Remove the folders below `parent` that killed processes left, if there is a `parent`."""
    left = list[Path]()
    with suppress(FileNotFoundError), _lock(parent):
        left = [folder for folder in parent.glob(f"{PREFIX}*") if not _is_used(folder)]
    for folder in left:
        shutil.rmtree(folder, ignore_errors=True)


def _is_used(folder: Path) -> bool:
    owner = folder.name.removeprefix(PREFIX).partition("-")[0]
    if owner.isdigit() and Path("/proc", owner).exists():  # 0.1.0 wrote the id of its process, and took no lock
        return True
    try:
        with _lock(folder, fcntl.LOCK_NB):
            return False
    except (FileNotFoundError, BlockingIOError):
        return True


@contextmanager
def _lock(folder: Path, how: int = 0) -> Iterator[None]:
    file = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | how)
        yield
    finally:
        os.close(file)
