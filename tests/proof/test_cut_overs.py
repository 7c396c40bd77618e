"""kill -9 at each step of a cut over and of a way back: no result is lost or written twice, and one version runs.

The lives of `life.py` compare each step with an oracle. What a version writes does not depend on which one runs, so a
record that no version has processed, or two, shows at once in the counts.
"""

from __future__ import annotations

import pytest

from tests.proof.correcting import correct
from tests.proof.life import MOMENTS, Life, live
from tests.proof.product import Product

pytestmark = pytest.mark.proof
PLACES = (
    "stopping",  # the old run has ended its batches, and dies before it says so
    "before-takeover",  # the new version has fenced all others, and dies before its marker ends the old one
    "after-takeover",  # it dies after that, without a batch
    "planned",  # one of both dies with a batch planned
    "ahead",  # with a batch that waits for the commit of the one before
    "before-commit",  # with results in an open transaction
    "after-commit",  # with a batch in Kafka that Postgres does not know
)


def test_a_version_takes_over_and_goes_back_while_runs_are_killed(product: Product) -> None:
    steps = ["cut-over:before-takeover", "back:after-takeover"]

    assert live(product, "cut over", steps) == ""


@pytest.mark.soak
def test_a_version_takes_over_with_state_rebuilt_from_the_topics(product: Product) -> None:
    assert live(product, "rebuilt", ["cut-over-rebuilt", "kill:ahead", "batches"]) == ""


@pytest.mark.soak
@pytest.mark.parametrize("place", [place for place in PLACES if place != "ahead"])
def test_a_run_that_dies_while_rebuilt_state_takes_over_loses_and_repeats_nothing(product: Product, place: str) -> None:
    assert live(product, f"rebuilt {place}", [f"cut-over-rebuilt:{place}", "batches"]) == ""


@pytest.mark.soak
@pytest.mark.parametrize("place", PLACES)
def test_a_run_that_dies_at_any_step_loses_and_repeats_nothing(product: Product, place: str) -> None:
    steps = [f"cut-over:{place}", "batches", f"back:{place}", f"back:{place}", "host-dies"]

    assert live(product, place, steps) == ""


@pytest.mark.soak
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_host_that_dies_during_a_cut_over_loses_and_repeats_nothing(product: Product, moment: str) -> None:
    steps = ["cut-over!", f"host-dies:{moment}", "back!", f"host-dies:{moment}"]

    assert live(product, f"host {moment}", steps) == ""


@pytest.mark.soak
@pytest.mark.parametrize("place", ["", "before-takeover", "after-takeover", "planned", "before-commit", "after-commit"])
def test_a_right_version_goes_on_with_the_corrected_state_although_its_run_dies(product: Product, place: str) -> None:
    life = Life(product, f"corrected {place}")
    life.begin()

    correct(life, place)

    life.close()
