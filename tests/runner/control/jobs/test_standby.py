"""A supervisor started ahead: taken by the next run, gone with an agent that has no use for it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from runner.control.hosts.standby import _make_own_folder
from runner.control.jobs.models import Run
from runner.control.processes import read_boot_id

from .conftest import CHILD, AgentProcess, Stage, an_agent, children_alive, eventually, niceness


@pytest.fixture
def agent(environment: dict[str, str]) -> Iterator[AgentProcess]:
    yield from an_agent(environment | {"CHILD_COMMAND": CHILD, "STREAMWRIGHT_STANDBY": "1"})


def standby() -> int | None:
    """The pid of a child that waits for a plan or has got one; the newest."""
    found = sorted(Path(settings.HOME, "standby").glob("*/pid"), key=lambda path: path.stat().st_mtime)
    written = [pid for path in found if (pid := path.read_text())]
    alive = [pid for pid in written if Path(f"/proc/{pid}").exists()]
    return int(alive[-1]) if alive else None


def ready() -> int:
    pid: int = eventually(standby, "a standby")
    return pid


def test_a_run_takes_the_child_that_was_started_ahead_and_outlives_its_agent_as_the_next_one_does_not(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    pid = ready()
    eventually(lambda: niceness(pid) in ("15", None), "a standby that steps back")

    stage.deploy(stage.topology())
    reconcile(stage)
    stage.await_status("running")

    (started,) = stage.notes("started")
    assert started["pid"] == stage.run().child_pid == pid
    eventually(lambda: niceness(pid) in ("10", None), "a run that goes before a standby")
    assert not {name for name in started["environment"] if "SECRET" in name or "DATABASE" in name or "REDIS" in name}
    assert (settings.HOME / "logs" / f"run-{stage.run().id}.log").exists()
    unused = eventually(lambda: standby() != pid and standby(), "the next standby")

    agent.kill()

    eventually(lambda: not Path(f"/proc/{unused}").exists(), "the end of the unused one")
    batch = stage.run().last_batch or 0
    eventually(lambda: (stage.run().last_batch or 0) > batch + 20, "batches going on")
    assert children_alive(stage) == [pid]
    agent.start()
    stage.client.post(f"/api/jobs/{stage.job().id}/stop")
    stage.await_status("stopped")


@pytest.mark.soak
def test_a_plan_of_another_size_starts_cold_and_an_agent_that_leaves_ends_its_standby(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    pid = ready()

    stage.deploy(stage.topology(), settings={"memory_mb": 1_024})
    reconcile(stage)
    stage.await_status("running")

    (started,) = stage.notes("started")
    assert started["pid"] != pid
    assert Run.objects.get().child_pid == started["pid"]
    assert not Path(f"/proc/{pid}").exists()
    pid = ready()

    agent.leave()

    assert not Path(f"/proc/{pid}").exists()
    assert not list(Path(settings.HOME, "standby").iterdir())


def test_a_standby_removes_the_folders_of_dead_ones_and_leaves_others(settings: Any, tmp_path: Path) -> None:
    settings.HOME, folder = tmp_path, tmp_path / "standby"
    for name in ("lost+found", f"{read_boot_id()}_1073741824_1"):
        (folder / name).mkdir(parents=True)

    own = _make_own_folder()

    assert {path.name for path in folder.iterdir()} == {"lost+found", own.name}
