"""Realistic changes of a topology, each proved against the running version over the same batches.

The report must name the first node that differs, and the first input record whose results do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from designer.topology.graph import Edge, Graph, Node
from runner.control.jobs.plans.state_changes import find_state_changes
from runner.engine.planning.lay_out import lay_out
from runner.plan import JobSettings, Plan, TopicFacts
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.program import Program, make_program
from runner.spark.proving.proof import Proof
from runner.spark.proving.report import ComparedBatches
from runner.spark.replay import KeptState
from tests.runner.spark.past.test_following import Job
from tests.runner.spark.test_replay import forget

MINUTE = 60_000
STRING, DOUBLE, LONG = ({"kind": kind} for kind in ("string", "double", "integer"))
ORDER = {
    "kind": "struct",
    "fields": [
        {"name": "id", "type": STRING},
        {"name": "city", "type": STRING},
        {"name": "amount", "type": DOUBLE},
        {"name": "count", "type": LONG},
    ],
}
NAME = {"kind": "struct", "fields": [{"name": "name", "type": STRING}]}
TAXED = {"name": "total", "expression": "amount * 1.21"}

NODES: dict[str, tuple[str, dict[str, Any]]] = {
    "orders": ("stream", {"topic": "orders", "key_format": "string", "value_format": "json", "value_type": ORDER}),
    "names": ("table", {"topic": "names", "key_format": "string", "value_format": "json", "value_type": NAME}),
    "known": ("filter", {"predicate": "city is not null"}),
    "big": ("filter", {"predicate": "amount > 10.0"}),
    "priced": ("map_values", {"fields": [TAXED], "keep": True}),
    "named": ("left_join", {"fields": [{"name": "name", "expression": "right.name"}], "keep": True}),
    "shipped": ("to", {"topic": "shipped"}),
    "by-city": ("select_key", {"key": "city"}),
    "once": ("deduplicate", {"by": "id", "within_ms": 10 * MINUTE}),
    "grouped": ("group_by_key", {}),
    "minutes": ("windowed_by", {"type": "tumbling", "size_ms": MINUTE, "grace_ms": 10_000}),
    "totals": (
        "aggregate",
        {
            "store": "totals",
            "functions": [
                {"name": "total", "function": "sum", "expression": "total"},
                {"name": "orders", "function": "count"},
            ],
        },
    ),
    "updates": ("to_stream", {}),
    "results": ("to", {"topic": "results"}),
    "again": ("group_by_key", {}),
    "ever": ("count", {"store": "ever"}),
    "changes": ("to_stream", {}),
    "counts": ("to", {"topic": "counts"}),
}
EDGES = [
    "orders.result>known.records",
    "known.result>big.records",
    "big.result>priced.records",
    "priced.result>named.left",
    "names.result>named.right",
    "named.result>shipped.stream",
    "named.result>by-city.stream",
    "by-city.result>once.stream",
    "once.result>grouped.stream",
    "grouped.result>minutes.grouped",
    "minutes.result>totals.grouped",
    "totals.result>updates.table",
    "updates.result>results.stream",
    "once.result>again.stream",
    "again.result>ever.grouped",
    "ever.result>changes.table",
    "changes.result>counts.stream",
]


def draw(nodes: Mapping[str, tuple[str, dict[str, Any]]], edges: Iterable[str]) -> Graph:
    ends = [tuple(end.split(".") for end in edge.split(">")) for edge in edges]
    return Graph(
        tuple(Node(name, operator, config) for name, (operator, config) in nodes.items()),
        tuple(Edge(*start, *end) for start, end in ends),
    )


def change(
    *edges: str,
    without: tuple[str, ...] = (),
    new: Mapping[str, tuple[str, dict[str, Any]]] | None = None,
    **configs: Any,
) -> Graph:
    """The drawing with other settings of nodes, with new nodes, and with these edges instead of those into the same
    port. A node's `-` is `_` here."""
    nodes = {name: each for name, each in NODES.items() if name not in without} | dict(new or {})
    for name, config in configs.items():
        operator, before = nodes[name.replace("_", "-")]
        nodes[name.replace("_", "-")] = config.pop("operator", operator), before | config
    into = {edge.partition(">")[2]: edge for edge in EDGES} | {edge.partition(">")[2]: edge for edge in edges}
    kept = [edge for edge in into.values() if not {end.partition(".")[0] for end in edge.split(">")} & {*without}]
    return draw(nodes, kept)


def make(graph: Graph, folder: Path) -> Program:
    topics = {"orders", "names"}
    tasks = [2] * len(lay_out(graph, {}, shares_shuffles=True).sub_topologies)
    plan = Plan(
        shared_shuffles=True, application_id="shop", epoch=1, generation=1, graph=graph.to_json(), schemas={},
        tasks=tasks, slots=2, settings=JobSettings.model_validate({}), kafka={}, marker_topic="marker", checkpoint="",
        topics={topic: TopicFacts(id=topic, partitions=1, start=[-2]) for topic in topics}, state_dir=str(folder),
    )  # fmt: skip
    return make_program(plan)


def order(customer: str | None, city: str | None, amount: float, at: int, *, id_: str = "", count: int = 1) -> Any:
    value = {"id": id_ or f"{customer}{at}", "city": city, "amount": amount, "count": count}
    return "orders", None if customer is None else customer.encode(), json.dumps(value).encode(), at


def name(customer: str, text: str, at: int) -> Any:
    return "names", customer.encode(), json.dumps({"name": text}).encode(), at


LATE = order("bob", "Rome", 44.0, 57_000)
BATCHES = [
    [name("ann", "Ann", 0), order("ann", "Rome", 20.0, 1_000), order("bob", "Rome", 30.5, 2_000)],  # kept state only
    [order("ann", "Oslo", 12.34, 50_000), order("bob", "Rome", 5.0, 55_000), name("bob", "Bob", 55_500)],
    [order("bob", None, 99.0, 56_000), order("bob", "Rome", 11.0, 58_000), order("ann", "Rome", 15.0, 61_000), LATE],
    [order("eve", "Rome", 40.0, 65_000, id_="same"), order("eve", "Rome", 40.0, 66_000, id_="same")],
    [order("ann", "Rome", 10.0, 59_000), order("ann", "Oslo", 100.0, 130_000), order("bob", "Oslo", 60.0, 119_000)],
    [order("eve", "Oslo", 17.77, 131_000), order("ann", "Rome", 21.0, 110_000), order("cat", "Pisa", 10.004, 135_000)],
]
"""Offsets of `orders`: 0, 1 | 2, 3 | 4 to 7 | 8, 9 | 10 to 12 | 13 to 15. The first batch is before the proof."""


def prove(new: Graph, folder: Path) -> ComparedBatches:
    """The report on a change, over all batches but the first."""
    job = Job(make(draw(NODES, EDGES), folder / "job"))
    for records in BATCHES:
        job.run_batch(records)
    candidate = make(new, folder / "new")
    changes = find_state_changes(job.program.plan, candidate.plan)
    kept = [each.store for each in changes if each.effect == "kept"]
    forget()
    proof = Proof(job.program, candidate, kept, folder / "proof")
    proof.begin(KeptState(job.program, job.batches[1].time))
    for number, inputs in enumerate(job.batches[1:], 1):
        proof.run(Manifest(number, inputs.time, None, {}, {"checksum": job.checksums[number]}), inputs)
    report = proof.report()
    proof.close()
    job.close()
    assert report["repeated"]["same"] == report["repeated"]["batches"] == len(BATCHES) - 1
    return report


class Change(NamedTuple):
    """A change with the first node and the first input record that differ, and the grades of all differences."""

    new: Graph
    node: str
    first: str
    grades: set[str]


def total(expression: str) -> dict[str, Any]:
    return {"fields": [{"name": "total", "expression": expression}]}


DIFFERENT: dict[str, Change] = {
    "a filter accepts more": Change(
        change(big={"predicate": "amount > 4.0"}), "big", "orders-0@3", {"extra", "other_value"}
    ),
    "a filter is inverted": Change(
        change(big={"operator": "filter_not"}), "big", "orders-0@2", {"extra", "missing", "other_value"}
    ),
    "a filter is moved behind what it kept out": Change(
        change(
            "known.result>priced.records",
            "once.result>big.records",
            "big.result>grouped.stream",
            "big.result>again.stream",
        ),
        "big",
        "orders-0@3",
        {"extra"},
    ),
    "a filter asks another field and moves": Change(
        change(
            "known.result>priced.records",
            "priced.result>big.records",
            "big.result>named.left",
            big={"predicate": "total > 10.0"},
        ),
        "big",
        "orders-0@10",
        {"extra", "other_value"},
    ),
    "a null check is lost": Change(
        change("orders.result>big.records", without=("known",)), "known", "orders-0@4", {"extra"}
    ),
    "a filter is added": Change(
        change(
            "known.result>few.records",
            "few.result>big.records",
            new={"few": ("filter", {"predicate": "amount < 50.0"})},
        ),
        "few",
        "orders-0@11",
        {"missing", "other_value"},
    ),
    "a rate": Change(change(priced=total("amount * 1.19")), "priced", "orders-0@2", {"other_value"}),
    "rounding": Change(change(priced=total("round(amount * 1.21, 2)")), "priced", "orders-0@2", {"other_value"}),
    "a new field": Change(
        change(priced={"fields": [TAXED, {"name": "vat", "expression": "amount * 0.21"}]}),
        "priced",
        "orders-0@2",
        {"other_value"},
    ),
    "a default": Change(
        change(named={"fields": [{"name": "name", "expression": "coalesce(right.name, 'unknown')"}]}),
        "named",
        "orders-0@8",
        {"other_value"},
    ),
    "a left join becomes an inner one": Change(
        change(named={"operator": "join"}), "named", "orders-0@8", {"missing", "other_value"}
    ),
    "another key": Change(change(by_city={"key": "id"}), "by-city", "orders-0@2", {"extra", "missing", "other_key"}),
    "duplicates are forgotten sooner": Change(change(once={"within_ms": 500}), "once", "orders-0@9", {"other_value"}),
    "duplicates are kept": Change(
        change("by-city.result>grouped.stream", "by-city.result>again.stream", without=("once",)),
        "once",
        "orders-0@9",
        {"other_value"},
    ),
    "a window is widened": Change(
        change(minutes={"size_ms": 2 * MINUTE}), "minutes", "orders-0@2", {"extra", "missing", "other_key"}
    ),
    "windows hop": Change(
        change(minutes={"type": "hopping", "advance_ms": 30_000}), "minutes", "orders-0@2", {"extra", "other_value"}
    ),
    "grace is shortened": Change(change(minutes={"grace_ms": 0}), "minutes", "orders-0@7", {"other_value"}),
    "windows emit when they close": Change(
        change(minutes={"emit": "on_close"}), "minutes", "orders-0@2", {"missing", "other_time"}
    ),
    "a store is renamed": Change(change(totals={"store": "sums"}), "totals", "orders-0@7", {"other_value"}),
    "a sum becomes an average": Change(
        change(
            totals={
                "functions": [
                    {"name": "total", "function": "avg", "expression": "total"},
                    {"name": "orders", "function": "count"},
                ]
            }
        ),
        "totals",
        "orders-0@7",
        {"other_value"},
    ),
    "another topic": Change(change(results={"topic": "results-2"}), "results", "orders-0@2", {"missing", "extra"}),
    "another format of keys": Change(change(shipped={"key_format": "json"}), "shipped", "orders-0@2", {"other_key"}),
}
SAME: dict[str, Graph] = {
    "nothing": change(),
    "a predicate in other words": change(big={"predicate": "not (amount <= 10.0)"}),
    "factors in another order": change(priced=total("1.21 * amount")),
    "filters in another order": change(
        "orders.result>big.records", "big.result>known.records", "known.result>priced.records"
    ),
    "two filters as one": change(
        "orders.result>big.records", without=("known",), big={"predicate": "city is not null and amount > 10.0"}
    ),
    "another name of a node": change(
        "big.result>taxed.records", "taxed.result>named.left", without=("priced",), new={"taxed": NODES["priced"]}
    ),
    "a filter before what it does not need": change(
        "known.result>priced.records", "priced.result>big.records", "big.result>named.left"
    ),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_the_report_names_the_first_node_and_record_that_differ(what: str, tmp_path: Path) -> None:
    new, node, first, grades = DIFFERENT[what]

    report = prove(new, tmp_path)

    found = {grade for of in report["topics"].values() for grade in of["grades"]}
    assert (report["first_node"], report["first"][0]["at"], found) == (node, first, grades)
    assert not report["equal"]
    assert report["sentence"].endswith(f"since {first}; first node that differs: {node}.")


@pytest.mark.parametrize("what", SAME)
def test_a_change_that_only_looks_different_is_equal(what: str, tmp_path: Path) -> None:
    report = prove(SAME[what], tmp_path)

    assert report["equal"], report["first"]
    assert report["first"] == []


@pytest.mark.parametrize(
    ("what", "start"),
    [
        ("rounding", "`total` differs in 60.0 % of keys"),
        ("a null check is lost", "`shipped` has more results in 25.0 % of keys"),
        ("a left join becomes an inner one", "`counts` differs in 100.0 % of keys"),
    ],
)
def test_the_first_line_names_a_field_only_if_it_is_what_differs_in_each_of_the_keys(
    what: str, start: str, tmp_path: Path
) -> None:
    assert prove(DIFFERENT[what][0], tmp_path)["sentence"].startswith(start)
