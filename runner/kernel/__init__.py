"""The kernel: a Rust crate that runs the common part of the engine. README.md is its contract.

`runner.engine.kernel` plans what it runs. It is not there on machines without cargo: all runs in Python then.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import ModuleType

SWITCH = "STREAMWRIGHT_KERNEL"
"""The environment variable that turns the kernel off: its value is `off`."""


@cache
def _load() -> ModuleType | None:
    try:
        return import_module(f"{__name__}.streamwright_kernel")
    except ImportError:  # not built, or for another machine
        return None


def is_built() -> bool:
    """True if the kernel was built for this machine."""
    return _load() is not None


def is_off() -> bool:
    """True if the environment turns the kernel off."""
    return os.environ.get(SWITCH) == "off"


def load() -> ModuleType | None:
    """The kernel's module. None if it is not built or turned off."""
    return None if is_off() else _load()
