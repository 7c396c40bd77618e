"""Memory that a worker has freed. Each test has a process of its own, because the setting is one of the process."""

from __future__ import annotations

import subprocess
import sys

import pytest

PRELUDE = """
import os, time
from pathlib import Path
import numpy as np, pyarrow as pa
from runner.spark.session import allocator
from runner.spark.session.allocator import FreeMemory, keep_freed_memory

MIB = 1 << 20

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // MIB

def use_and_free():
    blocks = [np.ones(8 * MIB), pa.py_buffer(bytes(8)), pa.array(np.arange(8 * MIB)).take(pa.array(np.arange(8 * MIB)))]
    return len(blocks)

keep_freed_memory()
before = held()
use_and_free()
kept = held() - before
assert kept > 100, kept
tasks, task = os.pipe()
memory = FreeMemory()
"""

pytestmark = pytest.mark.services
TWO_TASKS = "memory.await_task(tasks); memory.await_task(tasks)"


@pytest.mark.parametrize(
    ("what", "then"),
    [
        ("it is quiet", "allocator.QUIET_SECONDS = 0.0"),
        ("it was kept for long", "os.write(task, b'1'); allocator.KEPT_SECONDS = 0.0"),
    ],
)
def test_freed_memory_stays_with_a_worker_until(what: str, then: str) -> None:
    _run(f"{then}\n{TWO_TASKS}\nassert held() - before < kept / 4, ({what!r}, held() - before, kept)")


def test_a_worker_whose_next_task_is_there_keeps_its_memory() -> None:
    _run(f"os.write(task, b'1')\n{TWO_TASKS}\nassert held() - before > kept / 2")


def test_a_process_that_serves_no_tasks_gives_its_memory_back_after_long() -> None:
    due = "allocator.KEPT_SECONDS = 0.0; memory.give_back_if_due()"
    _run(f"memory.give_back_if_due()\nassert held() - before > kept / 2\n{due}\nassert held() - before < kept / 4")


def _run(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", PRELUDE + script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
