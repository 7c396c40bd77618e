"""Pytest plugin: the database between tests, and passwords, in as little time as the tests allow.

Django empties every table after a test with transactions and makes its permissions again: 370 ms. Here only tables that
hold rows are emptied: 4 ms. A password is hashed in one round, 300 ms less; other processes can check it all the same.
"""

from __future__ import annotations

import pytest

KEPT = {"django_migrations", "django_content_type", "auth_permission"}
"""What migrations write and no test changes."""


@pytest.hookimpl(trylast=True)  # pytest-django has set Django up
def pytest_configure() -> None:
    from django.contrib.auth.hashers import PBKDF2PasswordHasher
    from django.test import TransactionTestCase

    PBKDF2PasswordHasher.iterations = 1
    TransactionTestCase._fixture_teardown = _empty_tables  # type: ignore[attr-defined]


def _empty_tables(_: object) -> None:
    """On a new connection if the test's own is lost: only this test fails then, not all that follow."""
    from django.db import OperationalError, connection

    try:
        _delete_rows()
    except OperationalError:
        connection.close()
        _delete_rows()


def _delete_rows() -> None:
    from django.db import connection, transaction

    from designer.projects.projects import get_default_project

    with transaction.atomic(), connection.cursor() as cursor:
        # without triggers: foreign keys ask for no order of tables, and the one that keeps the audit lets go
        cursor.execute("SET LOCAL session_replication_role = replica")
        tables = [name for name in connection.introspection.table_names(cursor) if name not in KEPT]
        cursor.execute(" UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM \"{name}\")" for name in tables))
        for (name,) in cursor.fetchall():
            cursor.execute(f'DELETE FROM "{name}"')
        get_default_project()  # as migrations leave it
