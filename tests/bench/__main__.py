"""`make bench`: measures the product as a user runs it, and writes docs/benchmarks.md.

Everything shares the machine: broker, product, load and measuring consumer. Nothing else should run beside it.
"""

from __future__ import annotations

import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psutil

from tests.bench.latency import latencies
from tests.bench.watching import Watch, batches
from tests.proof.product import ROOT, Product, consumer

REPORT = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- bench -->\n", "<!-- /bench -->\n"
ROUNDS = 8
KILLS = 3
FLIGHTS = 336_776
Row = tuple[str, str, str]


def main() -> None:
    rows: list[Row] = []
    with home() as folder:
        product = Product(folder)
        rows.append(("cold start of `manage.py up --empty`, after the install", *seconds(product.start)))
        rows.append(("stop", f"{product.stop():.1f} s", "Ctrl-C to the end of every process"))
        rows.append(("warm start", *seconds(product.start)))
        try:
            for row in running(product):
                print(*row, sep=" | ", flush=True)
                rows.append(row)
        finally:
            product.stop()
    write(rows)


def running(product: Product) -> Iterator[Row]:
    product.feed("--tables-only").wait()
    product.feed("--rate", "0", "--loop", "--max", str(ROUNDS * FLIGHTS)).wait()
    job, first_output = deployed(product)
    yield "deploy to first output", f"{first_output:.1f} s", "POST to the first committed record of `delays-by-airport`"
    watch = Watch(product, job)
    found = batches(watch, until=lambda: product.lag(job) == 0)
    first, last = found[0], found[-1]
    rate = (last.records - first.records) / (last.at - first.at) * 1_000
    about = f"{last.records - first.records:,} records in {len(found) - 1} batches behind the first, exactly once"
    yield "throughput of the sample", f"{rate:,.0f} records/s", about
    memory = sum(process.memory_full_info().pss for process in product.processes()) / 2**30
    yield "memory", f"{memory:.2f} GiB", "PSS of all processes, after the throughput run"
    yield "back after kill -9", *recoveries(product, job)
    times, small = latencies(product, watch)
    cut = statistics.quantiles(times, n=100)
    about = f"{len(times):,} records of `late-flights` at 1,000 flights/s, produce() to a read_committed consumer"
    yield "latency p50 / p95 / p99", " / ".join(f"{cut[at - 1]:.0f} ms" for at in (50, 95, 99)), about
    durations = [batch.duration_ms for batch in small]
    yield "batch overhead", f"{statistics.median(durations):.0f} ms", f"median of {len(durations)} batches at 1,000/s"


def deployed(product: Product) -> tuple[int, float]:
    """The job and the seconds until its first output can be read."""
    began = time.monotonic()
    job = product.deploy_sample("flight-delays")
    product.wait_for_status(job, "running", "restoring", seconds=120)
    with consumer(product.kafka, "delays-by-airport") as reader:
        while True:
            message = reader.poll(0.1)
            if message is not None and message.error() is None:
                return job, time.monotonic() - began


def recoveries(product: Product, job: int) -> tuple[str, str]:
    """Seconds from a kill of the run's process to the next run's first committed batch, while flights keep coming."""
    feed = product.feed("--rate", "500", "--loop")
    found = [recovery(product, job) for _ in range(KILLS)]
    feed.terminate()
    feed.wait()
    return (
        f"{statistics.median(found):.1f} s",
        f"to the next committed batch; median of {KILLS}, longest {max(found):.1f} s",
    )


def recovery(product: Product, job: int) -> float:
    product.wait(lambda: product.batch(job) is not None, 120, "a batch")
    time.sleep(5)
    generation, began = product.job(job)["generation"], time.monotonic()
    product.kill("runner.spark")
    product.wait(lambda: product.job(job)["generation"] > generation, 60, "the next run")
    product.wait(lambda: product.batch(job) is not None, 120, "the run to be back")
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


def write(rows: list[Row]) -> None:
    """Put the new figures where the old ones stood."""
    table = [f"Measured {datetime.now(UTC):%Y-%m-%d} with `make bench` at `{commit()}` on {machine()}.\n\n"]
    table += ["| what | figure | how |\n|---|---|---|\n", *(f"| {' | '.join(row)} |\n" for row in rows)]
    text = REPORT.read_text()
    before, rest = text.split(BEGIN)
    REPORT.write_text(before + BEGIN + "".join(table) + END + rest.split(END)[1])
    print("".join(table))


def machine() -> str:
    memory = psutil.virtual_memory().total / 2**30
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{psutil.cpu_count()} cores, {memory:.0f} GiB, {system}"


def commit() -> str:
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    main()
