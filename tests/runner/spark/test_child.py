"""The child process as its parent sees it: real Spark, real Kafka, and real kills."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Producer

from runner.plan import Plan, Seed
from runner.spark.checkpoint import Checkpoint
from tests.runner.spark.runs import Child, World, counting, graph, node, shops, started

pytestmark = [pytest.mark.spark, pytest.mark.slow]
FAILPOINTS = ("restoring", "before-produce@1", "before-commit", "after-commit", "stopping")


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


def test_killed_at_every_step_it_loses_and_repeats_nothing(world: World):
    orders, names, counts = world.topic("orders", 2), world.topic("names", 1), world.topic("counts", 1)
    plan = world.plan(shops(orders, names, counts), [orders, names], records_per_batch=400)
    customers = [(f"c{n}", json.dumps({"name": f"Customer {n}"}), 1) for n in range(50)]
    world.produce(names, customers)
    sent = 0

    for failpoint in FAILPOINTS:
        world.produce(orders, [(f"c{n % 50}", json.dumps({"city": f"city {n % 5}"}), n) for n in range(sent, sent + 500)])
        world.produce(names, customers[:1])
        sent += 500
        plan = restart(plan)
        with started(plan, STREAMWRIGHT_FAILPOINT=failpoint) as child:
            if failpoint == "stopping":
                child.wait_for_offsets(orders, sent)
                child.say({"type": "stop"})
            assert child.died() == -9, child.tail()
    world.produce(orders, [(f"c{n}", json.dumps({"city": f"city {n % 5}"}), n) for n in range(50)])
    with started(restart(plan)) as child:
        child.wait_for_offsets(orders, sent + 50)
        assert child.stop() == 0

    statuses = [event["status"] for event in child.of_type("status")]
    assert statuses == ["starting", "running", "stopped"]
    assert updates(world, counts) == {f"city {n}": list(range(1, sent // 5 + 11)) for n in range(5)}


@pytest.fixture
def strict(world: World) -> Iterator[tuple[Plan, str, str]]:
    """Orders whose amount is typed are passed on to a topic that takes small records only, and counted."""
    orders = world.topic("orders", 2)
    copies = world.topic("copies", 1, max_message_bytes="2000")
    counts = world.topic("counts", 1)
    value = {"kind": "struct", "fields": [{"name": "text", "type": {"kind": "string"}}]}
    drawn = graph(
        [
            node("orders", "stream", topic=orders, key_format="string", value_format="json", value_type=value),
            node("copies", "to", topic=copies),
            node("grouped", "group_by_key"),
            node("counted", "count", store="by-customer"),
            node("updates", "to_stream"),
            node("counts", "to", topic=counts),
        ],
        "orders.result>copies.stream",
        "orders.result>grouped.stream",
        "grouped.result>counted.grouped",
        "counted.result>updates.table",
        "updates.result>counts.stream",
    )
    yield world.plan(drawn, [orders]), orders, copies


def test_what_cannot_be_read_or_written_becomes_a_dead_letter(world: World, strict: tuple[Plan, str, str]):
    plan, orders, copies = strict
    world.produce(orders, [(f"c{n}", json.dumps({"text": "x"}), n + 1, [("trace", b"t")]) for n in range(10)])
    world.produce(orders, [("bad", "{not json", 50, [("trace", b"7")]), ("big", json.dumps({"text": "x" * 5_000}), 51)])

    with started(plan) as child:
        event = child.wait_for_offsets(orders, 12)
        assert child.stop() == 0

    letters = {message.key(): message for message in world.read(plan.dead_letter_topic)}
    unreadable, too_large = headers(letters[b"bad"]), headers(letters[b"big"])
    assert set(letters) == {b"bad", b"big"}
    assert letters[b"bad"].value() == b"{not json"
    assert unreadable["trace"] == "7"
    assert (unreadable["topic"], unreadable["node"]) == (orders, "orders")
    assert unreadable["offset"].isdigit()
    assert too_large["exception"].endswith("RecordTooLargeException")
    assert (too_large["topic"], too_large["node"]) == (copies, "copies")
    assert len(world.read(copies)) == 10
    assert world.read(copies)[0].headers() == [("trace", b"t")]
    assert event["dead_letters"] == 2
    assert event["nodes"]["orders"]["errors"] == 1


def test_kafkas_own_tools_see_how_far_a_run_has_read(world: World, strict: tuple[Plan, str, str]):
    plan, orders, _ = strict
    world.produce(orders, [(f"c{n}", json.dumps({"text": "x"}), n + 1) for n in range(20)])

    with started(plan) as child:
        child.wait_for_offsets(orders, 20)
        assert child.stop() == 0

    topic = world.cluster.topic(orders)
    committed = [found.offset for found in world.cluster.committed(plan.application_id, topic) if found]
    assert committed == world.cluster.end_offsets([topic])[orders]
    (marker, *_) = world.cluster.committed(plan.marker_group, world.cluster.topic(plan.marker_topic))
    assert marker is not None
    assert marker.offset == (Checkpoint(plan.checkpoint).last_committed() or 0) + 1


def test_a_new_epoch_goes_on_with_the_stores_of_the_old_one(world: World, strict: tuple[Plan, str, str]):
    plan, orders, _ = strict
    counts = world.name("counts")
    world.produce(orders, [(f"c{n % 5}", json.dumps({"text": "x"}), n + 1) for n in range(20)])
    with started(plan) as child:
        child.wait_for_offsets(orders, 20)
        assert child.stop() == 0
    ends = world.cluster.end_offsets([world.cluster.topic(orders)])[orders]
    seed = Seed(checkpoint=plan.checkpoint, plan=plan.model_dump(mode="json"), stores=["by-customer"])
    world.produce(orders, [(f"c{n % 5}", json.dumps({"text": "x"}), n + 1) for n in range(20, 25)])

    fewer = world.plan(
        renamed_counting(orders, counts), [orders], epoch=2, seed=seed, slots=1, guarantee="at_least_once"
    )
    moved = fewer.model_copy(update={"topics": {orders: fewer.topics[orders].model_copy(update={"start": ends})}})
    with started(moved) as child:
        child.wait_for_offsets(orders, 25)
        assert child.stop() == 0
    world.produce(orders, [("c0", json.dumps({"text": "x"}), 26)])
    with started(restart(moved)) as child:
        child.wait_for_offsets(orders, 26)
        assert child.stop() == 0

    expected = {f"c{n}": [1, 2, 3, 4, 5] for n in range(5)} | {"c0": [1, 2, 3, 4, 5, 6]}
    assert updates(world, counts) == expected


def renamed_counting(orders: str, counts: str):  # type: ignore[no-untyped-def]
    """The same store in a graph with other nodes, behind a change of key."""
    return graph(
        [
            node("again", "stream", topic=orders, key_format="string", value_format="json"),
            node("same-key", "select_key", key="key"),
            node("groups", "group_by_key"),
            node("per-customer", "count", store="by-customer"),
            node("changes", "to_stream"),
            node("out", "to", topic=counts),
        ],
        "again.result>same-key.stream",
        "same-key.result>groups.stream",
        "groups.result>per-customer.grouped",
        "per-customer.result>changes.table",
        "changes.result>out.stream",
    )


def test_a_second_writer_shuts_out_the_first(world: World, strict: tuple[Plan, str, str]):
    plan, orders, copies = strict
    world.produce(orders, [("c", json.dumps({"text": "x"}), 1)])

    with started(plan) as child:
        child.wait_for_offsets(orders, 1)
        world.cluster.fence(plan.transactional_id)
        world.produce(orders, [("c", json.dumps({"text": "x"}), 2)])
        failed = child.wait_for(lambda event: event["type"] == "failed")
        assert child.died() == 1

    assert failed["cause"]["code"] == "run.fenced", failed["cause"]["traceback"]
    assert not failed["cause"]["retriable"]
    assert len(world.read(copies)) == 1


def test_without_a_lease_no_batch_begins(world: World, strict: tuple[Plan, str, str]):
    plan, orders, copies = strict

    with started(plan) as child:
        child.wait_for_status("running")
        child.lease = False
        time.sleep(2.5)
        child.say({"type": "lease", "seconds": 0})
        time.sleep(0.5)
        world.produce(orders, [("c", json.dumps({"text": "x"}), 1)])
        failed = child.wait_for(lambda event: event["type"] == "failed")

    assert failed["cause"]["code"] == "run.lease_lost"
    assert failed["cause"]["retriable"]
    assert world.read(copies) == []


def test_without_a_parent_it_ends_at_once(world: World, strict: tuple[Plan, str, str]):
    plan, _, _ = strict

    with started(plan) as child:
        child.wait_for_status("running")
        assert child.popen.stdin is not None
        child.popen.stdin.close()

        assert child.popen.wait(3) not in (0, 1)


def test_a_topic_that_was_made_again_is_refused_before_anything_is_read(world: World):
    orders, counts = world.topic("orders"), world.topic("counts")
    plan = world.plan(counting(orders, counts), [orders])
    facts = plan.topics[orders].model_copy(update={"id": "an-older-topic"})

    with started(plan.model_copy(update={"topics": {orders: facts}})) as child:
        failed = child.wait_for(lambda event: event["type"] == "failed")

    assert failed["cause"]["code"] == "topic.recreated"
    assert orders in failed["cause"]["message"]


def test_a_record_that_fails_ends_the_run_where_the_policy_says_so(world: World, strict: tuple[Plan, str, str]):
    plan, orders, _ = strict
    failing = plan.model_copy(update={"settings": plan.settings.model_copy(update={"deserialization": "fail"})})
    world.produce(orders, [("bad", "{not json", 1)])

    with started(failing) as child:
        failed = child.wait_for(lambda event: event["type"] == "failed")

    assert failed["cause"]["code"] == "record.failed"
    assert failed["cause"]["node"] == "orders"
    assert failed["cause"]["batch"] == 0
    assert sum(failed["cause"]["offsets"][orders]) == 1
    assert orders in failed["cause"]["message"]
