"""`make soak SEED=1 COUNT=100`: long tests, hostile graphs, random cases, screens, faults, lost browsers, clocks that
are set, lack of memory, an upgrade, random lives of jobs, a cluster, its answers, what the page says of it, hosts that
die, alerts.

Prints each case that differs and each fault as it happens, so that a run can be told again from its seed. A last line
for each part says what it found. `--only faults` runs one part. With COUNT=2000 the faults last a day.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.proof.compare import all_flights_equal_the_oracle
from tests.proof.product import ROOT, Product, make_home
from tests.runner.engine.kernel.differential import KINDS
from tests.soak import brokers, clock, cluster, disconnects, hosts, memory
from tests.soak.alerts import wrong_alerts
from tests.soak.api import finds_faults_of
from tests.soak.exactness import differing_cases
from tests.soak.executors import see_loss
from tests.soak.freezing import FROZEN, freeze
from tests.soak.gallery import silent_applications
from tests.soak.graphs import costly
from tests.soak.lives import draw_lives, draw_upgraded_lives, failing_lives, failing_upgrades
from tests.soak.public_schemas import differing_schemas
from tests.soak.screens import differing_screens
from tests.soak.upgrade import last_release, upgrades
from webapp.local.kafka import Kafka
from webapp.local.parts import JARS, run_part

FLIGHTS = 336_776
CASES_A_FAULT = 10
GRAPHS_A_FAULT = 100
KERNEL_CASES_A_FAULT = 100
SECONDS_A_FAULT = 30
FAULTS_OF_HOSTS = 6
BROKER_ROUNDS = 3
MEMORY_ROUNDS = 5
PLACES = ("before-produce", "before-commit", "after-commit", "ahead")
PARTS = (
    "redis-server",
    "celery -A webapp worker",
    "celery -A webapp beat",
    "uvicorn",
    "-m webapp agent",
    "kafka.Kafka",
)
FAULTS = (
    *(f"die {place}" for place in PLACES),
    *(f"kill {part}" for part in PARTS),
    *["kill runner.spark"] * 4,
    *(f"freeze {part}" for part in FROZEN),
)


def main() -> None:
    asked = arguments()
    seed = random.randrange(1 << 32) if asked.seed == "random" else int(asked.seed)
    print(f"seed {seed}, {asked.count * CASES_A_FAULT} random cases, {asked.count} faults", flush=True)
    parts: dict[str, Callable[[], int | None]] = {
        "lane": lane,
        "graphs": lambda: len(costly(str(seed), asked.count * GRAPHS_A_FAULT)),
        "exactness": lambda: exactness(str(seed), asked.count * CASES_A_FAULT),
        "kernel": lambda: kernel_cases(seed, asked.count * KERNEL_CASES_A_FAULT),
        "screens": differing_screens,
        "faults": lambda: faults(seed, asked.count),
        "brokers": lambda: brokers.wrong_after(BROKER_ROUNDS),
        "clock": clock.wrong_after,
        "memory": lambda: memory.wrong_after(MEMORY_ROUNDS),
        "gallery": silent_applications,
        "upgrade": upgrades,
        "lives": lambda: failing_lives(draw_lives(str(seed), 0, asked.count, has_clusters=True), has_clusters=True),
        "lives upgraded": lambda: upgraded_lives(seed, max(1, asked.count // 10)),
        "cluster": lambda: cluster.wrong_after(seed, cluster.FAULTS),
        "results": lambda: run_alone("-m", "tests.soak.results"),
        "executors": see_loss,
        "hosts": lambda: hosts.wrong_after(FAULTS_OF_HOSTS, keys=0),
        "hosts on Spark": lambda: hosts.wrong_after(FAULTS_OF_HOSTS, keys=0, is_on_spark=True),
        "alerts": wrong_alerts,
    }
    if asked.public_schemas is not None:
        parts["public schemas"] = lambda: differing_schemas(asked.public_schemas)
    elif not asked.only or "public schemas" in asked.only:
        print("soak: without --public-schemas, no schema of a public repository is read", flush=True)
    chosen = {name: part for name, part in parts.items() if not asked.only or name in asked.only}
    results = [passes(name, part) for name, part in chosen.items()]
    sys.exit(not all(results))


def passes(name: str, part: Callable[[], int | None]) -> bool:
    """Whether a part finds nothing. One that breaks off does not keep the others from running."""
    began = time.monotonic()
    found = 1
    try:
        found = int(part() or 0)
        result = f"{found} findings" if found else "nothing found"
    except Exception:
        traceback.print_exc()
        result = "broke off"
    print(f"soak: {name}: {result} in {(time.monotonic() - began) / 60:.0f} min", flush=True)
    return found == 0


def kernel_cases(seed: int, count: int) -> None:
    """Random topologies, bytes and functions through the kernel; the first one that differs ends it."""
    for number in range(count):
        for run in KINDS.values():
            run(f"{seed}/{number}")


def upgraded_lives(seed: int, count: int) -> int:
    """How many lives fail that begin in the last release and go on in this version."""
    return failing_upgrades(last_release(), draw_upgraded_lives(f"{seed}-upgrade", 0, count))


def faults(seed: int, count: int) -> int:
    """How many findings a product shows whose API is asked at random and whose processes are killed and frozen."""
    home = make_home()
    with Product(home) as product:
        found: int = finds_faults_of(product, str(seed), count)
        found += soak(product, random.Random(seed), count)
    shutil.rmtree(home)
    return found


def lane() -> int:
    """Whether a test fails that takes too long for `make test`."""
    return run_alone("-m", "pytest", "--lane", "soak")


def run_alone(*arguments: str) -> int:
    """Whether Python fails with these arguments. A part of its own process may start a JVM with other settings."""
    return int(subprocess.run([sys.executable, *arguments], cwd=ROOT).returncode != 0)


def exactness(seed: str, count: int) -> int:
    """How many random cases differ from Kafka Streams."""
    with tempfile.TemporaryDirectory(prefix="soak-") as home:
        Path(home).chmod(0o755)
        kafka = Kafka(Path(home), JARS, is_passing=True)
        with run_part(kafka):
            return differing_cases(seed, count, kafka.servers, ROOT / ".run" / "soak")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make soak")
    parser.add_argument("--seed", default="random")
    parser.add_argument("--count", type=int, default=100, help="faults; ten times as many cases")
    parser.add_argument(
        "--only", action="append", default=[], metavar="PART", help="a part by its name; may be repeated"
    )
    parser.add_argument(
        "--public-schemas", type=Path, metavar="FOLDER", help="git directories of the repositories that it names"
    )
    return parser.parse_args()


def soak(product: Product, chance: random.Random, count: int) -> int:
    """How many faults the websockets show; asserts that faults lose nothing and repeat nothing."""
    with product.running_sample(min(500, FLIGHTS // (count * SECONDS_A_FAULT))) as job:
        for number in range(count):
            time.sleep(chance.uniform(0, 5))
            fault = chance.choice(FAULTS)
            print(f"{number + 1}: {fault}, {healed(product, job, fault):.0f} s", flush=True)
        found = disconnects.faults_of(product, job)
    fed = all_flights_equal_the_oracle(product, job)
    print(f"{count} faults, {fed:,} flights: nothing lost, nothing repeated")
    return found


def healed(product: Product, job: int, fault: str) -> float:
    """Seconds from the fault until batches are committed and shown again."""
    batch, began = product.batch(job) or 0, time.monotonic()
    verb, what = fault.split(" ", 1)
    if verb == "die":
        product.fail_at(what)
        product.wait(lambda: not product.failpoint.exists(), "the run to die")
    elif verb == "freeze":
        freeze(product, what)
    else:
        killed = product.kill(what)
        if what != "runner.spark":
            product.wait(lambda: set(product.processes(what)) - killed, f"{what} to be back")
    product.wait(product.answers, "the web server")
    product.wait(lambda: (product.batch(job) or 0) > batch + 1, "batches")
    return time.monotonic() - began


if __name__ == "__main__":
    main()
