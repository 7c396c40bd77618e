"""A stranger comes from an empty canvas to live results by few actions, none of them in vain."""

from __future__ import annotations

import pytest

from tests.e2e.journey import MAX_ACTIONS, walk_to_live_results
from tests.e2e.pages import HomePage
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_stranger_sees_live_results_after_few_actions(home: HomePage, product: Product) -> None:
    desk = home.new_topology("Late flights")

    journey = walk_to_live_results(desk)

    assert journey.actions <= MAX_ACTIONS
    job = next(job for job in product.get("/jobs") if job["topology"] == desk.topology)
    product.post(f"/jobs/{job['id']}/stop")
    product.wait_for_status(job["id"], "stopped")
