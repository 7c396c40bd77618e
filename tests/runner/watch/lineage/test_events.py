"""Runs as OpenLineage events, as a collector receives them over HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.utils import timezone

from designer.projects.services import create_version, save_draft
from runner.control.jobs.models import Job, Run
from runner.control.jobs.statuses import Status, Step, make_step
from runner.demo.samples import FLIGHT_DELAYS, get_sample
from runner.watch.lineage.tasks import send
from webapp.accounts.models import User

Event = dict[str, Any]


class Collector:
    """A server that keeps the events it gets. While it `refuses`, it takes none, and never those of type `rejects`."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.refuses = False
        self.rejects = ""
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status = 503 if collector.refuses else 400 if event["eventType"] == collector.rejects else 201
                if status == 201:
                    collector.events.append(event)
                self.send_response(status)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Writes no line for each request."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Collector]:
    collector = Collector()
    threading.Thread(target=collector.server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENLINEAGE_URL", collector.url)
    settings.OPENLINEAGE = True
    yield collector
    collector.server.shutdown()
    collector.server.server_close()


@pytest.fixture
def run(job: Job, user: User, run_of: Callable[..., Run]) -> Run:
    """A working run of the sample."""
    draft = job.topology.draft
    save_draft(topology=job.topology, graph=get_sample(FLIGHT_DELAYS)["graph"], revision=draft.revision, by=user)
    job.topology.refresh_from_db()
    job.version = create_version(topology=job.topology, by=user)
    job.save()
    run = run_of()
    run.status, run.steps, run.started_at = Status.RUNNING, [make_step(Step.RUNNING, 1)], timezone.now()
    run.save()
    return run


def end(run: Run, status: Status, **more: Any) -> None:
    Run.objects.filter(id=run.id).update(status=status, ended_at=timezone.now(), **more)


def test_a_run_is_told_once_with_its_topics_and_where_each_column_comes_from(collector: Collector, run: Run) -> None:
    send()
    send()

    [event] = collector.events
    assert (event["eventType"], event["job"]["name"]) == ("START", run.job.name)
    assert sorted(each["name"] for each in event["inputs"]) == ["airlines", "flights", "planes"]
    outputs = {each["name"]: each["facets"] for each in event["outputs"]}
    lineage = outputs["delays-by-airport"]["columnLineage"]
    [column] = lineage["fields"]["value.average_delay"]["inputFields"]
    assert column["namespace"].startswith("kafka://")
    assert (column["name"], column["field"]) == ("flights", "value.dep_delay")
    assert column["transformations"][0] | {"type": "DIRECT", "subtype": "AGGREGATION"} == column["transformations"][0]
    assert {"GROUP_BY", "FILTER", "JOIN"} <= {each["transformations"][0]["subtype"] for each in lineage["dataset"]}
    schema = outputs["late-flights"]["schema"]["fields"]
    assert "airline" in [each["name"] for each in schema[1]["fields"]]


@pytest.mark.parametrize(
    ("status", "more", "state"),
    [
        (Status.STOPPED, {}, "COMPLETE"),
        (Status.FAILED, {"failure": {"message": "A disk is full."}}, "FAIL"),
        (Status.FAILED, {"kill_asked": True}, "ABORT"),
    ],
)
def test_the_end_of_a_run_has_the_id_of_its_start(
    collector: Collector, run: Run, status: Status, more: dict[str, Any], state: str
) -> None:
    send()
    end(run, status, **more)
    send()

    start, ended = collector.events
    assert (ended["eventType"], ended["run"]["runId"]) == (state, start["run"]["runId"])
    if state == "FAIL":
        assert ended["run"]["facets"]["errorMessage"]["message"] == "A disk is full."


def test_a_collector_that_was_away_gets_everything_later(collector: Collector, run: Run) -> None:
    collector.refuses = True
    send()
    end(run, Status.STOPPED)
    send()
    assert collector.events == []

    collector.refuses = False
    send()

    assert [each["eventType"] for each in collector.events] == ["START", "COMPLETE"]


def test_an_event_that_the_collector_never_takes_does_not_hold_back_those_of_other_runs(
    collector: Collector, run: Run, run_of: Callable[..., Run]
) -> None:
    send()
    end(run, Status.FAILED)
    following = run_of()
    Run.objects.filter(id=following.id).update(
        status=Status.RUNNING, steps=[make_step(Step.RUNNING, 1)], started_at=timezone.now()
    )

    collector.rejects = "FAIL"
    send()
    assert [each["eventType"] for each in collector.events] == ["START", "START"]

    collector.rejects = ""
    send()
    assert [each["eventType"] for each in collector.events] == ["START", "START", "FAIL"]


def test_nothing_is_sent_unless_a_collector_is_named(collector: Collector, run: Run, settings: Any) -> None:
    settings.OPENLINEAGE = False
    send()

    assert collector.events == []
