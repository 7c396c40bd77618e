"""Answers of other servers in batches that are executed again, without Spark and Kafka."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from designer.topology.graph import Graph
from runner.engine.code import user_code
from runner.engine.records.record import Origin
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.past.batches import PastReplay, look_at
from runner.spark.past.following import BatchFollower
from runner.spark.program import Program
from runner.spark.proving.proof import Proof
from runner.spark.proving.report import ComparedBatches
from runner.spark.replay import BatchInputs, KeptState, Replay
from tests.answering import CountingServer, answering
from tests.runner.spark.past.test_following import Job
from tests.runner.spark.proving.test_changes import NODES, change, make
from tests.runner.spark.test_replay import forget

CODE = """
    from urllib.request import urlopen

    def ask(path):
        with urlopen("URL" + path) as answer:
            return int(answer.read())

    class Enrich(Processor):
        def init(self, context):
            self.context = context

        def process(self, record):
            number = self.context.side_effect(ask, "/price/" + record.value["city"])
            try:
                self.context.side_effect(ask, "/fail")
            except SideEffectFailed as error:
                failed = str(error)
            again = self.context.side_effect(ask, "/price/" + record.value["city"])
            MORE
            self.context.forward(record.with_value([number, failed, again]))
"""
ALONE = ("calls.result>asking.stream", "asking.result>asked.stream")
"""The code runs where the source is read, without state."""
LATER = ("by-city.result>asking.stream", "asking.result>asked.stream")
"""The code runs behind a shuffle."""


def draw(url: str, edges: tuple[str, ...], more: str = "pass", **configs: Any) -> Graph:
    """The topology of the changes, with code that asks a server."""
    code = textwrap.dedent(CODE).replace("URL", url).replace("MORE", more)
    config: dict[str, Any] = {"code": code, "value_type": {"kind": "any"}, "value_format": "json"}
    new: dict[str, tuple[str, dict[str, Any]]] = {"asking": ("process", config), "asked": ("to", {"topic": "asked"})}
    if edges == ALONE:
        new["calls"] = ("stream", NODES["orders"][1] | {"topic": "calls"})
    if edges == LATER:
        config["stores"] = [{"name": "asked", "key_format": "string"}]
        config["key_type"] = {"kind": "string"}
    return change(*edges, new=new, **configs)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[CountingServer]:
    monkeypatch.setattr(user_code, "_is_trusted", True)
    with answering() as found:
        yield found


@pytest.fixture(params=[ALONE, LATER], ids=["first stage", "behind a shuffle"])
def edges(request: pytest.FixtureRequest) -> tuple[str, ...]:
    found: tuple[str, ...] = request.param
    return found


@pytest.fixture
def job(server: CountingServer, edges: tuple[str, ...], tmp_path: Path) -> Iterator[Job]:
    """Three batches, in which the code has asked."""
    made = Job(make(draw(server.url, edges), tmp_path / "job"))
    for number in range(3):
        orders = [(f"c{each}", {"id": f"{number}-{each}", "city": "Rome", "amount": 20.0}) for each in range(3)]
        made.run(orders=orders, **({"calls": orders} if edges == ALONE else {}))
    assert len(server.asked) == 3 * 3 * 3
    depths = {call["depth"] for call in made.results[-1].counters if "answers" in call}
    assert depths == ({0} if edges == ALONE else {1})
    server.asked.clear()
    yield made
    forget()
    made.close()


def test_a_replay_takes_the_recorded_answers_and_asks_nobody(job: Job, server: CountingServer, tmp_path: Path) -> None:
    forget()
    again = Replay(job.program, tmp_path / "again")
    again.begin(KeptState(job.program, job.batches[1].time).rows())
    found = [again.run(each).checksum() for each in job.batches[1:]]
    again.close()

    assert (found, server.asked, dict(again.not_recorded)) == (job.checksums[1:], [], {})


def test_a_failure_is_an_answer_too(job: Job) -> None:
    values = [value for written in job.written for _, value, _ in written if value and b"HTTPError" in value]

    assert len(values) == 9
    assert all(b"HTTPError: HTTP Error 503: Service Unavailable" in value for value in values)


def test_without_the_answers_nobody_is_asked_and_the_replay_says_so(
    job: Job, server: CountingServer, tmp_path: Path
) -> None:
    forget()
    again = Replay(job.program, tmp_path / "again")
    again.begin(KeptState(job.program, job.batches[0].time).rows())
    results = again.run(job.batches[0]._replace(answers=()))
    again.close()

    assert (dict(again.not_recorded), server.asked) == ({"asking": 3}, [])
    assert results.checksum() != job.checksums[0]


def test_the_past_and_a_followed_record_take_the_recorded_answers(
    job: Job, server: CountingServer, edges: tuple[str, ...]
) -> None:
    forget()
    again = PastReplay(job.program, job.batches[1].time, lambda *record: None)
    found = [again.run(batch).checksum() for batch in job.batches[1:]]
    again.close()
    activity = look_at(job.program, job.batches[1], "asking", "result")
    follower = BatchFollower(job.program, job.batches[2])
    _, left = follower.run(Origin("calls" if edges == ALONE else "orders", 0, 7))
    follower.close()

    assert (found, server.asked) == (job.checksums[1:], [])
    assert (activity["nodes"]["asking"]["out"], activity["nodes"]["asking"]["errors"]) == (3, 0)
    assert len([row for topic, row in left if topic == "asked"]) == 3


def prove(job: Job, new: Program, folder: Path) -> ComparedBatches:
    forget()
    stores = [store.name for store in job.program.layout.stores]
    proof = Proof(job.program, new, stores, folder)
    proof.begin(KeptState(job.program, job.batches[1].time))
    for number, inputs in enumerate(job.batches[1:], 1):
        proof.run(Manifest(number, inputs.time, None, {}, {"checksum": job.checksums[number]}), inputs)
    report = proof.report()
    proof.close()
    forget()
    return report


def test_a_proof_compares_over_the_same_answers(
    job: Job, server: CountingServer, edges: tuple[str, ...], tmp_path: Path
) -> None:
    same = prove(job, make(draw(server.url, edges), tmp_path / "same"), tmp_path / "proof")
    priced = {"fields": [{"name": "total", "expression": "amount * 2.0"}]}
    other = prove(job, make(draw(server.url, edges, priced=priced), tmp_path / "other"), tmp_path / "proof")

    assert (same["equal"], same["noise"], same["not_recorded"]) == (True, [], {})
    assert same["repeated"] == {"batches": 2, "same": 2, "twice": 2}
    assert (other["equal"], other["first_node"]) == (False, "priced")
    assert other["topics"]["asked"]["differing_keys"] == 0
    assert server.asked == []


@pytest.mark.parametrize(
    "more",
    [
        'self.context.side_effect(ask, "/more")',
        'self.context.side_effect(ask, "/price/" + record.value["city"])',
        "exec(\"try: self.context.side_effect(ask, '/more')\\nexcept Exception: pass\")",
    ],
    ids=["another question", "once more", "the code goes on"],
)
def test_a_version_that_asks_more_is_not_called_equal(
    job: Job, server: CountingServer, edges: tuple[str, ...], more: str, tmp_path: Path
) -> None:
    report = prove(job, make(draw(server.url, edges, more), tmp_path / "more"), tmp_path / "proof")

    assert (report["equal"], report["not_recorded"]) == (False, {"asking": {"old": 0, "new": 6}})
    assert report["sentence"] == "Not comparable: `asking` asked other servers for what was not recorded."
    assert server.asked == []


def test_a_batch_that_is_not_of_the_past_may_ask(job: Job, server: CountingServer, tmp_path: Path) -> None:
    forget()
    again = Replay(job.program, tmp_path / "again")
    again.begin(KeptState(job.program, job.batches[0].time).rows())
    again.run(BatchInputs(job.batches[0].time, job.batches[0].arrivals, answers=None))
    again.close()

    assert len(server.asked) == 9
