"""A change proved over the kept batches of a job, by the command and by the process that works for the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from time import sleep, time
from typing import Any, TypeVar

import pytest
from confluent_kafka import Producer, TopicPartition
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.timezone import now

from designer.projects.models import Topology
from designer.projects.services import create_topology, create_version, save_draft
from runner.control.clusters import models
from runner.control.jobs.models import Job, Run
from runner.control.jobs.plans.facts import collect_facts
from runner.control.jobs.plans.planner import make_plan
from runner.control.jobs.statuses import Status
from runner.control.jobs.targets import Target
from runner.control.processes import read_boot_id
from runner.kafka import KafkaCluster
from runner.plan import Plan
from runner.spark.checkpoint.batch_log import FOLDER, AnswerLog, BatchLog, Manifest, ManifestFacts
from runner.spark.program import Program, make_program
from runner.spark.proving import limits
from runner.spark.replay import count_read, read_inputs
from runner.spark.stage.seed_rows import read_row_file
from runner.watch.proving import jobs, services
from runner.watch.proving.models import Proof, ProofReport
from runner.watch.proving.newest import find_rebuilt
from tests.runner.spark.past import test_following
from tests.runner.spark.test_replay import forget
from webapp.accounts.models import User

ORDER = {"kind": "struct", "fields": [{"name": "amount", "type": {"kind": "integer"}}]}


def draw(topic: str, *, add: str = "agg + value.amount", least: int = 0, store: str = "sums") -> dict[str, Any]:
    """orders → large → the sum of each key → a topic."""
    source = {"topic": topic, "key_format": "string", "value_format": "json", "value_type": ORDER}
    nodes = {
        "orders": ("stream", source),
        "large": ("filter", {"predicate": f"amount > {least}"}),
        "grouped": ("group_by_key", {}),
        "sums": ("aggregate", {"store": store, "init": "0", "add": add}),
        "updates": ("to_stream", {}),
        "results": ("to", {"topic": f"{topic}-sums"}),
    }
    ports = ("records", "stream", "grouped", "table", "stream")
    pairs = zip(nodes, [*nodes][1:], ports, strict=False)
    return {
        "nodes": [{"id": name, "operator": kind, "config": config} for name, (kind, config) in nodes.items()],
        "edges": [
            {"source": source, "source_port": "result", "target": target, "target_port": port}
            for source, target, port in pairs
        ],
    }


R = TypeVar("R", bound="Runner")


class Runner:
    """Executes the batches of a job as its run does, but for Spark: with state, manifests and real topics."""

    def __init__(self, job: Job, plan: Plan, topic: str) -> None:
        self.topic = topic
        self.program: Program = make_program(plan)
        self.worker = test_following.Job(self.program)
        self.log = BatchLog(self.program.host_directory, Path(plan.checkpoint) / FOLDER)
        self.answers = AnswerLog(self.program.host_directory, Path(plan.checkpoint))
        self.job = job

    def run(self, number: int, amounts: dict[str, int]) -> None:
        """A batch that reads these amounts by customer."""
        self.run_records(number, {self.topic: [(name, {"amount": amount}) for name, amount in amounts.items()]})

    def run_records(
        self, number: int, records: dict[str, list[tuple[str, Any]]], unread: dict[str, int] | None = None
    ) -> None:
        """A batch that reads these keys and values, by topic."""
        producer = Producer({"bootstrap.servers": self.program.plan.kafka["bootstrap.servers"]})
        for topic, of_topic in records.items():
            for key, value in of_topic:
                producer.produce(topic, json.dumps(value).encode(), key.encode(), partition=0)
        producer.flush()
        topics = [each.topic for each in self.program.inputs]
        start = {topic: self.log.read()[-1].end[topic] if number else [0] for topic in topics}
        end = {topic: [start[topic][0] + len(records.get(topic, []))] for topic in topics}
        time = read_clock()
        manifest = Manifest(number, time, start, end)
        ((_, inputs),) = read_inputs(self.program, [manifest])
        self.worker.run_inputs(inputs)
        facts: ManifestFacts = {
            "plan": self.program.plan.outcome(),
            "checksum": self.worker.checksums[-1],
            "records": count_read(self.program, manifest),
            "is_caught_up": False,
        }
        if answers := self.worker.batches[-1].answers:
            self.answers.append(number, time, answers)
            facts["has_answers"] = True
        if unread is not None:
            facts["unread"] = unread
        self.log.append(number, {"time": time, "streams": end}, facts)
        forget()


def read_clock() -> int:
    """The time of a batch that begins now, in ms."""
    return int(now().timestamp() * 1_000)


@pytest.fixture
def topology(user: User, topic: str, cluster: KafkaCluster) -> Topology:
    for name in (topic, f"{topic}-sums"):
        cluster.create(name, 1, {"retention.ms": "-1"})
    return create_topology(name=f"Sums of {topic}", by=user, graph=draw(topic))


@pytest.fixture
def runner(user: User, topology: Topology, topic: str, cluster: KafkaCluster, tmp_path: Path) -> Iterator[Runner]:
    """A job whose run has done four batches."""
    made = make_runner(Runner, user, topology, topic, cluster, tmp_path)
    for number, amounts in enumerate(({"ann": 5}, {"ann": 1, "bob": 20}, {"ann": 2}, {"bob": 3, "eve": 30})):
        made.run(number, amounts)
    yield made
    made.worker.close()


def make_runner(kind: type[R], user: User, topology: Topology, topic: str, cluster: KafkaCluster, tmp_path: Path) -> R:
    """A job with a run that has done no batch yet."""
    version = create_version(topology=topology, by=user)
    names = {"name": topic, "application_id": topic, "cluster": models.Cluster.objects.get(name=cluster.name)}
    names |= {"epoch": 1, "created_by_id": user.pk, "updated_by_id": user.pk}
    job = Job.objects.create(topology=topology, version=version, **names)
    cluster.create("streamwright-markers", 4, {"cleanup.policy": "compact"})
    plan = make_plan(collect_facts(version, Target.of(job))).plan
    state = {"checkpoint": str(tmp_path / "epoch-1"), "state_dir": str(tmp_path / "state" / "epoch-1")}
    plan = plan.model_copy(update={"epoch": 1, "slots": 1, **state})
    run = Run.objects.create(
        job=job, version=version, revision=1, generation=1, epoch=1, cluster=job.cluster, status=Status.RUNNING,
        plan=plan.to_stored(), host=settings.HOST, boot_id=read_boot_id(), last_batch=3,
    )  # fmt: skip
    return kind(job, run.connect_plan(), topic)


def command(name: str, *arguments: str) -> tuple[int, str]:
    """The exit status of a command, and what it printed."""
    out = StringIO()
    try:
        call_command(name, *arguments, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    except CommandError as error:
        return error.returncode, str(error)
    return 0, out.getvalue()


def redraw(topology: Topology, user: User, **changed: Any) -> None:
    topology.refresh_from_db()
    graph = draw(topology.draft.graph["nodes"][0]["config"]["topic"], **changed)
    save_draft(topology=topology, graph=graph, revision=topology.draft.revision, by=user)


def test_the_batches_of_a_job_give_the_same_bytes_again(runner: Runner) -> None:
    replayed = command("replay", runner.job.name)
    runner.log.append(4, {"time": read_clock(), "streams": {}}, {"plan": "another version"})
    other_version = command("replay", runner.job.name)

    assert replayed == (0, "The same bytes again in 4 batches, others in 0.\n")
    assert (other_version[0], "No batch of this version" in other_version[1]) == (1, True)


def test_a_batch_that_gives_other_results_is_named(runner: Runner) -> None:
    last = runner.log.read()[-1]
    end = {"time": last.time, "streams": {runner.topic: last.end[runner.topic]}}
    runner.log.append(last.number, end, {**last.facts, "checksum": "of other results"})

    status, said = command("replay", runner.job.name)

    assert (status, said.splitlines()[0]) == (1, "Batch 3 gives other results than the job wrote.")


def test_the_command_says_equal_or_where_a_change_begins_to_differ(
    runner: Runner, topology: Topology, user: User
) -> None:
    same = command("prove", topology.slug)
    redraw(topology, user, add="value.amount + agg")
    reordered = command("prove", topology.slug)
    redraw(topology, user, least=2)
    status, said = command("prove", topology.slug)
    report = json.loads(command("prove", topology.slug, "--json")[1])

    assert (same[0], reordered[0]) == (0, 0), (same, reordered)
    assert same[1].splitlines()[0] == "Equal: all results of 6 records in 4 batches are the same."
    assert status == 1
    assert said.splitlines()[0].endswith(f"since {runner.topic}-0@1; first node that differs: large.")
    assert "  large: differs for 2 of 6 input records" in said
    assert (report["equal"], report["first_node"], report["limits"]) == (False, "large", [])
    assert [each["effect"] for each in report["stores"]] == ["kept"]


def test_a_state_that_is_not_kept_cannot_be_proved_over(runner: Runner, topology: Topology) -> None:
    for file in runner.program.host_directory.rglob("history.*"):
        file.unlink()

    status, said = command("prove", topology.slug)

    assert (status, "no longer kept" in said) == (2, True)


def test_a_proof_follows_new_batches_from_the_newest_one_on(runner: Runner, topology: Topology, user: User) -> None:
    redraw(topology, user, least=2)
    draft = Topology.objects.get(id=topology.id).draft

    def note(report: ProofReport) -> bool:
        if report["batches"] == 1:
            runner.run(4, {"ann": 1, "eve": 9})
        return bool(report["batches"] < 2)

    report = services.prove(job=runner.job, origin=draft, by=user, minutes=0, live_seconds=600, note=note)

    assert (report["batches"], report["records"], report["last_batch"]) == (2, 4, 4)
    assert report["sentence"].endswith(f"since {runner.topic}-0@6; first node that differs: large.")
    assert report["limits"] == []


@pytest.mark.parametrize(
    ("limit", "why"),
    [("MIN_MEMORY", "the host has little memory left"), ("MIN_DISK", "the disk of the job's state is almost full")],
)
def test_a_proof_ends_with_what_it_knows_when_the_host_is_short(
    runner: Runner, topology: Topology, user: User, monkeypatch: pytest.MonkeyPatch, limit: str, why: str
) -> None:
    monkeypatch.setattr(limits, limit, 1 << 60)

    report = services.prove(job=runner.job, origin=topology.draft, by=user, minutes=60, live_seconds=600)

    assert (report["batches"], report["equal"]) == (1, True)
    assert report["limits"] == [f"The proof ended early, because {why}."]


def test_a_proof_says_what_it_uses_of_its_host(runner: Runner, topology: Topology, user: User) -> None:
    report = services.prove(job=runner.job, origin=topology.draft, by=user, minutes=60)

    assert report["memory"] > 50 << 20
    assert report["cores"] > 0
    assert report["disk"] > 4_096


def test_the_copy_of_a_state_ends_when_the_disk_is_full(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MIN_DISK", 1 << 60)
    state = limits.LimitedState(runner.program, int(time() * 1_000), runner.program.host_directory)

    with pytest.raises(limits.HostShort, match="almost full"):
        [list(rows) for _, rows in state.rows()]


def test_rebuilt_state_makes_only_the_change_differ(runner: Runner, topology: Topology, user: User) -> None:
    redraw(topology, user, store="totals")

    empty = json.loads(command("prove", topology.slug, "--minutes", "0", "--json")[1])
    status, said = command("prove", topology.slug, "--minutes", "0", "--rebuild")
    report = json.loads(command("prove", topology.slug, "--minutes", "0", "--rebuild", "--json")[1])

    assert (empty["equal"], empty["rebuilt"]) == (False, None)
    assert (status, report["equal"], report["limits"]) == (0, True, []), said
    rebuilt = report["rebuilt"]
    assert (rebuilt["done"], rebuilt["count"], rebuilt["topics"][runner.topic]["is_cut"]) == (4, 4, False)
    assert f"State rebuilt from {runner.topic}: 4 of 4 offsets." in said
    assert (report["kept_batches"], report["left_s"]) == (report["batches"], None)


def test_a_rebuilding_says_which_records_are_gone(runner: Runner, topology: Topology, cluster: KafkaCluster) -> None:
    runner.run(4, {"ann": 4, "eve": 4})
    deleted = cluster.admin.delete_records([TopicPartition(runner.topic, 0, 1)])
    [future.result() for future in deleted.values()]

    report = json.loads(command("prove", topology.slug, "--minutes", "0", "--rebuild", "--json")[1])

    topic = report["rebuilt"]["topics"][runner.topic]
    since = datetime.fromtimestamp(topic["since"] / 1_000, UTC)
    assert (topic["is_cut"], topic["offsets"]) == (True, [1])
    assert report["limits"] == [
        f"The state was rebuilt from `{runner.topic}` from {since:%F %R} UTC. Older records are gone, so it is not the "
        "state of a run from the beginning."
    ]
    assert [(each["key"], each["grade"]) for each in report["first"]] == [('"ann"', "other_value")]


@pytest.mark.parametrize("times", ["CreateTime", "LogAppendTime"])
def test_a_new_topic_gives_each_batch_the_records_that_were_there(
    runner: Runner, topology: Topology, cluster: KafkaCluster, times: str
) -> None:
    names, by = f"{runner.topic}-names", runner.job.created_by
    cluster.create(names, 1, {"retention.ms": "-1", "message.timestamp.type": times})
    draft = topology.draft
    draft.graph = with_names(draw(runner.topic), runner.topic)
    draft.save()

    def send(name: str, text: str) -> None:
        producer = Producer({"bootstrap.servers": runner.program.plan.kafka["bootstrap.servers"]})
        producer.produce(names, json.dumps({"name": text}).encode(), name.encode())
        producer.flush()
        pause()

    def note(report: ProofReport) -> bool:
        if report["batches"] == 1:
            runner.run(5, {"ann": 1, "eve": 2})
        return bool(report["batches"] < 2)

    send("ann", "Ann")
    runner.run(4, {"ann": 1, "eve": 1})
    pause()
    send("eve", "Eve")
    kept = services.prove(job=runner.job, origin=draft, by=by, minutes=0)
    rebuilt = services.prove(
        job=runner.job, origin=draft, by=by, minutes=0, live_seconds=600, is_rebuilt=True, note=note
    )

    assert "the proof gives it no records of these" in kept["limits"][0]
    named = [each for each in rebuilt["first"] if each["topic"] == f"{runner.topic}-named"]
    assert [(each["grade"], each["batch"], each["new"][0]["value"]["name"]) for each in named] == [
        ("extra", 4, "Ann"), ("extra", 5, "Ann"), ("extra", 5, "Eve"),
    ]  # fmt: skip
    assert [limit.partition(".")[0] for limit in rebuilt["limits"]] == (
        [f"Only the new version reads `{names}`"] if times == "CreateTime" else []
    )


def test_rebuilt_state_is_kept_for_the_version_to_take_over_with(
    runner: Runner, topology: Topology, user: User
) -> None:
    redraw(topology, user, store="totals")
    draft = Topology.objects.get(id=topology.id).draft
    proof = Proof.objects.create(
        job=runner.job, title="draft", against=runner.job.version, minutes=0, is_rebuilt=True, started_by_id=user.pk,
        started_at=now(), beat_at=now(), graph=draft.graph, schemas=draft.schemas,
    )  # fmt: skip
    folder = Path(runner.program.plan.checkpoint) / "proved"

    jobs.carry_out(proof.id, proof.started_at)
    first = [each.name for each in folder.iterdir()]
    runner.run(4, {"ann": 4})
    jobs.carry_out(proof.id, proof.started_at)
    proof.refresh_from_db()
    rebuilt = find_rebuilt(proof)

    assert rebuilt is not None
    assert (rebuilt.batch, rebuilt.behind, rebuilt.seed.stores) == (4, {runner.topic: [7]}, ["totals"])
    seed = rebuilt.seed.model_copy(update={"checkpoint": runner.program.plan.checkpoint})
    assert len([key for key, _ in read_row_file(seed) if b"ann" in key]) == 1
    assert [each.name for each in folder.iterdir()] == [seed.digest] != first


def test_a_rebuilding_can_be_ended(runner: Runner, topology: Topology, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "SECONDS_BETWEEN_REPORTS", 0.0)
    reports: list[ProofReport] = []

    def note(report: ProofReport) -> bool:
        reports.append(report)
        return False

    report = services.prove(
        job=runner.job, origin=topology.draft, by=runner.job.created_by, minutes=0, is_rebuilt=True, note=note
    )

    assert [(each["batches"], each["rebuilt"] and each["rebuilt"]["done"]) for each in reports] == [(0, 4)]
    assert report["batches"] == 0


def with_names(graph: dict[str, Any], topic: str) -> dict[str, Any]:
    """The drawing that also joins the orders with a table of names, into a topic of its own."""
    name = {"kind": "struct", "fields": [{"name": "name", "type": {"kind": "string"}}]}
    source = {"topic": f"{topic}-names", "key_format": "string", "value_format": "json", "value_type": name}
    fields = {"fields": [{"name": "name", "expression": "right.name"}], "keep": True}
    more = {"names": ("table", source), "named": ("join", fields), "all-named": ("to", {"topic": f"{topic}-named"})}
    edges = [
        ("orders", "named", "left"), ("names", "named", "right"), ("named", "all-named", "stream"),
    ]  # fmt: skip
    nodes = [{"id": name, "operator": kind, "config": config} for name, (kind, config) in more.items()]
    drawn = [
        {"source": source, "source_port": "result", "target": target, "target_port": port}
        for source, target, port in edges
    ]
    return graph | {"nodes": [*graph["nodes"], *nodes], "edges": [*graph["edges"], *drawn]}


def pause() -> None:
    """Until the clock shows another time."""
    before = read_clock()
    while read_clock() <= before + 1:
        sleep(0.001)  # Kafka's times have milliseconds


def test_a_batch_is_pinned_until_it_is_unpinned(client: Client, runner: Runner) -> None:
    path = f"/api/jobs/{runner.job.id}/pins"

    pinned = client.put(f"{path}/2", {"note": "the first wrong one"}, "application/json")
    unknown = client.put(f"{path}/9", {}, "application/json")
    found = client.get(path).json()
    unpinned = client.delete(f"{path}/2")

    assert (pinned.status_code, pinned.json()) == (200, found)
    assert [(pin["batch"], pin["note"]) for pin in found["pins"]] == [(2, "the first wrong one")]
    assert (found["max_pins"], found["kept_days"], found["kept_bytes"]) == (50, 7, 2 << 30)
    assert (unknown.status_code, unknown.json()["message"]) == (404, f"Batch 9 of {runner.job} is not kept.")
    assert (unpinned.status_code, unpinned.json()["pins"]) == (200, [])


def test_the_command_ends_with_two_if_it_could_not_prove(topology: Topology) -> None:
    assert command("prove", topology.slug)[0] == 2
    assert command("prove", "no-such-topology")[0] == 2


def test_the_process_of_the_page_writes_the_report_and_the_result(
    runner: Runner, topology: Topology, user: User
) -> None:
    redraw(topology, user, least=2)
    draft = Topology.objects.get(id=topology.id).draft
    proof = Proof.objects.create(
        job=runner.job, title="draft", minutes=60, live_seconds=1.0, started_by_id=user.pk, started_at=now(),
        beat_at=now(), graph=draft.graph, schemas=draft.schemas,
    )  # fmt: skip

    jobs.carry_out(proof.id, proof.started_at)

    proof.refresh_from_db()
    assert (proof.status, proof.failure) == ("differs", None)
    Proof.objects.filter(id=proof.id).update(against=runner.job.version)
    assert command("cut-over", runner.job.name, "--on-state", "fresh_from_earliest") == (
        0,
        f"Version 2 of {topology} takes over in job {runner.job.name}.\n",
    )
    cut_over = runner.job.cut_overs.get()
    assert cut_over.proof is not None and proof.report is not None
    assert (cut_over.proof["against"], cut_over.proof["sentence"]) == (1, proof.report["sentence"])
    assert proof.report and proof.report["nodes"]["large"]["differing"] == 2
    runner.log.append(4, {"time": read_clock(), "streams": {}}, {"plan": "another version"})
    jobs.carry_out(proof.id, proof.started_at)
    proof.refresh_from_db()
    assert proof.failure and (proof.status, proof.failure["code"]) == ("failed", "follow.not_kept")


def test_a_proof_ends_when_its_user_may_no_longer_sign_in(runner: Runner, topology: Topology, user: User) -> None:
    proof = jobs.note_request(
        job=runner.job, origin=topology.draft, by=user, minutes=60, live_seconds=600.0, is_rebuilt=False
    )
    User.objects.filter(id=user.pk).update(is_active=False)

    jobs.carry_out(proof.id, proof.started_at)

    proof.refresh_from_db()
    assert proof.failure is not None and proof.status == "failed"
    assert proof.failure["message"] == "It ended, because ada may no longer do this."
