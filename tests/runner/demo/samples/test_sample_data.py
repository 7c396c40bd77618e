"""Gallery applications that run with sample data, on real Postgres and Kafka."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from designer.projects.models import Topology
from runner.control.jobs.models import Desired, Job
from runner.demo.samples import playing
from runner.demo.samples.models import SampleData
from runner.kafka import KafkaCluster
from tests.people import person

JSON = "application/json"


@pytest.fixture
def browser(transactional_db: None, redis_url: str) -> Client:
    client = Client()
    client.force_login(person("ada"))
    return client


@pytest.fixture
def kafka(kafka_servers: str) -> KafkaCluster:
    return KafkaCluster(kafka_servers)


@pytest.fixture(autouse=True)
def no_topics_left(kafka: KafkaCluster) -> Iterator[None]:
    yield
    for name in kafka.topic_names():
        if name.startswith(("word-count-", "orders-by-region-")):
            kafka.delete(name)


def run(browser: Client, application: str, expect: int = 202) -> dict[str, Any]:
    answer = browser.post(f"/api/gallery/{application}/run", {}, JSON)
    assert answer.status_code == expect, answer.content
    found: dict[str, Any] = answer.json()
    return found


def count_records(kafka: KafkaCluster, topic: str) -> int:
    return sum(kafka.end_offsets([kafka.topic(topic)])[topic])


def write_cycles(data: SampleData, count: int) -> None:
    for _ in range(count):
        SampleData.objects.filter(id=data.id).update(next_at=timezone.now() - timedelta(seconds=1))
        assert playing.write_next_cycle(data.id)


def test_an_application_runs_with_topics_of_its_own_and_all_of_it_is_removed(browser: Client, kafka: KafkaCluster):
    made = run(browser, "e36-word-count")

    topology = Topology.objects.get(id=made["topology"])
    lines, counts = f"{topology.slug}-text-lines", f"{topology.slug}-word-counts"
    assert set(kafka.find([lines, counts])) == {lines, counts}
    job = Job.objects.get(topology=topology)
    assert (job.desired, made["is_playing"]) == (Desired.RUNNING, True)
    assert browser.get("/api/sample-data").json() == [made]
    assert {node["config"].get("topic") for node in job.version.graph["nodes"]} >= {lines, counts}
    data = SampleData.objects.get()
    before = count_records(kafka, lines)
    write_cycles(data, 2)
    assert count_records(kafka, lines) >= before + 10
    assert not playing.write_next_cycle(data.id)  # the next cycle is due a second later

    assert browser.delete(f"/api/topologies/{topology.id}/sample-data").status_code == 202
    assert browser.get(f"/api/topologies/{topology.id}/sample-data").json() is None
    assert browser.get("/api/sample-data").json() == []
    assert not playing.write_next_cycle(data.id)
    playing.remove(data.id)

    assert not Topology.objects.exists() and not Job.objects.exists() and not SampleData.objects.exists()
    assert kafka.find([lines, counts]) == {}


def test_nothing_is_removed_while_a_run_still_writes(browser: Client, kafka: KafkaCluster):
    made = run(browser, "e27-orders-by-region")
    data, job = SampleData.objects.get(), Job.objects.get()
    live = job.runs.create(version=job.version, host="elsewhere", plan={}, generation=1, epoch=1, revision=1)
    browser.delete(f"/api/topologies/{made['topology']}/sample-data")

    playing.remove(data.id)

    job.refresh_from_db()
    live.refresh_from_db()
    assert (job.desired, live.stop_reason) == (Desired.STOPPED, "stopped")
    assert set(kafka.find(data.topics)) == {each for each in data.topics if not each.endswith("-dead-letters")}


def test_playing_pauses_and_continues(browser: Client, kafka: KafkaCluster):
    address = f"/api/topologies/{run(browser, 'e36-word-count')['topology']}/sample-data"
    data = SampleData.objects.get()
    write_cycles(data, 1)

    assert browser.patch(address, {"is_playing": False}, JSON).json()["is_playing"] is False
    SampleData.objects.update(next_at=timezone.now() - timedelta(seconds=1))
    assert not playing.write_next_cycle(data.id)
    assert browser.patch(address, {"is_playing": True}, JSON).json()["is_playing"] is True
    assert playing.write_next_cycle(data.id)
    data.refresh_from_db()
    assert data.cycle >= 2


def test_topics_of_others_are_left_alone(browser: Client, kafka: KafkaCluster):
    kafka.create("word-count-text-lines", 1)

    refusal = run(browser, "e36-word-count", expect=409)
    playing.remove(SampleData.objects.get().id)

    assert refusal["message"] == "Topic `word-count-text-lines` already exists."
    assert "word-count-text-lines" in kafka.find(["word-count-text-lines"])
    assert not Topology.objects.exists()


def test_an_unknown_application_and_python_that_is_off_are_refused_before_anything_is_made(browser: Client):
    assert run(browser, "nothing", expect=404)["message"] == "There is no application `nothing` in the gallery."
    run(browser, "e05-session-processor", expect=403)

    assert not Topology.objects.exists()
