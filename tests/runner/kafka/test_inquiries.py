"""What confluent-kafka cannot ask, asked of real brokers."""

import time
from collections.abc import Iterator, Mapping
from uuid import uuid4

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from runner.kafka import (
    BrokerError,
    KafkaCluster,
    KafkaUnreachable,
    find_certificate_ends,
    measure_topics,
    open_transaction,
)
from runner.kafka.wire import Wire
from tests.guarded import CERTIFICATE_DAYS, Guarded
from tests.secured import CONFIG, PASSWORD

pytestmark = pytest.mark.services


@pytest.fixture
def name() -> str:
    return f"topic-{uuid4().hex[:8]}"


@pytest.fixture
def cluster(kafka_servers: str) -> KafkaCluster:
    return KafkaCluster(kafka_servers)


@pytest.fixture
def writer(cluster: KafkaCluster, name: str) -> Iterator[Producer]:
    """A producer whose transaction stays open."""
    producer = Producer({"bootstrap.servers": cluster.servers, "transactional.id": f"writer-of-{name}"})
    producer.init_transactions(30)
    yield producer
    producer.abort_transaction(30)


def test_an_open_transaction_is_named_with_its_beginning(cluster: KafkaCluster, name: str, writer: Producer) -> None:
    cluster.create(name, 2)
    plain = Producer({"bootstrap.servers": cluster.servers})
    plain.produce(name, b"before", partition=1)
    plain.flush()
    began = time.time() * 1_000
    writer.begin_transaction()
    writer.produce(name, b"held", partition=1)
    writer.flush()

    found = open_transaction(cluster, name, 1)

    assert found is not None
    assert (found.partition, found.offset, found.transactional_id) == (1, 1, f"writer-of-{name}")
    assert began - 1_000 <= found.since <= time.time() * 1_000 + 1_000
    assert found.timeout_ms == 60_000
    assert open_transaction(cluster, name, 0) is None
    assert open_transaction(cluster, name, 7) is None


def test_sizes_are_those_of_one_copy(cluster: KafkaCluster, name: str) -> None:
    cluster.create(name, 2)
    producer = Producer({"bootstrap.servers": cluster.servers})
    producer.produce(name, b"x" * 100_000, partition=1)
    producer.flush()

    assert 100_000 < measure_topics(cluster)[name] < 110_000


def test_it_signs_in_as_the_cluster_says(secured: str) -> None:
    admin = AdminClient({"bootstrap.servers": secured, **CONFIG})
    scram = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4_096)
    change = UserScramCredentialUpsertion("bob", scram, b"another, = password")
    admin.alter_user_scram_credentials([change])["bob"].result(30)
    by_scram = {"sasl.mechanism": "SCRAM-SHA-256", "sasl.username": "bob", "sasl.password": "another, = password"}

    by_plain = measure_topics(KafkaCluster(secured, CONFIG))

    assert measure_topics(KafkaCluster(secured, CONFIG | by_scram)) == by_plain
    with pytest.raises(BrokerError, match="error code 58"):
        wire_to(secured, CONFIG | by_scram | {"sasl.password": PASSWORD})
    with pytest.raises(BrokerError, match="error code 58"):
        wire_to(secured, CONFIG | {"sasl.password": "wrong"})


def test_it_speaks_tls_and_signs_in_with_a_token(guarded: Guarded, name: str) -> None:
    cluster = KafkaCluster(guarded.servers, guarded.config())
    cluster.create(name, 1)
    config = guarded.config()

    assert name in measure_topics(cluster)
    with pytest.raises(BrokerError, match="gives no token"):
        wire_to(guarded.servers, config | {"sasl.oauthbearer.client.secret": "guessed"})
    with pytest.raises(KafkaUnreachable, match=r"The certificate of the broker .* is not trusted"):
        wire_to(guarded.servers, {each: text for each, text in config.items() if each != "ssl.ca.pem"})


def test_the_certificate_of_a_broker_says_when_it_ends(guarded: Guarded, cluster: KafkaCluster) -> None:
    ends = find_certificate_ends(KafkaCluster(guarded.servers, guarded.config()))

    assert {place: round((at - time.time()) / 86_400) for place, at in ends.items()} == {
        guarded.servers: CERTIFICATE_DAYS
    }
    assert find_certificate_ends(cluster) == {}


def test_what_cannot_be_asked_is_told() -> None:
    with pytest.raises(KafkaUnreachable, match=r"The broker 127\.0\.0\.1:1 refuses connections"):
        wire_to("127.0.0.1:1", {})


def wire_to(server: str, settings: Mapping[str, str]) -> None:
    host, _, port = server.rpartition(":")
    with Wire(host, int(port), settings):
        pass
