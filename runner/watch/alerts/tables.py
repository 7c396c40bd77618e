"""Alerts as text for the command line. Without Django, for remote commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runner.control.jobs.text import align

HEAD = ("state", "since", "what")


def write_alerts_table(alerts: Sequence[Mapping[str, Any]]) -> str:
    """Alerts from the API, one per line."""
    if not alerts:
        return "No alert is firing."
    return align([HEAD, *(_make_row(alert) for alert in alerts)])


def _make_row(alert: Mapping[str, Any]) -> tuple[str, ...]:
    state = "silenced" if alert["silenced_until"] else str(alert["state"])
    return state, f"{alert['since']:.19}".replace("T", " "), alert["text"]
