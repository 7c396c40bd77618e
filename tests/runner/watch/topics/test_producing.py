"""Writing records over HTTP, against real Kafka."""

from __future__ import annotations

from typing import Any

from django.test import Client

from designer.projects.models import AuditEntry
from runner.kafka import KafkaCluster


def send(client: Client, topic: str, *records: dict[str, Any], expect: int = 201) -> Any:
    address = f"/api/clusters/orders/topics/{topic}/records"
    answer = client.post(address, {"records": list(records)}, "application/json")
    assert answer.status_code == expect, answer.content
    return answer.json()


def test_records_are_written_as_given_and_the_answer_says_where(
    cluster: KafkaCluster, topic: str, client: Client
) -> None:
    cluster.create(topic, 3)
    headers = [{"key": "trace", "value": "base64:/w=="}, {"key": "empty"}]

    landed = send(
        client,
        topic,
        {"key": "a", "value": '{"id": 1}', "headers": headers, "partition": 2, "timestamp": 77},
        {"key": "base64:AAE=", "value": None, "partition": 2},
        {"key": "a", "value": "2"},
    )

    first, second, third = sorted(cluster.sample(topic), key=lambda one: one.timestamp)
    assert (first.key, first.value, first.timestamp) == (b"a", b'{"id": 1}', 77)
    assert first.headers == (("trace", b"\xff"), ("empty", None))
    assert {(second.key, second.value), (third.key, third.value)} == {(b"\0\x01", None), (b"a", b"2")}
    assert landed[0] == {"partition": 2, "offset": 0, "timestamp": 77}
    assert (landed[1]["partition"], landed[1]["offset"]) == (2, 1)


def test_a_repeated_sending_is_one_entry_of_the_audit(cluster: KafkaCluster, topic: str, client: Client) -> None:
    cluster.create(topic, 1)

    for _ in range(3):
        send(client, topic, {"value": "1"}, {"value": "2"})

    entry = AuditEntry.objects.get(what="send records")
    assert (entry.until or entry.at) > entry.at
    assert {"of": f"topic {topic} of orders", "field": "records sent", "before": 0, "after": 6} in entry.changes


def test_what_cannot_be_written_is_told_with_the_next_step(cluster: KafkaCluster, topic: str, client: Client) -> None:
    cluster.create(topic, 1, {"max.message.bytes": "200"})

    assert send(client, topic, {"value": "1", "partition": 4}, expect=422)["hint"] == "Its partitions are 0 to 0."
    assert send(client, topic, {"value": "base64:?"}, expect=422)["code"] == "record.not_base64"
    assert send(client, "none-such", {"value": "1"}, expect=422)["code"] == "topic.missing"
    assert send(client, "__consumer_offsets", {"value": "1"}, expect=403)["code"] == "topic.internal"
    refusal = send(client, topic, {"value": "x" * 3_000}, expect=422)
    assert refusal["message"].startswith("Kafka did not accept every record: ")
    assert refusal["message"].endswith(" 0 of 1 are written.")
    assert not AuditEntry.objects.filter(what="send records").exists()


def test_of_records_that_are_refused_in_part_the_audit_tells_those_that_were_written(
    cluster: KafkaCluster, topic: str, client: Client
) -> None:
    cluster.create(topic, 2, {"max.message.bytes": "200"})  # two partitions: Kafka takes or refuses batches whole
    small, large = {"value": "1", "partition": 0}, {"value": "x" * 3_000, "partition": 1}

    refusal = send(client, topic, small, large, expect=422)

    assert refusal["message"].endswith(" 1 of 2 are written.")
    entry = AuditEntry.objects.get(what="send records")
    assert entry.changes == [{"of": f"topic {topic} of orders", "field": "records sent", "before": 0, "after": 1}]
