"""The child process as its parent sees it: real Spark, real Kafka, and real kills."""

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from designer.topology.graph import Graph
from runner.plan import Plan, Seed
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.sink.ending import find_left_marker
from runner.spark.sink.marker import Marker
from tests.patience import wait_until
from tests.runner.spark.runs import Event, World, counting, graph, node, shops, started

pytestmark = [pytest.mark.spark, pytest.mark.slow]
BATCHES_THAT_SPARK_KEEPS = 20


def updates(world: World, topic: str) -> dict[str, list[int]]:
    """The counts that were written for each key, in order."""
    found: dict[str, list[int]] = {}
    for message in world.read(topic):
        found.setdefault(message.key().decode(), []).append(int.from_bytes(message.value(), "big"))
    return found


def headers(message: object) -> dict[str, str]:
    found = {name: value.decode() for name, value in message.headers() or ()}  # type: ignore[attr-defined]
    return {name.removeprefix("__streams.errors."): value for name, value in found.items()}


def restart(plan: Plan) -> Plan:
    return plan.model_copy(update={"generation": plan.generation + 1})


def visit(number: int) -> tuple[Any, ...]:
    return f"c{number % 50}", json.dumps({"city": f"city {number % 5}"}), number


def test_killed_between_sparks_commit_and_its_own_it_loses_and_repeats_nothing(world: World, tmp_path: Path):
    """With two batches ahead of the marker, which is hardest to get right; tests/proof dies at all steps.

    The packs are large enough for files. Those that the killed run left are removed, and those of the next one are used
    again.
    """
    orders, names, counts = world.topic("orders", 2), world.topic("names", 1), world.topic("counts", 1)
    plan = world.plan(shops(orders, names, counts), [orders, names], records_per_batch=10_000)
    world.produce(names, [(f"c{n}", json.dumps({"name": f"Customer {n}"}), 1) for n in range(50)])
    world.produce(orders, [visit(n) for n in range(50_000)])
    (file := tmp_path / "failpoint").write_text("ahead@2")
    with started(plan, STREAMWRIGHT_FAILPOINT=str(file)) as child:
        assert child.died() == -9, child.tail()
    assert Checkpoint(plan.checkpoint).find_last_committed() == 2

    with started(restart(plan)) as child:
        child.wait_for_offsets(orders, 50_000)
        wait_until(lambda: not list_planning_daemons(child.popen.pid))
        (packs,) = (Path(plan.state_dir) / "spark").glob("*/packs")
        assert [each.name for each in packs.iterdir()] == ["free"]
        free = {each.stat().st_ino for each in (packs / "free").iterdir()}
        world.produce(orders, [visit(n) for n in range(10_000)])
        child.wait_for_offsets(orders, 60_000)
        assert free & {each.stat().st_ino for each in (packs / "free").iterdir()}
        assert child.stop() == 0

    statuses = [event["status"] for event in child.of_type("status")]
    assert statuses[0] == "starting"
    assert statuses[-2:] == ["running", "stopped"]
    assert updates(world, counts) == {f"city {n}": list(range(1, 12_001)) for n in range(5)}


def test_a_full_heap_is_named_as_the_cause(world: World):
    orders, counts = world.topic("orders"), world.topic("counts", 1)
    plan = world.plan(counting(orders, counts), [orders])
    with started(plan, module="tests.runner.spark.full_heap") as child:
        for total in (1, 2):
            world.produce(orders, [visit(total)])
            if total == 1:
                child.wait_for_offsets(orders, 1)
        cause = child.wait_for(lambda event: event["type"] == "failed")["cause"]

    assert cause["code"] == "run.out_of_memory"
    assert cause["message"] == "The heap of the run's Java process is full. It has 512 MiB."


def list_planning_daemons(run: int) -> list[int]:
    """The daemons of Python workers that only planned the query of a run."""
    cmdlines = {each.pid: each.info["cmdline"] or [] for each in psutil.process_iter(["cmdline"])}
    return [pid for pid, cmdline in cmdlines.items() if "pyspark.daemon" in cmdline and find_session(pid) == run]


def find_session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return None


def copying(world: World) -> Plan:
    """Orders are passed on to a topic that takes small records only, routed by what they say, and counted by customer.

    Their time is the second they say, not that of the topic.
    """
    orders = world.topic("orders", 2)
    small, large = world.topic("small", 1), world.topic("large", 1)
    copies = world.topic("copies", 1, max_message_bytes="2000")
    counts = world.topic("counts", 1)
    text = {"name": "text", "type": {"kind": "string"}}
    value = {"kind": "struct", "fields": [text, {"name": "second", "type": {"kind": "integer"}}]}
    times = {"timestamp_from": "field", "timestamp_field": "second", "timestamp_unit": "s"}
    by_size = f"if(length(text) > 1000, '{large}', '{small}')"
    drawn = graph(
        [
            node("orders", "stream", topic=orders, key_format="string", value_format="json", value_type=value, **times),
            node("copies", "to", topic=copies),
            node("routed", "to", topics=[small, large], topic_expression=by_size),
            node("grouped", "group_by_key"),
            node("counted", "count", store="by-customer"),
            node("updates", "to_stream"),
            node("counts", "to", topic=counts),
        ],
        "orders.result>copies.stream",
        "orders.result>routed.stream",
        "orders.result>grouped.stream",
        "grouped.result>counted.grouped",
        "counted.result>updates.table",
        "updates.result>counts.stream",
    )
    return world.plan(drawn, [orders])


def order(customer: str, text: str = "x", time: int = 1) -> tuple[Any, ...]:
    return customer, json.dumps({"text": text, "second": 100 + time}), time, [("trace", b"7")]


class Finished(NamedTuple):
    """A run that read ten orders, one that is no JSON and one that is too large to copy, and was stopped."""

    world: World
    plan: Plan
    event: Event
    exit_code: int


@pytest.fixture(scope="module")
def finished(kafka_servers: str, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    world = World(kafka_servers, tmp_path_factory.mktemp("finished"))
    plan, orders = copying(world), world.name("orders")
    world.produce(orders, [order(f"c{n % 5}", time=n + 1) for n in range(10)])
    world.produce(orders, [("bad", "{not json", 50, [("trace", b"7")]), order("big", "x" * 5_000)])
    with started(plan) as child:
        event = child.wait_for_offsets(orders, 12)
        return Finished(world, plan, event, child.stop())


def test_what_cannot_be_read_or_written_becomes_a_dead_letter(finished: Finished):
    world, plan, event, _ = finished

    letters = {message.key(): message for message in world.read(plan.dead_letter_topic)}
    unreadable, too_large = headers(letters[b"bad"]), headers(letters[b"big"])

    assert set(letters) == {b"bad", b"big"}
    assert letters[b"bad"].value() == b"{not json"
    assert unreadable["trace"] == "7"
    assert (unreadable["topic"], unreadable["node"]) == (world.name("orders"), "orders")
    assert unreadable["offset"].isdigit()
    assert too_large["exception"].endswith("RecordTooLargeException")
    assert (too_large["output.topic"], too_large["node"]) == (world.name("copies"), "copies")
    assert event["dead_letters"] == 2
    assert event["nodes"]["orders"]["errors"] == 1


@pytest.mark.soak
def test_a_small_record_that_the_broker_refuses_behind_a_shuffle_names_its_input(world: World):
    """`test_writer.py` has such a record refused, and `test_undeliverable.py` finds its input after a shuffle."""
    orders, moved = world.topic("orders", 2), world.topic("moved", 1, message_timestamp_before_max_ms="86400000")
    nodes = [
        node("orders", "stream", topic=orders, key_format="string", value_format="string"),
        node("by", "select_key", key="value"),
        node("spread", "repartition"),
        node("moved", "to", topic=moved),
    ]
    edges = ("orders.result>by.stream", "by.result>spread.stream", "spread.result>moved.stream")
    plan = world.plan(graph(nodes, *edges), [orders])
    now = time.time_ns() // 1_000_000
    world.produce(orders, [("a", value, now) for value in "xyz"] + [("a", "old", 1_000)])

    with started(plan) as child:
        child.wait_for_offsets(orders, 4)
        assert child.stop() == 0

    (source,) = (message for message in world.read(orders) if message.value() == b"old")
    (letter,) = world.read(plan.dead_letter_topic)
    said = headers(letter)
    assert (letter.key(), said["exception"].rpartition(".")[2]) == (b"old", "InvalidRecordException")
    assert (said["topic"], said["partition"], said["offset"]) == (orders, str(source.partition()), "3")
    assert sorted(message.value() for message in world.read(moved)) == [b"x", b"y", b"z"]


def test_a_run_tells_what_its_stores_hold(finished: Finished):
    assert finished.event["stores"]["counted"]["rows"] == 6
    assert finished.event["stores"]["counted"]["bytes"] > 6 * len("c0")
    assert finished.event["workers"] == 2


def test_results_keep_the_headers_of_their_records(finished: Finished):
    copies = finished.world.read(finished.world.name("copies"))

    assert len(copies) == 10
    assert copies[0].headers() == [("trace", b"7")]


def test_records_go_to_the_topics_they_name_with_the_times_they_name(finished: Finished):
    small, large = (finished.world.read(finished.world.name(name)) for name in ("small", "large"))

    assert [message.timestamp()[1] for message in large] == [101_000]
    assert sorted(message.timestamp()[1] for message in small) == [(101 + n) * 1_000 for n in range(10)]


def test_kafkas_own_tools_see_how_far_a_run_has_read(finished: Finished):
    world, plan, _, _ = finished
    topic = world.cluster.topic(world.name("orders"))

    committed = [found.offset for found in world.cluster.read_committed(plan.application_id, topic) if found]

    assert committed == world.cluster.end_offsets([topic])[topic.name]


def test_a_stopped_run_leaves_checkpoint_and_marker_at_the_same_batch(finished: Finished):
    world, plan, event, exit_code = finished

    (marker, *_) = world.cluster.read_committed(plan.marker_group, world.cluster.topic(plan.marker_topic))

    assert exit_code == 0
    assert marker is not None
    assert marker.offset - 1 == event["batch"] == Checkpoint(plan.checkpoint).find_last_committed()
    assert find_left_marker(Checkpoint(plan.checkpoint)) == Marker.read(marker.offset, marker.metadata)


def test_a_new_epoch_goes_on_with_the_stores_of_the_old_one(finished: Finished, tmp_path: Path):
    """The store moves to another node, depth, slot and operator; the marker and the offsets start again.

    The epoch restarts after Spark has deleted its records of the first batches, and after the old epoch was removed.
    """
    world, old, _, _ = finished
    orders, counts = world.name("orders"), world.name("counts")
    ends = world.cluster.end_offsets([world.cluster.topic(orders)])[orders]
    seed = Seed(checkpoint=str(tmp_path / "old"), plan=old.model_dump(mode="json"), stores=["by-customer"])
    shutil.copytree(old.checkpoint, seed.checkpoint)
    plan = world.plan(
        counting_elsewhere(orders, counts), [orders], epoch=2, seed=seed, slots=1, guarantee="at_least_once"
    )
    plan = plan.model_copy(update={"topics": {orders: plan.topics[orders].model_copy(update={"start": ends})}})

    world.produce(orders, [order(f"c{n}") for n in range(5)])
    with started(plan) as child:
        child.wait_for_offsets(orders, 17)
        for number in range(BATCHES_THAT_SPARK_KEEPS + 5):
            world.produce(orders, [order("c0")])
            child.wait_for_offsets(orders, 18 + number)
        assert child.stop() == 0
    assert not Checkpoint(plan.checkpoint).is_committed(0)
    shutil.rmtree(seed.checkpoint)
    world.produce(orders, [order("c0")])
    with started(restart(plan)) as child:
        child.wait_for_offsets(orders, 23 + BATCHES_THAT_SPARK_KEEPS)
        assert child.stop() == 0

    of_c0 = list(range(1, 10 + BATCHES_THAT_SPARK_KEEPS))
    assert updates(world, counts) == {f"c{n}": [1, 2, 3] for n in range(1, 5)} | {"c0": of_c0, "big": [1]}


def counting_elsewhere(orders: str, counts: str) -> Graph:
    """The same store in a graph with other nodes, behind two changes of key, so in two stages."""
    return graph(
        [
            node("again", "stream", topic=orders, key_format="string", value_format="json"),
            node("shuffled", "repartition"),
            node("same-key", "select_key", key="key"),
            node("groups", "group_by_key"),
            node("per-customer", "count", store="by-customer"),
            node("changes", "to_stream"),
            node("out", "to", topic=counts),
        ],
        "again.result>shuffled.stream",
        "shuffled.result>same-key.stream",
        "same-key.result>groups.stream",
        "groups.result>per-customer.grouped",
        "per-customer.result>changes.table",
        "changes.result>out.stream",
    )


def test_a_topic_that_was_made_again_is_refused_before_anything_is_read(world: World):
    orders, counts = world.topic("orders"), world.topic("counts")
    plan = world.plan(counting(orders, counts), [orders])
    facts = plan.topics[orders].model_copy(update={"id": "an-older-topic"})

    with started(plan.model_copy(update={"topics": {orders: facts}})) as child:
        failed = child.wait_for(lambda event: event["type"] == "failed")

    assert failed["cause"]["code"] == "topic.recreated"
    assert orders in failed["cause"]["message"]


def test_a_record_that_fails_ends_the_run_where_the_policy_says_so(world: World):
    plan, orders = copying(world), world.name("orders")
    failing = plan.model_copy(update={"settings": plan.settings.model_copy(update={"deserialization": "fail"})})
    world.produce(orders, [("bad", "{not json", 1)])

    with started(failing) as child:
        failed = child.wait_for(lambda event: event["type"] == "failed")

    assert failed["cause"]["code"] == "record.failed"
    assert failed["cause"]["node"] == "orders"
    assert failed["cause"]["batch"] == 0
    assert sum(failed["cause"]["offsets"][orders]) == 1
    assert orders in failed["cause"]["message"]
