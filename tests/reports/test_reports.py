"""What somebody reported stays repaired."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import runner.engine.operators  # noqa: F401 - fills the catalogue
from designer.checks import check
from designer.topology.graph import Graph
from runner.engine.driver import Driver
from runner.watch.trials.answers import answer
from runner.watch.trials.differences import find_first_difference
from runner.watch.trials.lines import read_expected, read_lines
from runner.watch.trials.questions import AskCases

HERE = Path(__file__).parent
WITH_CASES = [path.stem for path in sorted(HERE.glob("*.json")) if "cases" in json.loads(path.read_text())]


def read_graph(name: str) -> dict[str, Any]:
    graph: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text())["graph"]
    return graph


def pipe_records(name: str) -> Driver:
    """A driver of the reported topology that has read the reported records."""
    graph = Graph.from_json(read_graph(name))
    assert list(check(graph)) == []
    driver = Driver(graph, is_one_life=False)
    with driver.batch():
        for line in (HERE / f"{name}.jsonl").read_text().splitlines():
            record = json.loads(line)
            key, value = (
                bytes.fromhex(record[f"{side}_hex"]) if f"{side}_hex" in record else record[side].encode()
                for side in ("key", "value")
            )
            driver.pipe_bytes(record["topic"], key, value, record.get("timestamp", 0))
    return driver


@pytest.mark.parametrize("name", WITH_CASES)
def test_the_cases_of_a_reported_topology_pass(name: str) -> None:
    cases = json.loads((HERE / f"{name}.json").read_text())["cases"]
    graph = read_graph(name)
    assert list(check(Graph.from_json(graph))) == []

    records = [[list(each) for each in read_lines("\n".join(case["records"]))] for case in cases]
    outputs = answer(AskCases(graph=graph, schemas={}, cases=records))["cases"]

    for case, output in zip(cases, outputs, strict=True):
        assert output["refusal"] is output["stopped"] is None
        assert find_first_difference(read_expected("\n".join(case["expected"])), output["left"]) is None, output["left"]


def test_a_record_nested_300_levels_is_one_dead_letter_beside_its_neighbours() -> None:
    driver = pipe_records("json-nested-deep")

    (letter,) = driver.dead_letters()
    assert b"deeper than 200 levels" in (dict(letter.headers)["__streams.errors.message"] or b"")
    assert driver.read("deep-passed") == [("k1", {"id": "a"}), ("k3", {"id": "a"})]
    assert driver.read("deep-counts")[-1] == ("a", 2)


def test_bytes_that_are_not_utf_8_are_read_and_written_as_kafkas_string_serde_does() -> None:
    driver = pipe_records("string-not-utf-8")

    rows = driver.rows()
    assert driver.dead_letters() == []
    assert [row[2] for topic, row in rows if topic == "latin-out"] == [bytes.fromhex("434146efbfbd21"), b"A"]
    assert [row[1] for topic, row in rows if topic == "latin-counts"] == [b"k", "\ufffd".encode()]


def test_a_record_without_fields_is_read_from_avro_and_written_as_an_empty_object() -> None:
    driver = pipe_records("avro-empty-record")

    assert driver.dead_letters() == []
    assert [row[2] for _, row in driver.rows()] == [b'{"id":"a","what":{}}', b'{"id":"b","what":{"cents":300}}']
