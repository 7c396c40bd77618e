"""One small batch, step by step: `python -m tests.bench batch`.

The runs alone, without drive and web, on the product's broker. Each round sends 100 orders to one run and waits for
their results, and the runs take turns. The times of steps depend on the machine and on what else runs there. The
processor time of a batch, its calls and its files hardly do.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from confluent_kafka import Consumer, Producer

from designer.topology.graph import Graph
from tests.bench import orders
from tests.bench.counted_run import VARIABLE
from tests.bench.rivals import PARTITIONS
from tests.bench.workloads import graph
from tests.proof.product import Product, consumer
from tests.runner.spark.runs import Child, World, started

RECORDS = 100
"""Orders of a batch."""
FIRST = 20_000
"""Orders of the first batch, so that the measured ones are not the first of a store."""
WARM_UP, ROUNDS, TURN = 100, 100, 20
MOST = FIRST + (WARM_UP + ROUNDS) * RECORDS
SPARK_STEPS = {"latestOffset": "ask for the ends", "walCommit": "record the offsets", "queryPlanning": "plan"}
STAGE_STEPS = {
    "load_ms": "tasks: load the state in Python",
    "engine_ms": "tasks: process the records",
    "save_ms": "tasks: save the state from Python",
}
BATCH_OF_JOB = "streaming.sql.batchId"
COUNTS = ("calls to the JVM", "files", "writes of Java")
KINDS = {
    "runner.spark.session.daemon": "workers",
    "runner.spark.session.fork_server": "source",
    "tests.bench.counted_run": "run",
}
"""What a Python process of a run is, by a module on its command line."""
Row = tuple[str, str, str]


class Case(NamedTuple):
    """A workload, and on how many slots it runs."""

    workload: str
    slots: int

    def __str__(self) -> str:
        return f"{self.workload}, {'one slot' if self.slots == 1 else f'{self.slots} slots'}"


CASES = (Case("W2", 1), Case("W2", 2), Case("W1", 1))
"""W1 has no state."""


def small_batches(product: Product) -> Iterator[Row]:
    """Rows of the report: what a batch of each case costs, then where its time goes, as Spark's event log tells it."""
    yield from costs(product.kafka, product.home)
    yield from steps(product.kafka, product.home)


def costs(servers: str, home: Path) -> Iterator[Row]:
    """How long a reader waits for a batch, its processor time, and what it makes."""
    with _warm_runs(servers, home) as runs:
        waits, spent = defaultdict[Case, list[float]](list), defaultdict[Case, list[Mapping[str, float]]](list)
        for _ in range(ROUNDS // TURN):
            for case, run in runs.items():
                before = run.spent()
                waits[case] += run.rounds(TURN)
                spent[case].append({what: cost - before.get(what, 0.0) for what, cost in run.spent().items()})
    load = f"load {os.getloadavg()[0]:.1f}"
    for case in runs:
        cut = statistics.quantiles(waits[case], n=20)
        about = (
            f"from produce() to a committed result; median of {ROUNDS} after {WARM_UP} others, 95 %: {cut[18]:.0f} ms"
        )
        yield f"a batch of {RECORDS} records until it is read, {case}", f"{cut[9]:.0f} ms", f"{about}; {load}"
        yield from _cost_rows(case, spent[case])


def steps(servers: str, home: Path) -> Iterator[Row]:
    """The steps of a batch on the way of its records, one after the other. Each is printed on a line of its own."""
    with _warm_runs(servers, home, is_logged=True) as runs:
        for _ in range(ROUNDS // TURN):
            for run in runs.values():
                run.rounds(TURN)
        for case, run in runs.items():
            found = run.steps(ROUNDS)
            about = ", ".join(f"{step} {took:.0f}" for step, took in found.items())
            print(f"{case}, load {os.getloadavg()[0]:.1f}:")
            for step, took in found.items():
                print(f"{took:8.1f} ms  {step}", flush=True)
            yield (
                f"a batch's steps, {case}",
                f"{sum(found.values()):.0f} ms",
                f"medians with Spark's event log: {about}",
            )


def _cost_rows(case: Case, turns: Sequence[Mapping[str, float]]) -> Iterator[Row]:
    a_batch = {what: statistics.median(turn.get(what, 0.0) for turn in turns) / TURN for what in turns[0]}
    processes = {kind: cost for kind, cost in a_batch.items() if "/" not in kind and kind not in COUNTS}
    threads = sorted(((cost, kind) for kind, cost in a_batch.items() if "/" in kind), reverse=True)
    about = ", ".join(f"{kind} {cost:.0f}" for kind, cost in processes.items())
    about += "; " + ", ".join(f"{kind} {cost:.1f}" for cost, kind in threads[:8])
    yield f"a batch's processor time, {case}", f"{sum(processes.values()):.0f} ms", about
    made = ", ".join(f"{a_batch[what]:.0f} {what}" for what in COUNTS[1:])
    yield f"a batch's {COUNTS[0]}, {case}", f"{a_batch[COUNTS[0]]:.0f}", f"also {made}"


@dataclass
class Run:
    """A run that reads the orders of `topic` as they are sent, and counts what its batches make."""

    world: World
    child: Child
    producer: Producer
    topic: str
    output: str
    orders: Iterator[orders.Record] = field(default_factory=lambda: orders.orders(MOST))
    sent: int = 0
    files: set[Path] = field(default_factory=set)
    new_files: int = 0

    def send(self, count: int) -> None:
        """Sends the next orders."""
        for key, value, at in islice(self.orders, count):
            self.producer.produce(self.topic, value, key, timestamp=at)
        assert self.producer.flush(20) == 0
        self.sent += count

    def rounds(self, count: int) -> list[float]:
        """Milliseconds from produce() until a consumer of committed records has the first result, for each round."""
        found = []
        with consumer(self.world.servers, self.output) as reader:
            _read_on(reader)
            for _ in range(count):
                began = time.monotonic()
                self.send(RECORDS)
                while (message := reader.poll(1.0)) is None or message.error() is not None:
                    continue
                found.append((time.monotonic() - began) * 1_000)
                self.child.wait_for_offsets(self.topic, self.sent)
                _read_on(reader)
                self._count_files()
        return found

    def spent(self) -> dict[str, float]:
        """Processor time so far (ms) by kind of process and, with a slash, by thread of Java; and COUNTS."""
        spent = defaultdict[str, float](float)
        for process in psutil.process_iter():
            try:
                if os.getsid(process.pid) == self.child.popen.pid:
                    _add_spent(spent, process)
            except (psutil.Error, ProcessLookupError, FileNotFoundError):  # it, or a thread of it, has just ended
                continue
        calls = (self.world.folder / "calls").read_text().split()
        return spent | {"calls to the JVM": float(calls[-1]), "files": float(self.new_files)}

    def steps(self, count: int) -> dict[str, float]:
        """Median milliseconds of the steps of the newest batches."""
        events = [each for each in self.child.of_type("progress") if each["records_in"]][-count:]
        return read_steps(self.world.folder / "events", {each["batch"]: each for each in events})

    def _count_files(self) -> None:
        now = set((self.world.folder / "checkpoint-1").rglob("*"))
        self.new_files += len(now - self.files) if self.files else 0
        self.files = now


def _read_on(reader: Consumer) -> None:
    """Reads everything that is committed so far."""
    while reader.consume(10_000, timeout=0.05):
        continue


def _add_spent(spent: dict[str, float], process: psutil.Process) -> None:
    kind = _find_kind(process)
    spent[kind] += sum(process.cpu_times()[:2]) * 1_000
    if kind == "Java":
        spent["writes of Java"] += process.io_counters().write_count
        for thread in process.threads():
            name = (Path(f"/proc/{process.pid}/task/{thread.id}/comm")).read_text().strip()
            spent[f"Java/{name.rstrip('0123456789-# ')}"] += (thread.user_time + thread.system_time) * 1_000


def _find_kind(process: psutil.Process) -> str:
    if process.name() == "java":
        return "Java"
    command = process.cmdline()
    return next((kind for module, kind in KINDS.items() if module in command), "others")


@contextmanager
def _warm_runs(servers: str, home: Path, *, is_logged: bool = False) -> Iterator[dict[Case, Run]]:
    """A run for each case, after the same number of batches."""
    with ExitStack() as stack:
        runs = {case: stack.enter_context(running(servers, home, case, is_logged=is_logged)) for case in CASES}
        for run in runs.values():
            run.rounds(WARM_UP)
        yield runs


@contextmanager
def running(servers: str, home: Path, case: Case, *, is_logged: bool = False) -> Iterator[Run]:
    """A run of a case that has read its first batch. With `is_logged`, Spark writes down what happens in it."""
    with tempfile.TemporaryDirectory(dir=home) as folder:
        world = World(servers, Path(folder))
        topic, output = world.topic("orders", PARTITIONS), world.topic("results", PARTITIONS)
        drawn = Graph.from_json(graph(case.workload, topic, output))
        plan = world.plan(drawn, [topic], slots=case.slots)
        environment = {VARIABLE: f"{folder}/calls"} | (_log_events(world.folder) if is_logged else {})
        with started(plan, module="tests.bench.counted_run", **environment) as child:
            producer = Producer({"bootstrap.servers": servers, "linger.ms": 0, "partitioner": "murmur2_random"})
            run = Run(world, child, producer, topic, output)
            run.send(FIRST)
            child.wait_for_offsets(topic, FIRST)
            yield run
            child.stop()


def _log_events(folder: Path) -> dict[str, str]:
    """The environment in which Spark writes its events into `events`."""
    for name in ("events", "conf"):
        (folder / name).mkdir()
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
    }
    lines = "".join(f"{name} {value}\n" for name, value in settings.items())
    (folder / "conf" / "spark-defaults.conf").write_text(lines)
    return {"SPARK_CONF_DIR": str(folder / "conf")}


@dataclass
class Job:
    """A job of Spark: its batch, when it was submitted (ms), its stages, and when its tasks began and ended."""

    batch: int
    submitted_at: int
    stages: Sequence[int]
    tasks: list[tuple[int, int]] = field(default_factory=list)


def read_steps(folder: Path, batches: Mapping[int, Mapping[str, Any]]) -> dict[str, float]:
    """Median milliseconds of each step of these batches: Spark's event log beside the run's own `progress` events."""
    (log,) = folder.iterdir()
    jobs: list[Job] = []
    found = defaultdict[str, list[float]](list)
    for event in map(json.loads, log.read_text().splitlines()):
        kind = event["Event"]
        if kind == "SparkListenerJobStart" and BATCH_OF_JOB in (event.get("Properties") or {}):
            jobs.append(Job(int(event["Properties"][BATCH_OF_JOB]), event["Submission Time"], event["Stage IDs"]))
        elif kind == "SparkListenerTaskEnd":
            times = event["Task Info"]["Launch Time"], event["Task Info"]["Finish Time"]
            for job in jobs:
                job.tasks += [times] if event["Stage ID"] in job.stages else []
        elif kind.endswith("$QueryProgressEvent") and (batch := event["progress"]["batchId"]) in batches:
            own = [job for job in jobs if job.batch == batch and job.tasks]
            for step, took in _split(event["progress"], batches[batch], own):
                found[step].append(took)
            jobs = [job for job in jobs if job.batch > batch]
    return {step: statistics.median(times) for step, times in found.items()}


def _split_tasks(
    took: float, operators: Sequence[Mapping[str, Any]], phases: Mapping[str, float]
) -> Iterator[tuple[str, float]]:
    """What tasks do: in Python, in Spark's state store after it, and everything else in Java and between the two."""
    steps = {step: phases[phase] for phase, step in STAGE_STEPS.items() if phase in phases}
    if operators:
        # Spark adds up the times of tasks that work side by side
        steps["tasks: commit the state"] = sum(
            each["commitTimeMs"] / each["numShufflePartitions"] for each in operators
        )
    yield from steps.items()
    yield "tasks: Spark, and the way to Python", took - sum(steps.values())


def _split(spark: Mapping[str, Any], run: Mapping[str, Any], jobs: Sequence[Job]) -> Iterator[tuple[str, float]]:
    """Names and milliseconds of the steps of a batch, from its trigger to its commit in Kafka."""
    at = datetime.fromisoformat(spark["timestamp"].replace("Z", "+00:00")).timestamp() * 1_000
    for name, step in SPARK_STEPS.items():
        yield step, spark["durationMs"][name]
        at += spark["durationMs"][name]
    submitted_at = min(job.submitted_at for job in jobs)
    launched_at = min(began for job in jobs for began, _ in job.tasks)
    done_at = max(ended for job in jobs for _, ended in job.tasks)
    processed_at = run["started_at"] + run["phases"]["process_ms"]
    produced_at = processed_at + run["phases"]["produce_ms"]
    yield "call foreachBatch", run["started_at"] - at
    yield "plan the collection", submitted_at - run["started_at"]
    yield "schedule", launched_at - submitted_at
    yield from _split_tasks(done_at - launched_at, spark["stateOperators"], run["phases"])
    yield "collect", processed_at - done_at
    yield "produce", produced_at - processed_at
    yield "marker and commit", run["committed_at"] - produced_at
