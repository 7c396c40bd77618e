"""A job whose Python asks another server: its batches are replayed, proved and corrected without asking again."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from designer.projects.models import Topology
from designer.projects.services import create_topology, save_draft
from designer.refusals import Conflict
from runner.engine.code import user_code
from runner.kafka import KafkaCluster
from runner.watch.proving import services
from runner.watch.proving.preparing import prepare
from tests.answering import CountingServer, answering
from tests.runner.watch.proving.test_prove import ORDER, Runner, command, make_runner
from webapp.accounts.models import User

ASKING = """
    from urllib.request import urlopen

    def ask(path):
        with urlopen("URL" + path) as answer:
            return int(answer.read())

    class Asking(Processor):
        def process(self, record):
            self.context.forward(record.with_value(QUESTION))
"""
RECORDED = "self.context.side_effect(ask, f\"/{record.value['amount']}\")"


def draw(topic: str, url: str, question: str = RECORDED) -> dict[str, Any]:
    """orders → Python that asks → a topic."""
    source = {"topic": topic, "key_format": "string", "value_format": "json", "value_type": ORDER}
    code = textwrap.dedent(ASKING).replace("URL", url).replace("QUESTION", question)
    nodes = {
        "orders": ("stream", source),
        "asking": ("process_values", {"code": code}),
        "results": ("to", {"topic": f"{topic}-sums"}),
    }
    pairs = (("orders", "asking"), ("asking", "results"))
    return {
        "nodes": [{"id": name, "operator": kind, "config": config} for name, (kind, config) in nodes.items()],
        "edges": [
            {"source": source, "source_port": "result", "target": target, "target_port": "stream"}
            for source, target in pairs
        ],
    }


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[CountingServer]:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    monkeypatch.setattr(user_code, "_is_trusted", True)
    with answering() as found:
        yield found


@pytest.fixture
def coder(user: User) -> User:
    call_command("allow_code", user.get_username())
    return User.objects.get(pk=user.pk)


@pytest.fixture
def topology(coder: User, topic: str, cluster: KafkaCluster, server: CountingServer) -> Topology:
    for name in (topic, f"{topic}-sums"):
        cluster.create(name, 1, {"retention.ms": "-1"})
    return create_topology(name=f"Asking about {topic}", by=coder, graph=draw(topic, server.url))


@pytest.fixture
def runner(
    coder: User, topology: Topology, topic: str, cluster: KafkaCluster, server: CountingServer, tmp_path: Path
) -> Iterator[Runner]:
    """A job whose run has done three batches."""
    made = make_runner(Runner, coder, topology, topic, cluster, tmp_path)
    for number, amounts in enumerate(({"ann": 5}, {"ann": 1, "bob": 20}, {"ann": 2})):
        made.run(number, amounts)
    assert len(server.asked) == 4
    server.asked.clear()
    yield made
    made.worker.close()


def redraw(topology: Topology, by: User, server: CountingServer, topic: str, question: str) -> None:
    topology.refresh_from_db()
    save_draft(topology=topology, graph=draw(topic, server.url, question), revision=topology.draft.revision, by=by)
    topology.refresh_from_db()


def test_a_replay_and_a_proof_ask_nobody(
    runner: Runner, topology: Topology, server: CountingServer, coder: User, topic: str
) -> None:
    replayed = command("replay", runner.job.name)
    same = command("prove", topology.slug)
    redraw(topology, coder, server, topic, f"[{RECORDED}]")
    other = json.loads(command("prove", topology.slug, "--json")[1])

    assert replayed == (0, "The same bytes again in 3 batches, others in 0.\n")
    assert (same[0], same[1].splitlines()[0]) == (0, "Equal: all results of 4 records in 3 batches are the same.")
    assert (other["equal"], other["first_node"], other["limits"], other["not_recorded"]) == (False, "asking", [], {})
    assert server.asked == []


def test_a_version_that_asks_for_more_is_neither_equal_nor_corrects(
    runner: Runner, topology: Topology, server: CountingServer, coder: User, topic: str
) -> None:
    redraw(topology, coder, server, topic, RECORDED.replace('f"/', 'f"/new/'))

    status, said = command("prove", topology.slug)
    with pytest.raises(Conflict) as refused:
        prepare(job=runner.job, origin=topology.draft, by=coder, first_batch=1, topic="")
    rebuilt = services.prove(job=runner.job, origin=topology.draft, by=coder, minutes=0, is_rebuilt=True, keep=print)

    assert (status, said.splitlines()[0]) == (
        1, "Not comparable: `asking` asked other servers for what was not recorded."
    )  # fmt: skip
    assert (
        "Note: `asking` asked other servers for what was not recorded, 4 times in the new version. A proof calls no "
        "server: these records failed in it." in said
    )
    assert "the right results are not known" in refused.value.message
    assert rebuilt["limits"][0] == (
        "The rebuilt state lacks what other servers would answer, so it cannot be taken along."
    )
    assert server.asked == []


def test_a_replay_without_kept_answers_says_so(runner: Runner, server: CountingServer) -> None:
    runner.answers.file.unlink()

    status, said = command("replay", runner.job.name)

    assert (status, said.splitlines()[-1]) == (
        1, "`asking` asked other servers for what was not recorded, 4 times. None was called."
    )  # fmt: skip
    assert server.asked == []


def test_a_node_that_asks_without_recording_is_named(
    runner: Runner, topology: Topology, server: CountingServer, coder: User, topic: str
) -> None:
    redraw(topology, coder, server, topic, "ask('/')")

    said = command("prove", topology.slug)[1]

    assert (
        "Note: `asking` imports urllib.request and does not record what other servers answer. The proof asked them "
        "again, and they may have answered otherwise." in said
    )
    assert server.asked == ["/"] * 4
