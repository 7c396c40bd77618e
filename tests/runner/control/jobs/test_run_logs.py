"""Logs of a host do not grow without end."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.control.hosts import logs


def test_of_a_log_that_is_too_large_the_newest_whole_lines_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(logs, "MAX_BYTES", 1_000)
    monkeypatch.setattr(logs, "KEPT_BYTES", 105)
    large, small = tmp_path / "run-1.log", tmp_path / "web.log"
    small.write_text("line\n" * 100)
    with large.open("ab", buffering=0) as process:
        process.write(b"".join(b"line %04d\n" % number for number in range(1_000)))

        logs.trim_logs(tmp_path)
        process.write(b"line 1000\n")

    assert large.read_text().splitlines() == [f"line {number:04}" for number in range(990, 1_001)]
    assert small.stat().st_size == 500
