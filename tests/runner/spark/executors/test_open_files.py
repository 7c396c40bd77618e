"""A run that goes on for days has no more files open than one that has just begun, and leaves none outside its home."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest

from tests.patience import PATIENCE_SECONDS

from ..runs import Child, World, shops, started

pytestmark = pytest.mark.spark


def java_of(child: Child) -> psutil.Process:
    (java,) = (each for each in psutil.Process(child.popen.pid).children(recursive=True) if each.name() == "java")
    return java


def files_of_java(child: Child) -> int:
    """How many files and connections the run's JVM has open."""
    return java_of(child).num_fds()


@pytest.mark.soak
def test_batches_leave_no_file_open_in_the_jvm(world: World) -> None:
    orders, names, counts = world.topic("orders"), world.topic("names", 1), world.topic("counts", 1)
    read = 0

    def carry_out(batches: int) -> None:
        nonlocal read
        for _ in range(batches):
            world.produce(orders, [(f"c{n}", '{"city": "Rome"}', n) for n in range(20)])
            read += 20
            child.wait_for_offsets(orders, read)

    plan = world.plan(shops(orders, names, counts), [orders, names])
    with started(plan) as child:
        carry_out(10)
        libraries = [Path(each.path) for each in java_of(child).memory_maps() if "rocksdb" in each.path]
        assert libraries
        assert all(path.is_relative_to(plan.state_dir) for path in libraries)
        before = files_of_java(child)
        carry_out(10)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while files_of_java(child) > before:
            assert time.monotonic() < deadline, f"{files_of_java(child) - before} more files than before"
            time.sleep(0.5)

        carry_out(1)
        assert child.stop() == 0
