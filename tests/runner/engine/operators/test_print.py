"""print: lines in the run's log, worded as Kafka Streams words them."""

import logging

import pytest

from designer.checks import check
from designer.values.schemas import INTEGER, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO, "record")
    return lambda: [record.getMessage() for record in caplog.records]


def test_a_line_has_key_and_value(lines):
    driver = GraphBuilder().stream("orders", ORDER).add("printed", "print", stream="orders").driver()

    driver.pipe("orders", key="a", value={"amount": 3})

    assert lines() == ['"a", {"amount":3}']


def test_a_topology_may_end_in_print_alone():
    assert check(GraphBuilder().stream("orders").add("printed", "print", stream="orders").graph) == []
