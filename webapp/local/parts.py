"""Postgres, Redis and Kafka in a folder, during a `with` block."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .kafka import Kafka
from .places import HOME
from .postgres import Postgres
from .process import ChildProcess
from .redis import Redis

JARS = HOME / "jars" / "kafka"
START_SECONDS = 90.0


class Part(Protocol):
    """A server that we start ourselves."""

    name: str
    child: ChildProcess | None

    def start(self) -> None:
        """Starts it, without waiting."""

    def is_ready(self) -> bool:
        """Whether it is ready for use."""

    def stop(self) -> None:
        """Ends it cleanly, or by force after a few seconds."""


@dataclass(frozen=True)
class Addresses:
    """The addresses of the parts."""

    postgres: str
    redis: str
    kafka: str


@contextmanager
def run_part(part: Part) -> Iterator[None]:
    """Starts one part, waits until it is ready, and stops it at the end."""
    part.start()
    try:
        wait_for(part)
        yield
    finally:
        part.stop()


def wait_for(part: Part) -> None:
    """Returns when the part is ready. Raises a Problem if it died or is too slow."""
    assert part.child
    part.child.wait_until(part.is_ready, START_SECONDS)


@contextmanager
def parts(home: Path, jars: Path = JARS) -> Iterator[Addresses]:
    """All three in `home`, for tests and benchmarks: they die with us, and data is not synced to disk."""
    postgres, redis = Postgres(home, is_passing=True), Redis(home, is_passing=True)
    kafka = Kafka(home, jars, is_passing=True)
    with run_part(postgres), run_part(redis), run_part(kafka):
        yield Addresses(postgres.url, redis.url, kafka.servers)
