"""The order of rows whose times stand in their fields, and the clock of a batch. Without Spark and Kafka."""

from __future__ import annotations

from typing import Any

import orjson
import pyarrow as pa
import pytest

from designer.values.schemas import INTEGER, struct
from runner.engine.records.record import number_input
from runner.plan import JobSettings, Plan, TopicFacts
from runner.spark.columns import make_no_records
from runner.spark.program import Program, make_program
from runner.spark.source.intake import Intake
from runner.spark.stage.input_times import InputTimes
from runner.spark.stage.rows import RECORD, SINK_DEPTH, Pack, sort_records, unpack_records
from tests.runner.graph_builder import GraphBuilder

EVENT = struct(at=INTEGER)
BY_FIELD: dict[str, Any] = {"timestamp_from": "field", "timestamp_field": "at"}


def program(builder: GraphBuilder, *topics: str) -> Program:
    plan = Plan(
        shared_shuffles=True,
        application_id="times",
        epoch=1,
        generation=1,
        graph=builder.graph.to_json(),
        schemas={},
        tasks=[1] * 3,
        slots=1,
        settings=JobSettings.model_validate({"cache": False}),
        kafka={},
        topics={name: TopicFacts(id=name, partitions=1, start=[-2]) for name in topics},
        marker_topic="marker",
        checkpoint="",
        state_dir="",
    )
    return make_program(plan)


def joined(**config: Any) -> Program:
    builder = GraphBuilder().stream("events", EVENT, **config).table("rows", EVENT)
    builder.add("joined", "join", {"value": "left"}, left="events", right="rows").to("out", "joined")
    return program(builder, "events", "rows")


def record(target: int, offset: int, value: bytes, timestamp: int) -> dict[str, Any]:
    return dict.fromkeys(RECORD.names) | {
        "target": target,
        "task": 0,
        "origin": 0,
        "seq": offset,
        "timestamp": timestamp,
        "key": b"a",
        "value": value,
        "input": number_input(target, 0),
        "offset": offset,
    }


def taken(made: Program, batch_time: int, *values: bytes) -> list[Pack]:
    """The packs that the first stage makes of records with those values."""
    records = make_no_records()
    for offset, value in enumerate(values):
        records.append(offset, 5, b"ab"[offset : offset + 1], value, None)
    intake = Intake(made, batch_time)
    return [*intake.take(0, 0, records), *intake.rest()]


def test_a_task_takes_its_inputs_by_the_times_in_their_fields() -> None:
    made = joined(**BY_FIELD)
    event, row = (made.layout.source_of[node] for node in ("events", "rows"))
    records = [record(event, 0, b'{"at":50}', 1), record(event, 1, b'{"at":5}', 2), record(row, 0, b'{"at":0}', 20)]
    batch = pa.RecordBatch.from_pylist(records, schema=RECORD)

    times = InputTimes(made, lambda: 0).read_times(batch)

    assert times is not None
    assert times.tolist() == [50, 5, 20]
    assert sort_records(batch, times).column("target").to_pylist() == [row, event, event]


def test_a_row_whose_time_cannot_be_read_is_taken_by_its_own() -> None:
    made = joined(**BY_FIELD)
    event, row = (made.layout.source_of[node] for node in ("events", "rows"))
    batch = pa.RecordBatch.from_pylist([record(event, 0, b"{", 7), record(row, 0, b"{}", 20)], schema=RECORD)

    times = InputTimes(made, lambda: 0).read_times(batch)

    assert times is not None
    assert times.tolist() == [7, 20]


def test_nothing_is_read_where_times_are_the_records_own() -> None:
    made = joined()
    event, row = (made.layout.source_of[node] for node in ("events", "rows"))
    batch = pa.RecordBatch.from_pylist([record(event, 0, b"{", 7), record(row, 0, b"{}", 20)], schema=RECORD)

    assert InputTimes(made, lambda: 0).read_times(batch) is None


def test_the_time_of_the_batch_is_the_wall_clock_of_the_first_stage() -> None:
    made = program(GraphBuilder().stream("events", EVENT, timestamp_from="wall_clock").to("out", "events"), "events")
    packs = taken(made, 1_234, b"{}")

    assert unpack_records(pack.pack for pack in packs if pack.depth == SINK_DEPTH).column("timestamp").to_pylist() == [
        1_234
    ]


def test_records_of_one_sink_go_to_the_topics_they_name() -> None:
    builder = GraphBuilder().stream("events", EVENT)
    config = {"topic_expression": "if(at > 5, 'late', 'early')", "topics": ["early", "late"]}
    made = program(builder.add("out", "to", config, stream="events"), "events")
    values = [b'{"at":9}', b'{"at":1}']

    packs = taken(made, 0, *values)

    rows = unpack_records(pack.pack for pack in packs if pack.depth == SINK_DEPTH).to_pylist()
    assert {made.topic_of(row["target"]): row["key"] for row in rows} == {"late": b"a", "early": b"b"}


@pytest.mark.parametrize("is_stateful", [False, True])
def test_times_in_the_topic_that_are_hardly_meant_are_counted_at_their_source(is_stateful: bool) -> None:
    made = joined() if is_stateful else program(GraphBuilder().stream("events", EVENT).to("out", "events"), "events")
    now = 1_774_740_600_000
    records = make_no_records()
    for offset, timestamp in enumerate((now, now // 1_000, now + 86_400_001, now + 86_400_000)):
        records.append(offset, timestamp, b"a", b"{}", None)
    intake = Intake(made, now)
    number = next(each.number for each in made.inputs if each.topic == "events")

    list(intake.take(number, 0, records))

    (counters,) = intake.counters()
    assert orjson.loads(counters.pack)["nodes"]["events"]["unlikely_times"] == 2
