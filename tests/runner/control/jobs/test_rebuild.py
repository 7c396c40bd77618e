"""For which topologies reading again gives the state that was; where it would not, the reason."""

from dataclasses import replace
from typing import Any

import pytest

from designer.topology.graph import Graph
from runner.control.jobs.plans.rebuild import NotTheSame, find_topics_behind
from runner.plan import JobSettings, Plan, Seed, TopicFacts
from runner.spark.program import Program, make_program
from tests.runner.spark.runs import graph, node, shops

ORDER = {"kind": "struct", "fields": [{"name": "id", "type": {"kind": "integer"}}]}
TYPES = {"key_format": "string", "value_format": "json", "value_type": ORDER}
ORDERS = node("orders", "stream", topic="orders", **TYPES)
SUM: dict[str, Any] = {"functions": [{"name": "total", "function": "sum", "expression": "id"}]}
OUT = (node("updates", "to_stream"), node("sums", "to", topic="sums", key_format="json", value_format="json"))


def kept(operator: str = "count", *, shuffled: bool = False, hourly: bool = False, **config: Any) -> Graph:
    """orders (→ select key) → group by key (→ windows) → an aggregate → sums."""
    nodes, at = [ORDERS], "orders.result"
    edges: list[str] = []
    steps = [node("by-id", "select_key", key="id")] if shuffled else []
    steps.append(node("grouped", "group_by_key"))
    steps += [node("hourly", "windowed_by", size_ms=3_600_000)] if hourly else []
    for each in [*steps, node("kept", operator, **config)]:
        port = "stream" if each.operator in ("select_key", "group_by_key") else "grouped"
        edges.append(f"{at}>{each.id}.{port}")
        nodes, at = [*nodes, each], f"{each.id}.result"
    return graph([*nodes, *OUT], *edges, "kept.result>updates.table", "updates.result>sums.stream")


def looked_up() -> Graph:
    """Orders joined with a table, and written."""
    customers = node("customers", "table", topic="customers", **TYPES)
    nodes = [ORDERS, customers, node("named", "join", value="right"), OUT[1]]
    return graph(nodes, "orders.result>named.left", "customers.result>named.right", "named.result>sums.stream")


def counted_again() -> Graph:
    """The rows of a count, summed up once more."""
    drawn = kept()
    more = (
        node("by-count", "group_by_key"),
        node("again", "aggregate", functions=[{"name": "n", "function": "count"}]),
    )
    rows = (node("rows", "to_stream"), node("more", "to", topic="more", key_format="json", value_format="json"))
    edges = ("updates.result>by-count.stream", "by-count.result>again.grouped", "again.result>rows.table")
    others = graph([*drawn.nodes, *more, *rows], *edges, "rows.result>more.stream")
    return Graph(others.nodes, (*drawn.edges, *others.edges))


def by_clock() -> Graph:
    """Counts by the hour in which each order was processed."""
    drawn = kept(hourly=True)
    orders = replace(ORDERS, config={**ORDERS.config, "timestamp_from": "wall_clock"})
    return Graph((orders, *drawn.nodes[1:]), drawn.edges)


def program(drawn: Graph, seed: Seed | None = None, *, cache: bool = True) -> Program:
    names = ("orders", "customers", "names", "bought", "rows", "kept")
    topics = {name: TopicFacts(id=name, partitions=2, start=[-2, -2]) for name in names}
    plan = Plan(
        application_id="app",
        epoch=1,
        generation=1,
        graph=drawn.to_json(),
        schemas={},
        tasks=[2] * 4,
        slots=2,
        settings=JobSettings.model_validate({"cache": cache}),
        topics=topics,
        marker_topic="markers",
        checkpoint="",
        state_dir="",
        seed=seed,
        shared_shuffles=True,
    )
    return make_program(plan)


@pytest.mark.parametrize(
    ("drawn", "reads"),
    [
        (kept(), {"kept": ["orders"]}),
        (kept(shuffled=True), {"kept": ["orders"]}),
        (kept("aggregate", **SUM), {"kept": ["orders"]}),
        (kept(hourly=True), {"kept": ["orders"]}),
        (looked_up(), {"customers": ["customers"]}),
    ],
)
def test_what_depends_on_the_order_of_a_partition_alone_can_be_built_anew(drawn: Graph, reads: dict[str, list[str]]):
    assert find_topics_behind(program(drawn)) == reads


@pytest.mark.parametrize(
    ("drawn", "why"),
    [
        (kept("aggregate", shuffled=True, **SUM), "records of several partitions"),
        (kept(hourly=True, shuffled=True), "records of several partitions"),
        (shops("orders", "names", "sums"), "several inputs"),
        (counted_again(), "where batches ended"),
        (by_clock(), "time at which records arrived"),
    ],
)
def test_what_depends_on_more_is_refused_with_its_node(drawn: Graph, why: str):
    with pytest.raises(NotTheSame, match=why):
        find_topics_behind(program(drawn))


def test_without_a_cache_it_does_not_matter_where_batches_ended():
    assert find_topics_behind(program(counted_again(), cache=False)) == {"kept": ["orders"], "again": ["orders"]}


def test_state_that_came_from_another_version_is_not_to_be_had_from_the_topics():
    with pytest.raises(NotTheSame, match="earlier version"):
        find_topics_behind(program(kept(), Seed(checkpoint="", plan={}, stores=[])))
