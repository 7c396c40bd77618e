"""Fixtures all tests share; the parts themselves come from tests/parts.py."""

import os

import pytest

from tests.java import ONE_COMPILER

# for the broker, and the Spark of tests that start one; what they start with a clean environment goes without
os.environ.setdefault("JAVA_TOOL_OPTIONS", ONE_COMPILER)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(postgres_url: str) -> None:
    """Starts Postgres before the first test that asks for the database."""


@pytest.fixture
def environment(transactional_db: None, redis_url: str, kafka_servers: str) -> dict[str, str]:
    """The environment for child processes of a test: every part runs, the database is the test's own."""
    from django.db import connection

    test_database = connection.settings_dict["NAME"]
    base = os.environ["DATABASE_URL"].rpartition("/")[0]
    return os.environ | {"DATABASE_URL": f"{base}/{test_database}", "DJANGO_SETTINGS_MODULE": "webapp.settings"}
