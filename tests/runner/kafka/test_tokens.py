"""A cluster that asks for tokens (SASL OAUTHBEARER), which librdkafka fetches from the provider."""

from __future__ import annotations

from socketserver import StreamRequestHandler

import pytest
from confluent_kafka import Producer

from runner.kafka import KafkaCluster, KafkaUnreachable
from runner.spark.source.reading import Range, read
from tests.guarded import Guarded
from tests.openid.people import SECRET
from tests.runner.test_outgoing import serving

pytestmark = pytest.mark.services


def test_topics_are_made_written_and_read_with_a_token(guarded: Guarded):
    cluster = KafkaCluster(guarded.servers, guarded.config())
    cluster.create("paid", 1)
    producer = Producer(cluster.settings)
    producer.produce("paid", b"1", b"ada")
    producer.flush()

    assert cluster.check().addresses == (guarded.servers,)
    assert [message.value for message in cluster.sample("paid")] == [b"1"]
    assert KafkaCluster.of(cluster.settings).topic_names() >= {"paid"}


def test_a_run_reads_and_writes_in_transactions_with_a_token(guarded: Guarded):
    cluster = KafkaCluster(guarded.servers, guarded.config())
    cluster.create("ordered", 1)
    producer = Producer({**cluster.settings, "transactional.id": "ordered"})
    producer.init_transactions(30)
    producer.begin_transaction()
    producer.produce("ordered", b"1", b"ada")
    producer.commit_transaction(30)

    found = list(read(cluster.settings, [Range(0, "ordered", 0, 0, 1)]))

    assert [columns.lists.values for _, columns in found] == [[b"1"]]


@pytest.mark.usefixtures("impatience")
def test_a_wrong_secret_is_told_without_it(guarded: Guarded):
    wrong = guarded.config() | {"sasl.oauthbearer.client.secret": "guessed"}

    with pytest.raises(KafkaUnreachable) as refusal:
        KafkaCluster(guarded.servers, wrong).check()

    assert "invalid_client" in refusal.value.message
    assert "guessed" not in refusal.value.message + SECRET


@pytest.mark.usefixtures("impatience")
def test_librdkafka_follows_no_redirect_of_a_token_endpoint(guarded: Guarded):
    asked: list[str] = []

    def redirect(to: StreamRequestHandler) -> None:
        asked.append("endpoint")
        to.wfile.write(f"HTTP/1.1 302 Found\r\nLocation: {inside}\r\nContent-Length: 0\r\n\r\n".encode())

    with serving(lambda to: asked.append("inside")) as inside, serving(redirect) as url:
        wrong = guarded.config() | {"sasl.oauthbearer.token.endpoint.url": url}
        with pytest.raises(KafkaUnreachable):
            KafkaCluster(guarded.servers, wrong).check()

    assert set(asked) == {"endpoint"}


@pytest.mark.usefixtures("impatience")
def test_a_provider_that_is_away_is_told(guarded: Guarded):
    away = guarded.config() | {"sasl.oauthbearer.token.endpoint.url": "http://127.0.0.1:1/token"}

    with pytest.raises(KafkaUnreachable, match="token"):
        KafkaCluster(guarded.servers, away).check()
