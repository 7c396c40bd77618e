"""The process that executes batches again: what it answers, and what it cannot reach."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from designer.refusals import Refusal
from runner.control.environment import make_environment
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.program import Program
from runner.spark.proving.process import Process, Question, ReplayFailed, SentCandidate, send_plan
from runner.spark.proving.scratch import make_scratch
from tests.runner.spark.past.test_following import Job
from tests.runner.spark.proving.test_changes import BATCHES, EDGES, NODES, change, draw, make
from tests.runner.spark.test_replay import forget

pytestmark = pytest.mark.services


@pytest.fixture
def job(tmp_path: Path) -> Job:
    made = Job(make(draw(NODES, EDGES), tmp_path / "job" / "state"))
    for records in BATCHES:
        made.run_batch(records)
    forget()
    return made


def ask(job: Job, time: int, candidate: SentCandidate | None = None) -> Process:
    question: Question = {"plan": send_plan(job.program.plan), "time": time}
    if candidate is not None:
        question["candidate"] = candidate
    return Process(question, make_environment({**os.environ}))


def test_it_gives_the_checksum_of_each_batch_and_leaves_nothing_behind(job: Job, tmp_path: Path) -> None:
    with ask(job, job.batches[2].time) as process:
        assert process.read() == {"ready": True}
        answers = [process.run(Manifest(n, job.batches[n].time, None, {}), job.batches[n]) for n in (2, 3)]
        scratch = list((tmp_path / "job").glob("replay-*"))
        memory, spent = process.measure()

    assert process.measure() == (0, 0.0)
    assert [answer["checksum"] for answer in answers] == job.checksums[2:4]
    assert (memory > 10 << 20, spent > 0.1) == (True, True)
    assert len(scratch) == 1 and not scratch[0].exists()


def test_what_a_killed_parent_left_is_removed(job: Job, tmp_path: Path) -> None:
    folders = [
        tmp_path / "job" / f"replay-{name}" for name in ("killed", "999999999-killed", f"{os.getpid()}-of-0.1.0")
    ]
    for folder in folders:
        folder.mkdir()

    with make_scratch(tmp_path / "job") as other, ask(job, job.batches[2].time) as process:
        process.read()
        assert [folder.exists() for folder in (*folders, other)] == [False, False, True, True]


def test_it_reports_on_a_candidate(job: Job, tmp_path: Path) -> None:
    new = make(change(priced={"fields": [{"name": "total", "expression": "amount"}], "keep": True}), tmp_path / "new")
    candidate: SentCandidate = {"plan": send_plan(new.plan), "stores": ["totals", "ever"]}
    with ask(job, job.batches[1].time, candidate=candidate) as process:
        process.read()
        manifest = Manifest(1, job.batches[1].time, None, {}, {"checksum": job.checksums[1]})
        answer = process.run(manifest, job.batches[1])
        report = process.report()

    assert answer == {"batch": 1, "equal": False}
    assert (report["first_node"], report["repeated"]["same"]) == ("priced", 1)
    first = report["first"][0]
    assert first["input"] and first["input"]["value"]["amount"] == 12.34
    assert [each["key"] for each in first["records"]] == ["ann"]


def test_numbers_of_any_length_and_size_are_reported(tmp_path: Path) -> None:
    def draw_tagging(tag: str, folder: str) -> Program:
        nodes: dict[str, tuple[str, dict[str, Any]]] = {
            "orders": ("stream", {"topic": "orders", "key_format": "string", "value_format": "json"}),
            "tagged": ("map_values", {"fields": [{"name": "tag", "expression": f"'{tag}'"}]}),
            "tags": ("to", {"topic": "tags", "value_format": "json"}),
        }
        return make(
            draw(nodes, ["orders.result>tagged.records", "tagged.result>tags.stream"]), tmp_path / folder / "state"
        )

    job = Job(draw_tagging("old", "job"))
    content = b'{"price": 1.10, "id": 123456789012345678901234567890, "far": 1e400}'
    job.run_batch([("orders", b"k", content, 1_000)])
    forget()
    candidate: SentCandidate = {"plan": send_plan(draw_tagging("new", "new").plan), "stores": []}
    with ask(job, job.batches[0].time, candidate=candidate) as process:
        process.read()
        process.run(Manifest(0, job.batches[0].time, None, {}), job.batches[0])
        (found,) = process.report()["first"]

    assert found["input"] is not None
    assert found["input"]["value"] == {"price": 1.1, "id": 123456789012345678901234567890.0, "far": "1e400"}


def test_a_state_that_is_no_longer_kept_is_refused(job: Job) -> None:
    for file in job.program.host_directory.rglob("history.*"):
        file.unlink()

    with pytest.raises(Refusal, match="no longer kept"), ask(job, job.batches[1].time) as process:
        process.read()


def test_a_process_that_ends_early_is_told_from_one_that_refuses(job: Job) -> None:
    with ask(job, job.batches[1].time) as process:
        process.read()
        process._popen.kill()
        with pytest.raises(ReplayFailed, match="has ended"):
            process.run(Manifest(1, 0, None, {}), job.batches[1])


def test_it_gets_no_secrets() -> None:
    given = send_plan(
        make(draw(NODES, EDGES), Path("/nowhere")).plan.model_copy(update={"kafka": {"sasl.password": "x"}})
    )

    assert "sasl.password" not in str(given)
