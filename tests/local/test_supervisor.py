"""Processes are kept running, and none is left."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from tests.patience import wait_until
from webapp.local.ledger import Ledger
from webapp.local.process import ChildProcess, read_start_ticks
from webapp.local.service import Service
from webapp.local.supervisor import Supervisor

pytestmark = pytest.mark.services
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"
PARENT = "import subprocess, sys, time; subprocess.Popen(['sleep', '60']); print('up', flush=True); time.sleep(60)"


def wait_for_word(word: str, log: Path) -> None:
    wait_until(lambda: word in log.read_text())


def python(name: str, code: str, home: Path) -> Service:
    return Service(name, [sys.executable, "-c", code], home, os.environ)


@pytest.fixture
def supervisor(tmp_path: Path):
    supervised = Supervisor(tmp_path, lambda text: None)
    watching = threading.Thread(target=supervised.watch)
    watching.start()
    yield supervised
    supervised.stopping.set()
    watching.join()
    supervised.stop()


def test_a_killed_service_is_started_again(supervisor: Supervisor, tmp_path: Path):
    service = python("web", "import time; time.sleep(60)", tmp_path)
    supervisor.start(service)
    assert service.child
    first = service.child.pid

    os.kill(first, signal.SIGKILL)

    wait_until(lambda: service.is_ready() and service.child is not None and service.child.pid != first)


def test_a_service_that_cannot_be_started_is_tried_until_it_can(tmp_path: Path):
    said: list[str] = []
    supervised = Supervisor(tmp_path, said.append)
    watching = threading.Thread(target=supervised.watch)
    watching.start()
    service = python("web", "import time; time.sleep(60)", tmp_path)
    supervised.start(service)
    assert service.child
    logs = service.child.log.parent

    # as on a full disk, no file can be made
    logs.rename(tmp_path / "kept")
    logs.write_text("")
    os.kill(service.child.pid, signal.SIGKILL)
    wait_until(lambda: any("web cannot start, and is tried again in" in text for text in said))
    logs.unlink()

    wait_until(service.is_ready)
    supervised.stopping.set()
    watching.join()
    supervised.stop()


def test_a_service_that_runs_once_is_left_finished(supervisor: Supervisor, tmp_path: Path):
    service = Service("deploy-sample", [sys.executable, "-c", ""], tmp_path, os.environ, once=True)

    supervisor.start(service)

    wait_until(lambda: supervisor.states[0].is_finished)


def test_a_stubborn_process_and_grandchildren_are_gone_after_stop(tmp_path: Path):
    supervised = Supervisor(tmp_path, lambda text: None)
    services = [python("kafka", STUBBORN, tmp_path), python("web", PARENT, tmp_path)]
    for service in services:
        supervised.start(service)
        assert service.child
        wait_for_word("up", service.child.log)
    below = psutil.Process(services[1].child.pid).children() if services[1].child else []

    supervised.stop()

    assert below
    assert not any(process.is_running() and process.status() != "zombie" for process in below)
    assert not any(service.is_ready() for service in services)


def test_what_a_killed_supervisor_left_is_stopped(tmp_path: Path):
    child = ChildProcess("web", ["sleep", "60"], tmp_path / "web.log")
    child.start()
    Ledger(tmp_path).note(child)

    left = Ledger(tmp_path).stop_leftovers()

    assert left == ["web"]
    wait_until(lambda: read_start_ticks(child.pid) is None)
    child.stop()


def test_a_pid_in_other_hands_is_left_alone(tmp_path: Path):
    stranger = subprocess.Popen(["sleep", "60"])
    ledger = Ledger(tmp_path)
    ledger.entries["web"] = {"pid": stranger.pid, "ticks": 1, "signal": int(signal.SIGTERM)}

    left = ledger.stop_leftovers()

    assert left == []
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


def test_a_leftover_that_ends_while_others_are_stopped_is_not_in_the_way(tmp_path: Path):
    ledger = Ledger(tmp_path)
    part = ChildProcess("kafka", ["sleep", "60"], tmp_path / "kafka.log")
    part.start()
    assert part.process
    threading.Thread(target=part.process.wait).start()  # so that its process id is gone, as after an earlier start
    ends_both = (
        f"import os, signal, sys; signal.signal(signal.SIGTERM, lambda *_: (os.kill({part.pid}, 9), os._exit(0))); "
        "print('up', flush=True); signal.pause()"
    )
    app = ChildProcess("web", [sys.executable, "-c", ends_both], tmp_path / "web.log")
    app.start()
    wait_for_word("up", app.log)
    for child in (app, part):
        ledger.note(child)

    assert Ledger(tmp_path).stop_leftovers() == ["web", "kafka"]
    assert read_start_ticks(app.pid) is None
