"""Ending a process ends what it started, in either order."""

import subprocess
import sys

import psutil
import pytest

from runner.control.processes import HostProcess, process, read_boot_id

LEADER = (
    "import subprocess; print(subprocess.Popen(['sleep', '60'], stdout=subprocess.DEVNULL).pid, flush=True); input()"
)


@pytest.fixture
def leader():
    """A process that leads a group with another one in it."""
    with subprocess.Popen(
        [sys.executable, "-c", LEADER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as found:
        yield found
        found.kill()


def started_by(leader: "subprocess.Popen[str]") -> psutil.Process:
    assert leader.stdout is not None
    return psutil.Process(int(leader.stdout.readline()))


def is_over(found: psutil.Process) -> bool:
    return not found.is_running() or found.status() == psutil.STATUS_ZOMBIE


def test_killing_a_process_ends_what_it_started(leader):
    below, meant = started_by(leader), process(leader.pid)

    meant.kill()

    assert is_over(below)
    assert not meant.is_alive()


def test_what_a_dead_process_left_behind_is_ended_too(leader):
    below, meant = started_by(leader), process(leader.pid)
    leader.kill()
    leader.wait()

    meant.kill()

    assert is_over(below)


def test_a_number_that_belongs_to_another_process_by_now_is_left_alone(leader):
    below = started_by(leader)

    HostProcess(read_boot_id(), leader.pid, start_ticks=1).kill()

    assert not is_over(below)
