"""Processes that stand still for longer than a lease lasts and then go on, as after a pause of a virtual machine.

A frozen supervisor or run does not know that another one took over. When it goes on, Kafka has fenced its transactions
and the checkpoint has another owner, so it must end without writing. `tests.soak` freezes parts at random, and
`python -m tests.soak.freezing` each of them once, and then the whole product a few times, for longer than a transaction
may be open, as a laptop sleeps. The outputs are compared with the oracle at the end.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from collections.abc import Iterable

import psutil

from tests.proof.compare import all_flights_equal_the_oracle
from tests.proof.product import Product, make_home

SECONDS = 30.0
"""Longer than the lease of a run (20 s), and than all times for which one part waits for another."""

SLEEP_SECONDS, SLEEPS = 100.0, 4
"""Longer than the brokers leave a transaction of a run open."""

FROZEN = ("runner.spark", "supervise", "-m webapp agent", "kafka.Kafka", "redis-server", "postgres")


def freeze(product: Product, *words: str, seconds: float = SECONDS) -> None:
    """SIGSTOP every process whose command line holds all of `words`, and then SIGCONT those that are left."""
    frozen = set(product.processes(*words))
    assert frozen, f"no process with {words}"
    _each(frozen, "suspend")
    time.sleep(seconds)
    _each(frozen, "resume")


def _each(processes: Iterable[psutil.Process], action: str) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            getattr(process, action)()


def freeze_each(product: Product) -> None:
    """Freeze each part once, and then all at once, while the sample runs.

    Raises AssertionError if it does not go on, or is not exact.
    """
    everything = [((), SLEEP_SECONDS)] * SLEEPS
    with product.running_sample(rate=200) as job:
        for words, seconds in [*(((part,), SECONDS) for part in FROZEN), *everything]:
            batch, generation = product.batch(job) or 0, product.job(job)["generation"]
            freeze(product, *words, seconds=seconds)
            began = time.monotonic()
            product.wait(product.answers, "the web server")
            product.wait(lambda batch=batch: (product.batch(job) or 0) > batch + 1, "batches")  # type: ignore[misc]
            runs = product.job(job)["generation"] - generation
            what = " ".join(words) or "the whole product"
            print(f"{what} frozen: batches {time.monotonic() - began:.0f} s after it, {runs} new runs", flush=True)
    fed = all_flights_equal_the_oracle(product, job)
    print(f"{len(FROZEN) + SLEEPS} freezes, {fed:,} flights: nothing lost, nothing repeated", flush=True)


def main() -> int:
    home = make_home()
    with Product(home) as product:
        freeze_each(product)
    shutil.rmtree(home)
    return 0


if __name__ == "__main__":
    sys.exit(main())
