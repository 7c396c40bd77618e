"""Rows of the history, and the lines that they become."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from runner.watch.history.rows import GROWTH, Counts, find_percentile, make_job_lines, make_node_lines, make_row, merge


def point(**values: Any) -> dict[str, Any]:
    nothing = dict.fromkeys(("rate", "lag", "batch_ms", "memory_bytes", "state_rows", "state_bytes", "latency_ms"))
    return nothing | values


def counts(at: int, dropped: int, run: int = 1) -> Counts:
    return {"at": at, "run": run, "nodes": {"late": [10 * at // 1_000, 0, dropped, 0, 0.25, 7, 700]}}


def test_a_row_has_means_of_what_is_known() -> None:
    row = make_row([point(rate=10, lag=None), point(rate=20, lag=4)], None)

    assert (row["rate"], row["lag"], row["batch_ms"], row["looks"]) == (15, 4, None, 2)


def test_rows_are_merged_by_how_often_was_looked() -> None:
    many, few = make_row([point(rate=10)] * 3, counts(1, 0)), make_row([point(rate=50)], None)

    both = merge([many, few])

    assert (both["rate"], both["looks"], both["counts"]) == (20, 4, counts(1, 0))


@given(st.lists(st.floats(0, 10**7), min_size=1, max_size=50))
def test_a_percentile_is_at_most_a_tenth_too_high_however_rows_are_merged(latencies: list[float]) -> None:
    rows = [make_row([point(latency_ms=latency)], None) for latency in latencies]
    together = make_row([point(latency_ms=latency) for latency in latencies], None)

    assert merge(rows)["latency"] == together["latency"]
    for percent in (50, 95, 99):
        rank = max(1, -(-len(latencies) * percent // 100))
        exact = max(1.0, sorted(latencies)[rank - 1])
        found = find_percentile(together["latency"], percent)
        assert found is not None and exact - 0.1 <= found <= exact * GROWTH + 0.1


def test_a_job_has_a_line_for_each_percentile_and_gaps_where_nothing_was_seen() -> None:
    lines = make_job_lines([make_row([point(rate=1, latency_ms=100)], None), None])

    assert lines["rate"] == [1, None]
    assert lines["latency_p99_ms"][1] is None
    assert {"latency_p50_ms", "latency_p95_ms", "latency_p99_ms", "lag", "memory_bytes"} <= lines.keys()


def test_a_node_has_rates_between_two_rows_of_a_run() -> None:
    rows = [make_row([], each) for each in (counts(60_000, 0), counts(120_000, 30), None, counts(240_000, 5, run=2))]

    lines = make_node_lines(rows, "late")

    assert lines["dropped_per_s"] == [None, 0.5, None, None]
    assert lines["in_per_s"] == [None, 10, None, None]
    assert (lines["busy"], lines["state_bytes"]) == ([0.25, 0.25, None, 0.25], [700, 700, None, 700])


def test_a_node_that_is_not_there_has_no_numbers() -> None:
    assert set(map(tuple, make_node_lines([make_row([], counts(1, 0))], "other").values())) == {(None,)}
