"""One `make run` per folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .problem import Problem


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Holds the lock on `home` while the block lasts; the kernel frees it even after kill -9."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "up.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise Problem(
                f"Streamwright already runs in {home} (process {lock.read().strip()}): "
                "use that one, or stop it with Ctrl-C in its terminal first."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield
