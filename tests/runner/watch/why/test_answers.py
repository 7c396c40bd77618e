"""Why nothing comes out: prepared cases, each answered right. The facts are the engine's, wherever it has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from designer.values.schemas import INTEGER, struct
from runner.control.jobs.job_status import JobStatus
from runner.engine.queryable.holding import HeldByTask
from runner.engine.trial import MadeUpRecord, Trial
from runner.spark.events import ProgressEvent
from runner.watch.live.numbers import Numbers
from runner.watch.why.answering import answer_status, answer_why
from runner.watch.why.facts import Answer, Facts
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)
MINUTE = 60_000
NOW = 1_000_000


def record(topic: str, key: Any = "a", time: int = 0, **value: Any) -> MadeUpRecord:
    return MadeUpRecord(topic, key, value or {"amount": 1}, time)


def tried(builder: GraphBuilder, *records: MadeUpRecord, node: str) -> Answer:
    """The answer for a node after the engine took these records."""
    trial = Trial(builder.graph)
    trial.run_as_given(records)
    facts = trial.facts()
    topics = {each.topic: {"read": 1} for each in records}
    return answer_why(Facts(builder.graph, facts["nodes"], topics, facts["held"], is_trial=True), node)


def orders() -> GraphBuilder:
    return GraphBuilder().stream("orders", ORDER)


def windows(**window: Any) -> GraphBuilder:
    settings = {"type": "tumbling", "size_ms": MINUTE, "grace_ms": 5_000} | window
    builder = orders().add("grouped", "group_by_key", stream="orders")
    return builder.add("windows", "windowed_by", settings, grouped="grouped").add("counts", "count", grouped="windows")


def pairs(kind: str = "join", **config: Any) -> GraphBuilder:
    settings = {"before_ms": 1_000, "after_ms": 1_000, "value": "amount"} | config
    return orders().stream("payments", ORDER).add("pairs", kind, settings, left="orders", right="payments")


def looked_up(kind: str = "table") -> GraphBuilder:
    builder = orders()
    builder = builder.global_table("prices", ORDER) if kind == "global" else builder.table("prices", ORDER)
    return builder.add("priced", "join", {"value": "right.amount"}, left="orders", right="prices")


def test_records_that_come_out_are_counted() -> None:
    answer = tried(orders().to("out", "orders"), record("orders"), node="out")

    assert answer["code"] == "comes_out"
    assert answer["text"] == "Records do come out of `out`: 1 record in the trial."


def test_a_topic_without_records_is_named_at_its_source() -> None:
    builder = orders().add("big", "filter", {"predicate": "amount > 5"}, records="orders").to("out", "big")

    answer = tried(builder, node="out")

    assert (answer["code"], answer["node"]) == ("topic_empty", "orders")
    assert answer["text"] == "The topic `orders` has no records to try."


def test_a_filter_that_no_record_passes_is_named_from_further_down() -> None:
    builder = orders().add("big", "filter", {"predicate": "amount > 5"}, records="orders").to("out", "big")

    answer = tried(builder, record("orders"), record("orders"), node="out")

    assert (answer["code"], answer["node"]) == ("filtered", "big")
    assert answer["text"] == "2 records arrived at `big` in the trial. None of them passed its predicate."


def test_a_null_key_is_said_where_it_drops_records() -> None:
    builder = orders().add("grouped", "group_by_key", stream="orders").add("counts", "count", grouped="grouped")

    answer = tried(builder.updates_to("out", "counts"), record("orders", key=None), node="out")

    assert (answer["code"], answer["node"]) == ("null_key", "counts")
    assert "1 record had a null key and was dropped" in answer["text"]


def test_a_null_key_in_front_of_a_shuffle_is_said_too() -> None:
    builder = orders().add("by", "select_key", {"key": "cast(null as string)"}, stream="orders")
    builder.add("grouped", "group_by_key", stream="by").add("counts", "count", grouped="grouped")

    answer = tried(builder, record("orders"), node="counts")

    assert answer["code"] == "null_key"


def test_a_stream_without_a_partner_names_the_newest_keys_of_both_sides() -> None:
    answer = tried(pairs(), record("orders", "a", 2_000), record("payments", "A", 3_000), node="pairs")

    assert (answer["code"], answer["node"]) == ("no_partner", "pairs")
    newest = 'on the left "a" of 1970-01-01T00:00:02Z, on the right "A" of 1970-01-01T00:00:03Z'
    assert answer["text"].endswith(f"2 records found no partner. The newest keys: {newest}.")


def test_partners_too_far_apart_are_no_partners() -> None:
    answer = tried(pairs(), record("orders", "a", 2_000), record("payments", "a", 9_000), node="pairs")

    assert answer["code"] == "no_partner"
    assert "times must be near" in answer["hint"]


def test_a_side_without_records_is_said_beside() -> None:
    answer = tried(pairs(), record("orders"), node="pairs")

    assert answer["code"] == "no_partner"
    assert answer["also"] == ["The topic `payments` has no records to try."]


@pytest.mark.parametrize("kind", ["table", "global"])
def test_a_row_that_is_not_there_is_told_with_the_newest_row(kind: str) -> None:
    answer = tried(looked_up(kind), record("prices", "B", 1_000), record("orders", "b", 2_000), node="priced")

    newest = 'on the left b of 1970-01-01T00:00:02Z, on the right "B" of 1970-01-01T00:00:01Z'
    assert (answer["code"], answer["node"]) == ("no_partner", "priced")
    assert newest in answer["text"]


def test_an_empty_table_is_said_to_have_no_rows() -> None:
    answer = tried(looked_up(), record("orders", "b", 2_000), node="priced")

    assert answer["code"] == "no_partner"
    assert "on the right none" in answer["text"]
    assert answer["also"] == ["The topic `prices` has no records to try."]


def test_two_tables_without_common_keys_have_no_result() -> None:
    builder = GraphBuilder().table("left", ORDER).table("right", ORDER)
    builder.add("both", "join", {"value": "left.amount"}, left="left", right="right")

    answer = tried(builder, record("left", "a", 1_000), record("right", "b", 2_000), node="both")

    assert answer["code"] == "no_partner"
    assert 'on the left "a" of 1970-01-01T00:00:01Z, on the right "b"' in answer["text"]


def test_a_late_record_is_told_with_the_grace_that_would_have_kept_it() -> None:
    early, late = record("orders", "a", 10 * MINUTE), record("orders", "b", 9 * MINUTE - 1)
    builder = windows(emit="on_close")

    answer = tried(builder, early, *[late] * 3, node="counts")

    assert answer["code"] == "late"
    assert (
        "The grace is 5 s; 1 min 0.001 s would have kept the one of 1970-01-01T00:08:59Z with key b" in answer["text"]
    )
    assert answer["also"][0].startswith("1 result waits there: its window is open")
    kept = tried(windows(grace_ms=MINUTE + 1), early, late, node="counts")
    lost = tried(windows(grace_ms=MINUTE), early, late, node="counts")
    assert kept["text"] == "Records do come out of `counts`: 2 records in the trial."
    assert lost["text"] == "Records do come out of `counts`: 1 record in the trial."


def test_an_open_window_is_told_with_the_stream_time_that_closes_it() -> None:
    answer = tried(
        windows(emit="on_close"), record("orders", "a", 30_000), record("orders", "a", 31_000), node="counts"
    )

    assert answer["code"] == "window_open"
    assert (
        "its window is open until stream time 1970-01-01T00:01:05Z; stream time is 1970-01-01T00:00:31Z"
        in (answer["text"])
    )
    assert answer["hint"].startswith("A record 34 s later than the newest releases it.")


def test_the_named_time_does_close_the_window() -> None:
    first = record("orders", "a", 30_000)
    before = tried(windows(emit="on_close"), first, record("orders", "b", 64_999), node="counts")
    after = tried(windows(emit="on_close"), first, record("orders", "b", 65_000), node="counts")

    assert (before["code"], after["code"]) == ("window_open", "comes_out")


def test_sessions_are_open_until_their_gap_and_grace_are_over() -> None:
    builder = windows(type="session", gap_ms=10_000, emit="on_close", size_ms=None)

    answer = tried(builder, record("orders", "a", 30_000), node="counts")
    closed = tried(builder, record("orders", "a", 30_000), record("orders", "b", 45_001), node="counts")

    assert answer["code"] == "window_open"
    assert "until stream time 1970-01-01T00:00:45Z" in answer["text"]
    assert closed["code"] == "comes_out"


def test_a_suppress_waits_for_its_window() -> None:
    builder = windows().add("last", "suppress", {}, table="counts").updates_to("out", "last")

    answer = tried(builder, record("orders", "a", 30_000), record("orders", "a", 31_000), node="out")

    assert (answer["code"], answer["node"]) == ("window_open", "last")
    assert "until stream time 1970-01-01T00:01:05Z" in answer["text"]


def test_a_suppress_with_a_time_limit_waits_for_it() -> None:
    builder = GraphBuilder().table("rows", ORDER)
    builder.add("last", "suppress", {"until": "time_limit", "wait_ms": 7_000}, table="rows").updates_to("out", "last")

    answer = tried(builder, record("rows", "a", 1_000), node="last")

    assert answer["code"] == "waiting"
    assert "it is held back until stream time 1970-01-01T00:00:08Z" in answer["text"]


def test_a_left_record_of_an_outer_join_waits_for_a_partner() -> None:
    answer = tried(pairs("left_join", grace_ms=2_000), record("orders", "a", 1_000), node="pairs")

    assert answer["code"] == "waiting"
    assert "it waits for a partner until stream time 1970-01-01T00:00:04Z" in answer["text"]


def test_a_record_with_grace_waits_for_late_rows() -> None:
    builder = orders().table("prices", ORDER, history_ms=60_000)
    settings = {"value": "right.amount", "grace_ms": 5_000}
    builder.add("priced", "join", settings, left="orders", right="prices")

    answer = tried(builder, record("prices", "a", 1_000), record("orders", "a", 2_000), node="priced")

    assert answer["code"] == "waiting"
    assert "it waits for late rows of the table until stream time 1970-01-01T00:00:07Z" in answer["text"]


def test_records_that_fail_are_dead_letters_of_their_node() -> None:
    builder = orders().add("parts", "map_values", {"value": "100 / amount"}, records="orders").to("out", "parts")

    answer = tried(builder, record("orders", amount=0), node="out")

    assert (answer["code"], answer["node"]) == ("errors", "parts")
    assert "1 record failed there; 1 became a dead letter." in answer["text"]
    assert answer["hint"].startswith("Look at its dead letters")


def test_records_that_are_skipped_have_no_dead_letters_to_look_at() -> None:
    settings = {"value": "100 / amount", "on_error": "skip"}
    builder = orders().add("parts", "map_values", settings, records="orders").to("out", "parts")

    answer = tried(builder, record("orders", amount=0), node="out")

    assert (answer["code"], answer["hint"]) == ("errors", "The tab Log says why each was skipped.")


def test_two_inputs_without_records_are_both_told() -> None:
    builder = orders().stream("others", ORDER).add("merged", "merge", streams=("orders", "others"))

    answer = tried(builder, node="merged")

    assert answer["code"] == "topic_empty"
    assert answer["also"] == ["The topic `others` has no records to try."]


def test_branches_that_begin_at_one_node_are_told_once() -> None:
    builder, last = orders(), "orders"
    for number in range(12):
        for side in ("left", "right"):
            builder.add(f"{side}-{number}", "filter", {"predicate": "amount > 5"}, records=last)
        last = f"merged-{number}"
        builder.add(last, "merge", streams=(f"left-{number}", f"right-{number}"))

    answer = tried(builder, node=last)

    assert (answer["code"], answer["node"], answer["also"]) == ("topic_empty", "orders", [])


def test_a_long_chain_is_followed_to_its_source() -> None:
    builder, last = orders(), "orders"
    for number in range(900):
        builder.add(f"big-{number}", "filter", {"predicate": "amount > 5"}, records=last)
        last = f"big-{number}"

    answer = answer_why(Facts(builder.graph, {}, {}, is_trial=True), last)

    assert (answer["code"], answer["node"]) == ("topic_empty", "orders")


class Running:
    """A job that runs: its numbers are folded from events, as a run sends them."""

    def __init__(self, builder: GraphBuilder) -> None:
        self.graph = builder.graph
        self.numbers = Numbers([node.id for node in self.graph.nodes], ["orders"], NOW)
        self.batch = 0

    def commit(self, offsets: list[int], **nodes: Mapping[str, int]) -> Running:
        """A batch is committed: how far the topic is read, and the counters of nodes."""
        times = {"started_at": NOW + 1_000 * self.batch, "committed_at": NOW + 1_000 * self.batch + 100}
        self.batch += 1
        event = {
            "batch": self.batch,
            "duration_ms": 100,
            "records_in": 0,
            "nodes": nodes,
            "sources": {"orders": offsets},
        }
        self.numbers.note_progress(cast(ProgressEvent, event | times), times["committed_at"])
        return self

    def reach(self, ends: list[int], highs: list[int] | None = None, after: int = 0) -> Running:
        self.numbers.reach({"orders": ends}, {"orders": highs or ends}, NOW + after)
        return self

    def why(self, node: str, after: int = 0) -> Answer:
        state = self.numbers.to_json(NOW + after)
        return answer_why(Facts(self.graph, state["nodes"], state["sources"]), node)


def reading() -> Running:
    return Running(orders().to("out", "orders"))


def test_records_behind_an_open_transaction_are_counted_with_its_age() -> None:
    running = reading().commit([0]).reach([0], [40]).reach([0], [40], after=9_000)

    answer = running.why("out", after=9_000)

    assert (answer["code"], answer["node"]) == ("open_transaction", "orders")
    assert "40 records of `orders` are behind a transaction that has been open for 9 s" in answer["text"]


def test_records_not_read_yet_are_lag() -> None:
    answer = reading().commit([0]).reach([25]).why("out")

    assert answer["code"] == "not_read_yet"
    assert "25 records of `orders` still to read" in answer["text"]


def test_before_the_first_batch_nothing_is_known_of_the_topic() -> None:
    answer = reading().reach([25]).why("out")

    assert answer["code"] == "not_read_yet"
    assert "has not committed a batch yet" in answer["text"]


def test_a_job_at_the_end_of_its_topic_waits_for_new_records() -> None:
    answer = reading().commit([25]).reach([25]).why("out")

    assert answer["code"] == "nothing_new"


def test_an_empty_topic_of_a_job_is_empty() -> None:
    answer = reading().commit([0]).reach([0]).why("out")

    assert answer["text"] == "The topic `orders` has no records."


def test_a_topic_that_is_gone_is_said_to_be() -> None:
    running = reading().commit([25]).reach([25])
    running.numbers.positions["orders"].change = "gone"

    answer = running.why("out")
    assert answer["code"] == "topic_gone"
    assert answer["hint"] == "Create it again, then deploy the job: the dialog offers to keep its state."


def test_what_came_out_earlier_is_said_before_why_none_does_now() -> None:
    flowing = {"in": 25, "out": 25, "dropped": 0, "errors": 0}
    running = reading().commit([25], orders=flowing, out=flowing)
    for _ in range(30):
        running.commit([25])
    running.reach([25], after=30_000)

    answer = running.why("out", after=30_200)

    assert answer["code"] == "nothing_new"
    assert answer["text"].startswith("25 records came out of `out` since the run began, but none in the last seconds.")


def test_the_task_that_closes_its_window_next_is_named() -> None:
    held = [
        {"task": task, "stream_time": time, "until": "window_close", "due": 65_000, "grace_ms": 5_000, "newest": {}}
        for task, time in enumerate((10_000, 60_000))
    ]
    counters = {"in": 4, "out": 0, "dropped": 0, "errors": 0, "waiting": 2}
    nodes = {"orders": {"in": 4, "out": 4}, "counts": counters, "windows": {"out": 4}, "grouped": {"out": 4}}

    answer = answer_why(Facts(windows().graph, nodes, {}, {"counts": held}), "counts")  # type: ignore[dict-item]

    assert (
        "2 results wait there. Of the first, its window is open until stream time 1970-01-01T00:01:05Z"
        in answer["text"]
    )
    assert "stream time is 1970-01-01T00:01:00Z in task 1 of 2" in answer["text"]


def test_results_that_an_earlier_run_left_waiting_are_told_though_nothing_arrives_now() -> None:
    builder = GraphBuilder().table("rows", ORDER)
    builder.add("last", "suppress", {"until": "time_limit", "wait_ms": 7_000}, table="rows").updates_to("out", "last")
    held = [
        cast(
            HeldByTask,
            {"task": 0, "stream_time": 1_000, "until": "time_limit", "due": 8_000, "grace_ms": None, "newest": {}},
        )
    ]
    topics = {"rows": {"total_lag": 0, "ends": [3]}}
    state = {"rows": 7, "bytes": 700, "held": 3}
    nodes = {"last": {"in": 0, "out": 0, "state": state}}

    answer = answer_why(Facts(builder.graph, nodes, topics, {"last": held}), "last")

    assert (answer["code"], answer["node"]) == ("waiting", "last")
    assert (
        "3 results wait there. Of the first, it is held back until stream time 1970-01-01T00:00:08Z" in answer["text"]
    )


def job_status(status: str, **more: Any) -> JobStatus:
    return cast(JobStatus, {"status": status, "problem": None, "failure": None, "steps": []} | more)


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (job_status("running"), None),
        (job_status("stopped"), "stopped"),
        (job_status("stopping"), "stopped"),
        (job_status("starting", steps=[{"step": "kafka", "at": 1}]), "starting"),
        (job_status("starting", steps=[{"step": "restoring", "at": 1}]), "loading_tables"),
        (job_status("restoring"), "loading_tables"),
        (job_status("failed", failure={"code": "x", "message": "It broke.", "hint": "Mend it."}), "failed"),
    ],
)
def test_a_job_that_does_not_run_says_so_first(state: JobStatus, code: str | None) -> None:
    found = answer_status(state)

    assert (found and found[0]) == code
    if code == "failed":
        assert found == ("failed", "The job failed. It broke.", "Mend it.")
