"""The numbers of one run, reported from its drive: at most twice a second, at least every two."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

from designer.refusals import Refusal
from runner.jobs.models import Run
from runner.kafka import Cluster, Topic
from runner.live.events import progressed
from runner.live.numbers import Numbers, changes
from runner.live.outbox import Letter, Outbox
from runner.live.snapshot import POINT_MS, now_ms, point

log = logging.getLogger(__name__)
TICK_SECONDS = 0.5
POLL_SECONDS = 1.0
QUIET_MS = 1_500
"""After so long without a change the same numbers are sent again: they are not stale."""


def read_so_far(run: Run) -> dict[str, list[int]]:
    """The offsets the epoch stands at as the run begins, where they are known: lag is shown from the start."""
    plan = run.read_plan()
    begun = {name: facts.start for name, facts in plan.topics.items() if min(facts.start, default=-1) >= 0}
    earlier = run.job.runs.filter(epoch=run.epoch, generation__lt=run.generation).exclude(offsets={})
    last = earlier.order_by("-generation").first()
    return begun | {name: offsets for name, offsets in (last.offsets if last else {}).items() if name in plan.topics}


class Reporter:
    """Folds a run's events, asks Kafka how far its topics reach, and posts what changed."""

    def __init__(self, run: Run, outbox: Outbox) -> None:
        plan = run.connected_plan()
        self.job_id = run.job_id
        self.run = {"run": run.id, "generation": run.generation}
        self.outbox = outbox
        self.numbers = Numbers([node["id"] for node in plan.graph["nodes"]], plan.topics, now_ms())
        self.numbers.offsets |= read_so_far(run)
        self.cluster = Cluster.of(plan.kafka)
        self.topics = [Topic(name, facts.id, facts.partitions) for name, facts in plan.topics.items()]
        self.lock = threading.Lock()
        self.done = threading.Event()
        self.sent: dict[str, Any] | None = None
        self.sent_at = self.pointed_at = 0
        self.threads = [
            threading.Thread(target=self._tick_on, daemon=True, name="live-ticks"),
            threading.Thread(target=self._poll_on, daemon=True, name="live-lag"),
        ]
        for thread in self.threads:
            thread.start()

    def hear(self, event: dict[str, Any]) -> None:
        with self.lock:
            if event["type"] == "progress":
                self.numbers.progressed(event, now_ms())
            elif event["type"] == "beat":
                self.numbers.beaten(event)
            elif event["type"] == "memory":
                self.numbers.memory = event["bytes"]

    def close(self) -> None:
        """Send the last numbers and be quiet."""
        self.done.set()
        self.threads[0].join(2.0)
        self.tick(last=True)

    def tick(self, last: bool = False) -> None:
        now = now_ms()
        with self.lock:
            numbers = self.numbers.to_json(now) | self.run
        changed = changes(self.sent, numbers)
        if set(changed) == {"at"} and now - self.sent_at < QUIET_MS and not last:
            return
        due = now - self.pointed_at >= POINT_MS
        letter = Letter(self.job_id, progressed(changed), numbers, point(numbers) if due else None)
        self.outbox.post(letter)
        self.sent, self.sent_at = numbers, now
        self.pointed_at = now if due else self.pointed_at

    def _tick_on(self) -> None:
        while not self.done.wait(TICK_SECONDS):
            self.tick()

    def _poll_on(self) -> None:
        while not self.done.is_set():
            started = time.monotonic()
            try:
                ends = self.cluster.end_offsets(self.topics)
            except Refusal as refusal:
                log.warning("The lag is not known: %s", refusal.message)
            else:
                with self.lock:
                    self.numbers.ended_at(ends, now_ms())
            self.done.wait(max(0.1, POLL_SECONDS - (time.monotonic() - started)))
