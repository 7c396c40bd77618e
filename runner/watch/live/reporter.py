"""Reports the numbers of one run from its supervisor: at most twice a second, at least every two."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

from designer.refusals import Refusal
from runner.control.jobs.models import Run
from runner.kafka import BrokerError, KafkaCluster, Topic, open_transaction
from runner.spark.events import Event
from runner.steady_clock import read_steady_clock
from runner.watch.live.events import make_progress_event
from runner.watch.live.messages import RunNumbers
from runner.watch.live.numbers import Numbers, find_changes
from runner.watch.live.outbox import LiveOutbox, LiveUpdate
from runner.watch.live.positions import Change, HeldBy, TopicPosition
from runner.watch.live.snapshot import POINT_MS, make_point, read_clock

log = logging.getLogger(__name__)
TICK_SECONDS = 0.5
POLL_SECONDS = 1.0
NAME_SECONDS = 10.0
"""Seconds between requests for a transaction's owner."""
FIND_SECONDS = 5.0
"""Seconds between checks for missing topics and new partitions."""
QUIET_MS = 1_500
"""After this time without a change the same numbers are sent again: they are not stale."""


def read_so_far(run: Run) -> dict[str, list[int]]:
    """The offsets of the epoch at the start of the run, if known: they show the lag from the start."""
    plan = run.read_plan()
    starts = {name: facts.start for name, facts in plan.topics.items() if min(facts.start, default=-1) >= 0}
    earlier = run.job.runs.filter(epoch=run.epoch, generation__lt=run.generation).exclude(offsets={})
    last = earlier.order_by("-generation").first()
    return starts | {name: offsets for name, offsets in (last.offsets if last else {}).items() if name in plan.topics}


def change(before: Topic, now: Topic | None) -> Change | None:
    """The change of a topic."""
    if now is None:
        return "gone"
    if now.id != before.id:
        return "recreated"
    return "partitions" if now.partitions != before.partitions else None


def repeat(act: Callable[[], None], stopping: threading.Event, seconds: float, trouble: str) -> None:
    """Call `act` every so many seconds, until `stopping` is set. No error ends this: the next call may go well.

    An error that comes again with each call is logged once.
    """
    logged = ""
    while not stopping.is_set():
        started_at = time.monotonic()
        try:
            act()
            logged = ""
        except Exception as error:
            if repr(error) != logged:
                log.warning("%s: %s", trouble, error, exc_info=not isinstance(error, Refusal))
            logged = repr(error)
        stopping.wait(max(0.1, seconds - (time.monotonic() - started_at)))


class Reporter:
    """Folds a run's events, asks Kafka for its topics' ends, and posts changes."""

    def __init__(self, run: Run, outbox: LiveOutbox) -> None:
        plan = run.connect_plan()
        self.job_id = run.job_id
        self.outbox = outbox
        nodes = [node["id"] for node in plan.graph["nodes"]]
        self.numbers = Numbers(
            nodes, plan.topics, read_steady_clock(), plan.settings.batch_interval_ms, (run.id, run.generation)
        )
        so_far = read_so_far(run)
        self.begins = {name: facts.start for name, facts in plan.topics.items() if name not in so_far}
        """Where the epoch begins, of topics whose offsets are not known yet: at their first records."""
        self.numbers.positions |= {
            name: TopicPosition(so_far.get(name, ()), plan.silent_until.get(name, ()))
            for name in {*plan.topics, *so_far}
        }
        self.cluster = KafkaCluster.of(plan.kafka)
        self.topics = {name: Topic(name, facts.id, facts.partitions) for name, facts in plan.topics.items()}
        self.first_topics: dict[str, Topic] = {}
        """The topics as the run found them. One already gone is as in the plan."""
        self.topics_found_at = -math.inf
        self.named_at = -math.inf
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.sent_numbers: RunNumbers | None = None
        self.sent_at = self.pointed_at = 0
        self.threads = [
            threading.Thread(target=self._tick_on, daemon=True, name="live-ticks"),
            threading.Thread(target=self._poll_on, daemon=True, name="live-lag"),
        ]
        for thread in self.threads:
            thread.start()

    def hear(self, event: Event) -> None:
        with self.lock:
            if event["type"] == "progress":
                self.numbers.note_progress(event, read_steady_clock())
            elif event["type"] == "beat":
                self.numbers.note_beat(event["in_batch_ms"], read_steady_clock())
            elif event["type"] == "memory":
                self.numbers.memory = event["bytes"]
            elif event["type"] == "executors":
                self.numbers.executors = event["memory"]
            elif event["type"] == "executor_lost":
                self.numbers.note_lost(event["executor"], read_steady_clock())
            elif event["type"] == "schemas":
                self.numbers.note_schemas(event["waiting"])

    def close(self) -> None:
        """Send the last numbers, then end."""
        self.stopping.set()
        self.threads[0].join(2.0)
        self.tick(is_last=True)

    def tick(self, is_last: bool = False) -> None:
        now = read_steady_clock()
        with self.lock:
            numbers = self.numbers.to_json(now, read_clock())
        changes = find_changes(self.sent_numbers, numbers)
        if set(changes) == {"at"} and now - self.sent_at < QUIET_MS and not is_last:
            return
        due = now - self.pointed_at >= POINT_MS
        update = LiveUpdate(self.job_id, make_progress_event(changes), numbers, make_point(numbers) if due else None)
        self.outbox.post(update)
        self.sent_numbers, self.sent_at = numbers, now
        self.pointed_at = now if due else self.pointed_at

    def _tick_on(self) -> None:
        self.stopping.wait(TICK_SECONDS)
        repeat(self.tick, self.stopping, TICK_SECONDS, "The live numbers are not sent")

    def _poll_on(self) -> None:
        repeat(self._poll, self.stopping, POLL_SECONDS, "The lag is not known")

    def _poll(self) -> None:
        """It reads the uncommitted ends first, so that records committed in between do not count as waiting."""
        self._find_topics()
        self._find_begins()
        highs = self.cluster.read_high_watermarks(self.topics.values())
        ends = self.cluster.end_offsets(self.topics.values())
        with self.lock:
            self.numbers.reach(ends, highs, read_steady_clock())
        self._name_holders()

    def _find_begins(self) -> None:
        """The offsets of an epoch that has not committed a batch: its lag is known, although the first takes long."""
        if not self.begins:
            return
        firsts = self.cluster.start_offsets([self.topics[name] for name in self.begins])
        with self.lock:
            for name, starts in self.begins.items():
                position = self.numbers.positions[name]
                pairs = zip(starts, firsts[name], strict=False)
                position.offsets = position.offsets or [first if start < 0 else start for start, first in pairs]
        self.begins = {}

    def _name_holders(self) -> None:
        """Finds the owner of a transaction that holds up a source. Unknown if brokers do not say."""
        with self.lock:
            now, positions = read_steady_clock(), self.numbers.positions
            partitions = {name: each.find_held_partition(now) for name, each in positions.items()}
        if not any(number is not None for number in partitions.values()):
            self.named_at = -math.inf
        elif time.monotonic() - self.named_at >= NAME_SECONDS:
            self.named_at = time.monotonic()
            for name, partition in partitions.items():
                holder = None if partition is None else self._find_holder(name, partition)
                with self.lock:
                    self.numbers.positions[name].held_by = holder

    def _find_holder(self, topic: str, partition: int) -> HeldBy | None:
        try:
            transaction = open_transaction(self.cluster, topic, partition)
        except (BrokerError, Refusal) as error:
            log.warning("Whose transaction holds up %s is not known: %s", topic, error)
            return None
        return transaction and {
            "partition": partition,
            "producer_id": transaction.producer_id,
            "transactional_id": transaction.transactional_id,
            "since": transaction.since,
            "timeout_ms": transaction.timeout_ms,
        }

    def _find_topics(self) -> None:
        """A topic may disappear or get more partitions. A batch that has read those reports them first."""
        with self.lock:
            read = {name: len(position.offsets) for name, position in self.numbers.positions.items()}
        is_known = all(topic.partitions >= read.get(name, 0) for name, topic in self.topics.items())
        if is_known and time.monotonic() - self.topics_found_at < FIND_SECONDS:
            return
        topics = self.cluster.find(list(self.topics))
        self.first_topics = self.first_topics or self.topics | topics
        self.topics |= topics
        self.topics_found_at = time.monotonic()
        with self.lock:
            for name, first in self.first_topics.items():
                self.numbers.positions[name].change = change(first, topics.get(name))
