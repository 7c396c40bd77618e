"""Kept batches looked at as they were, without Spark and Kafka."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from designer.refusals import NotFound
from designer.topology.graph import Graph
from designer.values.exact_json import JsonNumber
from runner.engine.queryable import Query, QueryRefused
from runner.spark.past.answers import StoredRow
from runner.spark.past.batches import PastReplay, look_at, make_condition, search
from runner.spark.past.rows import find_changes, list_writes
from runner.spark.past.tables import find_topic_rows, read_table
from runner.spark.program import make_program
from runner.spark.proving import observing
from tests.conformance.kept import graphs
from tests.conformance.product.cases import Case
from tests.runner.spark.past.test_following import Job, _program
from tests.runner.spark.runs import filtered
from tests.runner.spark.stage.test_counters import program_for
from tests.runner.spark.test_replay import forget, run_three_batches

ROME: StoredRow = {"store": "orders-by-city", "key": '"Rome"', "window": None}


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Job]:
    made = run_three_batches(tmp_path)
    forget()
    yield made
    forget()
    made.close()


def times(job: Job) -> list[int]:
    return [batch.time for batch in job.batches]


def test_nodes_count_and_list_what_they_did_in_a_batch(job: Job) -> None:
    then = look_at(job.program, job.batches[1], "orders", "result")

    assert (then["nodes"]["orders"]["in"], then["nodes"]["orders"]["out"], then["left_count"]) == (3, 3, 3)
    assert [(each["key"], each["origin"] and each["origin"]["offset"]) for each in then["left"]] == [
        ('"bob"', 3),
        ('"ann"', 2),
        ('"bob"', 1),
    ]


def test_a_table_opens_as_of_each_batch_whatever_came_later(job: Job) -> None:
    asked = Query.model_validate({"key": "Rome"})

    pages = [read_table(job.program, "orders-by-city", time + 1, asked)["rows"] for time in times(job)]
    before_all = read_table(job.program, "orders-by-city", times(job)[0], Query.model_validate({}))["rows"]

    assert [[row["value"] for row in rows] for rows in pages] == [["1"], ["3"], ["4"]]
    assert before_all == []


def test_rows_are_looked_for_by_numbers_of_any_form(job: Job) -> None:
    assert find_topic_rows(job.program, times(job)[2], [JsonNumber("1.10"), 10**30]) == []


def test_a_row_is_explained_back_to_the_first_record_that_made_it(job: Job) -> None:
    changes = find_changes(job.program, ROME, set(times(job)), times(job)[-1])
    writes = list_writes(job.program, [each for each in job.batches if each.time in changes.times], changes.key)

    assert (changes.times, changes.since, changes.has_more) == (times(job)[::-1], 0, False)
    assert [each["after"] and each["after"]["value"] for each in writes] == ["4", "3", "2", "1"]
    assert [each["before"] and each["before"]["value"] for each in writes] == ["3", "2", "1", None]
    assert [each["record"] and each["record"]["key"] for each in writes] == ['"ann"', '"bob"', '"bob"', '"ann"']
    assert [each["origin"] and each["origin"]["offset"] for each in writes] == [4, 3, 1, 0]


def test_the_search_says_where_the_kept_changes_end(job: Job) -> None:
    older = find_changes(job.program, ROME, set(times(job)), times(job)[1], limit=1)
    newer_only = find_changes(job.program, ROME, set(times(job)[1:]), times(job)[-1])
    for history in job.program.host_directory.rglob("history.*"):
        history.unlink()
    nothing = find_changes(job.program, ROME, set(times(job)), times(job)[-1])

    assert (older.times, older.has_more, older.since) == (times(job)[1:2], True, times(job)[1])
    assert (newer_only.times, newer_only.since) == (times(job)[:0:-1], times(job)[1])
    assert (nothing.times, nothing.since, nothing.has_more) == ([], times(job)[-1], False)


def test_a_condition_finds_the_newest_records_and_counts_all(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.spark.past.batches.MAX_HITS", 2)
    condition = make_condition(job.program, "counted", "result", "value >= 2")

    found = search(job.program, job.batches, "counted", "result", condition)

    assert [(hit["time"], hit["record"]["value"]) for hit in found["hits"]] == [
        (times(job)[2], "4"),
        (times(job)[1], "3"),
    ]
    assert found["count"] >= len(found["hits"])
    with pytest.raises(QueryRefused, match="The condition is not right"):
        make_condition(job.program, "counted", "result", "nothing > 2")
    with pytest.raises(NotFound, match="leaves `counted` by other"):
        make_condition(job.program, "counted", "other", "true")


def test_records_of_a_very_large_batch_are_seen_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observing, "MAX_OBSERVED", 1)
    plan = program_for(filtered("orders", "kept"), "orders").plan
    job = Job(make_program(plan.model_copy(update={"state_dir": str(tmp_path)})))
    job.run(orders=[(name, {"n": 1}) for name in ("ann", "bob", "eve")])

    activity = look_at(job.program, job.batches[0], "orders", "result")
    found = search(job.program, job.batches, "orders", "result", lambda key, value, timestamp: key == "bob")
    job.close()

    assert (activity["nodes"]["orders"]["in"], activity["left_count"], found["count"]) == (3, 3, 1)


@pytest.mark.parametrize(("case", "graph"), graphs()[7::60], ids=[case["name"] for case, _ in graphs()[7::60]])
def test_batches_give_the_same_bytes_over_state_that_is_only_read(case: Case, graph: Graph, tmp_path: Path) -> None:
    job = Job(_program(graph, tmp_path / "job"))
    for start in range(0, len(case["inputs"]), 5):
        job.run_rows(case["inputs"][start : start + 5])
    middle = len(job.batches) // 2

    forget()
    again = PastReplay(job.program, job.batches[middle].time, lambda *record: None)
    found = [again.run(batch).checksum() for batch in job.batches[middle:]]
    again.close()
    forget()
    job.close()

    assert found == job.checksums[middle:]
