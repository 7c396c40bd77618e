"""One `make run` per folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .problem import Problem


def keep_private(home: Path) -> None:
    """Closes `home` to other users, and its content too, which an older version left open.

    Root only prevents others from listing it: Postgres runs as another user, who must pass.
    """
    home.chmod(0o711 if os.geteuid() == 0 else 0o700)
    for path in home.iterdir():
        if not path.is_symlink() and path.stat().st_uid == os.geteuid():
            path.chmod(path.stat().st_mode & ~0o077)


@contextmanager
def hold_lock(home: Path) -> Iterator[None]:
    """Holds the lock on `home` during the block. The kernel frees it even after kill -9."""
    home.mkdir(parents=True, exist_ok=True)
    keep_private(home)
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


def is_running(home: Path) -> bool:
    """Whether another process that holds the lock is alive. It takes no lock, which would stop a start meanwhile."""
    try:
        pid = int((home / "up.lock").read_text())
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return False
    return pid != os.getpid() and b"up" in command
