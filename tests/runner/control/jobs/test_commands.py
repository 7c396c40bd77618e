"""Jobs from the command line."""

import json
import re
import subprocess
import sys
import threading
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from designer.projects.cases import create_case
from designer.projects.services import export_topology
from runner.control.jobs.models import Job, JobEvent
from runner.control.jobs.runs import block
from runner.watch.live.events import make_progress_event
from runner.watch.live.numbers import Numbers
from runner.watch.live.outbox import LiveOutbox, LiveUpdate
from runner.watch.live.snapshot import read_clock

from .conftest import Stage, edge, node
from .test_state import batch_done, deployed, ended, summed


def say(*command: str, **options: Any) -> str:
    out = StringIO()
    call_command(*command, stdout=out, **options)
    return out.getvalue()


def test_describe_tells_what_would_run(stage: Stage) -> None:
    topology = stage.topology()

    said = say("describe", topology.slug)

    assert said.startswith("Topologies:\n   Sub-topology: 0\n")
    assert f"(topics: [{stage.orders}])" in said


def test_deploy_takes_a_slug_with_settings_and_records_who(stage: Stage) -> None:
    topology = stage.topology()

    said = say(
        "deploy",
        topology.slug,
        "--set",
        "batch_interval_ms=500",
        "--set",
        "cache=false",
        "--set",
        "guarantee=exactly_once_v2",
    )

    job = stage.job()
    assert said == f"Job {stage.name} will run version 1 of {stage.name}.\n"
    assert (job.settings["batch_interval_ms"], job.settings["cache"]) == (500, False)
    assert job.settings["guarantee"] == "exactly_once"
    assert JobEvent.objects.get(job=job).by == stage.user


def test_a_deploy_is_previewed_and_its_message_is_kept(stage: Stage) -> None:
    topology = stage.topology()

    first = say("deploy", topology.slug, "--preview")
    say("deploy", topology.slug, "--message", "Counts orders")
    again = say("deploy", topology.slug, "--preview")

    assert first.startswith(f"Job {stage.name} would be new.\nCreates topic ")
    assert Job.objects.get().version.note == "Counts orders"
    assert again.startswith(f"Job {stage.name} would change.\n")
    assert "\nChoice fresh_from_earliest: Read every topic again" in again


def test_a_preview_in_words_shows_all_that_the_dialog_shows(stage: Stage) -> None:
    shown = say("deploy", stage.topology().slug, "--preview", "--set", "batch_interval_ms=750")

    assert "\nHint for counted: The state keeps a row for each key, forever. Fine for" in shown
    assert re.search(rf"\nReplication:\n  topic .*\n  {stage.orders} +1 +Its records are lost if", shown)
    assert re.search(r"\n  batch_interval_ms +750\n", shown)
    assert "\nTopologies:\n   Sub-topology: 0\n" in shown


def test_a_preview_in_words_tells_the_stores_of_one_node_apart(stage: Stage) -> None:
    graph = stage.counting()
    next(each for each in graph["nodes"] if each["id"] == "counted")["config"] = {"store": "totals", "ttl_ms": 60_000}

    shown = say("deploy", stage.topology(graph).slug, "--preview")

    assert re.findall("^State of (.+): new", shown, re.MULTILINE) == ["counted (totals)", "counted (counted.by-time)"]


def test_an_earlier_version_is_deployed_again_with_the_answer_about_its_state(
    stage: Stage, host: str, reconcile: Any
) -> None:
    first = deployed(stage, reconcile)
    stage.deploy(stage.redraw(stage.job().topology, summed(stage)), on_state="fresh_from_now")
    reconcile(stage)
    batch_done(stage, stage.run().read_plan(), 1, [40, 20])
    ended(stage)

    shown = say("deploy", stage.name, "--version-number", "1", "--preview")
    with pytest.raises(CommandError, match="The state of `counted` cannot be kept by the new version"):
        say("deploy", stage.name, "--version-number", "1")
    said = say("deploy", stage.name, "--version-number", "1", "--on-state", "fresh_from_now")
    reconcile(stage)

    assert "State of counted: starts empty." in shown
    assert said == f"Job {stage.name} will run version 1 of {stage.name}.\n"
    assert stage.job().version.number == 1
    assert stage.run().read_plan().graph == first.graph
    assert stage.run().read_plan().topics[stage.orders].start == [40, 20]
    with pytest.raises(CommandError, match="has no version `7`"):
        say("deploy", stage.name, "--version-number", "7")


def test_a_version_that_no_longer_passes_the_check_is_refused_and_stops_nothing(
    stage: Stage, host: str, reconcile: Any
) -> None:
    deployed(stage, reconcile)
    stage.deploy(stage.redraw(stage.job().topology, summed(stage)), on_state="fresh_from_now")
    reconcile(stage)
    versions = stage.job().topology.versions.filter(number=1)
    graph = versions.get().graph
    graph["nodes"][1]["operator"] = "an-operator-of-another-time"
    versions.update(graph=graph)

    with pytest.raises(CommandError, match="an-operator-of-another-time"):
        say("deploy", stage.name, "--version-number", "1", "--on-state", "fresh_from_now")

    assert (stage.job().version.number, stage.run().stop_reason) == (2, "")


def test_deploy_takes_an_exported_file_and_a_second_time_its_changes(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "topology.json"
    topology = stage.topology()
    file.write_text(json.dumps(export_topology(topology=topology)))

    say("deploy", str(file))
    changed = export_topology(topology=topology) | {"graph": stage.counting(start="latest")}
    file.write_text(json.dumps(changed))
    say("deploy", str(file))

    assert Job.objects.get().version.number == 2


def test_deploy_takes_the_test_cases_of_a_file_and_leaves_others(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "topology.json"
    topology = stage.topology()
    create_case(topology=topology, name="others", records="", expected="")
    create_case(topology=topology, name="sums", records="", expected="")
    case = {"name": "sums", "records": [f'{{"topic": "{stage.orders}"}}'], "expected": []}
    file.write_text(json.dumps(export_topology(topology=topology) | {"cases": [case, case | {"name": "new"}]}))

    say("deploy", str(file))

    found = {each.name: each.records for each in topology.cases.all()}
    assert found == {"new": case["records"][0], "others": "", "sums": case["records"][0]}


def test_deploy_names_every_issue_with_its_node_and_field(stage: Stage) -> None:
    graph = stage.counting()
    graph["nodes"] += [node("kept", "filter", predicate="amount == 1"), node("rest", "to", topic="rest")]
    graph["edges"] += [edge("orders", "kept", "records"), edge("kept", "rest")]

    with pytest.raises(CommandError) as refused:
        say("deploy", stage.topology(graph).slug)

    first, issue = str(refused.value).splitlines()
    assert first == "The topology has issues:"
    assert issue.startswith("  kept, predicate: Use one `=` for equality")


def test_a_file_that_cannot_be_read_or_written_is_named(stage: Stage, tmp_path: Path) -> None:
    topology, folder = stage.topology(), tmp_path / "folder.json"
    folder.mkdir()
    java = tmp_path / "nowhere" / "project.zip"

    with pytest.raises(CommandError, match=f"{folder} cannot be read or written: Is a directory"):
        say("deploy", str(folder))
    with pytest.raises(CommandError, match=f"{java} cannot be read or written: No such file or directory"):
        say("export", topology.slug, "--java", str(java))


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["deploy", "nothing"], "There is no topology `nothing`"),
        (["deploy", "²"], "There is no topology `²`"),
        (["deploy", "missing.json"], "There is no file missing.json"),
        (["stop", "nothing"], "There is no job `nothing`. Jobs: none yet."),
        (["watch", "nothing"], "There is no job `nothing`"),
        (["status", "nothing"], "There is no job `nothing`"),
    ],
)
def test_what_is_not_there_is_said_in_one_sentence(stage: Stage, command: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        say(*command)


def test_a_malformed_file_is_said_in_one_sentence(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "topology.json"
    file.write_text('{"streamwright": 1, "graph": {"nodes": 7}}')

    with pytest.raises(CommandError, match="nodes"):
        say("deploy", str(file))


def test_stop_wants_the_job_stopped(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())

    assert say("stop", stage.name) == f"Job {stage.name} is stopped.\n"

    assert stage.job().desired == "stopped"


def test_status_and_watch_show_the_live_numbers(stage: Stage) -> None:
    stage.deploy(stage.topology())
    numbers = Numbers(["orders", "counted"], [stage.orders], read_clock())
    numbers.nodes["counted"]["in"] = 1_234
    box = LiveOutbox()
    box.post(LiveUpdate(stage.job().id, make_progress_event({}), numbers.to_json(read_clock())))
    box.close()

    table, nodes = say("status").splitlines(), say("status", stage.name)
    watched = say("watch", stage.name, seconds=1.0)

    assert table[0].split()[:3] == ["job", "status", "version"]
    assert table[1].split()[:3] == [stage.name, "starting", "1"]
    assert "1,234" in nodes
    assert "starting" in watched


def test_status_and_watch_say_why_a_job_fails_and_the_next_step(stage: Stage) -> None:
    stage.deploy(stage.topology())
    block(stage.job(), {"code": "x", "message": "The topic is gone.", "hint": "Make it again."})

    for said in (say("status"), say("status", stage.name), say("watch", stage.name, seconds=0.2)):
        assert "The topic is gone.\n  Make it again. Streamwright does not retry." in said


def test_the_sample_is_deployed_once_and_waits_for_the_topics_of_the_feed(stage: Stage) -> None:
    for topic in ("flights", "airlines"):
        stage.cluster.create(topic, 4 if topic == "flights" else 1)
    later = threading.Timer(1.5, stage.cluster.create, ("planes", 1))
    later.start()

    said = [say("deploy-sample") for _ in range(2)]

    assert said == ["Job flight-delays is deployed.\n", "Job flight-delays already exists.\n"]
    assert Job.objects.get().application_id == "flight-delays"


def test_a_deploy_without_redis_is_kept_for_the_next_beat(stage: Stage, environment: dict[str, str]) -> None:
    topology = stage.topology()
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "deploy", topology.slug]

    done = subprocess.run(
        command, env=environment | {"REDIS_URL": "redis://127.0.0.1:1/0"}, capture_output=True, timeout=60
    )

    assert done.returncode == 0
    assert stage.job().desired == "running"
    assert b"waits for the next beat" in done.stderr
