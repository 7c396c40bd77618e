"""`make bench`: measures the product as a user runs it, and keeps the figures in docs/benchmarks.json.

`python -m tests.bench PART` measures one part: `start`, `canvas`, `running`, `rivals`, `latency`, `one-run`, `batch`,
`preview`, `idle`, `follow`, `state`, `growth` or `beside`. `rivals` also takes `--records`, `--rounds` and `--cases`,
`beside` takes `--rounds`.
Everything shares the machine: broker, product, load and measuring consumer. Nothing else should run beside it.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from confluent_kafka import TopicPartition

from runner.kafka import KafkaCluster
from tests.bench import rivals
from tests.bench.batch import small_batches
from tests.bench.beside import ROUNDS as BESIDE_ROUNDS
from tests.bench.beside import beside
from tests.bench.canvas import feel, script_bytes, walk
from tests.bench.figures import Row, keep
from tests.bench.follow import follow
from tests.bench.growth import growth
from tests.bench.idle import idle
from tests.bench.latency import Load, latencies
from tests.bench.one_run import one_run
from tests.bench.preview import preview
from tests.bench.rival_latency import latency_aside
from tests.bench.state import large_state
from tests.bench.watching import Watch, batches
from tests.e2e.journey import AIM_SECONDS
from tests.proof.product import ROOT, Product, consumer

ROUNDS = 8
KILLS = DEPLOYS = 3
FLIGHTS = 336_776
COLD_MB = 1_024
"""A size that no process is started ahead for."""
PARTS: dict[str, Callable[[Product], Iterator[Row]]] = {
    "rivals": rivals.side_by_side,
    "latency": latency_aside,
    "one-run": one_run,
    "batch": small_batches,
    "preview": preview,
    "idle": idle,
    "follow": follow,
    "state": large_state,
    "growth": growth,
    "beside": beside,
}


def main() -> None:
    rows: list[Row] = []
    with home() as folder:
        product = Product(folder, standby=True)
        try:
            rows += printed(start(product))
            rows += printed(canvas(product))
            rows += printed(running(product))
        finally:
            product.stop()
        product.standby = False
        product.start()
        try:
            for part in PARTS.values():
                rows += printed(part(product))
        finally:
            product.stop()
    keep(rows)


def printed(rows: Iterator[Row]) -> Iterator[Row]:
    """The rows, printed as they come."""
    for row in rows:
        print(*row, sep=" | ", flush=True)
        yield row


def start(product: Product) -> Iterator[Row]:
    """Rows about a product that never ran before. It runs afterwards."""
    yield "cold start of `manage.py up --empty`, after the install", *seconds(product.start)
    yield "stop", f"{product.stop():.1f} s", "Ctrl-C to the end of every process"
    yield "warm start", *seconds(product.start)
    product.feed("--tables-only").wait()
    feed = product.feed("--rate", "500", "--loop")
    yield "deploy to first output, warm", *first_outputs(product, "warm", aim=1.5)
    yield "deploy to first output, cold", *first_outputs(product, "cold", aim=6, memory_mb=COLD_MB)
    feed.terminate()
    feed.wait()


def running(product: Product) -> Iterator[Row]:
    """Rows about the sample: its throughput, memory, way back after a kill, and latency."""
    product.feed("--tables-only").wait()
    product.feed("--rate", "0", "--loop", "--max", str(ROUNDS * FLIGHTS)).wait()
    job, _ = deployed(product, "backlog")
    watch = Watch(product, job)
    found = batches(watch, until=lambda: product.lag(job) == 0)
    first, last = found[0], found[-1]
    rate = (last.records - first.records) / (last.at - first.at) * 1_000
    about = f"{last.records - first.records:,} records in {len(found) - 1} batches behind the first, exactly once"
    yield "throughput of the sample", f"{rate:,.0f} records/s", about
    memory = sum(process.memory_full_info().pss for process in product.processes()) / 2**30
    yield "memory", f"{memory:.2f} GiB", "PSS of all processes, after the throughput run"
    yield "back after kill -9", *recoveries(product, job)
    yield from latency_rows(product, watch, Load(0, 10), "in the first minute")
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")
    job, _ = deployed(product, "one-slot", slots=1)
    watch = Watch(product, job)
    product.wait(lambda: product.lag(job) == 0, "the backlog to be read")
    yield from latency_rows(product, watch, Load(100_000, 120), "one slot, warm")
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")


def latency_rows(product: Product, watch: Watch, load: Load, name: str) -> Iterator[Row]:
    times, small = latencies(product, watch, load)
    cut = statistics.quantiles(times, n=100)
    about = f"{len(times):,} records of `late-flights` at 1,000 flights/s, produce() to a read_committed consumer"
    yield f"latency, {name}: p50 / p95 / p99", " / ".join(f"{cut[at - 1]:.0f} ms" for at in (50, 95, 99)), about
    durations = [batch.duration_ms for batch in small]
    about = f"median of {len(durations)} batches at 1,000/s"
    yield f"a batch, {name}", f"{statistics.median(durations):.0f} ms", about


def first_outputs(product: Product, name: str, *, aim: float, **settings: int) -> tuple[str, str]:
    """Seconds to the first output of a job deployed while 500 flights a second come, thrice; each is stopped again."""
    found = []
    for number in range(DEPLOYS):
        product.wait(product.standby_is_ready, "a standby that is ready")
        job, took = deployed(product, f"{name}-{number}", **settings)
        found.append(took)
        product.post(f"/jobs/{job}/stop")
        product.wait_for_status(job, "stopped")
    about = "of `delays-by-airport`, from the answer to the POST; median of " + ", ".join(f"{one:.1f}" for one in found)
    return f"{statistics.median(found):.1f} s", f"{about}; aim ≤ {aim} s"


def canvas(product: Product) -> Iterator[Row]:
    """Input to paint and frames, while 500 flights a second go through the wide topology."""
    product.feed("--tables-only").wait()
    feed = product.feed("--rate", "500", "--loop")
    try:
        scripts = script_bytes(product)
        yield "scripts of Home", f"{scripts / 1_000:.0f} kB", "as sent, with all that it loads ahead; aim ≤ 150 kB"
        journey = walk(product)
        about = f"{journey.actions} actions, of it {journey.waited_s:.1f} s after the last; aim ≤ {AIM_SECONDS:.0f} s"
        yield "journey from an empty canvas to live results", f"{journey.seconds:.1f} s", about
        felt = feel(product)
    finally:
        feed.terminate()
        feed.wait()
    about = f"{len(felt.paints)} moves, clicks and keys on 1,000 nodes with live numbers, Chromium without a GPU"
    yield "input to paint, p95", f"{felt.p95:.0f} ms", f"{about}; aim ≤ 25 ms"
    about = f"one of 1,000 nodes dragged, numbers live, their job beside it; longest {felt.dragged.longest_ms:.0f} ms"
    yield "frames a second", f"{felt.dragged.a_second:.0f}", about
    about = f"walking over 1,000 nodes by the wheel, numbers live; longest {felt.panned.longest_ms:.0f} ms"
    yield "frames a second of a walk", f"{felt.panned.a_second:.0f}", about
    about = f"from the key to the frame with 1,000 nodes, numbers live; longest {felt.fitted.longest_ms:.0f} ms"
    yield "Fit", f"{felt.fit_ms:.0f} ms", f"{about}; {felt.fitted.a_second:.0f} frames in its second"


def deployed(product: Product, name: str, **settings: Any) -> tuple[int, float]:
    """The job and the seconds until its first output can be read."""
    cluster, topic = KafkaCluster(product.kafka), "delays-by-airport"
    starts = [end for found in cluster.end_offsets(cluster.find([topic]).values()).values() for end in found]
    job = product.deploy_sample(name, **settings)
    began = time.monotonic()
    while not (facts := cluster.find([topic])):
        time.sleep(0.02)
    with consumer(product.kafka, topic) as reader:
        places = range(facts[topic].partitions)
        reader.assign([TopicPartition(topic, n, starts[n] if starts else 0) for n in places])
        while True:
            message = reader.poll(0.05)
            if message is not None and message.error() is None:
                return job, time.monotonic() - began


def recoveries(product: Product, job: int) -> tuple[str, str]:
    """Seconds from a kill of a run's processes to the next run's first committed batch, while flights keep coming."""
    feed = product.feed("--rate", "500", "--loop")
    found = [recovery(product, job) for _ in range(KILLS)]
    feed.terminate()
    feed.wait()
    return (
        f"{statistics.median(found):.1f} s",
        f"to the next committed batch; median of {KILLS}, longest {max(found):.1f} s",
    )


def recovery(product: Product, job: int) -> float:
    product.wait(lambda: product.batch(job) is not None, "a batch")
    product.wait(product.standby_is_ready, "a standby that is ready")
    generation, began = product.job(job)["generation"], time.monotonic()
    product.post(f"/jobs/{job}/kill-run")
    product.wait(lambda: product.job(job)["generation"] > generation, "the next run")
    product.wait(lambda: product.batch(job) is not None, "the last committed batch")
    last = product.batch(job) or 0
    product.wait(lambda: (product.batch(job) or 0) > last, "the next committed batch")
    return time.monotonic() - began


def seconds(start: Callable[[], None]) -> tuple[str, str]:
    began = time.monotonic()
    start()
    return f"{time.monotonic() - began:.1f} s", "to the printed address, signed in"


@contextmanager
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="bench-", dir=ROOT / ".run"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def only(part: Callable[[Product], Iterator[Row]], *, standby: bool = False, is_first: bool = False) -> None:
    """Measures one part; one that `is_first` starts the product itself."""
    with home() as folder:
        product = Product(folder, standby=standby)
        if not is_first:
            product.start()
        try:
            keep(list(printed(part(product))))
        finally:
            product.stop()


def parse() -> Namespace:
    parser = ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("part", nargs="?", choices=["start", "canvas", "running", *PARTS])
    parser.add_argument("--records", type=int, default=rivals.RECORDS)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--cases", nargs="*", default=[], choices=[case.name for case in rivals.CASES])
    return parser.parse_args()


if __name__ == "__main__":
    asked = parse()
    match asked.part:
        case None:
            main()
        case "start":
            only(start, standby=True, is_first=True)
        case "canvas":
            only(canvas, standby=True)
        case "running":
            only(running, standby=True)
        case "rivals":
            rounds = asked.rounds or rivals.ROUNDS
            only(lambda product: rivals.side_by_side(product, asked.records, rounds, asked.cases))
        case "beside":
            only(lambda product: beside(product, asked.rounds or BESIDE_ROUNDS))
        case part:
            only(PARTS[part])
