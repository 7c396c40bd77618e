"""A node says by `on_error` what becomes of records that fail on it; else the job's settings do."""

from typing import Any

import pytest

from designer.topology.catalogue import get_catalogue
from designer.values.schemas import INTEGER, STRING, struct
from runner.engine.tasks.errors import RecordFailed
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)


def topology(source: Any = None, map_values: Any = None, to: Any = None) -> GraphBuilder:
    builder = GraphBuilder().stream("orders", ORDER, on_error=source)
    builder.add("shares", "map_values", {"value": "100 / amount", "on_error": map_values}, records="orders")
    builder.add("texts", "map_values", {"value": "CAST(amount AS STRING)"}, records="orders")
    builder.add("small", "select_key", {"key": "amount", "key_format": "json"}, stream="orders")
    builder.to("shared", "shares").to("all", "texts")
    return builder.to("ints", "small", key_format="integer", on_error=to)


UNDECODABLE = (b"a", b"{")
UNCOMPUTABLE = (b"a", b'{"amount": 0}')
UNWRITABLE = (b"a", b'{"amount": 4294967296}')


@pytest.mark.parametrize(
    ("node", "kind", "record"),
    [
        ("source", "deserialization", UNDECODABLE),
        ("map_values", "processing", UNCOMPUTABLE),
        ("to", "production", UNWRITABLE),
    ],
)
def test_a_node_decides_before_the_job(node: str, kind: str, record: tuple[bytes, bytes]) -> None:
    skipping = topology(**{node: "skip"}).driver(**{kind: "fail"})
    burying = topology(**{node: "dead_letter"}).driver(**{kind: "skip"})
    failing = topology(**{node: "fail"}).driver()

    skipping.pipe_bytes("orders", *record)
    burying.pipe_bytes("orders", *record)

    assert skipping.dead_letters() == []
    assert [letter[:2] for letter in burying.dead_letters()] == [record]
    with pytest.raises(RecordFailed):
        failing.pipe_bytes("orders", *record)


@pytest.mark.parametrize(
    ("kind", "record"),
    [("deserialization", UNDECODABLE), ("processing", UNCOMPUTABLE), ("production", UNWRITABLE)],
)
def test_the_job_decides_where_no_node_does(kind: str, record: tuple[bytes, bytes]) -> None:
    with pytest.raises(RecordFailed):
        topology().driver(**{kind: "fail"}).pipe_bytes("orders", *record)

    driver = topology().driver(**{kind: "skip"})
    driver.pipe_bytes("orders", *record)
    assert driver.dead_letters() == []


def test_a_skipped_record_is_an_error_of_its_node_and_a_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    driver = topology(map_values="skip").driver()

    driver.pipe_bytes("orders", *UNCOMPUTABLE)

    (line,) = caplog.records
    assert (line.name, line.levelname) == ("record.shares", "WARNING")
    assert line.getMessage().startswith("skipped a record on offset 0 of partition 0 of orders: ")
    assert driver.counters()["shares"] == {"in": 1, "out": 0, "dropped": 0, "errors": 1}
    assert driver.read("all") == [("a", "0")]


def test_a_form_asks_only_where_a_record_can_fail_and_last() -> None:
    asked = {name: list(operator.model_json_schema()["properties"]) for name, operator in get_catalogue().items()}

    assert {name for name in ("stream", "table", "filter", "map_values", "to") if asked[name][-1] == "on_error"} == {
        *("stream", "table", "filter", "map_values", "to")
    }
    assert not any("on_error" in asked[name] for name in ("group_by_key", "windowed_by", "peek", "foreach", "print"))


def test_a_dead_letter_of_a_sink_carries_all_that_is_known() -> None:
    driver = topology().driver()

    driver.pipe_bytes("orders", *UNWRITABLE, timestamp=9)

    (letter,) = driver.dead_letters()
    said = {name.removeprefix("__streams.errors."): value for name, value in letter.headers}
    assert letter[:3] == (*UNWRITABLE, 9)
    assert said.keys() >= {"exception", "message", "stacktrace", "topic", "partition", "offset", "node"}
    assert (said["node"], said["topic"], said["partition"], said["offset"]) == (b"ints", b"orders", b"0", b"0")
    assert b"32 bits" in (said["message"] or b"")


def test_null_stays_apart_from_what_is_computed() -> None:
    driver = GraphBuilder().stream("words", STRING).to("out", "words", on_error="fail").driver()

    driver.pipe_bytes("words", None, None)

    assert driver.read("out") == [(None, None)]
