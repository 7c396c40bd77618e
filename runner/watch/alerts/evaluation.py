"""How alerts begin, fire and end. Pure: alerts are changed in memory, and times are arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from runner.watch.alerts.kinds import KINDS, AlertKind, Finding, Kind, Subject
from runner.watch.alerts.models import MAX_NOTE, Alert, State
from runner.watch.live.fleet import Fleet

CALM = timedelta(seconds=30)
"""A figure must be within the limit this long before its alert ends: one that swings is reported once."""


class Limit(NamedTuple):
    """The limit of a rule."""

    is_on: bool
    threshold: float
    seconds: int


LimitOf = Callable[[str, Subject], Limit]


@dataclass
class Verdict:
    """The changed alerts to save, and pending ones without a result to forget."""

    changed_alerts: list[Alert] = field(default_factory=list)
    forgotten_alerts: list[Alert] = field(default_factory=list)


def decide(fleet: Fleet, open_alerts: Iterable[Alert], limit_of: LimitOf, now: datetime, began: datetime) -> Verdict:
    """Decide from one look at the fleet which alerts begin, fire and end.

    `began` is when the product started: how long a figure was wrong before that does not count.
    """
    verdict, names = Verdict(), _read_names(fleet)
    left = {(alert.kind, alert.subject): alert for alert in open_alerts}
    for name, kind in KINDS.items():
        for finding in kind.look(fleet):
            limit = limit_of(name, finding.subject)
            alert = left.pop((name, finding.subject), None) if limit.is_on else None
            if limit.is_on and kind.is_wrong(finding.value, limit.threshold):
                alert = alert or _make_alert(name, finding, names, now)
                alert.since = min(alert.since, now)  # it is later if the clock was set back
                is_due = now - max(began, alert.since) >= timedelta(seconds=limit.seconds)
                _take_finding(alert, finding, limit, now, is_due=is_due and now - began >= _choose_grace(kind, limit))
                verdict.changed_alerts.append(alert)
            elif alert is not None:
                _end_when_calm(alert, now, verdict)
    silent = _find_silent(fleet)
    for (code, subject), alert in left.items():
        of = KINDS.get(AlertKind(code))
        unknown = of is not None and of.is_live and subject.job in silent and limit_of(code, subject).is_on
        if not unknown:
            _end(alert, now, verdict)
    return verdict


def _make_alert(kind: str, finding: Finding, names: Mapping[int | None, str], now: datetime) -> Alert:
    job, host, part = finding.subject
    return Alert(kind=kind, job_id=job, host=host, part=part, where=host or names[job], since=now)


def _choose_grace(kind: Kind, limit: Limit) -> timedelta:
    """For this long after a start, a figure may come from the time before. A figure that is a time counts from the
    start, too.
    """
    return timedelta(seconds=limit.seconds + (limit.threshold if kind.unit == "s" else 0))


def _take_finding(alert: Alert, finding: Finding, limit: Limit, now: datetime, *, is_due: bool) -> None:
    alert.value, alert.threshold, alert.calm_since = finding.value, limit.threshold, None
    alert.note = finding.note[:MAX_NOTE] or alert.note
    if alert.state == State.PENDING and is_due:
        alert.state, alert.fired_at = State.FIRING, now


def _end_when_calm(alert: Alert, now: datetime, verdict: Verdict) -> None:
    """The figure is within the limit. `alert.value` stays the last one beyond it, which was the problem."""
    if alert.state == State.PENDING or now - (alert.calm_since or now) >= CALM:
        _end(alert, now, verdict)
    elif alert.calm_since is None or alert.calm_since > now:  # the clock was set back
        alert.calm_since = now
        verdict.changed_alerts.append(alert)


def _end(alert: Alert, now: datetime, verdict: Verdict) -> None:
    """A pending alert leaves no trace."""
    if alert.state == State.PENDING:
        verdict.forgotten_alerts.append(alert)
        return
    alert.state, alert.ended_at = State.ENDED, now
    verdict.changed_alerts.append(alert)


def _read_names(fleet: Fleet) -> Mapping[int | None, str]:
    return {snapshot["job"]: facts["name"] for facts, snapshot in fleet.jobs}


def _find_silent(fleet: Fleet) -> set[int | None]:
    """The jobs that should run but are silent: their alerts stay unchanged."""
    return {snapshot["job"] for _, snapshot in fleet.jobs if snapshot["desired"] == "running" and snapshot["is_stale"]}
