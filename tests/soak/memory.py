"""Memory that a host does not have: the kernel kills processes of a run while it works, and nothing is lost.

The processes of a run move into a cgroup that lets them gain a few megabytes. As they work they need more, the kernel
ends the largest of them, and the next run has memory again. Needs root. `python -m tests.soak.memory` runs this alone.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from tests.proof.compare import all_flights_equal_the_oracle
from tests.proof.product import Product, make_home

GAIN_BYTES = 16 << 20
CGROUPS = Path("/sys/fs/cgroup")
NAME = "streamwright-soak"


@contextmanager
def without_memory(processes: Iterable[psutil.Process]) -> Iterator[None]:
    """Meanwhile these processes and their new children gain no more than GAIN_BYTES together."""
    is_v2 = (CGROUPS / "cgroup.controllers").exists()
    group = CGROUPS / NAME if is_v2 else CGROUPS / "memory" / NAME
    group.mkdir(exist_ok=True)
    limit = group / ("memory.max" if is_v2 else "memory.limit_in_bytes")
    limit.write_text(str(GAIN_BYTES))
    for process in processes:
        with suppress(ProcessLookupError):  # it has just ended
            (group / "cgroup.procs").write_text(str(process.pid))
    try:
        yield
    finally:
        limit.write_text("max" if is_v2 else "-1")
        for pid in (group / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                (group.parent / "cgroup.procs").write_text(pid)
        group.rmdir()


def wrong_after(rounds: int) -> int:
    """Takes memory away so often. Raises AssertionError if a record is lost or repeated, or the job does not go on."""
    home = make_home()
    with Product(home) as product:
        _take_memory(product, rounds)
    shutil.rmtree(home)
    return 0


def _take_memory(product: Product, rounds: int) -> None:
    with product.running_sample(rate=200) as job:
        for number in range(rounds):
            run, began = product.job(job)["run"], time.monotonic()
            (child,) = (each for each in product.processes("-m runner.spark") if _is_top(each))
            with without_memory([child, *child.children(recursive=True)]):
                product.wait(lambda run=run: product.job(job)["run"] != run, "the run to end without memory")  # type: ignore[misc]
            product.wait(lambda: product.batch(job) is not None, "batches")
            print(f"{number + 1}: without memory, batches go on after {time.monotonic() - began:.0f} s", flush=True)
    fed = all_flights_equal_the_oracle(product, job)
    print(f"{rounds} runs without memory, {fed:,} flights: nothing lost, nothing repeated", flush=True)


def _is_top(process: psutil.Process) -> bool:
    """Whether it is the child that a run supervisor started, not a worker of it."""
    parent = process.parent()
    return parent is not None and "supervise" in " ".join(parent.cmdline())


if __name__ == "__main__":
    sys.exit(wrong_after(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
