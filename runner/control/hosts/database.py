"""Postgres for processes that must not hang on it: the agent and the drives."""

from __future__ import annotations

from django.db import connection


def limit_waits() -> None:
    """From the next connection on, no connect, answer or lost network is waited for longer than five seconds."""
    options = connection.settings_dict.setdefault("OPTIONS", {})
    options |= {"connect_timeout": 3, "tcp_user_timeout": 5_000, "options": "-c statement_timeout=5000"}
    connection.close()
