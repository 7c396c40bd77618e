"""Trials: records as they leave each node, with where they came from."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from designer.values.schemas import BYTES, INTEGER, STRING, struct
from runner.engine.records.record import Row
from runner.engine.trial import MAX_RECORDS, MadeUpRecord, NotEncoded, RecordTimes, Trial
from runner.watch.trials.lines import read_lines, write_lines
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)


def record(key: str | None, value: Any, timestamp: int = 0, *, partition: int = 0, offset: int = 0) -> Row:
    encoded = value if isinstance(value, bytes) or value is None else orjson.dumps(value)
    return (0, None if key is None else key.encode(), encoded, timestamp, None, partition, offset)


def tried(builder: GraphBuilder, *records: tuple[str, Row]) -> Trial:
    trial = Trial(builder.graph)
    trial.run(records)
    return trial


def given(trial: Trial, node: str, port: str = "result") -> list[tuple[str | None, str | None, int]]:
    return [(each["key"], each["value"], each["origin"]["offset"]) for each in trial.shown_records[node, port]]


def test_what_leaves_each_node_is_seen_also_where_nothing_takes_it():
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("large", "filter", {"predicate": "amount > 5"}, records="orders")

    trial = tried(
        builder,
        ("orders", record("a", {"amount": 9}, offset=3)),
        ("orders", record("b", {"amount": 1}, offset=4)),
        ("orders", record(None, None, offset=5)),
    )

    assert given(trial, "orders") == [('"a"', '{"amount":9}', 3), ('"b"', '{"amount":1}', 4), (None, None, 5)]
    assert given(trial, "large") == [('"a"', '{"amount":9}', 3)]
    assert trial.counters()["large"]["in"] == 3


def test_outputs_are_told_apart_and_a_record_is_seen_once_however_many_take_it():
    branches = {"branches": [{"name": "big", "predicate": "amount > 5"}]}
    builder = GraphBuilder().stream("orders", ORDER).add("size", "split", branches, stream="orders")
    builder.to("one", "size:big").to("two", "size:big").to("rest", "size:default")

    trial = tried(builder, ("orders", record("a", {"amount": 9})), ("orders", record("b", {"amount": 1}, offset=1)))

    assert given(trial, "size", "big") == [('"a"', '{"amount":9}', 0)]
    assert given(trial, "size", "default") == [('"b"', '{"amount":1}', 1)]


def test_every_update_of_a_table_is_seen_with_its_window_and_behind_a_shuffle():
    builder = GraphBuilder().stream("orders", ORDER).add("keyed", "select_key", {"key": "'all'"}, stream="orders")
    builder.add("grouped", "group_by_key", stream="keyed")
    builder.add("minutes", "windowed_by", {"type": "tumbling", "size_ms": 60_000}, grouped="grouped")
    builder.add("counted", "count", grouped="minutes")

    trial = tried(
        builder, *(("orders", record("a", {"amount": 1}, at, offset=n)) for n, at in enumerate((0, 1, 70_000)))
    )

    assert given(trial, "counted") == [('"all"', "1", 0), ('"all"', "2", 1), ('"all"', "1", 2)]
    assert trial.shown_records["counted", "result"][-1]["window"] == {"start": 60_000, "end": 120_000}


def test_global_tables_come_first_and_the_rest_by_time():
    builder = GraphBuilder().stream("orders", ORDER).table("rates", INTEGER).global_table("names", STRING)
    builder.add("rated", "join", {"value": "left.amount * right"}, left="orders", right="rates")
    joined = {"key": "key", "value": "concat(cast(left AS STRING), right)"}
    builder.add("named", "join", joined, left="rated", right="names")

    trial = tried(
        builder,
        ("orders", record("a", {"amount": 2}, 10)),
        ("orders", record("a", {"amount": 3}, 30, offset=1)),
        ("rates", record("a", 7, 20)),
        ("names", record("a", "!", 99)),
    )

    assert given(trial, "names") == [('"a"', '"!"', 0)]
    assert given(trial, "rated") == [('"a"', "21", 1)]
    assert given(trial, "named") == [('"a"', '"21!"', 1)]


def test_what_fails_says_on_which_node_and_which_record():
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("parts", "map_values", {"value": "100 / amount"}, records="orders").to("out", "parts")

    trial = tried(
        builder,
        ("orders", record("a", {"amount": 0}, partition=2, offset=7)),
        ("orders", record("a", b"{", offset=8)),
        ("orders", record("a", {"amount": 5}, offset=9)),
    )

    assert [(each["node"], each["origin"]) for each in trial.failures()] == [
        ("orders", {"topic": "orders", "partition": 0, "offset": 8}),
        ("parts", {"topic": "orders", "partition": 2, "offset": 7}),
    ]
    assert given(trial, "parts") == [('"a"', "20.0", 9)]


def test_what_fails_behind_a_shuffle_says_of_which_record_it_came():
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("by-amount", "select_key", {"key": "CAST(amount AS STRING)"}, stream="orders")
    builder.add("apart", "repartition", stream="by-amount")
    builder.add("parts", "map_values", {"value": "100 / amount"}, records="apart").to("out", "parts")

    trial = tried(
        builder,
        ("orders", record("a", {"amount": 5}, offset=6)),
        ("orders", record("a", {"amount": 0}, 1, partition=2, offset=7)),
    )

    assert [(each["node"], each["origin"]) for each in trial.failures()] == [
        ("parts", {"topic": "orders", "partition": 2, "offset": 7})
    ]


def test_a_node_whose_policy_is_to_fail_ends_the_trial_there():
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("parts", "map_values", {"value": "100 / amount", "on_error": "fail"}, records="orders")

    trial = tried(
        builder,
        *(("orders", record("a", {"amount": n}, offset=3 - n)) for n in (2, 1, 0)),
        ("orders", record("b", {"amount": 1}, offset=4)),
    )

    assert given(trial, "parts") == [('"a"', "50.0", 1), ('"a"', "100.0", 2)]
    assert trial.failure is not None
    assert trial.failure.details["offset"] == 3


def test_a_trial_of_one_node_keeps_its_records_and_those_of_sources_and_counts_all():
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("small", "filter", {"predicate": "amount < 5"}, records="orders")
    builder.add("paid", "filter", {"predicate": "amount > 0"}, records="small")

    trial = Trial(builder.graph, shown_node="paid")
    trial.run([("orders", record("a", {"amount": 3}))])

    assert trial.counts == dict.fromkeys([("orders", "result"), ("small", "result"), ("paid", "result")], 1)
    assert trial.shown_records.keys() == {("orders", "result"), ("paid", "result")}


def test_the_newest_are_kept_and_all_are_counted():
    builder = GraphBuilder().stream("orders", ORDER)

    trial = tried(builder, *(("orders", record("a", {"amount": n}, offset=n)) for n in range(MAX_RECORDS + 5)))

    assert trial.counts["orders", "result"] == MAX_RECORDS + 5
    assert [offset for _, _, offset in given(trial, "orders")] == list(range(5, MAX_RECORDS + 5))


def test_records_somebody_made_up_are_taken_as_they_stand_and_late_ones_are_counted():
    builder = GraphBuilder().stream("orders", ORDER).add("grouped", "group_by_key", stream="orders")
    builder.add("minutes", "windowed_by", {"type": "tumbling", "size_ms": 60_000}, grouped="grouped")
    builder.add("counted", "count", grouped="minutes")
    trial = Trial(builder.graph)

    trial.run_as_given(
        [
            MadeUpRecord("orders", "a", {"amount": 1}, 61_000),
            MadeUpRecord("others", "a", 1, 0),
            MadeUpRecord("orders", "a", {"amount": 2}, 59_000),
            MadeUpRecord("orders", "a", None, 62_000),
            MadeUpRecord("orders", "a", {"amount": "much"}, 63_000),
        ]
    )

    assert given(trial, "counted") == [('"a"', "1", 0), ('"a"', "2", 3)]
    assert trial.drop_counts() == {"counted": {"late": 1}}
    assert [each["origin"]["offset"] for each in trial.failures()] == [4]


def test_a_record_that_finds_no_row_is_an_example_but_not_dropped():
    builder = GraphBuilder().stream("orders", ORDER).table("prices", ORDER)
    builder.add("priced", "left_join", {"value": "right.amount"}, left="orders", right="prices")

    trial = tried(builder, ("orders", record("a", {"amount": 1})))

    assert trial.drop_counts() == {}
    assert trial.facts()["nodes"]["priced"]["lost_samples"]["no match"][0]["key"] == "a"


def test_a_made_up_record_that_cannot_be_written_is_refused_by_its_place():
    trial = Trial(GraphBuilder().stream("orders", ORDER, key=INTEGER).graph)

    with pytest.raises(NotEncoded, match=r"The key of record 2 does not fit `orders`"):
        trial.run_as_given([MadeUpRecord("orders", 1, None, 0), MadeUpRecord("orders", "a", None, 0)])


def test_what_a_graph_writes_comes_in_again_unless_there_are_records_of_that_topic():
    builder = GraphBuilder().stream("orders", ORDER).add("kept", "to", {"topic": "mid"}, stream="orders")
    builder.table("mid", ORDER).updates_to("out", "mid")
    made_up = Trial(builder.graph)

    made_up.run_as_given([MadeUpRecord("orders", "a", {"amount": 1}, 5)])
    real = tried(builder, ("orders", record("a", {"amount": 1})), ("mid", record("b", {"amount": 2}, offset=7)))

    assert given(made_up, "mid-updates") == [('"a"', '{"amount":1}', 0)]
    assert given(real, "mid-updates") == [('"b"', '{"amount":2}', 7)]


def test_what_leaves_is_told_in_order_with_windows_in_words_and_dead_letters_by_their_record():
    builder = GraphBuilder().stream("orders", ORDER).add("grouped", "group_by_key", stream="orders")
    builder.add("minutes", "windowed_by", {"type": "tumbling", "size_ms": 60_000}, grouped="grouped")
    builder.add("counted", "count", grouped="minutes").add("updates", "to_stream", table="counted")
    builder.to("counts", "updates").add("raw", "to", {"topic": "raw", "windowed_key": "kafka"}, stream="updates")
    trial = Trial(builder.graph)

    trial.run_as_given(
        [MadeUpRecord("orders", "a", {"amount": "much"}, 0), MadeUpRecord("orders", "a", {"amount": 1}, 61_000)]
    )

    window = {"key": "a", "start": 60_000, "end": 120_000}
    letter, *others = trial.departures()
    assert (letter["dead_letter"], letter["record"]) == ("orders", 1)
    assert "cannot be decoded" in letter["reason"]
    counted = {"key": window, "value": 1, "timestamp": 61_000, "value_bytes": "base64:AAAAAAAAAAE="}
    assert others == [
        counted | {"topic": "counts", "key_bytes": '{"key":"a","start":60000,"end":120000}'},
        counted | {"topic": "raw", "key_bytes": "base64:YQAAAAAAAOpg"},
    ]


def test_the_clock_of_made_up_records_stands_at_the_newest_of_their_times():
    times = RecordTimes([MadeUpRecord("orders", "a", {"amount": n}, at) for n, at in enumerate((5_000, 9_000, 7_000))])
    trial = Trial(GraphBuilder().stream("orders", ORDER, timestamp_from="wall_clock").graph, wall_clock=times.clock)

    trial.run_as_given(times)

    assert [each["timestamp"] for each in trial.shown_records["orders", "result"]] == [5_000, 9_000, 9_000]


def test_digits_bytes_and_missing_members_are_shown_as_they_are():
    builder = GraphBuilder().stream("numbers").stream("images", BYTES, value_format="bytes").to("out", "numbers")
    builder.to("copies", "images")
    value = b'{"n":14.7600,"id":23958446825181076828,"none":null,"far":1e400}'

    trial = tried(builder, ("numbers", record("a", value)), ("images", record("a", b"\xff\x00")))

    assert given(trial, "numbers") == [('"a"', value.decode(), 0)]
    assert given(trial, "images") == [('"a"', '"base64:/wA="', 0)]
    assert write_lines(list(trial.departures())).splitlines() == [
        f'{{"topic": "out", "key": "a", "value": {value.decode()}, "timestamp": 0}}',
        '{"topic": "copies", "key": "a", "value": "base64:/wA=", "timestamp": 0}',
    ]


def test_what_left_can_be_given_again():
    builder = GraphBuilder().stream("images", BYTES, value_format="bytes").to("out", "images")
    lines = '{"topic": "images", "value": "base64:/wA="}\n{"topic": "images", "value": "/wA="}'

    trial = Trial(builder.graph)
    trial.run_as_given(read_lines(lines))

    assert [left["value"] for left in trial.departures()] == ["base64:/wA=", "base64:/wA="]
    with pytest.raises(NotEncoded):
        trial.run_as_given(read_lines('{"topic": "images", "value": "?"}'))
