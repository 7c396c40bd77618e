"""What Kafka Streams answers, we answer: every case that our operators can say, record by record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

import runner.operators  # noqa: F401 - fills the catalogue
from runner.engine.driver import Driver
from runner.engine.records import Row
from tests.conformance.translate import NotYet, Translation

Case = Mapping[str, Any]
CASES = Path(__file__).parent / "cases"
AT_LEAST = {
    "random_chain_s1": 3,
    "random_ktable_ops_s1": 21,
    "random_stateless_s1": 13,
    "random_stream_aggregate_s1": 20,
    "random_stream_globaltable_join_s1": 26,
    "random_stream_table_join_s1": 11,
    "random_windowed_tumbling_s1": 11,
}
"""Family -> how many of its cases must be among those that run."""


def _translated() -> Iterator[tuple[str, Case, Translation]]:
    for file in sorted(CASES.glob("*.json")):
        found = json.loads(file.read_text())
        for case in found["cases"]:
            try:
                yield found["family"], case, Translation(case)
            except NotYet:
                continue


TRANSLATED = list(_translated())
every_case = pytest.mark.parametrize(
    ("case", "translation"), [pytest.param(case, made, id=case["name"]) for _, case, made in TRANSLATED]
)


@pytest.mark.parametrize("family", AT_LEAST)
def test_enough_cases_of_each_family_run(family: str) -> None:
    ran = [case for of, case, _ in TRANSLATED if of == family]

    assert len(ran) >= AT_LEAST[family]


@every_case
def test_each_record_has_the_consequences_it_has_in_kafka_streams(case: Case, translation: Translation) -> None:
    driver = Driver(translation.graph, functions=translation.functions)

    steps = [_pipe(driver, record) for record in case["inputs"]]

    assert steps == case["expected_by_step"]
    assert driver.dropped_records == case.get("dropped_records", driver.dropped_records)


@every_case
def test_tasks_made_anew_for_each_record_go_on_from_their_state(case: Case, translation: Translation) -> None:
    driver = Driver(translation.graph, functions=translation.functions, one_life=False)

    steps = [_pipe(driver, record) for record in case["inputs"]]

    assert steps == case["expected_by_step"]
    assert driver.dropped_records == case.get("dropped_records", driver.dropped_records)


@every_case
def test_one_batch_of_all_records_gives_the_same(case: Case, translation: Translation) -> None:
    driver = Driver(translation.graph, functions=translation.functions)

    with driver.batch():
        results = [result for record in case["inputs"] for result in _pipe(driver, record)]

    assert results == case["expected"]


@every_case
def test_with_caches_the_tables_end_the_same(case: Case, translation: Translation) -> None:
    driver = Driver(translation.graph, functions=translation.functions, cache=True)

    with driver.batch():
        results = [result for record in case["inputs"] for result in _pipe(driver, record)]
    results += _written(driver)

    if case.get("final_table") is not None and not _counts_updates(case):
        assert _final(results) == _final(case["expected"])


def _pipe(driver: Driver, record: Mapping[str, Any]) -> list[dict[str, Any]]:
    driver.pipe(record["topic"], key=record["key"], value=record["value"], timestamp=record["timestamp"])
    return _written(driver)


def _written(driver: Driver) -> list[dict[str, Any]]:
    assert driver.dead_letters() == []
    return [_result(topic, row) for topic, row in driver.rows()]


def _result(topic: str, row: Row) -> dict[str, Any]:
    """A row in the words of the cases."""
    _, key_bytes, value_bytes, timestamp, *_ = row
    key = None if key_bytes is None else orjson.loads(key_bytes)
    value = None if value_bytes is None else orjson.loads(value_bytes)
    result = {"topic": topic, "key": key, "value": value, "timestamp": timestamp}
    if type(key) is dict:
        result |= {"key": key["key"], "window": {"start": key["start"], "end": key["end"]}}
    return result


def _counts_updates(case: Case) -> bool:
    """Whether updates of a table become records that are aggregated again: caching makes them fewer."""
    streams = {step["id"] for step in case["topology"] if step["op"] == "to_stream"}
    return any(step.get("from") in streams and step["op"] != "to" for step in case["topology"])


def _final(results: Sequence[Mapping[str, Any]]) -> dict[tuple[Any, ...], tuple[Any, int]]:
    """The last value of each topic, key and window; deleted rows are gone."""
    table: dict[tuple[Any, ...], tuple[Any, int]] = {}
    for result in results:
        window = result.get("window") or {}
        table[result["topic"], result["key"], window.get("start")] = (result["value"], result["timestamp"])
    return {key: row for key, row in table.items() if row[0] is not None}
