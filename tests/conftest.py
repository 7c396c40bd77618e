"""Fixtures all tests share; the parts themselves come from tests/parts.py."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from runner.kafka.cluster import ASKING
from tests.guarded import guarded  # noqa: F401  (a fixture)
from tests.java import ONE_COMPILER
from tests.openid.keycloak import keycloak  # noqa: F401  (a fixture)
from tests.openid.provider import openid  # noqa: F401  (a fixture)
from tests.patience import PATIENCE_SECONDS
from tests.secured import secured  # noqa: F401  (a fixture)

# for the broker, and the Spark of tests that start one; what they start with a clean environment goes without
os.environ.setdefault("JAVA_TOOL_OPTIONS", ONE_COMPILER)

# an example that takes long on a shared machine is not wrong
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start Spark do so from the archive of its classes."""
    for item in items:
        if isinstance(item, pytest.Function) and {"spark", "cluster"} & {mark.name for mark in item.iter_markers()}:
            item.fixturenames.insert(0, "spark_classes")


@pytest.fixture(scope="session")
def spark_classes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Once for a checkout, a child that is started ahead writes the archive; the starts of all tests are shorter."""
    from runner.spark.session import class_archive
    from runner.spark.variables import get_jars

    archive = class_archive.choose_place(get_jars())
    if archive is None:
        return
    archive.parent.mkdir(parents=True, exist_ok=True)
    with archive.with_name("archive.lock").open("w") as lock:
        flock(lock, LOCK_EX)  # workers of pytest-xdist wait for the one that writes it
        if not archive.exists():
            _write_archive(archive, request.getfixturevalue("kafka_servers"), tmp_path_factory.mktemp("ahead"))


def _write_archive(archive: Path, kafka_servers: str, folder: Path) -> None:
    from runner.spark.start.ahead import Ahead

    ahead = Ahead(folder=str(folder), slots=2, memory_mb=512, kafka={"bootstrap.servers": kafka_servers})
    command = [sys.executable, "-m", "runner.spark"]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True) as child,
    ):
        assert child.stdin is not None
        child.stdin.write(ahead.model_dump_json().encode() + b"\n")
        child.stdin.flush()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not archive.exists() and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.2)
    assert archive.exists(), (folder / "log").read_text()


@pytest.fixture(scope="session", autouse=True)
def patience_with_kafka() -> Iterator[None]:
    """A broker on a shared machine may be silent for longer than a user would wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runner.kafka.cluster.ANSWER_SECONDS", PATIENCE_SECONDS / 10)
        patch.setattr("runner.kafka.administering.ANSWER_SECONDS", PATIENCE_SECONDS / 10)
        patch.setitem(ASKING, "socket.timeout.ms", str(int(PATIENCE_SECONDS * 100)))
        yield


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as a user waits, for a test of what does not answer."""
    monkeypatch.setattr("runner.kafka.cluster.ANSWER_SECONDS", 5.0)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(postgres_url: str) -> None:
    """Starts Postgres before the first test that asks for the database."""


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Tells the database that it is one of tests, so that its audit can be emptied after each."""
    from django.db import connection

    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            name = connection.ops.quote_name(connection.settings_dict["NAME"])
            cursor.execute(f"ALTER DATABASE {name} SET streamwright.is_test = 'yes'")
        connection.close()  # it holds for new connections


@pytest.fixture
def environment(transactional_db: None, redis_url: str, kafka_servers: str) -> dict[str, str]:
    """The environment for child processes of a test: every part runs, the database is the test's own."""
    return os.environ | {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "webapp.settings"}


def database_url() -> str:
    """The address of the database of the test that runs."""
    from django.db import connection

    return f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{connection.settings_dict['NAME']}"
