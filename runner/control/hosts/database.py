"""Postgres for processes that ask it all the time and must not hang on it: the agent, the supervisors and the feed."""

from __future__ import annotations

from django.db import connection


def limit_waits() -> None:
    """From the next connection on, limits every wait for a connection, an answer or a lost network to five seconds.

    `close_old_connections` then closes a connection only if Postgres does not answer on it: an agent that connected for
    each tick would cost 2 % of a core.
    """
    options = connection.settings_dict.setdefault("OPTIONS", {})
    options |= {"connect_timeout": 3, "tcp_user_timeout": 5_000, "options": "-c statement_timeout=5000"}
    connection.settings_dict |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
    connection.close()
