"""Chains of as many nodes as a topology may have. The nodes call each other, and Python limits such calls."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from designer.topology.graph import MAX_NODES
from runner.engine.code import user_code
from tests.runner.graph_builder import GraphBuilder

CODE = """
class Forwarding(Processor):
    def init(self, context):
        self.context = context

    def process(self, record):
        self.context.forward(record)
"""


@pytest.fixture(autouse=True)
def limit_of_other_tests() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.parametrize(
    ("operator", "config", "ports"),
    [
        ("filter", {"predicate": "true"}, {"records": "before"}),
        ("merge", {}, {"streams": "before"}),
        ("left_join", {"value": "left"}, {"left": "before", "right": "countries"}),
        ("process", {"code": CODE}, {"stream": "before"}),
    ],
)
def test_a_record_passes_a_chain_of_all_nodes_that_a_topology_may_have(
    operator: str, config: dict[str, Any], ports: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_code, "_is_trusted", True)
    builder = GraphBuilder().stream("orders").table("countries")
    before = "orders"
    for number in range(MAX_NODES - 3):
        builder.add(
            f"n{number}",
            operator,
            config,
            **{port: before if each == "before" else each for port, each in ports.items()},
        )
        before = f"n{number}"
    driver = builder.to("out", before).driver()

    driver.pipe("orders", key="a", value=1)

    assert (len(builder.nodes), driver.read("out")) == (MAX_NODES, [("a", 1)])
