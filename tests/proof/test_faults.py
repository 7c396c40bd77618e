"""kill -9 wherever it hurts: nothing lost, nothing twice, and the run comes back."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from tests.proof.compare import all_flights_equal_the_oracle
from tests.proof.product import Product

pytestmark = pytest.mark.proof
PLACES = (
    *(pytest.param(place, marks=pytest.mark.soak) for place in ("before-produce", "ahead", "restoring")),
    *("before-commit", "stopping"),
)


@pytest.fixture(scope="module")
def running_job(product: Product) -> Iterator[int]:
    """The sample topology on a feed that goes on while faults happen; compared with the oracle at the end."""
    with product.running_sample(rate=300) as job:
        yield job
        product.wait_for_status(job, "running")
    assert all_flights_equal_the_oracle(product, job) > 10_000


@pytest.mark.parametrize("place", PLACES)
def test_a_run_killed_at_a_step_of_the_protocol_comes_back(product: Product, running_job: int, place: str) -> None:
    generation = product.job(running_job)["generation"]
    product.fail_at(place)
    if place == "restoring":
        wait_at_random()
        for process in product.processes("runner.spark"):
            process.suspend()  # else it may read what its successor is to restore
        product.produce("airlines", "ZZ", {"carrier": "ZZ", "name": "Nobody flies it"})
        product.kill("runner.spark")
    if place == "stopping":
        product.post(f"/jobs/{running_job}/stop")

    product.wait(lambda: not product.failpoint.exists(), f"the run to die at {place}")
    if place == "stopping":
        product.wait_for_status(running_job, "stopped", "failed")
        product.post(f"/jobs/{running_job}/restart")

    is_back(product, running_job, generation)


@pytest.mark.parametrize("part", ["redis-server", "celery -A webapp worker", "uvicorn", "-m webapp agent"])
def test_a_run_does_not_notice_that_a_part_died(product: Product, running_job: int, part: str) -> None:
    product.wait(lambda: product.batch(running_job), "a batch")
    product.wait(lambda: product.processes(part), f"{part} to be there")  # it may follow one that Redis took along
    before, batch = product.job(running_job), product.batch(running_job)
    killed = product.kill(part)

    product.wait(lambda: set(product.processes(part)) - killed, f"{part} to be back")
    product.wait(product.answers, "the web server to answer")
    product.wait(lambda: (product.batch(running_job) or 0) > (batch or 0) + 3, "later batches to be shown")

    after = product.job(running_job)
    assert (after["generation"], after["status"]) == (before["generation"], "running")


def wait_at_random() -> None:
    """Until a moment no one chose; `make soak` kills at such moments as often as it is told."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    time.sleep(random.Random(seed).uniform(0, 3))


def is_back(product: Product, job: int, generation: int) -> None:
    """A later run of the job has committed a batch."""
    product.wait(
        lambda: product.job(job)["generation"] > generation and product.batch(job) is not None,
        "the next run's first batch",
    )
