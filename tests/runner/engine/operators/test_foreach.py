"""foreach: lines in the run's log."""

import logging

import pytest

from designer.checks import check
from designer.values.schemas import INTEGER, struct
from runner.engine.counts.record_log import MAX_PER_SECOND
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO, "record")
    return lambda: [record.getMessage() for record in caplog.records]


def test_the_user_words_the_line(lines):
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("told", "foreach", {"message": "concat(key, ' costs ', amount)"}, stream="orders")
    driver = builder.driver()

    driver.pipe("orders", key="a", value={"amount": 3})

    assert lines() == ["a costs 3"]


def test_a_task_made_anew_writes_no_more_lines(lines):
    builder = GraphBuilder().stream("orders", ORDER).add("told", "foreach", stream="orders")
    driver = builder.driver(is_one_life=False)

    for number in range(500):
        driver.pipe("orders", key="a", value={"amount": number})

    assert MAX_PER_SECOND <= len(lines()) < 100


def test_a_topology_may_end_in_foreach_alone():
    assert check(GraphBuilder().stream("orders").add("told", "foreach", stream="orders").graph) == []
