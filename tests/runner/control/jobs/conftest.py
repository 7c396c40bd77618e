"""Jobs on real Postgres, Redis and Kafka; the process that would be Spark is a small child speaking its protocol."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db.models.functions import Now
from django.test import Client

from designer.projects.models import Topology
from designer.projects.services import create_topology, create_version, save_draft
from runner.control.jobs import hosts
from runner.control.jobs.models import AgentHost, Job, Run
from runner.control.jobs.reconciling import reconcile_job
from runner.control.processes import read_boot_id
from runner.kafka import KafkaCluster, KafkaUnreachable
from tests.patience import PATIENCE_SECONDS
from tests.people import person
from webapp.accounts.models import User

ORDER = {"kind": "struct", "fields": [{"name": "id", "type": {"kind": "integer"}}]}
MAX_LOOKS = 20
CHILD = shlex.join([sys.executable, str(Path(__file__).with_name("child.py"))])


def list_ways(preview: dict[str, Any]) -> list[str]:
    """The values of `on_state` that a preview offers, in its order."""
    return [way["on_state"] for way in preview["choices"]]


def get_help(preview: dict[str, Any], on_state: str) -> str:
    """What a preview says of one of them."""
    return next(str(way["help"]) for way in preview["choices"] if way["on_state"] == on_state)


def node(node_id: str, operator: str, **config: Any) -> dict[str, Any]:
    return {"id": node_id, "operator": operator, "config": config, "position": {"x": 0, "y": 0}}


def edge(source: str, target: str, port: str = "stream", source_port: str = "result") -> dict[str, Any]:
    return {"source": source, "source_port": source_port, "target": target, "target_port": port}


def eventually(true: Callable[[], Any], what: str) -> Any:
    """The first truthy answer; fails saying what was waited for."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (answer := true()):
        assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS:.0f} s in vain: {what}"
        time.sleep(0.05)
    return answer


def niceness(pid: int | None) -> str | None:
    """What the kernel notes of the session `pid` leads; None if it does not share out by sessions."""
    session = Path(f"/proc/{pid}/autogroup")
    return session.read_text().split()[-1] if session.exists() else None


@dataclass
class Stage:
    """A topology over topics of its own, and the means to deploy it and to see what its child does."""

    name: str
    client: Client
    user: User
    cluster: KafkaCluster

    @property
    def orders(self) -> str:
        return f"{self.name}-orders"

    def counting(self, **changed: Any) -> dict[str, Any]:
        """orders → group by key → count → counts."""
        config = {"topic": self.orders, "key_type": {"kind": "string"}, "value_type": ORDER} | changed
        return {
            "nodes": [
                node("orders", "stream", **config),
                node("grouped", "group_by_key"),
                node("counted", "count"),
                node("updates", "to_stream"),
                node("counts", "to", topic=f"{self.name}-counts"),
            ],
            "edges": [
                edge("orders", "grouped"),
                edge("grouped", "counted", "grouped"),
                edge("counted", "updates", "table"),
                edge("updates", "counts"),
            ],
        }

    def topology(self, graph: dict[str, Any] | None = None) -> Topology:
        return create_topology(name=self.name, by=self.user, graph=graph or self.counting())

    def redraw(self, topology: Topology, graph: dict[str, Any]) -> Topology:
        topology.refresh_from_db()
        save_draft(topology=topology, graph=graph, revision=topology.draft.revision, by=self.user)
        return Topology.objects.get(id=topology.id)

    def deploy(self, topology: Topology, expect: int = 202, **wanted: Any) -> dict[str, Any]:
        create_version(topology=topology, by=self.user)
        answer = self.client.post("/api/jobs/deploy", {"topology": topology.id, **wanted}, "application/json")
        assert answer.status_code == expect, answer.content
        found: dict[str, Any] = answer.json()
        return found

    def job(self) -> Job:
        return Job.objects.get(name=self.name)

    def behave(self, how: str) -> None:
        (settings.HOME / f"behaviour-{self.name}").write_text(how)

    def notes(self, said: str) -> list[dict[str, Any]]:
        """What the children of this job recorded of that kind."""
        path = settings.HOME / f"child-{self.name}.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        return [note for note in map(json.loads, lines) if note["said"] == said]

    def status(self) -> str:
        found: str = self.client.get(f"/api/jobs/{self.job().id}").json()["status"]
        return found

    def await_status(self, status: str) -> Job:
        eventually(lambda: self.status() == status, f"status {status}, it is {self.status()}")
        return self.job()

    def run(self) -> Run:
        run = self.job().find_last_run()
        assert run is not None
        return run


@pytest.fixture
def user(transactional_db: None) -> User:
    return person("ada")


@pytest.fixture
def stage(user: User, redis_url: str, kafka_servers: str) -> Stage:
    client = Client()
    client.force_login(user)
    stage = Stage(f"job-{uuid4().hex[:8]}", client, user, KafkaCluster(kafka_servers))
    stage.cluster.create(stage.orders, 2)
    stage.behave("run")
    return stage


@pytest.fixture
def host(transactional_db: None) -> str:
    """A machine with a live agent, as far as others can tell. It beats once, and a test may take long."""
    hosts.note_beat("elsewhere", read_boot_id())
    AgentHost.objects.filter(name="elsewhere").update(beat_at=Now() + timedelta(hours=1))
    return "elsewhere"


class AgentProcess:
    """A real `manage.py agent`."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = {"STREAMWRIGHT_STANDBY": "0"} | environment | {"STREAMWRIGHT_HOST": "here"}
        self.start()

    def start(self) -> None:
        log = (settings.HOME / "agent.log").open("ab")
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "agent"]
        self.process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, cwd=settings.BASE_DIR)
        log.close()
        eventually(lambda: hosts.is_alive("here"), "the agent's first beat")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def leave(self) -> None:
        """Ask it to go; returns when it is gone."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_SECONDS)


@pytest.fixture
def agent(environment: dict[str, str]) -> Iterator[AgentProcess]:
    yield from an_agent(environment | {"CHILD_COMMAND": CHILD})


@pytest.fixture
def spark_agent(environment: dict[str, str]) -> Iterator[AgentProcess]:
    """An agent whose runs are real ones."""
    yield from an_agent(environment | {"STREAMWRIGHT_JARS": str(settings.BASE_DIR / ".run" / "jars" / "spark")})


def an_agent(environment: dict[str, str]) -> Iterator[AgentProcess]:
    agent = AgentProcess(environment)
    yield agent
    try:
        if agent.process.poll() is None:
            agent.leave()
    finally:  # one that does not end in time would take the runs of later tests
        agent.kill()
    for run in Run.objects.all():
        run.kill()


@pytest.fixture
def reconcile(kafka_servers: str) -> Callable[[Stage], None]:
    """What a Celery worker does with the message of a deploy, and again with beat's where the tests' Kafka is slow."""

    def _is_waiting(job: Job) -> bool:
        problem = job.problem or {}
        return problem.get("code") == KafkaUnreachable.code and kafka_servers in problem["message"]

    def _reconcile(stage: Stage) -> None:
        for _ in range(MAX_LOOKS):
            reconcile_job(stage.job().id)
            if not _is_waiting(stage.job()):
                return

    return _reconcile


def children_alive(stage: Stage) -> list[int]:
    pids = {note["pid"] for note in stage.notes("started")}
    return [
        pid for pid in pids if os.path.exists(f"/proc/{pid}") and "child.py" in Path(f"/proc/{pid}/cmdline").read_text()
    ]
