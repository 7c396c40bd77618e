"""Corrections of what a job has sent: prepared, shown, and sent once. With a real Kafka."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer
from django.test import Client
from django.utils import timezone

from designer.projects.models import Grant, Topology
from designer.projects.roles import Role
from designer.projects.services import create_topology
from runner.control.jobs.models import Desired, Job, JobEvent, Run
from runner.control.jobs.statuses import Act, Status
from runner.kafka import KafkaCluster, Message, TopicReader
from runner.plan import Corrected, Plan, Seed
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.failures import RunFailed
from runner.spark.proving.corrections import list_results
from runner.spark.proving.sending import create_topic, write_file
from runner.spark.proving.versions import Version
from runner.spark.sink.marker import Marker
from runner.spark.stage.seed_rows import read_row_file
from runner.spark.variables import ROOT
from runner.watch.proving import correcting, services
from runner.watch.proving.corrections import explain_no_state, is_taken
from runner.watch.proving.models import Correction
from runner.watch.proving.preparing import is_silent
from tests.runner.spark.proving.test_changes import make
from tests.runner.spark.proving.test_corrections import RIGHT
from tests.runner.watch.proving.test_prove import Runner, command, draw, make_runner
from webapp.accounts.models import User

WRONG = 3
"""Amounts up to this one are left out by mistake."""
SEND = """
import json, sys
from pathlib import Path
from runner.plan import Plan
from runner.spark.proving.sending import send
plan, more = json.load(sys.stdin)
send(Plan.model_validate(plan), **{**more, "file": Path(more["file"])})
"""


def draw_with_stream(topic: str, least: int) -> dict[str, Any]:
    """orders → large → the sum of each key → a topic; and the large orders → another topic."""
    graph = draw(topic, least=least)
    graph["nodes"].append({"id": "orders-out", "operator": "to", "config": {"topic": f"{topic}-large"}})
    edge = {"source": "large", "source_port": "result", "target": "orders-out", "target_port": "stream"}
    return graph | {"edges": [*graph["edges"], edge]}


class WritingRunner(Runner):
    """Also writes results, and the marker of each batch."""

    def run(self, number: int, amounts: dict[str, int]) -> None:
        super().run(number, amounts)
        plan = self.program.plan
        producer = Producer({"bootstrap.servers": plan.kafka["bootstrap.servers"]})
        for topic, result, _ in list_results(Version(self.program.layout), self.worker.results[-1]):
            producer.produce(topic, result.value, result.key, timestamp=result.timestamp)
        producer.flush()
        consumer = Consumer({**plan.kafka, "group.id": plan.marker_group})
        consumer.commit(offsets=[Marker(number, "query", 1, "print").offset(plan.marker_topic)], asynchronous=False)
        consumer.close()

    def stop(self) -> None:
        Job.objects.filter(id=self.job.id).update(desired=Desired.STOPPED)
        Run.objects.filter(job=self.job).update(status=Status.STOPPED)


@pytest.fixture
def topology(user: User, topic: str, cluster: KafkaCluster) -> Topology:
    for name in (topic, f"{topic}-sums", f"{topic}-large"):
        cluster.create(name, 1, {"retention.ms": "-1"})
    return create_topology(name=f"Sums of {topic}", by=user, graph=draw_with_stream(topic, WRONG))


@pytest.fixture
def runner(
    user: User, topology: Topology, topic: str, cluster: KafkaCluster, tmp_path: Path
) -> Iterator[WritingRunner]:
    """A job whose version leaves orders out since batch 1, by mistake. The draft is right."""
    made = make_runner(WritingRunner, user, topology, topic, cluster, tmp_path)
    for number, amounts in enumerate(({"ann": 5}, {"ann": 1, "bob": 20}, {"ann": 9, "cat": 2}, {"bob": 3, "eve": 30})):
        made.run(number, amounts)
    draft = topology.draft
    draft.graph = draw_with_stream(topic, 0)
    draft.save()
    yield made
    made.worker.close()


def read(cluster: KafkaCluster, name: str) -> list[Message]:
    """All committed records of a topic."""
    if name not in (topics := cluster.find([name])):
        return []
    reader = TopicReader(cluster, topics[name])
    found: list[Message] = []
    ends = reader.ends()
    reader.go(reader.starts())
    while any(reader.at[partition] < end for partition, end in ends.items()):
        found += reader.read(1_000, 0.1)
    reader.close()
    return found


def find_newest(records: list[Message]) -> dict[str, int]:
    newest = {(each.key or b"").decode(): each.value for each in records}
    return {key: json.loads(value) for key, value in newest.items() if value is not None}


def send_and_die(runner: WritingRunner, place: str, tmp_path: Path) -> None:
    """Has a process send the prepared corrections, which dies at a place."""
    lose_process(runner.job)
    correction = correcting.request_send(job=runner.job, by=runner.job.created_by)
    (tmp_path / "failpoint").write_text(place)
    plan: Plan = runner.program.plan
    create_topic(KafkaCluster.of(plan.kafka), plan, correction.topic)
    more = {
        "token": str(correction.token), "digest": correction.digest, "last_batch": correction.last_batch,
        "file": str(correcting.find_file(plan, correction)),
    }  # fmt: skip
    died = subprocess.run(
        [sys.executable, "-c", SEND],
        cwd=ROOT,
        env={**os.environ, "STREAMWRIGHT_FAILPOINT": str(tmp_path / "failpoint")},
        input=json.dumps([plan.model_dump(mode="json"), more]).encode(),
        check=False,
    )
    assert died.returncode == -9


def lose_process(job: Job) -> None:
    for each in Correction.objects.filter(job=job):
        each.beat_at = each.beat_at.replace(year=2025)
        each.save()


def test_topics_end_equal_to_those_of_a_run_that_was_right_although_the_sender_is_killed(
    runner: WritingRunner, cluster: KafkaCluster, tmp_path: Path
) -> None:
    topic, told = runner.topic, f"{runner.topic}-corrections"
    before = read(cluster, f"{topic}-sums")

    prepared = command("correct", runner.job.name, "--from-batch", "1", "--topic", told)
    running = command("correct", runner.job.name, "--send")
    runner.stop()
    send_and_die(runner, "before-commit", tmp_path)
    unsent = read(cluster, f"{topic}-sums"), read(cluster, told)
    send_and_die(runner, "after-commit", tmp_path)
    sent = read(cluster, f"{topic}-sums"), read(cluster, told)
    lose_process(runner.job)
    again = command("correct", runner.job.name, "--send")

    assert prepared[1].splitlines()[:3] == [
        "6 corrections of the batches 1 to 3, if draft is right: ready.",
        f"  {topic}-large: 3 missing records, told in {told}",
        f"  {topic}-sums: 3 newest values",
    ]
    assert (running[0], "Stop it first" in running[1]) == (1, True)
    assert unsent == (before, [])
    assert (again[0], again[1].splitlines()[0][-15:]) == (0, "is right: sent."), again
    assert (read(cluster, f"{topic}-sums"), read(cluster, told)) == sent
    assert find_newest(sent[0]) == {"ann": 15, "bob": 23, "cat": 2, "eve": 30}
    values = [json.loads(each.value or b"") for each in sent[1]]
    assert [(each["kind"], each["right"][0]["value"], each["input"]["offset"]) for each in values] == [
        ("missing", {"amount": 1}, 1), ("missing", {"amount": 2}, 4), ("missing", {"amount": 3}, 5),
    ]  # fmt: skip
    assert JobEvent.objects.filter(job=runner.job, what=Act.CORRECT).exists()


def test_the_state_behind_the_corrections_can_be_taken_along_once_they_are_sent(
    runner: WritingRunner, cluster: KafkaCluster, user: User
) -> None:
    command("correct", runner.job.name, "--from-batch", "1", "--topic", f"{runner.topic}-corrections")
    runner.stop()
    unsent = command("correct", runner.job.name, "--take-over")

    command("correct", runner.job.name, "--send")

    correction = Correction.objects.get()
    seed = Seed.model_validate(correction.seed).model_copy(update={"checkpoint": runner.program.plan.checkpoint})
    assert (unsent[0], "The corrections are not sent yet." in unsent[1]) == (1, True)
    assert (explain_no_state(correction), seed.stores, is_taken(correction)) == ("", ["sums"], False)
    corrected = Corrected(epoch=correction.epoch, batch=correction.last_batch or 0, seed=seed).model_dump(mode="json")
    runner.job.cut_overs.create(revision=2, by=user, keep_until=timezone.now(), corrected=corrected)
    assert is_taken(correction)
    assert len([key for key, _ in read_row_file(seed) if b"eve" in key]) == 1
    (Path(seed.checkpoint) / seed.rows).write_bytes(b"damaged")
    with pytest.raises(RunFailed, match="is not what was written"):
        [*read_row_file(seed)]


def test_a_second_state_has_the_errors_of_the_first_batches(runner: WritingRunner) -> None:
    for number in (1, 4):
        if number > 1:
            runner.run(number, {"ann": 1})
        command("correct", runner.job.name, "--from-batch", str(number), "--topic", f"{runner.topic}-corrections")
        runner.stop()
        command("correct", runner.job.name, "--send")

    assert explain_no_state(Correction.objects.order_by("id")[1]).startswith("Results of earlier batches")


def test_a_key_that_the_right_version_does_not_change_gets_its_value_from_before_or_a_tombstone(
    runner: WritingRunner, topology: Topology, cluster: KafkaCluster
) -> None:
    topology.draft.graph = draw_with_stream(runner.topic, 19)
    topology.draft.save()
    runner.run(4, {"ann": 7, "dan": 8, "eve": 40})
    runner.stop()

    prepared = command("correct", runner.job.name, "--from-batch", "4", "--topic", f"{runner.topic}-corrections")
    sent = command("correct", runner.job.name, "--send")

    assert (prepared[0], sent[0]) == (0, 0), (prepared, sent)
    assert find_newest(read(cluster, f"{runner.topic}-sums")) == {"ann": 14, "bob": 20, "eve": 70}
    preview = Correction.objects.get().preview
    assert preview and {each["kind"] for each in preview["first"]} == {"earlier", "deleted", "extra"}


def test_corrections_are_refused_once_the_job_has_written_another_batch(
    runner: WritingRunner, cluster: KafkaCluster
) -> None:
    told = f"{runner.topic}-corrections"
    command("correct", runner.job.name, "--from-batch", "1", "--topic", told)
    runner.run(4, {"ann": 1})
    runner.stop()

    late = command("correct", runner.job.name, "--send")
    command("correct", runner.job.name, "--from-batch", "1", "--topic", told)
    sent = command("correct", runner.job.name, "--send")
    second = command("correct", runner.job.name, "--from-batch", "2", "--topic", told)

    assert late[0] == 1 and "The job has written batch 4 since" in late[1]
    assert sent[0] == 0 and find_newest(read(cluster, f"{runner.topic}-sums"))["ann"] == 16
    assert second[0] == 1 and "The results of the batches 1 to 4 are corrected already." in second[1]


def test_a_correction_says_why_it_cannot_be_prepared(runner: WritingRunner) -> None:
    job = runner.job.name

    without_topic = command("correct", job, "--from-batch", "1")
    unknown = command("correct", job, "--from-batch", "9")
    own = command("correct", job, "--from-batch", "1", "--topic", runner.topic)
    other_table = command("correct", job, "--from-batch", "1", "--table", "nothing")

    assert "Name a topic for corrections of streams" in without_topic[1]
    assert "Batch 9 is not a kept batch of the running version." in unknown[1]
    assert "The job itself reads or writes" in own[1]
    assert "Neither version writes to `nothing`" in other_table[1]


def test_batches_that_only_built_state_have_sent_nothing_to_correct(tmp_path: Path) -> None:
    plan = make(RIGHT, tmp_path).plan
    after_a_way_back = plan.model_copy(update={"silent_until": {"orders": [5], "names": [2]}})
    built, sent = (Manifest(3, 0, None, {"orders": [orders], "names": [2]}) for orders in (5, 6))

    assert is_silent(after_a_way_back, built)
    assert not is_silent(after_a_way_back, sent)
    assert not is_silent(plan, built)


def test_a_stream_of_which_only_newest_values_count_is_corrected_in_place(
    runner: WritingRunner, cluster: KafkaCluster
) -> None:
    runner.stop()
    tables = [f"{runner.topic}-sums", f"{runner.topic}-large"]

    command("correct", runner.job.name, "--from-batch", "1", *(part for each in tables for part in ("--table", each)))
    sent = command("correct", runner.job.name, "--send")

    newest = {(each.key or b"").decode(): json.loads(each.value or b"") for each in read(cluster, tables[1])}
    assert sent[0] == 0
    assert newest == {"ann": {"amount": 9}, "bob": {"amount": 3}, "cat": {"amount": 2}, "eve": {"amount": 30}}


def test_a_changed_file_is_not_sent(runner: WritingRunner, cluster: KafkaCluster) -> None:
    command("correct", runner.job.name, "--from-batch", "1", "--topic", f"{runner.topic}-corrections")
    runner.stop()
    before = read(cluster, f"{runner.topic}-sums")
    write_file(correcting.find_file(runner.program.plan, Correction.objects.get()), [])

    status, said = command("correct", runner.job.name, "--send")

    assert (status, "no longer on this host" in said) == (1, True)
    assert read(cluster, f"{runner.topic}-sums") == before


def test_the_page_sees_the_correction_and_is_refused_while_the_job_runs(client: Client, runner: WritingRunner) -> None:
    path = f"/api/jobs/{runner.job.id}/correction"
    none = client.get(path)
    command("correct", runner.job.name, "--from-batch", "1", "--topic", f"{runner.topic}-corrections")

    found = client.get(path).json()
    refused = client.post(f"{path}/send", {}, "application/json")

    assert (none.status_code, none.json()) == (200, None)
    assert (found["status"], found["preview"]["count"], found["against"]) == ("ready", 6, 1)
    assert found["preview"]["counts"] == {
        f"{runner.topic}-large": {"missing": 3}, f"{runner.topic}-sums": {"newest": 3},
    }  # fmt: skip
    assert (refused.status_code, refused.json()["code"]) == (409, "job.still_runs")


def test_a_correction_is_prepared_no_further_when_its_user_loses_the_role(
    runner: WritingRunner, topology: Topology, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "SECONDS_BETWEEN_REPORTS", 0.0)
    correction = correcting.note_request(
        job=runner.job, origin=topology.draft, by=user, first_batch=1, topic=f"{runner.topic}-repairs", tables=None
    )
    Grant.objects.filter(user=user).update(role=Role.VIEWER)

    correcting.carry_out(str(correction.token))

    correction.refresh_from_db()
    assert correction.failure is not None and correction.status == "failed"
    assert correction.failure["message"] == "It ended, because ada may no longer do this."
