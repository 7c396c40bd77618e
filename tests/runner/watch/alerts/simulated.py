"""A product second by second: a job whose numbers are folded as its supervisor does, a host, and a look every 5 s."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import orjson

from runner.spark.events import ProgressEvent
from runner.watch.alerts.evaluation import Limit, decide
from runner.watch.alerts.kinds import Subject
from runner.watch.alerts.models import Alert, State
from runner.watch.alerts.services import get_usual_limit
from runner.watch.live.fleet import Fleet
from runner.watch.live.numbers import Numbers
from runner.watch.live.snapshot import make_point, make_snapshot

START = 1_800_000_000_000
GIB = 2**30
DAY_MS = 86_400_000
LOOK_SECONDS = 5
JOB = 7


class Product:
    """Attributes are what happens: a test changes one, and lets time pass."""

    def __init__(self, limit_of: Callable[[str, Subject], Limit] = lambda kind, _: get_usual_limit(kind)) -> None:
        self.limit_of = limit_of
        self.now = self.asked_at = START
        self.began = START - DAY_MS
        self.wrong_ms = 0
        """By how much the clock of those who look is wrong."""
        self.desired, self.status, self.failures = "running", "running", 0
        self.host: Any = {"host": "one", "up": True, "draining": False, "outdated": False}
        self.host |= {"memory_bytes": 8 * GIB, "memory_free_bytes": 4 * GIB}
        self.host |= {"disk_bytes": 100 * GIB, "disk_free_bytes": 40 * GIB}
        self.arriving, self.reading, self.open_transaction = 1_000, 1_000, 0
        self.commits, self.reports = True, True
        self.certificate_days: int | None = None
        self.breaking_schemas: list[dict[str, Any]] = []
        self.hits: list[dict[str, Any]] = []
        self.dropped, self.dead_letters, self.latency_ms = 1, 0, 800
        self.state_bytes, self.memory = GIB, GIB
        self.end = self.offset = self.batch = 0
        self.begin_run()
        self.stored: dict[Any, Any] = {}
        self.points: list[Any] = []
        self.alerts: list[Alert] = []
        self.told: list[tuple[str, str, str]] = []
        self.told_at: dict[tuple[str, str, str], float] = {}

    def begin_run(self) -> None:
        self.numbers = Numbers(["flights", "late"], ["flights"], self.now)
        self.numbers.positions["flights"].advance([self.offset])

    def is_down(self, seconds: int) -> None:
        """Nothing runs and no one looks, while records arrive."""
        self.now += seconds * 1_000
        self.end += seconds * self.arriving
        self.began = self.now

    def sets_clock(self, hours: int) -> None:
        """Those who look notice it, and begin again (`services._find_begin`)."""
        self.wrong_ms = hours * 3_600_000
        self.began = self.now

    def passes(self, seconds: int) -> None:
        for _ in range(seconds):
            self.now += 1_000
            if self.status == "running":
                self._second()
            if self.now // 1_000 % LOOK_SECONDS == 0:
                self._look()

    def _second(self) -> None:
        self.end += self.arriving
        if self.commits and self.offset < self.end:
            read = min(self.reading, self.end - self.offset)
            self.offset += read
            self.batch += 1
            self.numbers.note_progress(self._batch(read), self.now)
        self.numbers.memory = self.memory
        ends = [self.end]
        self.numbers.reach({"flights": ends}, {"flights": [self.end + self.open_transaction]}, self.now)
        if self.reports:
            numbers = self.numbers.to_json(self.now)
            self.stored = {b"numbers": orjson.dumps(numbers)}
            self.points = [*self.points[-1_799:], make_point(numbers)] if self.now // 1_000 % 2 == 0 else self.points

    def _batch(self, read: int) -> ProgressEvent:
        failed = self.dead_letters
        counts = {"in": read, "out": read - self.dropped - failed, "dropped": self.dropped, "errors": failed}
        return {
            "type": "progress",
            "batch": self.batch,
            "started_at": self.now - 300,
            "committed_at": self.now,
            "duration_ms": 300,
            "latency_ms": self.latency_ms,
            "records_in": read,
            "nodes": {"flights": {"out": read}, "late": counts},
            "outcomes": {"late": {"no_result": {}, "extra": 0, "waiting": 0, "dead_letters": failed}},
            "sources": {"flights": [self.offset]},
            "state": {"rows": 5, "bytes": self.state_bytes},
            "dead_letters": failed,
        }

    def fleet(self) -> Fleet:
        job_status: Any = {"job": JOB, "status": self.status, "desired": self.desired, "failed_runs": 0}
        facts: Any = {
            "name": "Flights",
            "recent_failures": self.failures,
            "asked_s": (self.now - self.asked_at) / 1_000,
            "oldest": self.points[0] if self.points else None,
            "breaking_schemas": self.breaking_schemas,
            "hits": self.hits,
            "certificate_days": self.certificate_days,
        }
        return Fleet([(facts, make_snapshot(job_status, self.stored, self.now))], [self.host])

    def _look(self) -> None:
        now, began = (datetime.fromtimestamp((at + self.wrong_ms) / 1_000, UTC) for at in (self.now, self.began))
        verdict = decide(self.fleet(), self.alerts, self.limit_of, now, began)
        for alert in verdict.changed_alerts:
            if alert.state == State.FIRING and not alert.told:
                alert.told = True
                self._tell("fired", alert)
            elif alert.state == State.ENDED:
                self._tell("ended", alert)
        known = [*self.alerts, *(alert for alert in verdict.changed_alerts if alert not in self.alerts)]
        self.alerts = [each for each in known if each not in verdict.forgotten_alerts and each.state != State.ENDED]

    def _tell(self, what: str, alert: Alert) -> None:
        self.told.append((what, alert.kind, alert.part))
        self.told_at[self.told[-1]] = self.now / 1_000
