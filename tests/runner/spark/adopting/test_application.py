"""What Kafka knows of an application, and what is in the way of continuing it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from designer.topology.graph import Graph
from runner.engine.planning.lay_out import lay_out
from runner.kafka import KafkaCluster, list_group_states
from runner.spark.adopting.application import Application, NotAdoptable, look_at_application
from tests.patience import wait_until
from tests.proof.adopting.drawings import draw
from tests.runner.spark.runs import World
from tests.settled import settled_ends

WORDS = [("k", "red", 1_000), ("k", "blue", 2_000)]


class Stopped:
    """What a stopped application has left: two partitions of everything, read to the end."""

    def __init__(self, servers: str, folder: Path, program: str = "word-count") -> None:
        self.world = World(servers, folder)
        self.cluster: KafkaCluster = self.world.cluster
        self.name = f"app-{uuid4().hex[:6]}"
        self.program = program
        self.left, self.right, self.out = (self.world.topic(each) for each in ("left", "right", "out"))
        self.world.produce(self.left, WORDS)

    def keep(self, store: str, partitions: int = 2) -> str:
        """A changelog topic."""
        topic = self.cluster.create(f"{self.name}-{store}-changelog", partitions).name
        self.world.produce(topic, [("red", b"\0" * 7 + b"\1", 1_000)])
        return topic

    def commit(self, *topics: str, behind: int = 0) -> None:
        """Commit the ends of topics, or offsets before them."""
        ends = {topic: settled_ends(self.cluster.servers, topic) for topic in topics}
        places = [
            TopicPartition(topic, number, max(0, end - behind))
            for topic in topics
            for number, end in enumerate(ends[topic])
        ]
        consumer = Consumer({"bootstrap.servers": self.cluster.servers, "group.id": self.name})
        consumer.commit(offsets=[place for place in places if place.offset > 0], asynchronous=False)
        consumer.close()

    def look(self, drawing: dict[str, Any] | None = None, chosen: Mapping[str, str] | None = None) -> Application:
        drawing = drawing or draw(self.program, self.left, self.right, self.out)
        layout = lay_out(Graph.from_json(drawing))
        tasks = [2] * len(layout.sub_topologies)
        return look_at_application(self.cluster, self.name, layout, tasks, chosen)


@pytest.fixture
def counting(kafka_servers: str, tmp_path: Path) -> Stopped:
    """A word count that was stopped well."""
    stopped = Stopped(kafka_servers, tmp_path)
    stopped.keep("word-counts")
    stopped.cluster.create(f"{stopped.name}-by-word-repartition", 2)
    stopped.commit(stopped.left)
    return stopped


@contextmanager
def member(stopped: Stopped) -> Iterator[None]:
    """A member of the group."""
    consumer = Consumer({"bootstrap.servers": stopped.cluster.servers, "group.id": stopped.name})
    consumer.subscribe([stopped.left])
    try:
        wait_until(lambda: consumer.poll(0.1) is None and bool(consumer.assignment()))
        yield
    finally:
        consumer.close()


def test_a_stopped_application_can_be_adopted(counting: Stopped) -> None:
    found = counting.look()

    assert found.problems == []
    assert (found.state, found.is_running) == ("Empty", False)
    changelog = f"{counting.name}-word-counts-changelog"
    assert [(each.store, each.topic) for each in found.stores] == [("word-counts", changelog)]
    assert sorted(found.find_starts()[counting.left]) == sorted(
        counting.cluster.end_offsets([counting.cluster.topic(counting.left)])[counting.left]
    )
    (taken,) = found.adopt().stores
    assert (sum(taken.until), taken.is_changelog) == (1, True)


def test_an_application_with_members_is_running(counting: Stopped) -> None:
    with member(counting):
        found = counting.look()

    assert found.is_running
    assert f"`{counting.name}` is running." in found.problems[0]
    with pytest.raises(NotAdoptable, match="Stop all its instances"):
        found.refuse_problems()


def test_an_unknown_application_has_no_offsets(kafka_servers: str, tmp_path: Path) -> None:
    found = Stopped(kafka_servers, tmp_path).look()

    assert "no committed offsets" in found.problems[0]
    assert found.state is None and found.name not in list_group_states(KafkaCluster(kafka_servers))


def test_topics_of_an_application_with_a_longer_name_are_its_own(counting: Stopped) -> None:
    counting.keep("eu-word-counts")
    consumer = Consumer({"bootstrap.servers": counting.cluster.servers, "group.id": f"{counting.name}-eu"})
    consumer.commit(offsets=[TopicPartition(counting.left, 0, 1)], asynchronous=False)
    consumer.close()

    assert (counting.look().unmatched, counting.look().problems) == ([], [])


def test_records_in_a_repartition_topic_are_counted(counting: Stopped) -> None:
    topic = f"{counting.name}-by-word-repartition"
    counting.world.produce(topic, [("red", "red", 1_000)] * 3)

    found = counting.look()

    assert found.waiting == {topic: 3}
    assert found.problems == [
        f"`{topic}` has 3 records that the application has not taken from there. Start it again, and stop it when its "
        "lag there is 0."
    ]


def test_markers_of_transactions_do_not_wait(counting: Stopped) -> None:
    topic = f"{counting.name}-by-word-repartition"
    producer = Producer({"bootstrap.servers": counting.cluster.servers, "transactional.id": f"{counting.name}-1"})
    producer.init_transactions(20)
    producer.begin_transaction()
    producer.produce(topic, b"red", b"red", partition=0)
    producer.commit_transaction(20)
    counting.commit(topic, behind=1)

    found = counting.look()

    assert (found.waiting, found.problems, found.guarantee) == ({}, [], "exactly_once")


def test_an_open_transaction_in_a_changelog_is_waited_for(counting: Stopped) -> None:
    topic = f"{counting.name}-word-counts-changelog"
    producer = Producer({"bootstrap.servers": counting.cluster.servers, "transactional.id": f"{counting.name}-2"})
    producer.init_transactions(20)
    producer.begin_transaction()
    producer.produce(topic, b"\0" * 8, b"red")
    producer.flush(20)

    found = counting.look()
    producer.abort_transaction(20)

    assert [problem for problem in found.problems if "still open" in problem and topic in problem]
    assert counting.look().problems == []


def test_changelogs_that_do_not_fit_are_named_and_can_be_chosen(kafka_servers: str, tmp_path: Path) -> None:
    stopped = Stopped(kafka_servers, tmp_path)
    other = stopped.keep("totals")
    stopped.commit(stopped.left)

    found = stopped.look()

    assert (found.unmatched, [each.topic for each in found.stores]) == ([other], [None])
    assert f"Choose it among `{other}`." in found.problems[0]
    assert f"No store of the drawing takes `{other}`." in found.problems[1]
    assert stopped.look(chosen={"word-counts": "totals"}).problems == []
    with pytest.raises(NotAdoptable, match="has no topic `sums`"):
        stopped.look(chosen={"word-counts": "sums"})


def test_a_generated_name_fits_the_only_store_of_its_kind(kafka_servers: str, tmp_path: Path) -> None:
    stopped = Stopped(kafka_servers, tmp_path)
    topic = stopped.keep("KSTREAM-AGGREGATE-STATE-STORE-0000000002")
    stopped.commit(stopped.left)

    assert [each.topic for each in stopped.look().stores] == [topic]


def test_tables_take_the_changelog_of_their_topic_or_the_topic_itself(kafka_servers: str, tmp_path: Path) -> None:
    stopped = Stopped(kafka_servers, tmp_path, "table-table")
    pairs, lefts = stopped.keep("pairs"), stopped.keep(f"{stopped.left}-STATE-STORE-0000000000")
    stopped.world.produce(stopped.right, WORDS)
    stopped.commit(stopped.left, stopped.right)

    found = stopped.look()

    assert found.problems == []
    assert {each.store: each.topic for each in found.stores} == {"left": lefts, "right": stopped.right, "pairs": pairs}
    ends = {each.store: each for each in found.adopt().stores}
    assert (ends["right"].is_changelog, ends["right"].until) == (False, found.find_starts()[stopped.right])
    assert any("optimised" in note for note in found.notes)


def test_other_partition_counts_are_refused(kafka_servers: str, tmp_path: Path) -> None:
    stopped = Stopped(kafka_servers, tmp_path)
    topic = stopped.keep("word-counts", partitions=3)
    stopped.commit(stopped.left)

    assert stopped.look().problems == [
        f"`{topic}` has 3 partitions, but `word-counts` would have 2 tasks. Set the number of tasks to 3."
    ]


def test_topics_that_only_one_of_both_reads_are_named(counting: Stopped) -> None:
    counting.world.produce(counting.right, WORDS)
    counting.commit(counting.right)
    drawing = draw("word-count", counting.world.topic("other"), counting.right, counting.out)
    counting.world.produce(drawing["nodes"][0]["config"]["topic"], WORDS)

    problems = counting.look(drawing).problems

    assert [problem.partition("`")[0] for problem in problems] == [
        "The application also reads ",
        "The application also reads ",
        "The application has committed no offsets of ",
    ]


def test_stores_that_cannot_be_read_are_refused_by_name(counting: Stopped) -> None:
    drawing = draw("word-count", counting.left, counting.right, counting.out)
    drawing["nodes"][2] |= {
        "operator": "aggregate",
        "config": {"functions": [{"name": "n", "function": "count"}], "store": "word-counts"},
    }

    assert "`counts` computes functions" in counting.look(drawing).problems[0]
