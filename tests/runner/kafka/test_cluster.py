"""What jobs ask a cluster, against a real broker."""

import time
from pathlib import Path
from uuid import uuid4

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import NewPartitions  # type: ignore[attr-defined]

from designer.refusals import Refusal
from runner.kafka import KafkaCluster, KafkaUnreachable, TopicMissing
from tests.patience import wait_until
from webapp.local.kafka import Kafka
from webapp.local.parts import JARS, run_part

pytestmark = pytest.mark.services


@pytest.fixture
def cluster(kafka_servers: str) -> KafkaCluster:
    return KafkaCluster(kafka_servers)


@pytest.fixture
def name() -> str:
    return f"topic-{uuid4().hex[:8]}"


def fill(cluster: KafkaCluster, topic: str, values: list[bytes]) -> None:
    producer = Producer({"bootstrap.servers": cluster.servers})
    for number, value in enumerate(values):
        producer.produce(topic, value, key=b"k", partition=number % 2, timestamp=1_000 + number)
    producer.flush()


def test_a_created_topic_is_listed_with_its_id_and_partitions(cluster: KafkaCluster, name: str) -> None:
    made = cluster.create(name, 3, {"cleanup.policy": "compact"})

    assert made in cluster.topics()
    assert (made.name, made.partitions) == (name, 3)
    assert len(made.id) >= 20
    assert cluster.configs(name)["cleanup.policy"] == "compact"


def test_creating_a_topic_that_exists_leaves_it_as_it_is(cluster: KafkaCluster, name: str) -> None:
    first = cluster.create(name, 3)

    assert cluster.create(name, 5) == first


def test_a_missing_topic_is_named_with_its_cluster_and_the_next_step(cluster: KafkaCluster, name: str) -> None:
    with pytest.raises(TopicMissing) as refusal:
        cluster.topic(name)

    assert refusal.value.message == f"Topic `{name}` does not exist on cluster `local` ({cluster.servers})."
    assert "Create the topic" in refusal.value.hint


def test_a_sample_holds_the_newest_messages_of_all_partitions_oldest_first(cluster: KafkaCluster, name: str) -> None:
    cluster.create(name, 2)
    fill(cluster, name, [b"%d" % number for number in range(10)])

    sample = cluster.sample(name, 4)

    assert [message.value for message in sample] == [b"6", b"7", b"8", b"9"]
    assert [message.timestamp for message in sample] == [1_006, 1_007, 1_008, 1_009]


def test_a_sample_ends_behind_a_transaction_and_an_aborted_one(cluster: KafkaCluster, name: str) -> None:
    cluster.create(name, 1)
    producer = Producer({"bootstrap.servers": cluster.servers, "transactional.id": name})
    producer.init_transactions()
    for value, ends in ((b"1", producer.commit_transaction), (b"2", producer.abort_transaction)):
        producer.begin_transaction()
        producer.produce(name, value)
        producer.flush()  # an abort throws away what is not sent
        ends()
    wait_until(lambda: cluster.end_offsets([cluster.topic(name)])[name] == [4])  # the markers are written later

    begun = time.monotonic()
    assert [message.value for message in cluster.sample(name, seconds=60)] == [b"1"]
    assert time.monotonic() - begun < 30


def test_a_second_sample_sees_new_partitions_and_a_topic_that_was_made_again(cluster: KafkaCluster, name: str) -> None:
    cluster.create(name, 1)
    producer = Producer({"bootstrap.servers": cluster.servers})
    producer.produce(name, b"first")
    producer.flush()
    assert [message.value for message in cluster.sample(name)] == [b"first"]

    (future,) = cluster.admin.create_partitions([NewPartitions(name, 2)]).values()
    future.result()
    wait_until(lambda: cluster.topic(name).partitions == 2)
    fill(cluster, name, [b"second", b"third"])
    assert {message.value for message in cluster.sample(name)} == {b"first", b"second", b"third"}

    cluster.delete(name)
    wait_until(lambda: name not in cluster.find([name]))
    cluster.create(name, 2)
    fill(cluster, name, [b"new", b"newer"])
    assert [message.value for message in cluster.sample(name)] == [b"new", b"newer"]


def test_a_topic_that_was_made_again_after_a_restart_of_its_broker_is_read(tmp_path: Path, name: str) -> None:
    broker = Kafka(tmp_path, JARS, is_passing=True)
    cluster = KafkaCluster(broker.servers)
    with run_part(broker):
        cluster.create(name, 2)
        fill(cluster, name, [b"old"])
    with run_part(broker):  # the leader epochs rise, and those of the new topic begin again
        assert [message.value for message in cluster.sample(name)] == [b"old"]
        cluster.delete(name)
        wait_until(lambda: name not in cluster.find([name]))
        cluster.create(name, 2)
        fill(cluster, name, [b"new"])
        assert [message.value for message in cluster.sample(name)] == [b"new"]


def test_the_sample_of_an_empty_topic_is_empty_at_once(cluster: KafkaCluster, name: str) -> None:
    cluster.create(name, 2)

    assert cluster.sample(name) == []


def test_end_offsets_stand_behind_the_last_record_of_each_partition(cluster: KafkaCluster, name: str) -> None:
    topic = cluster.create(name, 2)
    fill(cluster, name, [b"a", b"b", b"c"])

    assert cluster.end_offsets([topic]) == {name: [2, 1]}
    assert cluster.start_offsets([topic]) == {name: [0, 0]}


def test_what_a_group_committed_is_read_back_with_its_text(cluster: KafkaCluster, name: str) -> None:
    from confluent_kafka import Consumer, TopicPartition

    topic = cluster.create(name, 2)
    consumer = Consumer({"bootstrap.servers": cluster.servers, "group.id": name})
    consumer.commit(offsets=[TopicPartition(name, 1, 7, "said beside it")], asynchronous=False)
    consumer.close()

    nothing, committed = cluster.read_committed(name, topic)

    assert nothing is None
    assert committed is not None
    assert (committed.offset, committed.metadata) == (7, "said beside it")


def test_fencing_aborts_what_a_dead_writer_left_open(cluster: KafkaCluster, name: str) -> None:
    topic = cluster.create(name, 1)
    writer = Producer({"bootstrap.servers": cluster.servers, "transactional.id": name})
    writer.init_transactions()
    writer.begin_transaction()
    writer.produce(name, b"doomed")
    writer.flush()
    assert cluster.end_offsets([topic]) == {name: [0]}

    cluster.fence(name)

    assert cluster.end_offsets([topic])[name][0] > 0
    assert cluster.sample(name) == []


def test_a_cluster_that_does_not_answer_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.kafka.cluster.ANSWER_SECONDS", 0.5)
    cluster = KafkaCluster("127.0.0.1:1", {"socket.timeout.ms": "1000"})

    with pytest.raises(KafkaUnreachable) as refusal:
        cluster.check()

    assert refusal.value.message == "Kafka does not answer at 127.0.0.1:1."


def test_a_setting_that_could_load_code_or_files_is_refused() -> None:
    with pytest.raises(Refusal, match=r"plugin\.library\.paths"):
        KafkaCluster("127.0.0.1:9092", {"plugin.library.paths": "/tmp/evil.so"})


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"security.protocol": "SSL", "ssl.ca.pem": "none"}, "failed to read certificate #0 from ssl.ca.pem"),
        ({"security.protocol": "HTTPS"}, 'Invalid value "HTTPS" for configuration property "security.protocol"'),
    ],
)
def test_settings_that_cannot_work_are_told_at_once(config: dict[str, str], message: str) -> None:
    with pytest.raises(Refusal) as refusal:
        KafkaCluster("127.0.0.1:1", config).check()

    assert refusal.value.code == "cluster.bad_connection"
    assert refusal.value.message.startswith(f"The settings of cluster `local` cannot be used: {message}")
    assert "routines" not in refusal.value.message
