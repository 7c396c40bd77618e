"""Our started processes, on disk: a killed supervisor must not leave them in the way."""

import json
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from .process import ChildProcess, kill_group, read_start_ticks

STOP_FIRST = ("feed", "deploy-sample", "web", "worker", "beat", "agent")
"""These use the others, so they stop first."""


class Ledger:
    """The started processes by name, each with pid and start ticks to recognise a reused pid."""

    def __init__(self, home: Path) -> None:
        self.path = home / "processes.json"
        self.entries: dict[str, dict[str, int]] = json.loads(self.path.read_text()) if self.path.exists() else {}

    def note(self, child: ChildProcess) -> None:
        """Remembers a process that was just started."""
        self.entries[child.name] = {
            "pid": child.pid,
            "ticks": read_start_ticks(child.pid) or 0,
            "signal": int(child.stop_signal),
        }
        self._write()

    def clear(self) -> None:
        """Forgets all of them after all were stopped, also on a full disk."""
        self.entries = {}
        self.path.unlink(missing_ok=True)

    def stop_leftovers(self) -> list[str]:
        """Stops the processes of an earlier supervisor. Returns their names."""
        left = [name for name in self.entries if self._runs(name)]
        self._stop([name for name in left if name in STOP_FIRST], seconds=11)
        self._stop([name for name in left if name not in STOP_FIRST], seconds=6)
        self.clear()
        return left

    def _runs(self, name: str) -> bool:
        entry = self.entries[name]
        return read_start_ticks(entry["pid"]) == entry["ticks"]

    def _stop(self, names: list[str], seconds: float) -> None:
        for name in filter(self._runs, names):  # it may have ended while others were stopped
            with suppress(ProcessLookupError):
                os.kill(self.entries[name]["pid"], signal.Signals(self.entries[name]["signal"]))
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and any(self._runs(name) for name in names):
            time.sleep(0.05)
        for name in names:
            if self._runs(name):
                kill_group(self.entries[name]["pid"])

    def _write(self) -> None:
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(self.entries, indent=2) + "\n")
        fresh.replace(self.path)
