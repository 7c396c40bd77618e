"""Topologies from documents give what their test cases say, and the hints that once were missing."""

from __future__ import annotations

import pytest

from runner.engine.trial import Trial
from runner.watch.trials.differences import find_first_difference
from runner.watch.trials.lines import read_expected, read_lines
from tests.found.seeds import read_export, read_seed

ALERT = '{"topic": "fraud-alerts", "key": "u1", "value_bytes": %s}'


def departures(name: str) -> list[dict[str, object]]:
    trial = Trial(read_seed(name))
    trial.run_as_given(read_lines("\n".join(read_export(name)["cases"][0]["records"])))
    return list(trial.departures())


@pytest.mark.parametrize("name", ["fraud-alerts-mixed-formats", "table-of-a-topic-that-is-not-compacted"])
def test_the_case_of_a_seed_passes(name: str) -> None:
    expected = read_expected("\n".join(read_export(name)["cases"][0]["expected"]))

    assert find_first_difference(expected, departures(name)) is None


def test_a_case_that_asks_for_bytes_sees_the_two_formats_of_one_topic() -> None:
    texts = ("High value: $15000.0", "New location: LA for user u1", "Rapid transactions: 4")
    expected = read_expected("\n".join(ALERT % f'"{text}"' for text in texts))

    difference = find_first_difference(expected, departures("fraud-alerts-mixed-formats"))

    assert difference is not None
    assert difference.at == "value_bytes"
    assert difference.outcome is not None
    assert difference.outcome["value_bytes"] == '"High value: $15000.0"'
