"""Topics belong to no project, so every change of one asks which jobs of all projects use it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import Permission
from django.test import Client

from designer.projects.models import Grant, Project, Topology
from designer.projects.projects import get_default_project
from designer.projects.roles import Role
from designer.projects.services import create_topology
from runner.control.clusters.models import Choice, Cluster
from runner.control.jobs.models import Desired, Job
from runner.kafka import KafkaCluster
from runner.watch.sockets.viewer import NOT_PERMITTED
from runner.watch.topics.topics import TopicConsumer
from tests.people import person
from tests.runner.watch.topics.test_api import deploy_draft, draw, fill
from webapp.accounts.models import User

CHANGES = {
    "send": ("POST", "records", {"records": [{"value": "1"}]}, 201),
    "settings": ("PATCH", "settings", {"settings": {"retention.ms": "60000"}}, 204),
    "empty": ("POST", "empty", None, 204),
    "delete": ("DELETE", "", None, 204),
}
"""Each change of a topic: method, path, body, and the status if it is allowed. The last one cannot be repeated."""


def change(user: User, topic: str, name: str) -> Any:
    client = Client()
    client.force_login(user)
    method, path, body, _ = CHANGES[name]
    address = f"/api/clusters/orders/topics/{topic}/{path}".rstrip("/")
    return client.generic(method, address, json.dumps(body) if body else "", "application/json")


def allowed(user: User, topic: str) -> dict[str, bool]:
    """Which changes the user may make. It tries a deletion last."""
    return {name: change(user, topic, name).status_code == CHANGES[name][3] for name in CHANGES}


@pytest.fixture
def stranger(job: Job) -> User:
    """An administrator of another project, where a draft reads the same topic."""
    project = Project.objects.create(name="beta")
    eve = person("eve", Role.ADMINISTRATOR, project)
    topology = create_topology(name="mine", by=eve, project=project)
    Choice.objects.create(topology=topology, cluster=Cluster.objects.get(name="orders"))
    return eve


@pytest.fixture
def used(cluster: KafkaCluster, topic: str, job: Job, user: User, stranger: User) -> str:
    """A topic with a record that the job reads. The draft of the stranger reads it too."""
    cluster.create(topic, 1)
    fill(cluster, topic, (b"k", b"1", 0, 1_000))
    draw(job.topology, {"topic": topic}, user)
    deploy_draft(job, user)
    draw(Topology.objects.get(name="mine"), {"topic": topic}, stranger)
    return topic


@pytest.mark.parametrize("desired", Desired)
def test_an_administrator_of_another_project_changes_no_topic_of_a_job(
    desired: Desired, cluster: KafkaCluster, used: str, job: Job, stranger: User
) -> None:
    Job.objects.update(desired=desired)

    answers = [change(stranger, used, name) for name in CHANGES]

    assert [answer.status_code for answer in answers] == [403] * len(CHANGES)
    told = " ".join(answer.content.decode() for answer in answers)
    assert not any(name in told for name in (job.name, job.topology.name, job.topology.project.name, "ada"))
    assert (cluster.start_offsets([cluster.topic(used)])[used], len(cluster.sample(used))) == ([0], 1)


def test_one_foreign_job_is_enough_to_refuse(used: str, job: Job, stranger: User) -> None:
    own = Job.objects.get(id=job.id)
    own.pk, own.name, own.application_id = None, "own", "own"
    own.topology = Topology.objects.get(name="mine")
    own.save()
    deploy_draft(own, stranger)

    assert not any(allowed(stranger, used).values())


def test_the_dead_letters_of_a_foreign_job_are_its_own(cluster: KafkaCluster, job: Job, stranger: User) -> None:
    letters = f"{job.application_id}-dead-letters"
    cluster.create(letters, 1)

    assert not any(allowed(stranger, letters).values())


def test_the_role_in_the_project_of_the_job_decides(used: str, job: Job, stranger: User) -> None:
    Job.objects.update(desired=Desired.STOPPED)
    Grant.objects.create(user=stranger, project=get_default_project(), role=Role.OPERATOR)
    assert allowed(stranger, used) == {"send": True, "settings": False, "empty": False, "delete": False}

    Grant.objects.filter(user=stranger, project=get_default_project()).update(role=Role.ADMINISTRATOR)
    assert all(allowed(stranger, used).values())


def test_a_topic_of_no_job_is_changed_by_those_who_may_change_clusters(
    cluster: KafkaCluster, topic: str, stranger: User
) -> None:
    cluster.create(topic, 1)
    assert not any(allowed(stranger, topic).values())

    draw(Topology.objects.get(name="mine"), {"topic": topic}, stranger)
    assert allowed(stranger, topic) == {"send": True, "settings": False, "empty": False, "delete": False}

    stranger.user_permissions.add(Permission.objects.get(codename="manage_clusters"))
    assert all(allowed(stranger, topic).values())


def test_a_foreign_draft_takes_no_topic_away(cluster: KafkaCluster, topic: str, user: User, stranger: User) -> None:
    cluster.create(topic, 1)
    draw(Topology.objects.get(name="mine"), {"topic": topic}, stranger)

    assert all(allowed(user, topic).values())


@pytest.mark.parametrize("hidden", ["__consumer_offsets", "streamwright-markers"])
def test_topics_with_facts_of_all_projects_are_shown_to_those_who_may_change_clusters(
    hidden: str, cluster: KafkaCluster, user: User, stranger: User
) -> None:
    cluster.create("streamwright-markers", 1, {"cleanup.policy": "compact"})
    seen = {}
    for asker in (user, stranger):
        client = Client()
        client.force_login(asker)
        get = client.get
        seen[asker] = (
            hidden in {each["name"] for each in get("/api/clusters/orders/topics").json()},
            hidden in {each["name"] for each in get("/api/clusters/orders/topic-facts").json()["topics"]},
            hidden in get("/api/clusters/orders/topic-ends").json()["ends"],
            get(f"/api/clusters/orders/topics/{hidden}").status_code == 200,
            get(f"/api/clusters/orders/topics/{hidden}/facts").status_code == 200,
            client.post(f"/api/clusters/orders/topics/{hidden}/search", {}, "application/json").status_code == 200,
        )
    assert (seen[user][1], *seen[user][3:]) == (True,) * 4  # Kafka lists its own topics in no other place
    assert seen[stranger] == (False,) * 6

    socket = TopicConsumer()
    socket.scope = {"user": stranger, "url_route": {"kwargs": {"cluster": "orders", "topic": hidden}}}
    assert async_to_sync(socket.explain_refusal)() == NOT_PERMITTED
