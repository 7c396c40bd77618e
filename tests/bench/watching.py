"""The batches of a running job, as its live numbers tell them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from tests.proof.product import Product


class Batch(NamedTuple):
    """A committed batch: when (ms), how many records the run had read by then, how long it took (ms)."""

    number: int
    at: int
    records: int
    duration_ms: int


class Watch:
    """Looks at the live numbers of a job."""

    def __init__(self, product: Product, job: int) -> None:
        self.product = product
        self.job = job

    def newest(self) -> Batch | None:
        numbers = self.product.live(self.job)["numbers"]
        batch = numbers and numbers["batch"]
        if not batch or batch["number"] is None:
            return None
        return Batch(batch["number"], batch["committed_at"], numbers["records_in"], batch["duration_ms"])


def batches(watch: Watch, until: Callable[[], bool]) -> list[Batch]:
    """Every batch that shows in the live numbers (two a second at most) from now until `until()` is true."""
    seen: dict[int, Batch] = {}
    while True:
        done = until()
        if (newest := watch.newest()) is not None:
            seen[newest.number] = newest
        if done:
            return list(seen.values())
        time.sleep(0.4)
