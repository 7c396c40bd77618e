"""An executor that Spark leaves without files to open ends in time."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runner.spark.executors.executor import stop_when_full

pytestmark = pytest.mark.services


def test_an_executor_ends_at_four_fifths_of_the_files_it_may_open(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "600"]) as executor:
        resource.prlimit(executor.pid, resource.RLIMIT_NOFILE, (100, 100))
        for _ in range(79):
            stop_when_full(tmp_path, executor.pid)
        assert executor.poll() is None

        stop_when_full(tmp_path, executor.pid)
        assert executor.wait() == -signal.SIGTERM


def test_the_jvm_is_the_parent_of_the_daemon_that_forked_the_worker() -> None:
    worker = "from runner.spark.executors.executor import find_java; print(find_java())"
    daemon = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {worker!r}], check=True)"

    found = subprocess.run([sys.executable, "-c", daemon], capture_output=True, text=True, check=True)

    assert int(found.stdout) == os.getpid()
