"""peek: lines in the log of a run, and records that pass."""

import logging

import pytest

from designer.values.schemas import INTEGER, struct
from runner.engine.counts.record_log import MAX_PER_SECOND
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO, "record")
    return lambda: [record.getMessage() for record in caplog.records]


def test_peek_writes_a_line_and_passes_the_record(lines):
    driver = GraphBuilder().stream("orders", ORDER).add("seen", "peek", stream="orders").to("out", "seen").driver()

    driver.pipe("orders", key="a", value={"amount": 3}, timestamp=7)

    assert driver.read("out") == [("a", {"amount": 3})]
    assert lines() == ['key="a" value={"amount":3} timestamp=7']


def test_foreach_shows_the_window_of_a_windowed_key(lines):
    builder = GraphBuilder().stream("orders", ORDER).add("grouped", "group_by_key", stream="orders")
    builder.add("windows", "windowed_by", {"size_ms": 10}, grouped="grouped").add("counts", "count", grouped="windows")
    builder.add("updates", "to_stream", table="counts").add("told", "foreach", stream="updates")
    driver = builder.add("printed", "print", stream="updates").driver()

    driver.pipe("orders", key="a", value={}, timestamp=25)

    assert lines() == ['key="a" value=1 timestamp=25 window=[20-30]', '["a"@20/30], 1']


def test_of_many_records_few_are_told_and_all_pass(lines):
    driver = GraphBuilder().stream("orders", ORDER).add("seen", "peek", stream="orders").to("out", "seen").driver()

    with driver.batch():
        for number in range(2_000):
            driver.pipe("orders", key="a", value={"amount": number})

    assert len(driver.read("out")) == 2_000
    assert MAX_PER_SECOND <= len(lines()) < 100


def test_a_message_that_fails_is_a_line_that_says_why_and_no_error_of_a_record(lines):
    """Whichever records there is room to tell of, all pass: no result depends on the wall clock."""
    builder = GraphBuilder().stream("orders", ORDER).add("seen", "peek", {"message": "1 / amount"}, stream="orders")
    driver = builder.to("out", "seen").driver(processing="fail")

    for _ in range(10 * MAX_PER_SECOND):
        driver.pipe("orders", key="a", value={"amount": 0})

    assert driver.read("out") == [("a", {"amount": 0})] * 10 * MAX_PER_SECOND
    records = 10 * MAX_PER_SECOND
    assert driver.counters()["seen"] == {"in": records, "out": records, "dropped": 0, "errors": 0}
    assert len(lines()) >= MAX_PER_SECOND
    assert all(line.startswith("the message cannot be computed: ") and "zero" in line for line in lines())
