"""Topologies from documents give what their test cases say, and the hints that once were missing."""

from __future__ import annotations

import pytest

import runner.engine.operators  # noqa: F401 - fills the catalogue
from designer.checks import check
from designer.messages import IssueCode
from designer.topology.graph import Graph
from runner.engine.trial import Line, Trial
from runner.watch.trials.differences import find_first_difference
from runner.watch.trials.lines import read_expected, read_lines
from tests.found.seeds import read_export, read_seed

ALERT = '{"topic": "fraud-alerts", "key": "u1", "value_bytes": %s}'


def departures(name: str, graph: Graph | None = None) -> list[Line]:
    trial = Trial(graph or read_seed(name))
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


def test_a_table_straight_to_a_topic_is_told_what_to_put_between_and_that_gives_what_was_expected() -> None:
    name = "ktable-straight-to-topic"
    (issue,) = check(read_seed(name))
    assert (issue.code, issue.node) == (IssueCode.PORT_TYPE, "out")
    assert issue.args["between"] == "Put to_stream between them."

    drawing = read_export(name)["graph"]
    drawing["nodes"].append({"id": "updates", "operator": "to_stream", "config": {}, "position": {"x": 0, "y": 0}})
    (edge,) = (each for each in drawing["edges"] if each["target"] == "out")
    drawing["edges"].append(edge | {"target": "updates", "target_port": "table"})
    edge["source"], edge["source_port"] = "updates", "result"
    repaired = Graph.from_json(drawing)

    assert list(check(repaired)) == []
    expected = read_expected("\n".join(read_export(name)["cases"][0]["expected"]))
    assert find_first_difference(expected, departures(name, repaired)) is None
