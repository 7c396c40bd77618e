"""What corrects the results of a wrong version, over kept batches. Without Spark and Kafka.

Each case compares with a run that was right from the start: the topics must end equal.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from designer.topology.graph import Graph
from runner.control.jobs.plans.state_changes import find_state_changes
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.program import Program
from runner.spark.proving import corrections as module
from runner.spark.proving.corrections import (
    Correction,
    TooManyCorrections,
    complete,
    digest,
    find_table_topics,
    list_results,
    strip_sent,
)
from runner.spark.proving.observing import NO_INPUT
from runner.spark.proving.proof import Proof
from runner.spark.proving.versions import Result, Version
from runner.spark.replay import KeptState
from runner.spark.state.rows import Row
from tests.runner.spark.past.test_following import Job
from tests.runner.spark.proving.test_changes import BATCHES, EDGES, NODES, change, draw, make, total
from tests.runner.spark.test_replay import forget

Topics = dict[str, list[Result]]
RIGHT = draw(NODES, EDGES)
TABLES = {"results", "counts"}
WRONG = {
    "a wrong filter": (change(big={"predicate": "amount > 4.0"}), 1),
    "a wrong price": (change(priced=total("amount * 1.19")), 0),
    "a lost null check": (change("orders.result>big.records", without=("known",)), 1),
    "too few records": (change(big={"predicate": "amount > 15.0"}), 0),
    "another key": (change(by_city={"key": "id"}), 0),
    "windows of another size": (change(minutes={"size_ms": 120_000}), 0),
}
"""What runs, and the batch that its corrections begin with: the batches before give the same in both versions."""


def run(graph: Graph, folder: Path) -> tuple[Job, Topics]:
    """A job over all batches, and its topics."""
    job = Job(make(graph, folder / "state"))
    for records in BATCHES:
        job.run_batch(records)
    forget()
    topics: Topics = defaultdict(list)
    for results in job.results:
        for topic, result, _ in list_results(Version(job.program.layout), results):
            topics[topic].append(result)
    return job, topics


def correct(job: Job, right: Program, first: int, folder: Path) -> tuple[list[Correction], list[Row]]:
    """The corrections since a batch, and the rows of the right version behind the last one."""
    changes = find_state_changes(job.program.plan, right.plan)
    proof = Proof(job.program, right, [each.store for each in changes if each.effect == "kept"], folder)
    proof.begin(KeptState(job.program, job.batches[first].time))
    proof.correct(TABLES, "corrections")
    for number, inputs in enumerate(job.batches[first:], first):
        proof.run(Manifest(number, inputs.time, None, {}, {"checksum": job.checksums[number]}), inputs)
    found, rows = proof.find_corrections(), sorted(proof.new.rows())
    proof.close()
    assert proof.seen.same == proof.seen.batches
    return found, rows


def send(found: Sequence[Correction], topics: Topics) -> None:
    """Puts corrections into topics, as the sender does."""
    for each in found:
        if each.kind == "earlier":
            of_key = [result for result in topics[each.topic] if result.key == each.key]
            whole = complete(each, of_key[-len(each.sent) - 1 :])
            if whole is None:
                continue
            each = whole
        topics[each.topic].append(Result(each.key, each.value, each.timestamp, each.headers))


def find_newest(results: Sequence[Result]) -> dict[bytes | None, Result]:
    """The newest value of each key. Deleted keys are left out, as compaction does."""
    newest = {result.key: result for result in results}
    return {key: result for key, result in newest.items() if result.value is not None}


def apply(topic: str, sent: Sequence[Result], told: Sequence[Result]) -> Counter[str]:
    """The records of a stream as a consumer has them that also reads the corrections."""
    records = Counter(json.dumps([json.loads(each.value or b"null"), each.timestamp]) for each in sent)
    for correction in (json.loads(each.value or b"") for each in told):
        if correction["topic"] == topic:
            records.subtract(json.dumps([each["value"], each["timestamp"]]) for each in correction["sent"])
            records.update(json.dumps([each["value"], each["timestamp"]]) for each in correction["right"])
    return +records


@pytest.mark.parametrize("what", WRONG)
def test_corrected_topics_end_equal_to_those_of_a_run_that_was_right_from_the_start(what: str, tmp_path: Path) -> None:
    graph, first = WRONG[what]
    wrong, topics = run(graph, tmp_path / "wrong")
    right, expected = run(RIGHT, tmp_path / "right")
    before = {topic: list(of) for topic, of in topics.items()}

    found, rows = correct(wrong, right.program, first, tmp_path / "proof")
    send(found, topics)

    for topic in TABLES:
        assert find_newest(topics[topic]) == find_newest(expected[topic])
    after = KeptState(right.program, right.batches[-1].time + 1)
    assert rows == sorted(row for _, of_slot in after.rows() for row in of_slot)
    assert apply("shipped", topics["shipped"], topics["corrections"]) == apply("shipped", expected["shipped"], ())
    assert any(before[topic] != expected[topic] for topic in expected)
    wrong.close()
    right.close()


def test_a_version_that_was_right_needs_no_correction(tmp_path: Path) -> None:
    job, _ = run(RIGHT, tmp_path / "job")

    found, _ = correct(job, make(RIGHT, tmp_path / "same"), 1, tmp_path / "proof")

    assert found == []
    job.close()


def test_a_correction_of_a_stream_says_what_was_sent_what_is_right_and_for_which_record(tmp_path: Path) -> None:
    job, _ = run(change(priced=total("amount * 1.19")), tmp_path / "job")

    found, _ = correct(job, make(RIGHT, tmp_path / "right"), 0, tmp_path / "proof")

    told = [json.loads(each.value or b"") for each in found if each.topic == "corrections"]
    assert told[0] == {
        "topic": "shipped", "kind": "other_value", "key": "ann", "batch": 0,
        "sent": [{"value": order(1.19), "timestamp": 1_000}],
        "right": [{"value": order(1.21), "timestamp": 1_000}],
        "input": {"topic": "orders", "partition": 0, "offset": 0},
    }  # fmt: skip
    job.close()


def test_a_correction_of_a_stream_has_all_digits_of_its_numbers(tmp_path: Path) -> None:
    def draw_tagging(tag: str) -> Graph:
        named = {"kind": "struct", "fields": [{"name": "id", "type": {"kind": "string"}}]}
        reads = {"topic": "orders", "key_format": "string", "value_format": "json", "value_type": named}
        tags = {"fields": [{"name": "tag", "expression": f"'{tag}'"}], "keep": True}
        nodes: dict[str, tuple[str, dict[str, Any]]] = {
            "orders": ("stream", reads),
            "tagged": ("map_values", tags),
            "tags": ("to", {"topic": "tags"}),
        }
        return draw(nodes, ["orders.result>tagged.records", "tagged.result>tags.stream"])

    job = Job(make(draw_tagging("wrong"), tmp_path / "job" / "state"))
    job.run_batch([("orders", b"k", b'{"id": "x", "price": 1.10, "far": 1e400}', 1_000)])
    forget()

    (found,), _ = correct(job, make(draw_tagging("right"), tmp_path / "right"), 0, tmp_path / "proof")

    assert found.value is not None
    assert b'"price":1.10,"far":"1e400","tag":"right"' in found.value
    job.close()


def order(rate: float) -> dict[str, Any]:
    return {"id": "ann1000", "city": "Rome", "amount": 20.0, "count": 1, "total": 20.0 * rate, "name": "Ann"}


def test_a_topic_of_a_tables_updates_is_told_from_a_stream() -> None:
    rekeyed = change(updates={"key": "concat(key, '!')"})

    assert find_table_topics(make(RIGHT, Path("/nowhere")).layout) == TABLES
    assert find_table_topics(make(rekeyed, Path("/nowhere")).layout) == {"counts"}


def test_branches_that_meet_again_do_not_multiply_the_way_to_a_table() -> None:
    nodes, edges, last = dict(NODES), list(EDGES), "changes"
    for number in range(30):
        for side in ("left", "right"):
            nodes[f"{side}-{number}"] = ("filter", {"predicate": "value > 0"})
            edges += [f"{last}.result>{side}-{number}.records", f"{side}-{number}.result>merged-{number}.streams"]
        last = f"merged-{number}"
        nodes[last] = ("merge", {})
    nodes["copies"] = ("to", {"topic": "copies"})

    found = find_table_topics(make(draw(nodes, [*edges, f"{last}.result>copies.stream"]), Path("/nowhere")).layout)

    assert "copies" in found


def test_the_value_before_is_found_although_kafka_has_compacted_the_topic() -> None:
    assert strip_sent([b"old", b"1", b"2", b"3"], [b"1", b"2", b"3"]) == 1
    assert strip_sent([b"old", b"3"], [b"1", b"2", b"3"]) == 1
    assert strip_sent([b"3"], [b"1", b"2", b"3"]) == 0
    assert strip_sent([b"same", b"same"], [b"same"]) == 1


def test_a_key_without_a_value_before_gets_a_tombstone() -> None:
    sent = Result(b"ann", b"5", 7, None)
    correction = Correction("sums", b"ann", None, 7, None, "sums", "earlier", 3, NO_INPUT, b"5", [digest(b"5", 7)])

    tombstone, again = complete(correction, [sent]), complete(correction, [Result(b"ann", b"4", 6, None), sent])

    assert tombstone and (tombstone.kind, tombstone.value) == ("deleted", None)
    assert again and (again.kind, again.value, again.timestamp) == ("earlier", b"4", 6)
    assert complete(correction, [Result(b"ann", b"5", 6, None), sent]) is None


def test_more_corrections_than_a_transaction_takes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CORRECTIONS", 3)
    job, _ = run(change(priced=total("amount * 1.19")), tmp_path / "job")

    with pytest.raises(TooManyCorrections, match="More than 3 records differ"):
        correct(job, make(RIGHT, tmp_path / "right"), 0, tmp_path / "proof")
    job.close()
