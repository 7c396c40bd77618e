"""Topics over HTTP, against real Kafka: what they are, their records, and changes of administrators."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Producer
from confluent_kafka import TopicPartition as Partition
from django.test import Client

from designer.projects.models import AuditEntry, Project, Topology
from designer.projects.roles import Role
from designer.projects.services import create_topology, create_version, save_draft
from runner.control.clusters import models
from runner.control.clusters.services import choose
from runner.control.jobs.models import Job
from runner.kafka import KafkaCluster
from tests.patience import wait_until
from tests.people import person
from webapp.accounts.models import User

Ask = Callable[..., Any]


def fill(cluster: KafkaCluster, topic: str, *records: tuple[bytes | None, bytes | None, int, int]) -> None:
    """Write records of key, value, partition and time."""
    producer = Producer({"bootstrap.servers": cluster.servers})
    for key, value, partition, at in records:
        producer.produce(topic, value, key, partition=partition, timestamp=at, headers=[("trace", b"t-%d" % at)])
    producer.flush()


@pytest.fixture
def ask(client: Client, topic: str) -> Ask:
    """A request about the topic of the test, whose answer has this status."""

    def _ask(method: str, path: str, body: Any = None, *, status: int = 200, by: Client = client) -> Any:
        address = f"/api/clusters/orders{path.format(topic=f'topics/{topic}')}"
        answer = by.generic(
            method, address, data="" if body is None else json.dumps(body), content_type="application/json"
        )
        assert answer.status_code == status, answer.content
        return answer.json() if answer.content else None

    return _ask


def draw(topology: Topology, config: dict[str, Any], by: User) -> None:
    """The draft is one source of that config."""
    node = {"id": "orders", "operator": "stream", "config": config, "position": {"x": 0, "y": 0}}
    save_draft(topology=topology, graph={"nodes": [node], "edges": []}, revision=topology.draft.revision, by=by)


def deploy_draft(job: Job, by: User) -> None:
    """The job has the draft as its version; nothing runs."""
    job.topology.refresh_from_db()
    job.version = create_version(topology=job.topology, by=by)
    job.save()


def values(found: Any) -> list[str]:
    return [record["value"] for record in found["records"]]


def test_a_topic_is_listed_with_its_size_its_limits_and_its_readers(
    cluster: KafkaCluster, topic: str, ask: Ask, user: User, job: Job
) -> None:
    cluster.create(topic, 2, {"cleanup.policy": "compact", "retention.ms": "60000"})
    fill(cluster, topic, *((b"k", b"x" * 1_000, number % 2, 1_000) for number in range(10)))
    draw(job.topology, {"topic": topic}, user)
    deploy_draft(job, user)
    consumer = cluster.consumer(**{"group.id": job.application_id})
    consumer.commit(offsets=[Partition(topic, 0, 2), Partition(topic, 1, 5)], asynchronous=False)
    consumer.close()

    listed = {each["name"]: each for each in ask("GET", "/topic-facts")["topics"]}

    found = listed[topic]
    assert (found["partitions"], found["replication"], found["records"], found["end"]) == (2, 1, 10, 10)
    assert 10_000 < found["bytes"] < 20_000
    assert (found["cleanup"], found["retention_ms"], found["retention_bytes"]) == (["compact"], 60_000, None)
    use = {
        "topology": job.topology_id,
        "name": "Flight delays",
        "node": "orders",
        "job": job.id,
        "does": "reads",
        "is_wanted": True,
    }
    assert found["uses"] == [use]
    assert found["groups"] == [{"group": job.application_id, "state": "Empty", "lag": 3, "job": job.id}]
    assert listed["__consumer_offsets"]["is_internal"] is True
    assert found["is_internal"] is False
    assert ask("GET", "/topic-ends")["ends"][topic] == 10


def test_who_has_no_role_in_its_project_does_not_see_a_topology(
    cluster: KafkaCluster, topic: str, ask: Ask, user: User, job: Job
) -> None:
    cluster.create(topic, 1)
    draw(job.topology, {"topic": topic}, user)
    deploy_draft(job, user)
    stranger = Client()
    stranger.force_login(person("eve", Role.VIEWER, Project.objects.create(name="elsewhere")))

    found = ask("GET", "/{topic}/facts", by=stranger)

    assert found["uses"] == []


def test_the_details_name_partitions_settings_and_what_the_topic_holds(
    cluster: KafkaCluster, topic: str, ask: Ask, user: User
) -> None:
    cluster.create(topic, 2, {"retention.ms": "60000"})
    fill(cluster, topic, (b"\0\0\0\1", b'{"id": 1}', 1, 1_000))

    found = ask("GET", "/{topic}/facts")

    assert found["ends"][1] | {"leader": 0} == {
        "number": 1,
        "leader": 0,
        "replicas": [1],
        "in_sync": [1],
        "start": 0,
        "end": 1,
    }
    (retention,) = [each for each in found["settings"] if each["name"] == "retention.ms"]
    assert (retention["value"], retention["is_own"]) == ("60000", True)
    assert "A job further behind loses input" in retention["meaning"]
    assert found["key"]["format"] == "integer"
    assert found["value"]["type"]["fields"] == [{"name": "id", "type": {"kind": "integer"}}]
    assert ask("GET", "/topics/none-such/facts", status=422)["code"] == "topic.missing"


def test_the_formats_of_a_graph_are_known(cluster: KafkaCluster, topic: str, ask: Ask, user: User) -> None:
    cluster.create(topic, 1)
    fill(cluster, topic, (b"a", struct.pack(">d", 2.5), 0, 1_000))
    config = {"topic": topic, "value_format": "double"}
    topology = create_topology(name=f"Prices {uuid4().hex[:6]}", by=user)
    draw(topology, config, user)
    assert values(ask("POST", "/{topic}/search", {})) == [str(0x4004000000000000)]  # it is drawn with another cluster

    choose(topology=topology, cluster=models.Cluster.objects.get(name="orders"))

    assert values(ask("POST", "/{topic}/search", {})) == ["2.5"]
    assert values(ask("POST", "/{topic}/search", {"value_format": "long"})) == [str(0x4004000000000000)]


def test_records_are_found_from_the_newest_back_page_by_page(cluster: KafkaCluster, topic: str, ask: Ask) -> None:
    cluster.create(topic, 2)
    fill(cluster, topic, *((b"k%d" % (number % 3), b"%d" % number, number % 2, 1_000 + number) for number in range(20)))

    first = ask("POST", "/{topic}/search", {"count": 7})
    second = ask("POST", "/{topic}/search", {"count": 7, "next": first["next"]})
    third = ask("POST", "/{topic}/search", {"count": 7, "next": second["next"]})

    assert values(first) == [str(number) for number in range(19, 12, -1)]
    assert values(second) == [str(number) for number in range(12, 5, -1)]
    assert values(third) == [str(number) for number in range(5, -1, -1)]
    assert third["next"] is None
    assert values(ask("POST", "/{topic}/search", {"key": "k1", "partition": 1})) == ["19", "13", "7", "1"]
    assert values(ask("POST", "/{topic}/search", {"text": "T-1005"})) == ["5"]
    assert ask("POST", "/{topic}/search", {"text": "none"}) == {"records": [], "next": None, "scanned": 20}


def test_records_are_found_from_an_offset_or_a_time_on(cluster: KafkaCluster, topic: str, ask: Ask) -> None:
    cluster.create(topic, 2)
    fill(cluster, topic, *((b"k", b"%d" % number, number % 2, 1_000 + number) for number in range(20)))

    first = ask("POST", "/{topic}/search", {"begin": "offset", "offset": 4, "partition": 0, "count": 3})
    assert values(first) == ["8", "10", "12"]
    again = {"begin": "offset", "offset": 4, "partition": 0, "count": 3, "next": first["next"]}
    assert values(ask("POST", "/{topic}/search", again)) == ["14", "16", "18"]
    assert values(ask("POST", "/{topic}/search", {"begin": "time", "time_ms": 1_017})) == ["17", "18", "19"]
    assert values(ask("POST", "/{topic}/search", {"begin": "oldest", "count": 2})) == ["0", "1"]
    assert values(ask("POST", "/{topic}/search", {"begin": "offset", "offset": 400})) == []
    fill(cluster, topic, (b"k", b"late", 0, 500))
    on = {"begin": "offset", "offset": 9, "partition": 0}
    assert values(ask("POST", "/{topic}/search", on)) == ["18", "late"]
    assert ask("POST", "/{topic}/search", {"partition": 2}, status=422)["hint"] == "Its partitions are 0 to 1."


def test_records_are_written_in_the_format_that_is_asked_for(cluster: KafkaCluster, topic: str, ask: Ask) -> None:
    cluster.create(topic, 1)
    record = {"key": "12", "value": "2.5"}

    ask(
        "POST",
        "/{topic}/records",
        {"records": [record], "key_format": "long", "value_format": "double"},
        status=201,
    )

    (written,) = cluster.sample(topic)
    assert (written.key, written.value) == (struct.pack(">q", 12), struct.pack(">d", 2.5))
    refused = ask("POST", "/{topic}/records", {"records": [record], "value_format": "long"}, status=422)
    assert refused["message"] == "The value cannot be written as long: The format long takes integers, not float."


def test_an_administrator_changes_empties_and_deletes_a_topic(cluster: KafkaCluster, topic: str, ask: Ask) -> None:
    cluster.create(topic, 1)
    fill(cluster, topic, (b"k", b"1", 0, 1_000), (b"k", b"2", 0, 1_000))

    ask("PATCH", "/{topic}/settings", {"settings": {"retention.ms": "60000"}, "partitions": 3}, status=204)
    wait_until(lambda: (cluster.configs(topic)["retention.ms"], cluster.topic(topic).partitions) == ("60000", 3))
    ask("PATCH", "/{topic}/settings", {"settings": {"retention.ms": None}}, status=204)
    wait_until(lambda: cluster.configs(topic)["retention.ms"] != "60000")

    ask("POST", "/{topic}/empty", status=204)
    assert cluster.start_offsets([cluster.topic(topic)])[topic] == [2, 0, 0]

    ask("DELETE", "/{topic}", status=204)
    assert cluster.find([topic]) == {}

    entries = {entry.what: entry.changes for entry in AuditEntry.objects.filter(about__contains=topic).order_by("id")}
    change = {"of": f"topic {topic}", "field": "records", "before": 2, "after": 0}
    assert entries["empty a topic"] == [change]
    assert entries["delete a topic"][0]["before"] == topic


def test_what_kafka_or_a_job_does_not_allow_is_said(
    cluster: KafkaCluster, topic: str, ask: Ask, user: User, job: Job
) -> None:
    cluster.create(topic, 2, {"cleanup.policy": "compact"})
    draw(job.topology, {"topic": topic}, user)
    deploy_draft(job, user)

    refused = ask("PATCH", "/{topic}/settings", {"settings": {"retention.ms": "soon"}}, status=422)
    assert refused["message"].startswith("Kafka did not change its settings: Invalid value soon for configuration")
    assert ask("PATCH", "/{topic}/settings", {"partitions": 1}, status=422)["code"] == "topic.not_changed"
    assert ask("POST", "/{topic}/empty", status=422)["message"].startswith("Kafka did not empty it: ")
    in_use = ask("DELETE", "/{topic}", status=409)
    assert in_use["message"] == f"`{topic}` is in use: `Flight delays` should run and needs it."
    assert ask("DELETE", "/topics/__consumer_offsets", status=403)["code"] == "topic.internal"
    assert ask("DELETE", "/topics/none-such", status=422)["code"] == "topic.missing"
