"""How each side of the comparison catches up with the orders: this product, Kafka Streams, Flink SQL."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from tests import java as java_tests
from tests.bench import orders
from tests.bench.formats import write_source
from tests.bench.meter import Meter, below
from tests.bench.watching import Watch, batches
from tests.bench.workloads import NOTE, Json, graph
from tests.java import compiled
from tests.proof.product import ROOT, Product
from webapp.local.java import find_java

OURS, OURS_AT_LEAST_ONCE, FLINK = "Streamwright", "Streamwright at_least_once", "Flink SQL"
EXACTLY_ONCE, AT_BEST, AT_LEAST_ONCE = "exactly_once_v2", "exactly_once_v2 at its best", "at_least_once"
CORES = os.cpu_count() or 1
SETTINGS = {"records_per_batch": 500_000, "batch_size_mb": 1_024}
"""Of our job, for the catch-up."""
STREAMS_SETTINGS: Mapping[str, Mapping[str, str | int]] = {
    EXACTLY_ONCE: {"processing.guarantee": "exactly_once_v2"},
    AT_BEST: {
        "processing.guarantee": "exactly_once_v2",
        "num.stream.threads": CORES,
        "commit.interval.ms": 1_000,
        "statestore.cache.max.bytes": 128 * 2**20,
        "producer.batch.size": 2**17,
        "main.consumer.max.poll.records": 5_000,
    },
    AT_LEAST_ONCE: {"processing.guarantee": "at_least_once"},
}
"""Beside the defaults of Kafka Streams; the program sets four threads."""
NEEDED_SETTINGS: Mapping[str, Mapping[str, str | int]] = {"stream join": {"max.task.idle.ms": 2_000}}
"""Kafka Streams reads one topic far ahead of the other while it catches up: with a short grace it drops the rest."""
SOURCES = Path(__file__).with_name("streams")
FLINK_FILES = Path(__file__).with_name("flink")
MAX_SECONDS = 1_800


class Point(NamedTuple):
    """The part of the orders (0 to 1) that was read at a time (ms)."""

    at: float
    part: float


class Ran(NamedTuple):
    """A catch-up: when its first record was read (ms), how far it was later, what it cost.

    `points` is empty if only the results tell how far it was; `first_ms` is then 0.
    """

    first_ms: float
    points: Sequence[Point]
    meter: Meter


class Task(NamedTuple):
    """A catch-up: of which workload, from which orders to which topic, and how many orders there are."""

    workload: str
    orders: str
    output: str
    records: int
    padded: bool = False
    format: str = "json"


Side = Callable[[Product, Task], Ran]


def ours(product: Product, task: Task, **settings: str) -> Ran:
    """Deploys, waits for the end, stops."""
    drawn = graph(*task[:3], NOTE if task.padded else {}, write_source(task.format))
    job = deployed(product, drawn, task.output, {**SETTINGS, **settings})

    (supervisor,) = product.wait(lambda: product.processes("webapp", "supervise"), "the run's processes")
    with Meter(lambda: below(supervisor)) as meter:
        seen = batches(Watch(product, job), until=lambda: product.lag(job) == 0)
    steps = {step["step"]: step["at"] for step in product.job(job)["steps"]}
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")
    # live numbers may miss the first batch, which is short; its step begins a little too early
    first_ms = seen[0].at - seen[0].duration_ms if seen[0].number == 0 else float(steps["first_batch"])
    return Ran(first_ms, [Point(batch.at, batch.records / seen[-1].records) for batch in seen], meter)


def deployed(product: Product, drawn: Json, name: str, settings: Mapping[str, Any]) -> int:
    """The job of a new topology."""
    topology = product.post("/topologies", {"name": name, "graph": drawn})["id"]
    return int(product.post("/jobs/deploy", {"topology": topology, "settings": settings})["id"])


def kafka_streams(settings: Mapping[str, str | int]) -> Side:
    """Kafka Streams with these settings: it runs until it has processed everything."""

    def run(product: Product, task: Task) -> Ran:
        # the records through its threads: W3 also reads its tables and its own repartition topic
        through = {
            "W3": 2 * task.records + orders.CUSTOMERS,
            "W3-twice": 2 * (task.records + orders.CUSTOMERS),
            "stream join": 2 * task.records,
            "fraud": task.records + orders.CUSTOMERS,
            "word count": 4 * task.records,
        }
        last = through.get(task.workload, task.records)
        more = NEEDED_SETTINGS.get(task.workload, {})
        asked = f"{task.workload}:{task.format}", *task[1:3]
        said, meter = _carried_out(streams_command(product, *asked, {**settings, **more}, last))
        points = [Point(int(at), int(number) / last) for at, number in re.findall(r"PEER at (\d+) (\d+)", said)]
        assert points, said[-2_000:]
        return Ran(points[0].at, points, meter)

    return run


def streams_command(
    product: Product, workload: str, orders: str, output: str, settings: Mapping[str, str | int], through: int
) -> list[str]:
    """Kafka Streams on a workload, to its end after `through` records; 0: until it is terminated."""
    classes = compiled(SOURCES, product.home / "streams")
    command = [str(find_java()), "-Xmx2g", "-cp", classes, "bench.Main", workload, orders, "customers", output]
    command += [str(through), output, str(product.home / "streams-state"), product.kafka]
    return [*command, *(f"{name}={value}" for name, value in settings.items())]


def flink(product: Product, task: Task) -> Ran:
    """Flink SQL, which ends with the orders; its results alone tell how far it was."""
    state = product.home / "flink-state"
    (jar,) = java_tests.fetched("flink")
    script = str(FLINK_FILES / "catch_up.py")
    command = [str(flink_python()), script, task.workload, task.orders, "customers", task.output, product.kafka]
    _, meter = _carried_out([*command, str(CORES), str(state), str(jar)])
    shutil.rmtree(state, ignore_errors=True)
    return Ran(0, [], meter)


def flink_python() -> Path:
    """The Python of an environment with Flink, made when it is asked for."""
    environment = ROOT / ".run" / "flink"
    python, listed = environment / "bin" / "python", FLINK_FILES / "requirements.txt"
    uv = str(ROOT / ".run" / "boot" / "bin" / "uv")
    subprocess.run([uv, "venv", "-q", "--allow-existing", "--python", sys.executable, environment], check=True)
    subprocess.run([uv, "pip", "sync", "-q", "--require-hashes", "--python", python, listed], check=True)
    return python


def _carried_out(command: Sequence[str]) -> tuple[str, Meter]:
    """What a program printed by its end."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as program:
        timer = threading.Timer(MAX_SECONDS, program.kill)
        timer.start()
        with Meter(lambda: below(psutil.Process(program.pid))) as meter:
            said, _ = program.communicate()
        timer.cancel()
    assert program.returncode == 0, said[-2_000:]
    return said, meter


SIDES: Mapping[str, Side] = {
    OURS: ours,
    OURS_AT_LEAST_ONCE: partial(ours, guarantee="at_least_once"),
    **{name: kafka_streams(settings) for name, settings in STREAMS_SETTINGS.items()},
    FLINK: flink,
}
