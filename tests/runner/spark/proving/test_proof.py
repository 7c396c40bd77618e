"""What a proof tells apart from a change: state that a global table holds, noise, late answers, and other topics."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from designer.topology.graph import Graph
from runner.engine.code.user_code import trust_this_process
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.program import Program, make_program
from runner.spark.proving import observing
from runner.spark.proving.proof import Proof
from runner.spark.proving.report import ComparedBatches
from runner.spark.replay import KeptState
from tests.runner.spark.past.test_following import Job
from tests.runner.spark.proving.test_changes import BATCHES, EDGES, NODES, change, draw, make, order, prove
from tests.runner.spark.runs import graph, node, shops
from tests.runner.spark.stage.test_counters import program_for
from tests.runner.spark.test_replay import forget

RANDOM = """
    import random

    class Marking(Processor):
        def init(self, context):
            self.context = context

        def process(self, record):
            self.context.forward(record.with_value(random.random()))
"""


def run(job: Job, new: Program, folder: Path, first: int = 1) -> ComparedBatches:
    """The report on a candidate with all stores that have the same name."""
    forget()
    stores = [
        store.name for store in new.layout.stores if store.name in {each.name for each in job.program.layout.stores}
    ]
    proof = Proof(job.program, new, stores, folder)
    proof.begin(KeptState(job.program, job.batches[first].time))
    for number, inputs in enumerate(job.batches[first:], first):
        proof.run(Manifest(number, inputs.time, None, {}, {"checksum": job.checksums[number]}), inputs)
    report = proof.report()
    proof.close()
    return report


def looking_up(folder: Path, name: str) -> Program:
    """Orders with a name from a global table, which are written as they are, too."""
    drawn = shops("orders", "names", "counts")
    joining = node("named", "join", fields=[{"name": "name", "expression": name}], keep=True)
    nodes = [joining if each.id == "named" else each for each in drawn.nodes]
    shown = graph([node("shown", "to", topic="shown")], "named.result>shown.stream")
    whole = Graph((*nodes, *shown.nodes), (*drawn.edges, *shown.edges))
    plan = program_for(whole, "orders", "names").plan
    return make_program(plan.model_copy(update={"state_dir": str(folder)}))


@pytest.mark.parametrize(("name", "is_equal"), [("right.name", True), ("upper(right.name)", False)])
def test_both_versions_begin_with_the_rows_of_global_tables(tmp_path: Path, name: str, is_equal: bool) -> None:
    job = Job(looking_up(tmp_path / "job", "right.name"))
    job.run(names=[("ann", {"name": "Ann"})], orders=[("ann", {"city": "Rome"})])
    job.run(orders=[("ann", {"city": "Oslo"})])

    report = run(job, looking_up(tmp_path / "new", name), tmp_path / "proof")
    job.close()

    assert report["topics"]["shown"]["results"] == {"old": 1, "new": 1}
    assert (report["equal"], report["first_node"]) == (is_equal, None if is_equal else "named")


def test_a_topic_that_differs_by_itself_is_noise(tmp_path: Path) -> None:
    trust_this_process()
    marking: tuple[str, dict[str, Any]] = (
        "process",
        {"code": textwrap.dedent(RANDOM), "value_type": {"kind": "double"}, "value_format": "json"},
    )
    more: dict[str, tuple[str, dict[str, Any]]] = {"marking": marking, "marks": ("to", {"topic": "marks"})}
    edges = ("orders.result>marking.stream", "marking.result>marks.stream")
    job = Job(make(change(*edges, new=more), tmp_path / "job"))
    for records in BATCHES:
        job.run_batch(records)
    same = run(job, make(change(*edges, new=more), tmp_path / "same"), tmp_path / "proof")
    other = run(
        job, make(change(*edges, new=more, big={"predicate": "amount > 4.0"}), tmp_path / "other"), tmp_path / "proof"
    )
    job.close()

    assert (same["equal"], same["noise"], same["first"]) == (True, ["marks"], [])
    assert same["sentence"].endswith("`marks` differs by itself.")
    assert same["repeated"]["same"] < same["repeated"]["batches"] == same["repeated"]["twice"]
    assert (other["equal"], other["first_node"]) == (False, "big")


def test_what_was_said_of_a_topic_before_it_turned_out_to_be_noise_is_taken_back(tmp_path: Path) -> None:
    trust_this_process()

    def draw_marking(small: str) -> dict[str, tuple[str, dict[str, Any]]]:
        value = f"random.random() if record.value['amount'] > 50.0 else {small}"  # the first batch has small ones
        code = textwrap.dedent(RANDOM).replace("random.random()", value)
        config = {"code": code, "value_type": {"kind": "double"}, "value_format": "json"}
        return {"marking": ("process", config), "marks": ("to", {"topic": "marks"})}

    edges = ("orders.result>marking.stream", "marking.result>marks.stream")
    job = Job(make(change(*edges, new=draw_marking("0.0")), tmp_path / "job"))
    for records in BATCHES:
        job.run_batch(records)
    other = make(change(*edges, new=draw_marking("1.0")), tmp_path / "new")
    report = run(job, other, tmp_path / "proof")
    job.close()

    assert (report["equal"], report["noise"]) == (True, ["marks"])
    assert (report["count"], report["first"], report["first_node"]) == (0, [], None)


def test_a_topic_that_only_the_candidate_reads_is_named(tmp_path: Path) -> None:
    more = {"others": ("stream", NODES["orders"][1] | {"topic": "others"}), "copies": ("to", {"topic": "copies"})}
    report = prove(change("others.result>copies.stream", new=more), tmp_path)

    assert (report["equal"], report["topics_without_records"]) == (True, ["others"])


def test_a_result_that_comes_with_a_later_record_is_not_missing(tmp_path: Path) -> None:
    report = prove(change(minutes={"emit": "on_close"}), tmp_path)

    grades = report["topics"]["results"]["grades"]
    assert grades["other_time"] > 0
    assert report["topics"]["counts"]["grades"] == {}


def test_the_input_records_of_a_key_go_with_a_difference(tmp_path: Path) -> None:
    report = prove(change(priced={"fields": [{"name": "total", "expression": "amount * 2"}]}), tmp_path)

    found = next(each for each in report["first"] if each["at"] == "orders-0@6")
    assert [each["value"]["amount"] for each in found["records"]] == [12.34, 15.0]
    assert found["fields"] == ["total"]
    assert found["old"][0]["value"]["total"] == 15.0 * 1.21
    assert found["new"][0]["value"]["total"] == 30.0


def test_the_input_records_of_a_difference_end_with_its_own(tmp_path: Path) -> None:
    """Also if many records of the key follow in the same batch."""
    job = Job(make(draw(NODES, EDGES), tmp_path / "job"))
    job.run_batch(BATCHES[0])
    job.run_batch([order("ann", "Rome", 20.0 + n, 50_000 + n) for n in range(15)])
    new = make(change(priced={"fields": [{"name": "total", "expression": "amount * 2"}]}), tmp_path / "new")

    report = run(job, new, tmp_path / "proof")
    job.close()

    assert len(report["first"]) > 1
    for found in report["first"]:
        assert found["input"] and found["records"][-1]["value"] == found["input"]["value"]


def test_a_failing_record_is_compared_by_its_reason(tmp_path: Path) -> None:
    old = make(draw(NODES, EDGES), tmp_path / "job")
    job = Job(old)
    job.run_batch(BATCHES[0])
    job.run_batch([("orders", b"ann", b"not JSON", 1_000), order("ann", "Rome", 20.0, 2_000)])
    same = run(job, make(change(), tmp_path / "same"), tmp_path / "proof")
    fields = [{"name": "total", "expression": "1.0"}, *({"name": each, "expression": "'a'"} for each in ("city", "id"))]
    reads_texts: dict[str, Any] = {
        "orders": {"value_format": "string", "value_type": None},
        "known": {"predicate": "value is not null"},
        "big": {"predicate": "true"},
        "priced": {"fields": fields, "keep": False},
    }
    new = make(change(**reads_texts), tmp_path / "new")
    other = run(job, new, tmp_path / "proof")
    job.close()

    assert (same["equal"], same["topics"]["dead letters"]["results"]) == (True, {"old": 1, "new": 1})
    assert other["topics"]["dead letters"]["grades"] == {"missing": 1}
    reason = next(each for each in other["first"] if each["topic"] is None)["old"][0]["reason"]
    assert reason and reason.startswith("orders: ")


def test_a_batch_with_very_many_records_is_compared_by_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = change(big={"predicate": "amount > 4.0"})
    whole = prove(new, tmp_path / "whole")
    monkeypatch.setattr(observing, "MAX_OBSERVED", 3)
    report = prove(new, tmp_path / "part")

    assert (report["equal"], report["unobserved"]) == (False, 1)
    assert report["first"][0]["at"] == "orders-0@3"
    assert report["nodes"]["orders"]["inputs"] == whole["nodes"]["orders"]["inputs"] - 4
    assert {topic: of["grades"] for topic, of in report["topics"].items()} == {
        topic: of["grades"] for topic, of in whole["topics"].items()
    }
