"""Pytest plugin, loaded before Django's settings: real parts for the tests, each started when first asked for.

Their ports are known before they start, so the settings already hold the right addresses. A part given by
environment (DATABASE_URL, REDIS_URL, KAFKA_BOOTSTRAP_SERVERS, SCHEMA_REGISTRY_URL) is used as it is.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

from webapp.local import apicurio, places
from webapp.local.apicurio import Apicurio
from webapp.local.kafka import Kafka
from webapp.local.parts import JARS, Part, run_part
from webapp.local.postgres import Postgres
from webapp.local.redis import Redis
from webapp.local.secret import ensure_secret
from webapp.local.up import find_ivy

BEFORE = os.environ.copy()
HOME = Path(tempfile.mkdtemp(prefix="streamwright-tests-"))
HOME.chmod(0o755)
(HOME / "jars").symlink_to(JARS.parent)
WORKERS = JARS.parents[1] / "tests" / "workers"
"""Archives for executors, made once for a checkout: to pack them takes seven seconds of a processor."""
WORKERS.mkdir(parents=True, exist_ok=True)
(HOME / "workers").symlink_to(WORKERS)
places.HOME = HOME  # the settings take it from there; what is installed was found before

POSTGRES = Postgres(HOME, is_passing=True)
REDIS = Redis(HOME, is_passing=True)
KAFKA = Kafka(HOME, JARS, is_passing=True)
OURS = {
    name: address
    for name, address in {
        "DATABASE_URL": POSTGRES.url,
        "REDIS_URL": REDIS.url,
        "KAFKA_BOOTSTRAP_SERVERS": KAFKA.servers,
    }.items()
    if name not in os.environ
}

ensure_secret(HOME / "secret-key")
os.environ.update(OURS)
os.environ.update(STREAMWRIGHT_HOME=str(HOME), SECRET_KEY_FILE=str(HOME / "secret-key"))
REGISTRY_URL = os.environ.pop("SCHEMA_REGISTRY_URL", "")  # most tests expect a cluster without a registry


def _started(variable: str, part: Part) -> AbstractContextManager[None]:
    return run_part(part) if variable in OURS else nullcontext()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a running Postgres."""
    with _started("DATABASE_URL", POSTGRES):
        yield os.environ["DATABASE_URL"]


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a running Redis."""
    with _started("REDIS_URL", REDIS):
        yield os.environ["REDIS_URL"]


@pytest.fixture(scope="session")
def kafka_servers() -> Iterator[str]:
    """The address of a running Kafka."""
    with _started("KAFKA_BOOTSTRAP_SERVERS", KAFKA):
        yield os.environ["KAFKA_BOOTSTRAP_SERVERS"]


@pytest.fixture(scope="session")
def registry_url() -> Iterator[str]:
    """The address of a running schema registry, where it serves Confluent's API."""
    if REGISTRY_URL:
        yield REGISTRY_URL
        return
    with JARS.with_name("apicurio.lock").open("w") as lock:
        flock(lock, LOCK_EX)  # workers of pytest-xdist wait for the one that fetches it
        folder = apicurio.install(JARS.parent, find_ivy())
    registry = Apicurio(HOME, folder, is_passing=True)
    with run_part(registry):
        yield registry.url


@pytest.fixture(scope="session")
def streamwright_home() -> Path:
    """The folder that takes the place of `.run` while tests run; `jars` in it are the installed ones."""
    return HOME


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Each worker of pytest-xdist has its own parts: it inherits none from the process that hands out the tests."""
    for name in os.environ.keys() - BEFORE.keys():
        del os.environ[name]
    os.environ.update(BEFORE)


def pytest_unconfigure() -> None:
    """Removes what the tests left, unless KEEP_TEST_HOME is set (to read the logs)."""
    if "KEEP_TEST_HOME" not in os.environ:
        shutil.rmtree(HOME, ignore_errors=True)
