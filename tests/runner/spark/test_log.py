"""What a run writes into its log when it fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import orjson


def test_a_failure_that_is_known_is_a_sentence_without_a_traceback(tmp_path: Path):
    log, pipe = tmp_path / "run.log", subprocess.PIPE
    with log.open("wb") as stderr:
        child = subprocess.Popen([sys.executable, "-m", "runner.spark"], stdin=pipe, stdout=pipe, stderr=stderr)
    assert child.stdin and child.stdout
    with child:
        child.stdin.write(b"{}\n")
        child.stdin.flush()
        *_, failed = map(orjson.loads, child.stdout)

    cause = failed["cause"]
    assert cause["code"] == "plan.invalid"
    assert f"ERROR runner.spark.run: The run failed. {cause['message']} {cause['hint']}\n" in log.read_text()
    assert "Traceback" not in log.read_text()
