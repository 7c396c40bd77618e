"""What a side of the comparison costs counts all its processes."""

import os
import signal
import subprocess

import psutil

from tests.bench.meter import below


def test_a_process_whose_parent_has_ended_counts_for_its_session() -> None:
    leave_one = "sh -c 'sleep 60 & echo $!'; read _"
    side = subprocess.Popen(
        ["sh", "-c", leave_one], start_new_session=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert side.stdout is not None
    left = int(side.stdout.readline())
    try:
        assert {side.pid, left} <= {each.pid for each in below(psutil.Process(side.pid))}
    finally:
        os.killpg(side.pid, signal.SIGKILL)
        side.communicate()
