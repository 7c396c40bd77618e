"""`make soak` begins: its parts are imported, and each can be chosen."""

from __future__ import annotations

import subprocess
import sys

from webapp.local.places import ROOT


def test_the_soak_can_be_started_as_one_command() -> None:
    command = [sys.executable, "-m", "tests.soak", "--only", "nothing", "--seed", "1"]

    started = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (started.returncode, started.stdout) == (0, "seed 1, 1000 random cases, 100 faults\n"), started.stderr
