"""What becomes of state when a changed version is deployed: said before, then done."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import NewPartitions  # type: ignore[attr-defined]

from designer.topology.graph import Graph
from runner.control.jobs.lifecycle import move
from runner.control.jobs.models import Run
from runner.control.jobs.plans.planner import count_tasks
from runner.control.jobs.statuses import Status
from runner.engine.planning.lay_out import lay_out
from runner.plan import Plan
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.sink.ending import note_begin, note_end
from runner.spark.sink.marker import Marker
from tests.runner.spark.checkpoints import QUERY, leave_checkpoint

from .conftest import ORDER, Stage, edge, list_ways, node


def commit(stage: Stage, group: str, topic: str, offsets: list[int], beside: str = "") -> None:
    """What the writer of a run commits with a batch."""
    consumer = Consumer({"bootstrap.servers": stage.cluster.servers, "group.id": group})
    places = [TopicPartition(topic, number, offset, beside) for number, offset in enumerate(offsets)]
    consumer.commit(offsets=places, asynchronous=False)
    consumer.close()


def batch_done(stage: Stage, plan: Plan, batch: int, offsets: list[int], in_checkpoint: int | None = None) -> None:
    """Leave behind what a run leaves that has committed `batch`."""
    commit(stage, plan.application_id, stage.orders, offsets)
    beside = json.dumps({"query": QUERY, "generation": plan.generation, "batch": ""})
    commit(stage, plan.marker_group, plan.marker_topic, [batch + 1], beside)
    leave_checkpoint(plan, batch + 1, committed=None if in_checkpoint is None else in_checkpoint + 1)


def begun_by_slots(stage: Stage, plan: Plan, batch: int) -> None:
    """Leave behind what slots on a cluster leave of a batch that only the first of them has written."""
    beside = json.dumps({"query": QUERY, "generation": plan.generation, "batch": ""})
    for group, written in ((plan.slots_group, -1), (plan.slot_group(0), batch), (plan.slot_group(1), -1)):
        commit(stage, group, plan.marker_topic, [written + 1], beside)


def summed(stage: Stage, function: str = "sum", window_ms: int | None = None) -> dict[str, Any]:
    """orders → group by key (→ windows) → aggregate → sums."""
    graph = stage.counting()
    functions = [{"name": "total", "function": function, "expression": "id"}]
    graph["nodes"][2] = node("counted", "aggregate", functions=functions)
    if window_ms is not None:
        graph["nodes"].insert(2, node("hourly", "windowed_by", size_ms=window_ms))
        graph["edges"][1] = edge("grouped", "hourly", "grouped")
        graph["edges"].insert(2, edge("hourly", "counted", "grouped"))
    return graph


def deployed(stage: Stage, reconcile: Any, graph: dict[str, Any] | None = None) -> Plan:
    """A job of two slots whose first run has committed batch 4 and ended."""
    stage.deploy(stage.topology(graph), settings={"slots": 2})
    reconcile(stage)
    plan = stage.run().read_plan()
    batch_done(stage, plan, 4, [30, 12])
    ended(stage)
    return plan


def ended(stage: Stage) -> None:
    move(stage.run(), Status.STOPPING)
    move(stage.run(), Status.STOPPED)


def preview(stage: Stage, graph: dict[str, Any], **settings: Any) -> dict[str, Any]:
    return ask_preview(stage, {"topology": stage.redraw(stage.job().topology, graph).id, "settings": settings})


def ask_preview(stage: Stage, wanted: dict[str, Any]) -> dict[str, Any]:
    answer = stage.client.post("/api/jobs/preview-deploy", wanted, "application/json")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_a_first_deploy_names_the_stores_that_start_empty(stage: Stage) -> None:
    found = ask_preview(stage, {"topology": stage.topology(summed(stage, window_ms=60_000)).id})

    assert [(state_change["node"], state_change["effect"]) for state_change in found["state"]] == [("counted", "new")]


def test_state_that_fits_is_kept_and_new_nodes_start_empty_without_a_question(
    stage: Stage, host: str, reconcile: Any
) -> None:
    deployed(stage, reconcile)
    graph = stage.counting()
    graph["nodes"] += [node("also-counted", "count"), node("rows", "to_stream"), node("more", "to", topic="more")]
    graph["edges"] += [
        edge("grouped", "also-counted", "grouped"),
        edge("also-counted", "rows", "table"),
        edge("rows", "more"),
    ]

    found = preview(stage, graph)

    assert [(state_change["node"], state_change["effect"]) for state_change in found["state"]] == [
        ("counted", "kept"),
        ("also-counted", "new"),
    ]
    assert (found["has_new_epoch"], list_ways(found), found["creates"]) == (
        True,
        ["fresh_from_earliest"],
        ["more"],
    )
    assert found["question"] == ""
    assert [line for line in found["changes"].splitlines() if "edge" not in line] == [
        "+ also-counted (count)",
        "+ rows (to_stream)",
        "+ more (to)",
        '+   topic: "more"',
    ]
    assert all(each["fate"] == each["effect"] for each in found["state"])  # the name of 0.1.0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"function": "avg"}, "The format or type of its values changed."),
        ({"function": "max"}, "The contents of each group changed."),
        ({"window_ms": 3_600_000}, "The kind of the store changed."),
    ],
)
def test_state_that_cannot_be_kept_is_named_with_the_reason(
    stage: Stage, host: str, reconcile: Any, change: dict[str, Any], why: str
) -> None:
    deployed(stage, reconcile, summed(stage))

    found = preview(stage, summed(stage, **change))

    (state_change,) = found["state"]
    assert (state_change["node"], state_change["effect"], state_change["why"]) == ("counted", "starts_empty", why)
    assert list_ways(found) == ["fresh_from_earliest", "fresh_from_now"]
    assert found["question"].startswith("Some state cannot be kept.")


def test_joined_topics_with_different_partition_counts_are_pointed_out_with_their_tasks(stage: Stage) -> None:
    customers = stage.cluster.create(f"{stage.name}-customers", 6).name
    graph = stage.counting()
    types = {"key_type": {"kind": "string"}, "value_type": ORDER}
    graph["nodes"] += [node("customers", "table", topic=customers, **types), node("named", "join", value="right")]
    graph["edges"] = [edge("orders", "named", "left"), edge("customers", "named", "right"), *graph["edges"]]
    graph["edges"][2] = edge("named", "grouped")
    topology = stage.topology(graph)

    told = stage.client.post("/api/jobs/preview-deploy", {"topology": topology.id}, "application/json").json()

    assert told["spread"] == [{"partitions": {stage.orders: 2, customers: 6}, "tasks": 6}]


def test_topics_that_are_only_merged_may_differ_in_partitions_without_a_word(stage: Stage) -> None:
    more = stage.cluster.create(f"{stage.name}-more", 5).name
    topology = stage.topology(stage.counting(topics=[more]))

    told = stage.client.post("/api/jobs/preview-deploy", {"topology": topology.id}, "application/json").json()

    assert told["spread"] == []


def test_a_changed_task_count_cannot_keep_state(stage: Stage, host: str, reconcile: Any) -> None:
    deployed(stage, reconcile)

    topology = stage.job().topology
    refusal = stage.deploy(topology, expect=409, settings={"tasks": 3})

    assert refusal["state"][0]["why"] == "It was divided over 2 tasks and would now have 3."


def test_a_preview_writes_nothing(stage: Stage, host: str, reconcile: Any) -> None:
    deployed(stage, reconcile)
    before = stage.job().topology.versions.count()

    preview(stage, stage.counting(start="latest"))

    assert stage.job().topology.versions.count() == before
    assert stage.job().revision == 1


def test_losing_state_needs_a_choice_and_stops_nothing_before(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology(summed(stage)))
    reconcile(stage)
    topology = stage.redraw(stage.job().topology, summed(stage, "avg"))

    refusal = stage.deploy(topology, expect=409)

    assert refusal["code"] == "deploy.state_would_be_lost"
    assert "`counted`" in refusal["message"]
    assert set(list_ways(refusal)) == {"fresh_from_earliest", "fresh_from_now"}
    assert stage.run().stop_reason == ""


def test_kept_state_is_seeded_and_reading_goes_on_at_the_old_end(stage: Stage, host: str, reconcile: Any) -> None:
    old = deployed(stage, reconcile)
    topology = stage.redraw(stage.job().topology, stage.counting(start="earliest"))

    stage.deploy(topology)
    reconcile(stage)

    new = stage.run().read_plan()
    assert (old.epoch, new.epoch, new.generation) == (1, 2, 2)
    assert new.topics[stage.orders].start == [30, 12]
    assert new.seed is not None
    assert (new.seed.stores, new.seed.checkpoint) == (["counted"], old.checkpoint)
    assert new.checkpoint != old.checkpoint


def test_a_run_of_0_1_0_hands_on_its_state_although_its_plan_has_no_fingerprints(
    stage: Stage, host: str, reconcile: Any
) -> None:
    deployed(stage, reconcile)
    of_0_1_0 = {name: value for name, value in stage.run().plan.items() if name != "stores"}
    Run.objects.filter(id=stage.run().id).update(plan=of_0_1_0)

    found = preview(stage, summed(stage))
    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="earliest")))
    reconcile(stage)

    new = stage.run().read_plan()
    assert [state_change["effect"] for state_change in found["state"]] == ["starts_empty"]
    assert new.seed is not None
    assert (new.seed.stores, list(new.stores or {})) == (["counted"], ["counted"])


def test_partitions_that_were_added_while_the_job_ran_are_not_read_again(
    stage: Stage, host: str, reconcile: Any
) -> None:
    old = deployed(stage, reconcile)
    stage.cluster.admin.create_partitions([NewPartitions(stage.orders, 4)])[stage.orders].result()
    commit(stage, old.application_id, stage.orders, [30, 12, 5])

    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="latest")))
    reconcile(stage)

    assert stage.run().read_plan().topics[stage.orders].start == [30, 12, 5, -2]


def test_fresh_from_now_loses_the_named_state_and_no_record(stage: Stage, host: str, reconcile: Any) -> None:
    deployed(stage, reconcile, summed(stage))
    topology = stage.redraw(stage.job().topology, summed(stage, "avg"))

    stage.deploy(topology, on_state="fresh_from_now")
    reconcile(stage)

    new = stage.run().read_plan()
    assert (new.epoch, new.seed, new.topics[stage.orders].start) == (2, None, [30, 12])


def test_fresh_from_earliest_reads_everything_again_once(stage: Stage, host: str, reconcile: Any) -> None:
    deployed(stage, reconcile)

    stage.deploy(stage.job().topology, on_state="fresh_from_earliest")
    reconcile(stage)
    new = stage.run().read_plan()
    ended(stage)
    stage.client.post(f"/api/jobs/{stage.job().id}/restart")
    reconcile(stage)

    assert (new.epoch, new.seed, new.topics[stage.orders].start) == (2, None, [-2, -2])
    assert stage.run().epoch == 2


def test_the_choice_of_a_deploy_that_has_not_begun_holds_for_the_next_one(
    stage: Stage, host: str, reconcile: Any
) -> None:
    deployed(stage, reconcile, summed(stage))
    stage.deploy(stage.redraw(stage.job().topology, summed(stage, "avg")), on_state="fresh_from_earliest")

    found = preview(stage, summed(stage, "max"))
    stage.deploy(stage.redraw(stage.job().topology, summed(stage, "max")))
    reconcile(stage)

    new = stage.run().read_plan()
    assert (found["pending"], found["question"]) == ("fresh_from_earliest", "")
    assert (new.epoch, new.seed, new.topics[stage.orders].start) == (2, None, [-2, -2])
    assert stage.job().on_state == "keep"


def test_whoever_says_keep_takes_back_the_choice_of_a_deploy_that_has_not_begun(
    stage: Stage, host: str, reconcile: Any
) -> None:
    deployed(stage, reconcile)
    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="latest")), on_state="fresh_from_earliest")

    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="earliest")), on_state="keep")
    reconcile(stage)

    new = stage.run().read_plan()
    assert new.seed is not None
    assert (new.seed.stores, new.topics[stage.orders].start) == (["counted"], [30, 12])


def test_the_same_version_goes_on_in_its_epoch(stage: Stage, host: str, reconcile: Any) -> None:
    old = deployed(stage, reconcile)

    stage.deploy(stage.job().topology, settings={"batch_interval_ms": 500})
    reconcile(stage)

    new = stage.run().read_plan()
    assert (new.epoch, new.checkpoint, new.topics) == (old.epoch, old.checkpoint, old.topics)
    assert new.settings.batch_interval_ms == 500


@pytest.mark.parametrize("changed", [{"start": "earliest"}, {}], ids=["another-epoch", "same-epoch"])
def test_a_job_goes_on_with_its_markers_where_they_are_after_the_prefix_of_its_cluster_has_changed(
    stage: Stage, host: str, reconcile: Any, settings: Any, changed: dict[str, str]
) -> None:
    old = deployed(stage, reconcile)
    settings.PREFIX = "team-b-"

    stage.deploy(stage.redraw(stage.job().topology, stage.counting(**changed)), settings={"batch_interval_ms": 500})
    reconcile(stage)

    new = stage.run().read_plan()
    acls = stage.client.get(f"/api/topologies/{stage.job().topology_id}/acls").json()["acls"]
    assert (new.epoch > old.epoch, new.marker_topic) == (bool(changed), old.marker_topic)
    assert old.marker_topic in [acl["name"] for acl in acls]
    assert "team-b-streamwright-markers" not in stage.cluster.topic_names()


def grouped_anew(stage: Stage, predicate: str = "TRUE") -> dict[str, Any]:
    """orders → group by id → two counts, of which one goes on."""
    graph = stage.counting()
    graph["nodes"][1:2] = [node("open", "filter", predicate=predicate), node("grouped", "group_by", key="id")]
    graph["nodes"].append(node("also-counted", "count", store="also-counted"))
    graph["edges"][0:1] = [edge("orders", "open", "records"), edge("open", "grouped", "records")]
    graph["edges"].append(edge("grouped", "also-counted", "grouped"))
    return graph


def test_a_job_of_an_older_form_keeps_a_shuffle_for_each_aggregate_until_something_else_changes(
    stage: Stage, host: str, reconcile: Any
) -> None:
    old = deployed(stage, reconcile, grouped_anew(stage))
    older = {name: value for name, value in stage.run().plan.items() if name != "shared_shuffles"}
    type(stage.run()).objects.filter(id=stage.run().id).update(plan=older | {"tasks": [2, 2, 2]})

    stage.deploy(stage.job().topology)
    reconcile(stage)
    same = stage.run().read_plan()
    batch_done(stage, same, 5, [31, 12])
    ended(stage)
    stage.deploy(stage.redraw(stage.job().topology, grouped_anew(stage, "id > 0")))
    reconcile(stage)

    new = stage.run().read_plan()
    assert (old.tasks, same.epoch, same.tasks, same.shared_shuffles) == ([2, 2], 1, [2, 2, 2], False)
    assert (new.epoch, new.tasks, new.shared_shuffles) == (2, [2, 2], True)
    assert new.seed is not None
    assert new.seed.stores == ["counted", "also-counted"]


def test_a_preview_says_what_settings_the_job_would_run_with(stage: Stage) -> None:
    stage.deploy(stage.topology(), settings={"slots": 1})

    settings = preview(stage, stage.counting(), batch_interval_ms=500)["settings"]

    assert (settings["slots"], settings["batch_interval_ms"], settings["cache"]) == (1, 500, True)


def test_a_preview_names_bypassed_nodes(stage: Stage) -> None:
    stage.deploy(stage.topology())
    graph = stage.counting()
    graph["nodes"].append(node("large", "filter", predicate="id > 9") | {"bypassed": True})
    graph["edges"] += [edge("orders", "large", "records"), edge("large", "grouped")]
    del graph["edges"][0]

    assert preview(stage, graph)["bypassed"] == ["large"]


def test_state_behind_the_committed_results_is_not_seeded_but_refused(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    batch_done(stage, stage.run().read_plan(), 4, [30, 12], in_checkpoint=3)
    ended(stage)
    topology = stage.redraw(stage.job().topology, stage.counting(start="earliest"))

    stage.deploy(topology)
    reconcile(stage)

    job = stage.job()
    assert job.problem is not None
    assert (job.status(), job.problem["code"]) == ("failed", "epoch.unclean")


def test_a_version_is_refused_where_kafka_has_deleted_the_marker(stage: Stage, host: str, reconcile: Any) -> None:
    old = deployed(stage, reconcile)
    for group in (old.marker_group, old.application_id):
        stage.cluster.forget(group)
    topology = stage.redraw(stage.job().topology, stage.counting(start="earliest"))

    refused = stage.deploy(topology, expect=409)
    stage.deploy(topology, on_state="fresh_from_earliest")
    reconcile(stage)

    assert (refused["code"], list_ways(refused)) == ("epoch.unclean", ["fresh_from_earliest"])
    assert "no one knows which results" in refused["message"]
    assert stage.run().read_plan().epoch == 2


def test_a_version_reads_on_where_the_job_has_read_to_although_kafka_has_forgotten_that(
    stage: Stage, host: str, reconcile: Any
) -> None:
    """As when someone deletes the offsets of the consumer group. The checkpoint has them, too."""
    old = deployed(stage, reconcile)
    stage.cluster.forget(old.application_id)
    topology = stage.redraw(stage.job().topology, stage.counting(start="earliest"))

    found = preview(stage, stage.counting(start="latest"))
    stage.deploy(topology)
    reconcile(stage)

    assert found["question"] == ""
    assert stage.run().read_plan().topics[stage.orders].start == [50, 50]


def test_a_version_is_refused_where_no_one_knows_what_the_job_has_read(stage: Stage, host: str, reconcile: Any) -> None:
    old = deployed(stage, reconcile)
    stage.cluster.forget(old.application_id)
    (Path(old.checkpoint) / "offsets" / "4").unlink()

    refused = stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="earliest")), expect=409)

    assert (refused["code"], list_ways(refused)) == ("epoch.unclean", ["fresh_from_earliest"])


def test_a_version_is_refused_where_marker_and_checkpoint_are_gone_of_a_job_that_has_written(
    stage: Stage, host: str, reconcile: Any
) -> None:
    """As after a long stop and a move to another machine. An empty checkpoint does not mean an empty output."""
    old = deployed(stage, reconcile)
    Run.objects.filter(id=stage.run().id).update(last_batch=4)
    for group in (old.marker_group, old.application_id):
        stage.cluster.forget(group)
    shutil.rmtree(old.checkpoint)

    refused = stage.deploy(stage.job().topology, expect=409)

    assert refused["code"] == "epoch.unclean"


def test_a_version_that_was_to_keep_the_state_of_an_epoch_without_a_batch_starts_where_that_one_started(
    stage: Stage, host: str, reconcile: Any
) -> None:
    """Its run has told Kafka that nothing is written, and Spark has planned its first batch: then it was killed."""
    deployed(stage, reconcile)
    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="earliest")))
    reconcile(stage)
    first = stage.run().read_plan()
    nothing = json.dumps({"query": "", "generation": first.generation, "batch": "", "time": None})
    commit(stage, first.marker_group, first.marker_topic, [0], nothing)
    note_begin(Checkpoint(first.checkpoint), first.generation)
    leave_checkpoint(first, 1, committed=0)
    ended(stage)
    other = stage.counting(start="latest")

    found = preview(stage, other)
    stage.deploy(stage.redraw(stage.job().topology, other))
    reconcile(stage)

    new = stage.run().read_plan()
    assert (found["question"], [state_change["effect"] for state_change in found["state"]]) == ("", ["kept"])
    assert stage.job().problem is None
    assert (new.epoch, new.topics[stage.orders].start, new.seed) == (3, [30, 12], first.seed)


def test_a_version_goes_on_where_a_run_ended_in_order_whose_marker_kafka_has_deleted(
    stage: Stage, host: str, reconcile: Any
) -> None:
    old = deployed(stage, reconcile)
    checkpoint = Checkpoint(old.checkpoint)
    note_begin(checkpoint, old.generation)
    note_end(checkpoint, old.generation, Marker(4, QUERY, old.generation, checkpoint.fingerprint(4)))
    for group in (old.marker_group, old.application_id):
        stage.cluster.forget(group)
    topology = stage.redraw(stage.job().topology, stage.counting(start="earliest"))

    stage.deploy(topology)
    reconcile(stage)

    plan = stage.run().read_plan()
    assert (plan.epoch, plan.topics[stage.orders].start) == (2, checkpoint.offsets(4)[stage.orders])
    assert plan.seed is not None


def test_only_the_version_that_began_a_batch_ends_what_slots_have_left_of_it(
    stage: Stage, host: str, reconcile: Any
) -> None:
    old = deployed(stage, reconcile)
    first = stage.job().topology
    begun_by_slots(stage, old, 5)
    other = stage.counting(start="earliest")

    same, found = preview(stage, stage.counting()), preview(stage, other)
    other_settings = preview(stage, stage.counting(), deserialization="skip")
    refused = stage.deploy(stage.redraw(first, other), expect=409)
    stage.redraw(first, stage.counting())
    stage.deploy(first)
    reconcile(stage)

    assert ["Only part" in each["question"] for each in (same, found, other_settings)] == [False, True, True]
    assert list_ways(found) == ["fresh_from_earliest"]
    assert refused["code"] == "deploy.batch_in_part"
    assert stage.run().read_plan().checkpoint == old.checkpoint


def test_a_version_waits_where_a_run_leaves_a_batch_in_part_after_the_deploy(
    stage: Stage, host: str, reconcile: Any
) -> None:
    old = deployed(stage, reconcile)
    first = stage.job().topology
    stage.deploy(stage.redraw(first, stage.counting(start="earliest")))
    begun_by_slots(stage, old, 5)

    reconcile(stage)
    problem = stage.job().problem
    batch_done(stage, old, 5, [31, 12])
    stage.deploy(first)
    reconcile(stage)

    assert problem is not None
    assert (problem["code"], "Only part" in problem["message"]) == ("epoch.unclean", True)
    new = stage.run().read_plan()
    assert (new.epoch, new.topics[stage.orders].start, new.seed and new.seed.stores) == (2, [31, 12], ["counted"])


def test_an_epoch_that_never_committed_hands_on_what_it_was_to_begin_with(
    stage: Stage, host: str, reconcile: Any
) -> None:
    old = deployed(stage, reconcile)
    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="earliest")))
    reconcile(stage)
    ended(stage)

    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="latest")))
    reconcile(stage)

    new = stage.run().read_plan()
    assert (new.epoch, new.topics[stage.orders].start) == (3, [30, 12])
    assert new.seed is not None
    assert new.seed.checkpoint == old.checkpoint


def test_latest_is_written_down_as_offsets_when_the_epoch_begins(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology(stage.counting(start="latest")))
    reconcile(stage)

    assert stage.run().read_plan().topics[stage.orders].start == [0, 0]


def test_tasks_follow_the_widest_topic_and_pass_through_shuffles(stage: Stage) -> None:
    graph = stage.counting()
    graph["nodes"].insert(1, node("by-id", "select_key", key="cast(id as string)"))
    graph["edges"][0] = edge("orders", "by-id")
    graph["edges"].append(edge("by-id", "grouped"))
    laid = lay_out(Graph.from_json(graph), {})
    assert len(laid.sub_topologies) == 2

    assert count_tasks(laid, {stage.orders: 6}) == [6, 6]
    assert count_tasks(laid, {stage.orders: 6}, max_tasks=3) == [3, 3]
    assert count_tasks(laid, {stage.orders: 6}, before={"counted": 4}) == [6, 4]
