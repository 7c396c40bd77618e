"""Install steps that run once for the same inputs and continue after an interruption."""

import hashlib
import os
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .problem import Problem


@dataclass(frozen=True)
class InstallStep:
    """Something to install, its inputs, and the folder or file that proves it.

    Steps of one track depend on those before them. All depend on the steps without a track.
    """

    name: str
    title: str
    inputs: str
    result: Path
    run: Callable[[], None]
    track: str = ""

    def is_done(self, stamps: Path) -> bool:
        """Whether it finished with the same inputs."""
        stamp = stamps / self.name
        return self.result.exists() and stamp.exists() and stamp.read_text() == self.inputs

    def carry_out(self, stamps: Path) -> None:
        """Runs it, notes that it is complete, and prints how long it took."""
        began = time.monotonic()
        say(f"{self.title} ...")
        (stamps / self.name).unlink(missing_ok=True)
        self.run()
        stamps.mkdir(parents=True, exist_ok=True)
        (stamps / self.name).write_text(self.inputs)
        say(f"{self.title}: done in {time.monotonic() - began:.0f} s")


def hash_files(paths: Iterable[Path], *also: str) -> str:
    """One hash over files (names and contents) and texts."""
    digest = hashlib.sha256("\0".join(also).encode())
    for path in sorted(paths):
        digest.update(str(path).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def say(text: str) -> None:
    """One line of progress."""
    print(f"[install] {text}", flush=True)


def run(command: Sequence[str | Path], doing: str, *, env: Mapping[str, str] | None = None, **options: Path) -> None:
    """Runs a program with visible output. Its failure is a Problem that says what it was `doing`."""
    process = subprocess.run([str(part) for part in command], env={**os.environ, **(env or {})}, **options)  # type: ignore[call-overload]
    if process.returncode:
        raise Problem(
            f"{doing[0].upper()}{doing[1:]} failed (see above): check the network and run the same command again."
        )
