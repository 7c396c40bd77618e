"""A walk of all routes by an administrator of one project, with the names and ids of another project's things.

Nothing of the other project changes, and no answer holds one of its names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Producer
from django.contrib.auth.models import Permission
from django.core import serializers
from django.test import Client

from designer.projects import models as designs
from designer.projects.cases import create_case
from designer.projects.comments import add_comment
from designer.projects.models import Project, Topology, Version
from designer.projects.roles import Role
from designer.projects.routing import ROUTES
from designer.projects.services import create_topology, create_version
from runner.control.clusters.models import Choice, Cluster, SparkCluster
from runner.control.jobs.models import Desired, Job, JobEvent
from runner.control.jobs.statuses import Act
from runner.demo.samples.models import SampleFeed
from runner.kafka import KafkaCluster
from runner.watch.alerts.models import Alert, Rule, Silence
from runner.watch.dead_letters.models import Redrive
from tests.people import person
from webapp.accounts import share_links
from webapp.accounts.models import ShareLink, User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.slow]
CANARY = "canary"
"""In each name of the other project's things that is not the name of a Kafka topic or group."""
GRAPH = {
    "nodes": [{"id": "orders", "operator": "stream", "config": {"topic": "TOPIC"}, "position": {"x": 0, "y": 0}}],
    "edges": [],
}
ADOPTION = {"topology": "OWN", "application": CANARY, "name": CANARY, "cluster": "shared"}
TRIAL = {"graph": GRAPH, "lines": "", "cluster": "shared"}
SPARK = {"master": "spark://a:1", "checkpoint_root": "hdfs://a/b", "is_untested": True}
BODIES: dict[str, Any] = {
    "POST /tokens": {"name": "ci", "days": 1, "project": CANARY},
    "PUT /password": {"old": "difference engine", "new": "analytical engine"},
    "PATCH /users/{user_id}": {"is_active": False},
    "POST /users": {"name": "mallory", "password": "analytical engine"},
    "POST /groups": {"name": "a"},
    "POST /projects": {"name": "gamma"},
    "PUT /projects/{project}/roles": {"user": "eve", "role": "administrator"},
    "POST /expressions/check": {"graph": GRAPH, "node": "orders", "field": "topic", "text": "1"},
    "POST /check": {"graph": GRAPH},
    "POST /descriptions/read": {"description": "Topologies:\n   Sub-topology: 0\n"},
    "POST /topologies": {"name": "a", "project": CANARY},
    "POST /topologies/import": {"streamwright": 1, "graph": GRAPH},
    "PATCH /topologies/{topology_id}": {"name": "a"},
    "PUT /topologies/{topology_id}/project": {"project": "beta"},
    "PUT /topologies/{topology_id}/draft": {"graph": GRAPH, "revision": 1},
    "PUT /topologies/{topology_id}/cluster": {"cluster": "local"},
    "POST /topologies/{topology_id}/cases": {"name": "a", "records": "", "expected": ""},
    "PATCH /topologies/{topology_id}/cases/{case_id}": {"revision": 1, "name": "a"},
    "POST /topologies/{topology_id}/cases/run": {"graph": GRAPH},
    "POST /topologies/{topology_id}/comments": {"node": CANARY, "text": CANARY},
    "PATCH /topologies/{topology_id}/comments/{comment_id}": {"is_resolved": True},
    "POST /topologies/{topology_id}/share-links": {"hours": 1},
    "POST /trials": TRIAL,
    "POST /trials/follow": TRIAL | {"topic": "TOPIC", "partition": 0, "offset": 0},
    "POST /trials/inputs": TRIAL | {"topic": "TOPIC", "partition": 0, "offset": 0, "output": 0},
    "POST /trials/why": TRIAL | {"node": "orders"},
    "POST /trials/windows": TRIAL | {"node": "orders"},
    "POST /jobs/preview-deploy": {"topology": "OWN", "name": CANARY, "cluster": "shared"},
    "POST /jobs/deploy": {"topology": "OWN", "name": CANARY, "cluster": "shared"},
    "POST /jobs/preview-adoption": ADOPTION,
    "POST /jobs/compare-adoption": ADOPTION,
    "POST /jobs/adopt": ADOPTION,
    "POST /jobs/{job_id}/follow": {"record": {}},
    "POST /jobs/{job_id}/batches/{number}/why": {"row": {"store": "counts", "key": "1"}},
    "POST /jobs/{job_id}/cases": {"case": "a", "records": [{"topic": "TOPIC", "partition": 0, "offset": 0}]},
    "POST /jobs/{job_id}/why-record": {"record": {"topic": "TOPIC", "partition": 0, "offset": 0}},
    "POST /jobs/{job_id}/batches/{number}/search": {"node": "orders", "port": "result", "condition": "true"},
    "POST /jobs/{job_id}/batches/{number}/step": {},
    "POST /jobs/{job_id}/correction": {"batch": 1},
    "POST /jobs/{job_id}/proof/case": {"case": "a", "batch": 1, "at": "orders-0@1", "topic": "sums", "key": "1"},
    "PUT /projects/{project}/private-fields": {"fields": ["email"]},
    "POST /jobs/{job_id}/breakpoints": {"node": "orders", "port": "result", "condition": "true"},
    "POST /jobs/{job_id}/redrives": {},
    "PUT /alerts/rules/{kind}": {"is_on": False, "threshold": 1, "seconds": 1},
    "PUT /projects/{project}/alert-rules/{kind}": {"is_on": False, "threshold": 1, "seconds": 1},
    "PUT /jobs/{job_id}/alert-rules/{kind}": {"is_on": False, "threshold": 1, "seconds": 1},
    "POST /alerts/silences": {"minutes": 5},
    "POST /jobs/{job_id}/silences": {"minutes": 5},
    "POST /alerts/channels": {"name": "a", "form": "webhook", "address": "https://1.1.1.1/"},
    "POST /clusters": {"name": "a", "bootstrap_servers": "127.0.0.1:9", "config": {}, "is_untested": True},
    "PUT /clusters/{name}": {"bootstrap_servers": "127.0.0.1:9", "config": {}, "is_untested": True},
    "POST /clusters/{name}/topics": {"name": "TOPIC"},
    "POST /clusters/{name}/topics/{topic}/records": {"records": [{"value": "1"}]},
    "PATCH /clusters/{name}/topics/{topic}/settings": {"settings": {"retention.ms": "1"}},
    "POST /clusters/{name}/topics/{topic}/search": {},
    "POST /clusters/{name}/topic-issues": {"graph": GRAPH},
    "POST /spark-clusters": {
        "name": "a",
        "master": "spark://a:1",
        "checkpoint_root": "hdfs://a/b",
        "is_untested": True,
    },
    "PUT /spark-clusters/{name}": {"master": "spark://a:1", "checkpoint_root": "hdfs://a/b", "is_untested": True},
    "POST /gallery/{application}/run": {"project": CANARY},
    "PATCH /topologies/{topology_id}/sample-data": {"is_playing": True},
    "PATCH /sample-feed": {"is_paused": True},
    "POST /sample-feed/broken": {"count": 1},
}
"""A body that would be carried out if the user might, where a route needs one."""
OF_THE_CLUSTER = re.compile(r"/(clusters|spark-clusters|hosts|alerts)\b")
"""Who may change clusters changes the things that all projects share, so that walk leaves these requests out."""


@pytest.fixture
def topic(kafka_servers: str) -> str:
    name = f"topic-{uuid4().hex[:8]}"
    KafkaCluster(kafka_servers).create(name, 1)
    producer = Producer({"bootstrap.servers": kafka_servers})
    producer.produce(name, b"1")
    producer.flush()
    return name


@pytest.fixture
def names(topic: str, kafka_servers: str, redis_url: str) -> dict[str, Any]:
    """What paths name: one of each thing of the project `canary`, and the cluster that both projects share."""
    owner = person(f"{CANARY}-owner", Role.ADMINISTRATOR, Project.objects.create(name=CANARY))
    project = Project.objects.get(name=CANARY)
    cluster = Cluster.objects.create(name="shared", bootstrap_servers=kafka_servers)
    SparkCluster.objects.create(name="shared", master="spark://a:1", checkpoint_root="hdfs://a/b")
    graph = json.loads(json.dumps(GRAPH).replace("TOPIC", topic).replace('"orders"', f'"{CANARY}"'))
    topology = create_topology(name=CANARY, by=owner, project=project, graph=graph)
    Choice.objects.create(topology=topology, cluster=cluster)
    version = create_version(topology=topology, by=owner, note=CANARY)
    case = create_case(topology=topology, name=CANARY, records="", expected="", by=owner)
    comment = add_comment(topology=topology, node=CANARY, text=CANARY, by=owner)
    link, _ = share_links.create(topology=topology, by=owner, hours=1)
    job = Job.objects.create(
        name=CANARY,
        application_id="app",
        topology=topology,
        version=version,
        cluster=cluster,
        spark=SparkCluster.objects.get(),
        desired=Desired.RUNNING,
        created_by_id=owner.pk,
        updated_by_id=owner.pk,
    )
    JobEvent.objects.create(job=job, what=Act.DEPLOY, by_id=owner.pk, before={}, after={})
    Rule.objects.create(kind="lag", job=job, threshold=1, seconds=1, by_id=owner.pk)
    silence = Silence.objects.create(kind="", job=job, until="2100-01-01T00:00Z", why=CANARY, by_id=owner.pk)
    Alert.objects.create(kind="lag", job=job, where=CANARY, value=1, threshold=1, since="2020-01-01T00:00Z")
    SampleFeed.objects.create(id=1, rate=500)
    create_topology(name="Flight delays", by=owner, project=project)
    return {
        "project": CANARY,
        "topology_id": topology.pk,
        "version_id": version.pk,
        "job_id": job.pk,
        "batch": 1,
        "case_id": case.pk,
        "comment_id": comment.pk,
        "share_link_id": link.pk,
        "silence_id": silence.pk,
        "user_id": owner.pk,
        "name": "shared",
        "topic": topic,
        "subject": "orders-value",
        "kind": "lag",
        "node": CANARY,
        "store": "counts",
        "application": "order-totals",
        "token_id": 1,
        "redrive_id": 1,
        "number": 0,
        "channel_id": 1,
        "breakpoint_id": 1,
    }


def requests(names: dict[str, Any], own: Topology) -> Iterator[tuple[str, str, str]]:
    """Row, path and body of each route with the names of the other project."""
    for row in ROUTES:
        path = "/api" + re.sub(r"{(\w+)}", lambda part: str(names[part[1]]), row.split()[1])
        body = json.dumps(BODIES.get(row, {})).replace('"OWN"', str(own.pk)).replace("TOPIC", names["topic"])
        yield row, path, body


def everything(topic: str, kafka: KafkaCluster) -> list[Any]:
    """The rows of the project `canary`, and the state of its topic."""
    rows: list[Any] = [Project.objects.filter(name=CANARY), Topology.objects.filter(project__name=CANARY)]
    rows += [Version.objects.filter(topology__project__name=CANARY)]
    rows += [
        designs.Comment.objects.all(),
        ShareLink.objects.all(),
        designs.TestCase.objects.all(),
        Job.objects.all(),
        JobEvent.objects.all(),
        Rule.objects.all(),
    ]
    rows += [
        Silence.objects.all(),
        Redrive.objects.all(),
        SampleFeed.objects.all(),
        User.objects.filter(username__contains=CANARY),
    ]
    found = kafka.topic(topic)
    return [
        *(serializers.serialize("json", each.order_by("pk")) for each in rows),
        found,
        kafka.configs(topic),
        kafka.start_offsets([found]),
        kafka.end_offsets([found]),
    ]


@pytest.mark.parametrize("may_change_clusters", [False, True])
def test_nothing_of_another_project_is_changed_or_named(
    may_change_clusters: bool, names: dict[str, Any], topic: str, kafka_servers: str
) -> None:
    eve = person("eve", Role.ADMINISTRATOR, Project.objects.create(name="beta"))
    if may_change_clusters:
        eve.user_permissions.add(Permission.objects.get(codename="manage_clusters"))
    own = create_topology(name="own", by=eve, project=Project.objects.get(name="beta"))
    kafka = KafkaCluster(kafka_servers)
    client, before, wrong = Client(), everything(topic, kafka), []

    for row, path, body in requests(names, own):
        if may_change_clusters and OF_THE_CLUSTER.search(row) and "/topics/" not in row and row[:3] != "GET":
            continue
        client.force_login(User.objects.get(pk=eve.pk))
        method = row.split()[0]
        answer = client.generic(method, path, "" if method in ("GET", "DELETE") else body, "application/json")
        text = answer.content.decode().replace(path, "")
        given = CANARY in body or CANARY in path
        if answer.status_code >= 500 or (CANARY in text and not (given and answer.status_code in (403, 404, 409))):
            wrong.append((row, answer.status_code, text[:300]))

    assert wrong == []
    assert everything(topic, kafka) == before
