"""Jobs live on through what users and faults do to them. `python -m tests.soak.lives` draws other lives."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proof.life import draw, live, shorten
from tests.proof.life_job import Oracle, Record, Shape
from tests.proof.product import Product

LIVES = {
    # a second deploy before the first batch of the first one, and restarts after Spark forgot its first batches
    "hasty": "change-filter! change-filter batches host-dies",
    # a run that dies with a batch planned and is changed before it is back, and one that dies between two commits
    "killed": "kill:planned! change-shape kill:before-commit",
}


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    """One with a warm standby, on which each next run starts."""
    home = Path(tempfile.mkdtemp(prefix="streamwright-life-"))
    home.chmod(0o755)
    with Product(home, standby=True) as product:
        yield product


@pytest.mark.soak
@pytest.mark.proof
@pytest.mark.parametrize("seed", LIVES)
def test_a_job_goes_on_exactly_through_all_that_happens_to_it(product: Product, seed: str) -> None:
    assert live(product, seed, LIVES[seed].split()) == ""


def test_the_oracle_closes_windows_merges_sessions_and_remembers_ids() -> None:
    oracle = Oracle(Shape())

    times = ((1, 60_000), (1, 60_200), (2, 120_000), (2, 120_000))
    ids = (1, 1, 3, 4)
    oracle.read(Record(0, "a", n, ids[n - 1], step, time) for n, (step, time) in enumerate(times, 1))

    assert oracle.expected["window"] == {("a", 60_000): [1, 2], ("a", 120_000): [1, 2]}
    assert oracle.expected["closed"] == {("a", 60_000): [2]}
    assert oracle.expected["session"] == {
        ("a", 60_000, 60_000): [1, None],
        ("a", 60_000, 60_200): [2],
        ("a", 120_000, 120_000): [1, 2],
    }
    assert oracle.expected["once"] == {"a": [1, 3, 4]}


def test_the_oracle_closes_windows_of_the_size_before_a_change() -> None:
    oracle = Oracle(Shape())

    oracle.read([Record(0, "a", 1, 1, 1, 60_000)])
    oracle.change(Shape(size_ms=20_000))
    oracle.read([Record(0, "a", 2, 2, 2, 120_000), Record(0, "a", 3, 3, 2, 135_000)])

    assert oracle.expected["closed"] == {("a", 60_000): [1]}
    assert oracle.expected["window"] == {("a", 60_000): [1], ("a", 120_000): [1, 2]}


def test_a_life_is_drawn_again_from_its_seed_and_shortened_to_what_fails() -> None:
    steps = draw("7", 30)

    assert steps == draw("7", 30) != draw("8", 30)
    assert shorten(lambda fewer: {"stop", "fresh"} <= set(fewer), ["stop", "slots", "fresh", "batches"]) == [
        "stop",
        "fresh",
    ]
