"""What joins, windows and tables keep when a new version has other schemas or times. Without Spark and Kafka."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

import pytest

from designer.topology.graph import Graph
from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder
from tests.runner.spark.stage.test_seeding import CURRENCY, NOTE, OLD, SMALL, Epochs, avro, job

__all__ = ["job"]
ORDER = struct(amount=INTEGER, id=STRING)
NEW = {"id": "x", "amount": 7.0, "note": None}
"""`OLD` as the schema with NOTE and an amount that is a double reads it."""


def read(builder: GraphBuilder, topic: str, schema: str, operator: str = "stream", **config: Any) -> GraphBuilder:
    reads = {"topic": topic, "key_format": "string", "value_format": "avro", "value_schema": schema}
    return builder.add(topic, operator, reads | config)


def joined(left: str, right: str, kind: str = "outer_join", **config: Any) -> Graph:
    """Both sides of the results of a join of two streams, one second apart at most."""
    window = {"before_ms": 1_000, "after_ms": 1_000, "grace_ms": 0} | config
    builder = read(read(GraphBuilder(), "orders", left), "table", right)
    window["value"] = "named_struct('left', left, 'right', right)"
    builder.add("joined", kind, window, left="orders", right="table")
    return builder.to("out", "joined", value_format="json").graph


@pytest.mark.parametrize("kind", ["join", "left_join", "outer_join"])
def test_records_that_wait_for_a_partner_go_on_with_the_new_schemas(job: Epochs, kind: str):
    job.deploy(joined(avro(), avro(CURRENCY), kind))
    job.run(OLD, at=5_000)

    assert set(job.deploy(joined(avro(NOTE, amount="double"), avro(NOTE), kind))) == {"kept"}
    assert job.run(SMALL, "table", at=5_100) == [{"left": NEW, "right": {"id": "y", "amount": 1, "note": "new"}}]


def test_records_of_both_sides_without_a_partner_have_the_new_schemas(job: Epochs):
    job.deploy(joined(avro(), avro()))
    job.run(OLD, at=5_000)
    job.run(OLD | {"id": "z"}, "table", at=8_000)

    assert set(job.deploy(joined(avro(), avro(NOTE, amount="double")))) == {"kept"}
    assert job.run(SMALL, at=20_000) == [{"left": None, "right": NEW | {"id": "z"}}]


def test_waiting_records_begin_empty_with_those_of_either_side(job: Epochs):
    job.deploy(joined(avro(), avro(amount="long")))
    job.run(OLD, "table", at=5_000)

    assert job.deploy(joined(avro(), avro(amount="int"))) == ["kept", "starts_empty", "starts_empty"]
    assert job.run(SMALL, at=20_000) == []


@pytest.mark.parametrize(("before", "after"), [(1_000, 60_000), (60_000, 1_000), (5_000, 20_000)])
def test_a_join_with_a_wider_or_a_shorter_window_finds_its_records(job: Epochs, before: int, after: int):
    job.deploy(joined(avro(), avro(), "join", before_ms=before, after_ms=before))
    job.run(OLD, at=125_000)

    assert set(job.deploy(joined(avro(), avro(NOTE), "join", before_ms=after, after_ms=after))) == {"kept"}
    assert [each["left"] for each in job.run(SMALL, "table", at=126_000)] == [OLD]
    assert len(job.run(SMALL, "table", at=125_000 + after)) == 1
    assert job.run(SMALL, "table", at=125_001 + after) == []


def test_records_that_wait_for_late_rows_go_on_with_the_new_schema(job: Epochs):
    def waiting(schema: str) -> Graph:
        builder = read(GraphBuilder(), "orders", schema)
        read(builder, "table", avro(), "table", history_ms=10_000)
        config = {"grace_ms": 1_000, "value": "named_struct('left', left, 'right', right)"}
        builder.add("joined", "left_join", config, left="orders", right="table")
        return builder.to("out", "joined", value_format="json").graph

    job.deploy(waiting(avro()))
    assert job.run(OLD, at=5_000) == []

    assert set(job.deploy(waiting(avro(NOTE, amount="double")))) == {"kept"}
    assert job.run(SMALL, at=7_000) == [{"left": NEW, "right": None}]


def test_earlier_values_of_a_table_go_on_with_the_new_schema(job: Epochs):
    def versioned(schema: str) -> Graph:
        builder = read(GraphBuilder(), "orders", avro())
        read(builder, "table", schema, "table", history_ms=10_000)
        builder.add("joined", "join", {"value": "named_struct('right', right)"}, left="orders", right="table")
        return builder.to("out", "joined", value_format="json").graph

    job.deploy(versioned(avro()))
    job.run(OLD, "table", at=5_000)
    job.run(OLD | {"amount": 8}, "table", at=6_000)

    assert set(job.deploy(versioned(avro(NOTE, amount="double")))) == {"kept"}
    assert job.run(OLD, at=5_500) == [{"right": NEW}]
    assert job.run(OLD, at=6_500) == [{"right": NEW | {"amount": 8.0}}]


@pytest.mark.parametrize(
    "window",
    [
        {"type": "tumbling", "size_ms": 5_000},
        {"type": "sliding", "difference_ms": 5_000},
        {"type": "session", "gap_ms": 5_000},
    ],
)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"grace_ms": 0}, {"grace_ms": 60_000}),
        ({"grace_ms": 60_000}, {"grace_ms": 0}),
        ({"grace_ms": 0}, {"grace_ms": 0, "retention_ms": 3_600_000}),
    ],
)
def test_windows_stay_with_another_grace_or_retention(
    job: Epochs, window: dict[str, Any], before: dict[str, int], after: dict[str, int]
):
    def counted(times: dict[str, int]) -> Graph:
        builder = (
            GraphBuilder().stream("orders", struct(amount=INTEGER)).add("grouped", "group_by_key", stream="orders")
        )
        builder.add("windowed", "windowed_by", window | times, grouped="grouped")
        builder.add("counts", "count", {}, grouped="windowed").add("updates", "to_stream", table="counts")
        return builder.to("out", "updates", value_format="json").graph

    job.deploy(counted(before))
    job.run({"amount": 1}, at=120_000)
    job.run({"amount": 1}, at=122_000)

    assert set(job.deploy(counted(after))) == {"kept"}
    assert 3 in job.run({"amount": 1}, at=123_000)


def held(*more: str, key: str = "value.id") -> Graph:
    """The last order of each id, held back for a second. Sources of `more` come first, and shift numbers of targets."""
    builder = GraphBuilder()
    for topic in more:
        builder.stream(topic, ORDER).to(f"copy-of-{topic}", topic)
    builder.stream("orders", ORDER).add("by-id", "group_by", {"key": "id"}, records="orders")
    builder.add("last", "reduce", {"add": "value"}, grouped="by-id")
    builder.add("held", "suppress", {"until": "time_limit", "wait_ms": 1_000}, table="last")
    builder.add("updates", "to_stream", table="held").add("again", "select_key", {"key": key}, stream="updates")
    builder.add("shuffled", "repartition", stream="again")
    fields = [{"name": "share", "expression": "1 / value.amount"}]
    return builder.add("shares", "map_values", {"fields": fields}, records="shuffled").to("out", "shares").graph


def find_input(letter: dict[str, Any]) -> list[str | None]:
    """The node at which a record failed, and the topic and offset of its input."""
    headers = {each["key"]: b64decode(each["value"]).decode() for each in json.loads(letter["headers"])}
    return [headers.get(f"__streams.errors.{name}") for name in ("node", "topic", "offset")]


@pytest.mark.parametrize(("before", "after"), [((), ("more",)), (("more",), ()), (("more", "table"), ("table",))])
def test_an_update_that_is_held_back_while_sources_come_and_go_still_names_its_record(
    job: Epochs, before: tuple[str, ...], after: tuple[str, ...]
):
    job.deploy(held(*before))
    job.run({"amount": 0, "id": "x"}, at=1_000)
    assert set(job.deploy(held(*after))) == {"kept"}

    (letter,) = job.process({"amount": 5, "id": "y"}, at=5_000)

    assert find_input(letter) == ["shares", "orders", "0"]


@pytest.mark.parametrize(("before", "after"), [((), ("more",)), (("more",), ()), (("more", "table"), ("table",))])
def test_an_update_that_is_held_back_while_sources_come_and_go_may_be_dropped(
    job: Epochs, before: tuple[str, ...], after: tuple[str, ...]
):
    key = "if(value.amount = 0, null, value.id)"
    job.deploy(held(*before, key=key))
    job.run({"amount": 0, "id": "x"}, at=1_000)
    job.deploy(held(*after, key=key))

    assert job.run({"amount": 5, "id": "y"}, at=5_000) == []


@pytest.mark.parametrize(("before", "after"), [((), ("more",)), (("more",), ())])
def test_a_record_that_waits_for_late_rows_while_sources_come_and_go_still_names_itself(
    job: Epochs, before: tuple[str, ...], after: tuple[str, ...]
):
    def waiting(*more: str) -> Graph:
        builder = GraphBuilder()
        for topic in more:
            builder.stream(topic, ORDER).to(f"copy-of-{topic}", topic)
        builder.stream("orders", ORDER).table("table", ORDER, history_ms=10_000)
        config = {"grace_ms": 1_000, "value": "named_struct('share', 1 / left.amount)"}
        return builder.add("joined", "left_join", config, left="orders", right="table").to("out", "joined").graph

    job.deploy(waiting(*before))
    job.run({"amount": 0, "id": "x"}, at=1_000)
    assert set(job.deploy(waiting(*after))) == {"kept"}

    (letter,) = job.process({"amount": 5, "id": "y"}, at=5_000)

    assert find_input(letter) == ["joined", "orders", "0"]
