"""Commands from afar, over real HTTP: `streamwright --url … status`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from designer.projects.cases import create_case
from designer.projects.services import save_draft
from runner.control.clusters.cores import UI_PORT
from runner.control.clusters.models import SparkCluster
from runner.control.jobs.models import Job
from runner.control.jobs.runs import block
from webapp import remote
from webapp.accounts import tokens

from .conftest import Stage


@pytest.fixture
def token(stage: Stage) -> str:
    _, text = tokens.create(user=stage.user, name="laptop", days=1)
    return text


@pytest.fixture
def say(live_server: Any, token: str, capsys: pytest.CaptureFixture[str]) -> Any:
    """The exit code and what a command prints."""

    def said(*command: str, token: str = token) -> tuple[int, str]:
        capsys.readouterr()
        code = remote.main(["--url", live_server.url, *command], token)
        found = capsys.readouterr()
        return code, found.out + found.err

    return said


def test_a_topology_is_deployed_watched_and_stopped_from_afar(stage: Stage, say: Any) -> None:
    topology = stage.topology()

    code, preview = say("deploy", topology.slug, "--preview")
    assert (code, preview.splitlines()[0]) == (0, f"Job {stage.name} would be new.")
    assert say("deploy", topology.slug, "--message", "From afar") == (
        0,
        f"Job {stage.name} will run version 1 of {stage.name}.\n",
    )
    code, status = say("status")
    assert code == 0
    assert stage.name in status
    assert say("alerts") == (0, "No alert is firing.\n")
    assert say("why", stage.name, "counts") == (0, "The job is starting.\nWait until it runs.\n")
    code, watched = say("watch", stage.name, "--seconds", "0.1")
    assert (code, "starting" in watched) == (0, True)
    assert say("stop", stage.name) == (0, f"Job {stage.name} finishes its batch and stops.\n")
    assert stage.job().desired == "stopped"
    assert stage.job().version.note == "From afar"


def test_a_failure_is_told_from_afar_with_its_next_step(stage: Stage, say: Any) -> None:
    stage.deploy(stage.topology())
    block(stage.job(), {"code": "x", "message": "The topic is gone.", "hint": "Make it again."})

    for command in (["status"], ["watch", stage.name, "--seconds", "0.1"]):
        assert "The topic is gone.\n  Make it again. Streamwright does not retry." in say(*command)[1]


def test_an_earlier_version_is_deployed_from_afar(stage: Stage, say: Any) -> None:
    stage.deploy(stage.topology())
    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="latest")))

    assert say("deploy", stage.name, "--version-number", "1") == (
        0,
        f"Job {stage.name} will run version 1 of {stage.name}.\n",
    )
    assert stage.job().version.number == 1
    code, said = say("deploy", stage.name, "--version-number", "9", "--preview")
    assert (code, said) == (2, f"`{stage.name}` has no version `9`. Versions: 2, 1.\n")


def test_a_job_is_deployed_on_a_spark_cluster_from_afar(stage: Stage, say: Any, tmp_path: Path) -> None:
    SparkCluster.objects.create(
        name="blue", master="spark://127.0.0.1:7077", checkpoint_root=str(tmp_path), config={UI_PORT: "9"}
    )
    topology = stage.topology()

    code, preview = say("deploy", topology.slug, "--spark", "blue", "--preview")

    assert code == 0
    assert "The job takes 1 core of Spark cluster `blue`." in preview.splitlines()
    assert say("deploy", topology.slug, "--spark", "green")[1].startswith("There is no Spark cluster `green`.")
    assert say("deploy", topology.slug, "--spark", "blue")[0] == 0
    assert str(stage.job().spark) == "blue"


def test_a_job_is_deployed_from_afar_under_a_name_and_with_settings(stage: Stage, say: Any) -> None:
    topology = stage.topology()

    code, said = say("deploy", topology.slug, "--name", "nightly", "--set", "batch_interval_ms=750")

    assert (code, said) == (0, f"Job nightly will run version 1 of {stage.name}.\n")
    assert Job.objects.get(name="nightly").settings["batch_interval_ms"] == 750


def test_versions_are_described_compared_and_tried_from_afar(stage: Stage, say: Any) -> None:
    topology = stage.topology()
    say("deploy", topology.slug)
    save_draft(topology=topology, graph=stage.counting(start="latest"), revision=topology.draft.revision, by=stage.user)
    create_case(topology=topology, name="nothing", records="", expected='{"topic": "x"}', by=stage.user)

    assert say("describe", topology.slug)[1].startswith("Topologies:\n")
    assert '+   start: "latest"' in say("diff", topology.slug, "1")[1]
    assert say("diff", topology.slug, "1", "1") == (0, "")
    code, tried = say("try", topology.slug)
    assert (code, tried.splitlines()[-1]) == (1, "0 passed, 1 failed")


def test_what_is_wrong_is_one_sentence_with_the_next_step(stage: Stage, say: Any, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("sw_another")

    assert say("status", "nothing") == (2, "There is no job `nothing`. Known: none yet.\n")
    assert say("status", token="")[1].startswith("No token is set. Make one on the page Tokens")
    assert remote.main(["--url", "http://127.0.0.1:9", "status"], "sw_x") == 2
    assert remote.main(["--url", "ftp://x", "status"], "sw_x") == 2
    assert say("--token-file", str(file), "status") == (
        2,
        "This token is unknown, expired or deleted. Make a new one on the page Tokens.\n",
    )
