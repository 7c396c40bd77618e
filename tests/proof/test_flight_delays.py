"""The sample topology, deployed as a user deploys it, against a recomputation from the raw data."""

from __future__ import annotations

import pytest

from tests.proof.compare import all_flights_equal_the_oracle
from tests.proof.product import Product

pytestmark = pytest.mark.proof
A_YEAR, A_MONTH = 336_776, 27_004


@pytest.mark.parametrize("flights", [A_MONTH, pytest.param(A_YEAR, marks=pytest.mark.soak)])
def test_flights_give_what_polars_gives(product: Product, flights: int) -> None:
    assert product.feed("--tables-only").wait() == 0
    # A batch takes all there is: a limit would cut the partitions at different times, and grace is only a day.
    job = product.deploy_sample("flight-delays", records_per_batch=1_000_000, slots=2)
    feed = product.feed("--rate", "50000", "--max", str(flights))
    product.wait_for_status(job, "running")

    assert feed.wait() == 0

    assert all_flights_equal_the_oracle(product, job) == flights
    product.wait(lambda: product.live(job)["numbers"]["nodes"]["flights"]["out"] == flights, "the count on the node")
