"""Builds the kernel (runner/kernel) with cargo, where cargo is. Without it the Python engine does all the work.

Standard library only: the installer uses it before anything is installed, and setup.py for the wheel.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from .places import HOME, ROOT
from .problem import Problem
from .steps import run, say

CRATE = ROOT / "runner" / "kernel"
MODULE = CRATE / "streamwright_kernel.abi3.so"
"""The built module. One serves all versions of Python from 3.11 on."""
HINT = (
    "jobs run in the Python engine, which takes three to four times the processor time of the kernel. "
    "To get the kernel, install Rust 1.88 or later with cargo, and run: make install"
)


def find_cargo() -> Path | None:
    """Cargo on the PATH, or where rustup puts it."""
    place = shutil.which("cargo") or shutil.which("cargo", path=os.path.expanduser("~/.cargo/bin"))
    return None if place is None else Path(place)


def list_inputs() -> Iterator[Path]:
    """Every file of the crate that decides what is built."""
    yield from (CRATE / name for name in ("Cargo.toml", "Cargo.lock"))
    yield from (CRATE / "src").rglob("*.rs")


def build() -> None:
    """Builds the module, or says in one line why the Python engine runs instead."""
    cargo = find_cargo()
    assert cargo is not None
    target = HOME / "kernel"
    env = {"CARGO_TARGET_DIR": str(target), "PATH": f"{cargo.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    try:
        run([cargo, "build", "-q", "--release", "--locked"], "building the kernel", env=env, cwd=CRATE)
    except Problem:
        say(f"cargo could not build the kernel (see above): {HINT}")
        return
    new_module = MODULE.with_suffix(f".{os.getpid()}")
    shutil.copyfile(target / "release" / "libstreamwright_kernel.so", new_module)
    new_module.replace(MODULE)  # a process that uses the old one keeps it
