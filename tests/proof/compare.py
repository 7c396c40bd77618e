"""The outputs of "Flight delays" against the oracle: every key, every window, every value."""

from __future__ import annotations

from collections import Counter
from typing import Any

import orjson

from runner.demo.samples.feed import count_records
from tests.proof import oracle
from tests.proof.product import Product

Records = list[tuple[Any, Any, int]]


def outputs_equal_the_oracle(product: Product, flights: int | None = None) -> None:
    """Both output topics hold what the first `flights` flights must give: nothing lost, nothing twice."""
    late_flights_equal(product.read("late-flights"), flights)
    delays_equal(product.read("delays-by-airport"), oracle.delays_by_airport(flights))


def all_flights_equal_the_oracle(product: Product, job: int) -> int:
    """Wait until the job has read all flights there are, and compare its outputs. Return the number of flights."""
    product.await_read(job, "flights")
    flights = count_records(product.kafka, "flights")
    outputs_equal_the_oracle(product, flights)
    return flights


def late_flights_equal(found: Records, flights: int | None) -> None:
    expected = Counter(_line(record) for record in oracle.late_flights(flights))
    got = Counter(_line(record) for record in found)
    assert got - expected == Counter(), f"{(got - expected).total()} records too many"
    assert expected - got == Counter(), f"{(expected - got).total()} records missing"


def delays_equal(found: Records, expected: dict[tuple[str, int], dict[str, Any]]) -> None:
    """The last value of each window is the oracle's; each update before it counts more flights than the one before."""
    last: dict[tuple[str, int], dict[str, Any]] = {}
    for key, value, _ in found:
        window = (key["key"], key["start"])
        assert key["end"] - key["start"] == oracle.HOUR_MS
        assert window not in last or last[window]["flights"] < value["flights"], f"an update of {window} came twice"
        last[window] = value
    missing, extra = expected.keys() - last.keys(), last.keys() - expected.keys()
    assert (missing, extra) == (set(), set()), f"missing {sorted(missing)[:5]}, too many {sorted(extra)[:5]}"
    for window, value in expected.items():
        assert last[window]["flights"] == value["flights"], window
        assert last[window]["longest_delay"] == value["longest_delay"], window
        assert abs(last[window]["average_delay"] - value["average_delay"]) < 1e-9, window


def _line(record: tuple[Any, Any, int]) -> bytes:
    return orjson.dumps(record, option=orjson.OPT_SORT_KEYS)
