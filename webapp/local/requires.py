"""Requirements on the machine: each missing one is a sentence with the package to install."""

import importlib.util
import os
import platform
import shutil
import sys
from pathlib import Path

from . import WRONG_PYTHON
from .java import find_java
from .problem import Problem

PYTHONS = ((3, 11), (3, 12), (3, 13))
GIB = 2**30
DISK_FRESH = 5.0
DISK_OF_UPDATE = 1.0
MEMORY = 4.0
DOWNLOAD = 1.0
"""Sizes in GiB: free disk for a first install and for a later start, memory of the machine, first download."""


def check(folder: Path, *, is_fresh: bool) -> None:
    """Raises a Problem for the first missing requirement. `is_fresh` requires the disk for a first install."""
    check_platform(platform.system(), platform.machine(), platform.libc_ver()[0])
    check_python(sys.version_info[:2])
    find_java()
    check_disk(shutil.disk_usage(folder).free / GIB, DISK_FRESH if is_fresh else DISK_OF_UPDATE, folder)
    check_memory(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIB)


def check_platform(system: str, machine: str, libc: str) -> None:
    """Linux on x86-64 with glibc: the wheels with Postgres, Redis and Node need it."""
    if (system, machine, libc) != ("Linux", "x86_64", "glibc"):
        platform_name = f"{system} {machine} {libc or 'without glibc'}".strip()
        raise Problem(f"This machine is {platform_name}; Streamwright runs on Linux x86-64 with glibc (or in docker/).")


def check_python(version: tuple[int, int]) -> None:
    """A version with all pinned wheels, venv and pip."""
    if version not in PYTHONS:
        raise Problem(WRONG_PYTHON.format(*version))
    if not (importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv")):
        raise Problem("Python's venv module is missing: install it (on Debian: apt-get install python3-venv).")


def check_folder(folder: Path) -> None:
    """A name that Python's venv takes (no colon), and that Postgres can write between double quotes of a shell."""
    if found := next((letter for letter in '":$`\\\n' if letter in str(folder)), None):
        raise Problem(
            f"The path of the checkout, {folder}, has {found!r} in it, with which Python and Postgres cannot be "
            "installed: move the checkout to a folder without it."
        )


def check_disk(free: float, gib: float, folder: Path) -> None:
    """Enough room for the programs and some data (GiB)."""
    if free < gib:
        raise Problem(
            f"{folder} has {free:.1f} GiB free, {gib:.0f} GiB are needed: free some space or move the checkout."
        )


def check_memory(total: float) -> None:
    """Enough memory for Kafka, Spark, Postgres and the services together (GiB)."""
    if total < MEMORY - 0.3:  # a machine sold as 4 GB shows a little less
        raise Problem(f"This machine has {total:.1f} GiB of memory, {MEMORY:.0f} GiB are needed: use a larger one.")
