"""What a process loads when it starts: a start is waited for, and what is loaded stays in memory."""

import subprocess
import sys

import pytest

HEAVY = {"numpy", "pyarrow", "pyspark", "lmdb"}
STARTS = {
    "web": "import webapp.asgi",
    "supervise": "import django; django.setup(); import runner.management.commands.supervise",
    "worker": "import django; django.setup(); import runner.control.jobs.tasks, runner.watch.dead_letters.tasks",
}


@pytest.mark.parametrize("imports", STARTS.values(), ids=STARTS.keys())
def test_a_start_loads_nothing_that_only_runs_need(imports: str):
    asking = f"{imports}; import sys; print(*sys.modules)"

    answer = subprocess.run([sys.executable, "-c", asking], check=True, capture_output=True, text=True)

    assert HEAVY & set(answer.stdout.split()) == set()
