"""The ACLs that a job needs, before a Kafka that asks for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
    ResourceType,
)
from django.core.management import CommandError, call_command
from django.test import Client

from designer.projects.services import create_topology
from designer.topology.graph import Graph
from runner.control.clusters.models import Choice, Cluster
from runner.control.clusters.sealing import seal_secrets
from runner.control.jobs.plans.acls import find_acls
from runner.kafka import SECRETS, KafkaCluster, NotAllowed, read_records_at
from runner.kafka.acls import Acl, find_missing
from runner.plan import MARKER_TOPIC, JobSettings
from runner.spark.source.reading import Range, read
from tests.designer.graphs import drawn, node, orders
from tests.guarded import Guarded
from tests.people import person

from .conftest import eventually

RESOURCES = {
    "topic": ResourceType.TOPIC,
    "group": ResourceType.GROUP,
    "transactional-id": ResourceType.TRANSACTIONAL_ID,
}
OPERATIONS = {each.name.title().replace("_", ""): each for each in AclOperation}
JOB = "User:job"
OF_JOB = AclBindingFilter(
    ResourceType.ANY,
    None,  # type: ignore[arg-type]
    ResourcePatternType.ANY,
    JOB,
    None,  # type: ignore[arg-type]
    AclOperation.ANY,
    AclPermissionType.ANY,
)


class Stage:
    """A topology from one topic into another, on a guarded cluster where the client `job` is the user."""

    def __init__(self, guarded: Guarded) -> None:
        self.guarded = guarded
        self.root = KafkaCluster(guarded.servers, guarded.config())
        self.job = KafkaCluster(guarded.servers, guarded.config("job"), name="guarded")
        self.name = f"copy-{uuid4().hex[:8]}"
        self.source, self.sink = f"{self.name}-in", f"{self.name}-out"
        self.root.create(self.source, 1)

    @property
    def graph(self) -> Graph:
        return drawn("orders > copies", orders=orders(topic=self.source), copies=node("to", topic=self.sink))

    def needed(self) -> tuple[Acl, ...]:
        return find_acls(self.graph, self.name, JobSettings.model_validate({}), MARKER_TOPIC).acls

    def give(self, *acls: Acl) -> None:
        bindings = [
            AclBinding(
                RESOURCES[acl.resource],
                acl.name,
                ResourcePatternType.PREFIXED if acl.is_prefix else ResourcePatternType.LITERAL,
                JOB,
                "*",
                OPERATIONS[operation],
                AclPermissionType.ALLOW,
            )
            for acl in acls
            for operation in (*acl.operations, *acl.optional)
        ]
        for future in self.root.admin.create_acls(bindings).values():
            future.result()
        eventually(lambda: set(bindings) <= set(self.given()), "the broker knows the ACLs")

    def take_all(self) -> None:
        for future in self.root.admin.delete_acls([OF_JOB]).values():
            future.result()
        eventually(lambda: not self.given(), "the broker has forgotten the ACLs")

    def given(self) -> list[AclBinding]:
        """What the broker goes by: it takes a moment until it knows of a change."""
        found: list[AclBinding] = self.root.admin.describe_acls(OF_JOB).result()
        return found


@pytest.fixture
def stage(guarded: Guarded) -> Iterator[Stage]:
    stage = Stage(guarded)
    yield stage
    stage.take_all()


def words(acls: Any) -> set[str]:
    return {acl.text for acl in acls}


@pytest.mark.services
def test_all_that_is_needed_is_missing_until_it_is_given(stage: Stage):
    before = find_missing(stage.job, stage.needed())

    stage.give(*stage.needed())

    assert words(before) == words(stage.needed())
    assert find_missing(stage.job, stage.needed()) == []
    assert find_missing(stage.root, stage.needed()) == []


@pytest.mark.services
def test_each_operation_that_is_missing_is_named(stage: Stage):
    needed = stage.needed()
    for acl in needed:
        stage.root.create(acl.name, 1) if acl.resource == "topic" else None
    for acl in needed:
        for operation in {*acl.operations, *acl.optional} - {"Create"}:
            stage.take_all()
            parts = [tuple(each for each in part if each != operation) for part in (acl.operations, acl.optional)]
            stage.give(
                *[each for each in needed if each is not acl], replace(acl, operations=parts[0], optional=parts[1])
            )

            assert [each.name for each in find_missing(stage.job, needed)] == [acl.name], (acl, operation)


@pytest.mark.services
def test_a_topic_that_is_there_need_not_be_created(stage: Stage):
    needed = stage.needed()
    stage.give(*[replace(acl, operations=tuple(set(acl.operations) - {"Create"})) for acl in needed])
    before = find_missing(stage.job, needed)

    stage.root.create(stage.sink, 1)

    assert stage.sink in {acl.name for acl in before if acl.operations == ("Create",)}
    assert stage.sink not in {acl.name for acl in find_missing(stage.job, needed)}
    assert stage.job.create(stage.sink, 1).name == stage.sink


@pytest.mark.services
def test_with_them_a_job_makes_its_topics_reads_and_writes(stage: Stage):
    stage.give(*stage.needed())
    letters, markers = (acl.name for acl in stage.needed() if acl.why in ("Dead letters", "The last written batch"))
    for name in (stage.sink, letters, markers):
        stage.job.create(name, 1)
    producer = Producer(stage.root.settings)
    producer.produce(stage.source, b"1", b"ada")
    producer.flush()

    found = list(read(stage.job.settings, [Range(0, stage.source, 0, 0, 1)]))
    writer = Producer({**stage.job.settings, "transactional.id": stage.name})
    writer.init_transactions(30)
    writer.begin_transaction()
    writer.produce(stage.sink, b"1", b"ada")
    with_offsets(writer, stage, markers)
    writer.commit_transaction(30)

    assert [columns.lists.values for _, columns in found] == [[b"1"]]
    eventually(lambda: [each.value for each in stage.root.sample(stage.sink)] == [b"1"], "the record to be committed")
    with pytest.raises(NotAllowed, match=stage.sink):
        stage.job.sample(stage.sink)


def with_offsets(writer: Producer, stage: Stage, markers: str) -> None:
    """What a run adds to the transaction of a batch: its marker, and the offsets that it has read."""
    consumer = Consumer({**stage.job.settings, "group.id": f"{stage.name}.1"})
    offsets = [TopicPartition(markers, 0, 1), TopicPartition(stage.source, 0, 1)]
    writer.send_offsets_to_transaction(offsets, consumer.consumer_group_metadata(), 30)
    consumer.close()


@pytest.fixture
def client(transactional_db: None, stage: Stage) -> Client:
    config = stage.guarded.config("job")
    Cluster.objects.create(
        name="guarded",
        bootstrap_servers=stage.guarded.servers,
        config={name: text for name, text in config.items() if name not in SECRETS},
        secrets=seal_secrets({name: text for name, text in config.items() if name in SECRETS}),
    )
    client = Client()
    client.force_login(person("ada"))
    return client


def test_the_missing_one_is_named_before_a_deploy(stage: Stage, client: Client):
    topology = create_topology(name=stage.name, by=None, graph=stage.graph.to_json())
    stage.give(*[acl for acl in stage.needed() if acl.name != stage.name or acl.resource != "group"])
    deploy = {"topology": topology.id, "cluster": "guarded"}

    refused = client.post("/api/jobs/deploy", deploy, "application/json")
    checked = client.post(f"/api/topologies/{topology.id}/acls/check?cluster=guarded&principal={JOB}")
    stage.give(*stage.needed())
    preview = client.post("/api/jobs/preview-deploy", deploy, "application/json")

    assert (refused.status_code, refused.json()["code"]) == (403, "kafka.acl_missing")
    lacking = f"Read on the group `{stage.name}`"
    assert refused.json()["message"] == f"The Kafka user of the cluster `guarded` lacks {lacking}."
    assert [each["command"] for each in checked.json()["acls"]] == [
        f"kafka-acls --bootstrap-server {stage.guarded.servers} --add --allow-principal {JOB} --operation Read "
        f"--operation Delete --group {stage.name} --resource-pattern-type prefixed"
    ]
    assert preview.status_code == 200, preview.content


def test_a_deploy_goes_on_without_what_only_shows_more(stage: Stage, client: Client):
    topology = create_topology(name=stage.name, by=None, graph=stage.graph.to_json())
    stage.give(*[replace(acl, optional=()) for acl in stage.needed()])

    preview = client.post(
        "/api/jobs/preview-deploy", {"topology": topology.id, "cluster": "guarded"}, "application/json"
    )

    assert preview.status_code == 200, preview.content


def test_topics_are_shown_without_what_only_shows_more(stage: Stage, client: Client):
    others = Acl("topic", f"{stage.name}-", ("Describe",), "Topics of others", is_prefix=True)
    stage.give(*[replace(acl, optional=()) for acl in stage.needed() if acl.name == stage.source], others)
    topic = f"/api/clusters/guarded/topics/{stage.source}"

    listed, shown, facts = (client.get(path) for path in ("/api/clusters/guarded/topic-facts", topic, f"{topic}/facts"))

    assert [each.status_code for each in (listed, shown, facts)] == [200, 200, 200], listed.content
    assert {each["name"]: each["cleanup"] for each in listed.json()["topics"]} == {stage.source: []}
    assert (shown.json()["cleanup"], facts.json()["settings"]) == ([], [])


def test_the_list_is_there_before_anybody_is_asked(stage: Stage, client: Client):
    topology = create_topology(name=stage.name, by=None, graph=stage.graph.to_json())

    listed = client.get(f"/api/topologies/{topology.id}/acls?cluster=guarded").json()

    assert {(each["resource"], each["name"], each["is_prefix"]) for each in listed["acls"]} == {
        ("topic", stage.source, False),
        ("topic", stage.sink, False),
        ("topic", f"{stage.name}-dead-letters", False),
        ("topic", "streamwright-markers", False),
        ("group", stage.name, True),
        ("group", "streamwright-", True),
        ("transactional-id", stage.name, True),
    }
    assert all(each["why"] for each in listed["acls"])


def test_the_command_prints_what_is_missing(stage: Stage, client: Client, capsys: pytest.CaptureFixture[str]):
    create_topology(name=stage.name, by=None, graph=stage.graph.to_json())
    stage.give(*stage.needed()[1:])

    call_command("acls", stage.name, cluster="guarded", principal=JOB)
    everything = capsys.readouterr().out.splitlines()
    with pytest.raises(CommandError, match="for 1 resources"):
        call_command("acls", stage.name, cluster="guarded", principal=JOB, missing=True)
    missing = capsys.readouterr().out.splitlines()

    assert len(everything) == 7
    assert missing == everything[:1]


@pytest.fixture
def unreadable(stage: Stage) -> str:
    """A topic with a record, which the job may describe and write to, but not read."""
    producer = Producer(stage.root.settings)
    producer.produce(stage.source, b'{"amount": 1}')
    producer.flush()
    groups = [each for each in stage.needed() if each.resource == "group"]
    stage.give(Acl("topic", stage.source, ("Describe", "Write"), "Not to be read"), *groups)
    return stage.source


@pytest.mark.services
def test_a_topic_that_may_not_be_read_does_not_look_empty(stage: Stage, unreadable: str):
    for _ in range(2):
        with pytest.raises(NotAllowed, match=unreadable):
            stage.job.sample(unreadable, seconds=60)
        with pytest.raises(NotAllowed, match=unreadable):
            read_records_at(stage.job, stage.job.topic(unreadable), [(0, 0)])

    stage.give(Acl("topic", unreadable, ("Read",), "Read now"))

    assert [message.value for message in stage.job.sample(unreadable)] == [b'{"amount": 1}']


def test_the_pages_of_a_topic_that_may_not_be_read_say_so(stage: Stage, client: Client, unreadable: str):
    topic = f"/api/clusters/guarded/topics/{unreadable}"
    records = {"records": [{"value": "{}"}], "value_format": "json"}
    topology = create_topology(name=stage.name, by=None, graph=stage.graph.to_json())
    Choice.objects.create(topology=topology, cluster=Cluster.objects.get(name="guarded"))

    facts, shown = client.get(f"{topic}/facts"), client.get(topic)
    found = client.post(f"{topic}/search", {}, "application/json")
    issues = client.post("/api/clusters/guarded/topic-issues", {"graph": stage.graph.to_json()}, "application/json")
    written = client.post(f"{topic}/records", records, "application/json")

    assert [each.status_code for each in (facts, shown, found)] == [200, 403, 403], found.content
    assert {each.json()["code"] for each in (shown, found)} == {"kafka.not_allowed"}
    assert [(each["code"], each["node"]) for each in issues.json()] == [("topic.not_readable", "orders")]
    assert issues.json()[0]["message"] == f"The Kafka user of cluster `guarded` may not read `{unreadable}`."
    assert written.status_code == 201, written.content
