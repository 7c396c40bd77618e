"""Processes that stand still for longer than a lease lasts and then go on, as after a pause of a virtual machine.

A frozen supervisor or run does not know that another one took over. When it goes on, Kafka has fenced its transactions
and the checkpoint has another owner, so it must end without writing. `tests.soak` compares the outputs at the end.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable

import psutil

from tests.proof.product import Product

SECONDS = 30.0
"""Longer than the lease of a run (20 s), and than all times for which one part waits for another."""


def freeze(product: Product, *words: str, seconds: float = SECONDS) -> None:
    """SIGSTOP every process whose command line holds all of `words`, and then SIGCONT those that are left."""
    frozen = set(product.processes(*words))
    assert frozen, f"no process with {words}"
    _each(frozen, "suspend")
    time.sleep(seconds)
    _each(frozen, "resume")


def _each(processes: Iterable[psutil.Process], action: str) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            getattr(process, action)()
