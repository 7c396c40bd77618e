"""Following a topic and a job's dead letters over websockets, against real Kafka."""

import asyncio
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewPartitions  # type: ignore[attr-defined]
from django.test import Client

from runner.control.clusters import models
from runner.control.jobs.models import Job
from runner.engine.tasks.errors import PREFIX
from runner.kafka import KafkaCluster
from runner.watch.sockets import tailing, viewer
from runner.watch.sockets.messages import TailMessage
from runner.watch.topics.dead_letters import DeadLetters
from runner.watch.topics.tail import Records, TopicTail
from tests.patience import PATIENCE_SECONDS
from tests.runner.watch.described import assert_described
from tests.runner.watch.live.page import Page, page
from webapp.accounts.models import User
from webapp.local.kafka import Kafka
from webapp.local.parts import JARS, run_part, wait_for


def fill(cluster: KafkaCluster, topic: str, values: Sequence[str | bytes], at: int = 1_000, **how: Any) -> None:
    producer = Producer({"bootstrap.servers": cluster.servers})
    for number, value in enumerate(values):
        producer.produce(topic, value, key=b"k", timestamp=at + number, **{"partition": number % 2, **how})
        producer.poll(0)
    producer.flush()


def bury(cluster: KafkaCluster, topic: str, node: str, values: list[str]) -> None:
    headers = {"exception": "CastFailed", "message": "`x` is no number.", "topic": "orders", "node": node}
    headers |= {"partition": "1", "offset": "7"}
    fill(cluster, topic, values, headers=[(f"{PREFIX}{name}", said.encode()) for name, said in headers.items()])


def values(*messages: TailMessage) -> list[str]:
    return [record["value"] for message in messages for record in message["records"]]


async def values_until(watcher: Page, last: str) -> list[str]:
    """The values of all messages up to the one that holds `last`."""
    found: list[str] = []
    while last not in found:
        found += values(await watcher.hear())
    return found


def follow(tail: TopicTail, seconds: float) -> list[TailMessage]:
    """What a tail tells in so long, asked as a socket does."""
    told, deadline = [], time.monotonic() + seconds
    while time.monotonic() < deadline:
        told += tail.read_next()
        time.sleep(0.3)
    return told


@pytest.fixture
def admin(kafka_servers: str) -> AdminClient:
    return AdminClient({"bootstrap.servers": kafka_servers})


def threads() -> int:
    return sum(thread.name.startswith("tail") for thread in threading.enumerate())


async def test_the_newest_records_come_first_then_new_ones(cluster: KafkaCluster, topic: str, client: Client) -> None:
    cluster.create(topic, 2)
    fill(cluster, topic, [str(number) for number in range(200)])

    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        first = await watcher.hear()
        fill(cluster, topic, ["a", "b"], at=2_000)
        then = await values_until(watcher, "b")

    assert values(first) == [str(number) for number in range(150, 200)]
    assert (first["type"], first["skipped"]) == ("records", 0)
    assert_described(first, by=Records)
    assert then == ["a", "b"]
    assert first["records"][0] == {
        "partition": 0,
        "offset": 75,
        "timestamp": 1_150,
        "key": "k",
        "is_key_base64": False,
        "is_key_cut": False,
        "key_bytes": 1,
        "value": "150",
        "is_value_base64": False,
        "is_value_cut": False,
        "value_bytes": 3,
        "headers": [],
        "headers_left_out": 0,
    }


async def test_only_committed_records_are_shown(cluster: KafkaCluster, topic: str, client: Client) -> None:
    cluster.create(topic, 2)
    writer = Producer({"bootstrap.servers": cluster.servers, "transactional.id": topic})
    writer.init_transactions()

    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        await watcher.hear()
        writer.begin_transaction()
        writer.produce(topic, "aborted")
        writer.flush()
        writer.abort_transaction()
        writer.begin_transaction()
        writer.produce(topic, "committed")
        writer.flush()
        early = await watcher.hear_all(1.5)
        writer.commit_transaction()
        late = await watcher.hear()
    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        first = await watcher.hear()

    assert early == []
    assert values(late) == ["committed"]
    assert values(first) == ["committed"]


def told_of(messages: list[TailMessage]) -> int:
    """How many records were shown or counted."""
    return len(values(*messages)) + sum(int(message["skipped"]) for message in messages)


async def test_of_a_fast_topic_the_newest_are_sent_twice_a_second_and_the_others_counted(
    cluster: KafkaCluster, topic: str, client: Client
) -> None:
    cluster.create(topic, 2)

    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        await watcher.hear()
        started = time.monotonic()
        writing = asyncio.create_task(asyncio.to_thread(fill, cluster, topic, list(map(str, range(60_000)))))
        messages: list[TailMessage] = []
        while told_of(messages) < 60_000:  # one partition may end before the other
            messages.append(await watcher.hear())
        seconds = time.monotonic() - started
        await writing

    assert len(messages) <= 2 * seconds + 1
    assert max(len(message["records"]) for message in messages) == 100
    assert told_of(messages) == 60_000
    assert "59999" in values(*messages)
    assert len(values(*messages)) == len(set(values(*messages)))


async def test_a_paused_viewer_hears_nothing_and_goes_on_at_the_newest(
    cluster: KafkaCluster, topic: str, client: Client
) -> None:
    cluster.create(topic, 2)

    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        await watcher.hear()
        await watcher.say("pause")
        paused = await watcher.hear_all(1.0)  # a read that is under way ends before there is something to find
        await asyncio.to_thread(fill, cluster, topic, [str(number) for number in range(5_000)])
        paused += await watcher.hear_all(1.5)
        await watcher.say("resume")
        resumed = await watcher.hear()
        fill(cluster, topic, ["next"], at=9_000)
        then = await values_until(watcher, "next")

    assert paused == []
    assert values(resumed) == [str(number) for number in range(4_900, 5_000)]
    assert resumed["skipped"] == 4_900
    assert then == ["next"]


async def test_a_topic_that_is_made_later_is_waited_for(cluster: KafkaCluster, topic: str, client: Client) -> None:
    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        refused, waiting = await watcher.hear(), await watcher.hear()
        quiet = await watcher.hear_all(1.5)
        cluster.create(topic, 2)
        fill(cluster, topic, ["a"])
        found = await values_until(watcher, "a")

    assert (refused["type"], refused["code"]) == ("refused", "topic.missing")
    assert refused["message"] == f"Topic `{topic}` does not exist on cluster `orders` ({cluster.servers})."
    assert waiting == {"type": "waiting", "message": f"The records of `{topic}` are shown as soon as it can be read."}
    assert quiet == []
    assert found == ["a"]


def test_a_topic_that_is_made_anew_is_read_from_its_own_beginning(
    cluster: KafkaCluster, topic: str, admin: AdminClient
) -> None:
    cluster.create(topic, 2)
    fill(cluster, topic, ["old"] * 10)
    tail = TopicTail(cluster, topic)
    tail.read_next()

    admin.delete_topics([topic])[topic].result()
    told = follow(tail, 3.0)
    cluster.create(topic, 1)
    fill(cluster, topic, ["new"], partition=0)
    found = follow(tail, 3.0)
    tail.rest()

    assert [message["type"] for message in told] == ["refused", "waiting"]
    assert values(*found) == ["new"]


def test_partitions_that_are_added_are_followed_too(cluster: KafkaCluster, topic: str, admin: AdminClient) -> None:
    cluster.create(topic, 1)
    fill(cluster, topic, ["one"], partition=0)
    tail = TopicTail(cluster, topic)
    first = tail.read_next()

    admin.create_partitions([NewPartitions(topic, 2)])[topic].result()
    fill(cluster, topic, ["two"], partition=1)
    found = follow(tail, 3.0)
    tail.rest()

    assert (values(*first), values(*found)) == (["one"], ["two"])


def test_a_long_value_is_cut_between_two_characters_and_says_so(cluster: KafkaCluster, topic: str) -> None:
    cluster.create(topic, 1)
    fill(cluster, topic, ["ü" * 10_000, b"\xff" * 20_000, b"x" * 16_384], partition=0)
    tail = TopicTail(cluster, topic)

    text, data, whole = tail.read_next()[0]["records"]
    tail.rest()

    assert (text["value"], text["is_value_base64"], text["is_value_cut"]) == ("ü" * 8_192, False, True)
    assert [each["value_bytes"] for each in (text, data, whole)] == [20_000, 20_000, 16_384]
    assert (len(data["value"]), data["is_value_base64"], data["is_value_cut"]) == (21_848, True, True)
    assert (len(whole["value"]), whole["is_value_cut"]) == (16_384, False)


def test_a_cut_inside_a_character_leaves_it_out(cluster: KafkaCluster, topic: str) -> None:
    cluster.create(topic, 1)
    fill(cluster, topic, ["x" + "ü" * 10_000], partition=0)
    tail = TopicTail(cluster, topic)

    (record,) = tail.read_next()[0]["records"]
    tail.rest()

    assert record["value"] == "x" + "ü" * 8_191


async def test_dead_letters_of_one_node_are_found_behind_many_of_others(
    job: Job, cluster: KafkaCluster, client: Client
) -> None:
    topic = f"{job.application_id}-dead-letters"
    cluster.create(topic, 2)
    bury(cluster, topic, "late", ["a", "b"])
    bury(cluster, topic, "counted", [str(number) for number in range(3_000)])

    async with page(f"/ws/jobs/{job.id}/dead-letters/?node=late", client) as watcher:
        first = await watcher.hear()
        bury(cluster, topic, "counted", ["not asked for"])
        bury(cluster, topic, "late", ["c"])
        then = await values_until(watcher, "c")
    async with page(f"/ws/jobs/{job.id}/dead-letters/", client) as watcher:
        every = await watcher.hear()

    assert (values(first), then) == (["a", "b"], ["c"])
    assert first["records"][0]["letter"] == {
        "node": "late",
        "reason": "`x` is no number.",
        "exception": "CastFailed",
        "topic": "orders",
        "partition": 1,
        "offset": 7,
        "output_topic": None,
        "is_input": False,
        "at": None,
    }
    assert len(every["records"]) == 50
    assert_described(every, by=DeadLetters)


async def test_a_job_names_its_own_dead_letter_topic(
    job: Job, cluster: KafkaCluster, topic: str, client: Client
) -> None:
    await sync_to_async(Job.objects.filter(id=job.id).update)(settings={"dead_letter_topic": topic})
    cluster.create(topic, 1)
    fill(cluster, topic, ["by hand"], partition=0)

    async with page(f"/ws/jobs/{job.id}/dead-letters/", client) as watcher:
        (record,) = (await watcher.hear())["records"]

    unknown = ("node", "exception", "topic", "partition", "offset", "output_topic", "at")
    assert record["letter"] == dict.fromkeys(unknown) | {"reason": "No reason was given.", "is_input": False}


async def test_a_viewer_that_leaves_takes_its_thread_along_and_leaves_no_group(
    cluster: KafkaCluster, topic: str, client: Client, admin: AdminClient
) -> None:
    cluster.create(topic, 2)
    fill(cluster, topic, ["a"])
    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        await watcher.hear()
        during = threads()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while threads() and time.monotonic() < deadline:
        await asyncio.sleep(0.05)

    groups = admin.list_consumer_groups().result()

    assert (during, threads()) == (1, 0)
    assert "streamwright-reader" not in {group.group_id for group in groups.valid}
    assert not tailing.seats.taken


@pytest.mark.parametrize("limit", ["MAX_VIEWERS", "MAX_OF_USER"])
async def test_more_viewers_than_there_are_seats_are_refused(
    limit: str, cluster: KafkaCluster, topic: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tailing, limit, 1)
    cluster.create(topic, 2)

    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        await watcher.hear()
        async with page(f"/ws/clusters/orders/topics/{topic}/", client) as second:
            refused = await second.hear()
            code = await second.closed_with()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while threads() and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as third:
        welcome = await third.hear()

    assert (refused["type"], refused["code"], code) == ("refused", "viewers.too_many", viewer.TOO_MANY)
    assert welcome["type"] == "records"


async def test_without_a_login_nothing_is_shown(cluster: KafkaCluster, topic: str) -> None:
    async with page(f"/ws/clusters/orders/topics/{topic}/", None) as watcher:
        assert await watcher.closed_with() == 4401


async def test_a_login_that_ends_ends_the_socket(
    cluster: KafkaCluster, topic: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewer, "LOGIN_SECONDS", 0.3)
    cluster.create(topic, 1)

    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        await watcher.hear()
        await sync_to_async(client.logout)()

        assert await watcher.closed_with() == 4401


@pytest.mark.parametrize(("taken", "code"), [("role", 4403), ("account", 4401), ("password", 4401)])
async def test_what_is_taken_away_ends_the_socket(
    taken: str,
    code: int,
    cluster: KafkaCluster,
    topic: str,
    client: Client,
    user: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(viewer, "LOGIN_SECONDS", 0.3)
    cluster.create(topic, 1)

    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        await watcher.hear()
        if taken == "role":
            await user.grants.all().adelete()
        elif taken == "account":
            await User.objects.filter(pk=user.pk).aupdate(is_active=False)
        else:
            user.set_password("another engine")
            await user.asave()

        assert await watcher.closed_with() == code


def test_it_is_asked_often_enough_whether_one_may_look() -> None:
    assert viewer.LOGIN_SECONDS < 30


async def test_a_job_of_other_people_is_not_shown(job: Job, client: Client, user: User) -> None:
    await user.grants.all().adelete()

    async with page(f"/ws/jobs/{job.id}/", client) as watcher:
        assert await watcher.closed_with() == 4404


@pytest.mark.parametrize("path", ["/ws/clusters/nowhere/topics/orders/", "/ws/jobs/999999/dead-letters/"])
async def test_a_cluster_or_job_that_does_not_exist_closes_the_socket(
    path: str, client: Client, kafka_servers: str
) -> None:
    async with page(path, client) as watcher:
        assert await watcher.closed_with() == 4404


async def test_what_is_no_request_is_passed_over(cluster: KafkaCluster, topic: str, client: Client) -> None:
    cluster.create(topic, 2)

    async with page(f"/ws/clusters/orders/topics/{topic}/", client) as watcher:
        await watcher.hear()
        await watcher.socket.send_input({"type": "websocket.receive", "text": "{no json"})
        await watcher.socket.send_input({"type": "websocket.receive", "bytes": b"\x00"})
        await watcher.say("dance")
        fill(cluster, topic, ["a"])

        assert await values_until(watcher, "a") == ["a"]


@pytest.fixture
def broker(tmp_path: Path) -> Kafka:
    """A Kafka of this test's own that does not run yet."""
    return Kafka(tmp_path, JARS, is_passing=True)


@pytest.mark.usefixtures("impatience")
async def test_a_broker_that_is_away_is_waited_for(client: Client, broker: Kafka, topic: str) -> None:
    record = models.Cluster(name=f"away-{uuid4().hex[:6]}", bootstrap_servers=broker.servers)
    await record.asave()
    cluster = record.connect()

    async with page(f"/ws/clusters/{record.name}/topics/{topic}/", client) as watcher:
        away = await watcher.hear(20)
        with run_part(broker):
            cluster.create(topic, 2)
            fill(cluster, topic, ["a"])
            found = await values_until(watcher, "a")
        gone = await watcher.hear(30)
        await sync_to_async(broker.start)()
        try:
            await sync_to_async(wait_for)(broker)
            fill(cluster, topic, ["b"])
            back = await values_until(watcher, "b")
        finally:
            broker.stop()

    assert away == gone == {"type": "waiting", "message": f"Kafka does not answer at {broker.servers}."}
    assert (found, back) == (["a"], ["b"])
