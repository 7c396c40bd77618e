"""`make run`, for real: everything comes up, opens signed in, stops without a trace, and comes back."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from tests.patience import PATIENCE_SECONDS
from webapp.local.environment import ADDRESSES
from webapp.local.parts import JARS
from webapp.local.supervisor import MARK

pytestmark = pytest.mark.proof
ROOT = Path(__file__).parents[2]


class MakeRun:
    """A `manage.py up` in its own folder."""

    def __init__(self, home: Path, **env: str) -> None:
        self.home = home
        clean = {name: value for name, value in os.environ.items() if name not in ADDRESSES}
        home.mkdir(exist_ok=True)
        if not (home / "jars").exists():
            (home / "jars").symlink_to(JARS.parent)
        self.output = home / "output"
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=ROOT,
                env={**clean, "STREAMWRIGHT_HOME": str(home), "SECRET_KEY_FILE": str(home / "secret-key"), **env},
                stdout=output,
                stderr=output,
            )

    def address(self) -> str:
        """Waits for the printed address."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := re.search(r"Open (http\S+)", self.output.read_text())):
            assert self.process.poll() is None, self.output.read_text()
            assert time.monotonic() < deadline, self.output.read_text()
            time.sleep(0.1)
        return found[1]

    def end(self, how: signal.Signals) -> None:
        """Sends a signal; returns when the process is gone."""
        self.process.send_signal(how)
        self.process.wait(PATIENCE_SECONDS)

    def left(self) -> list[psutil.Process]:
        """Processes that carry this run's mark."""
        return [process for process in psutil.process_iter() if marked(process, self.home)]


def end_web(run: MakeRun) -> None:
    """Kills the web server, which is started again."""
    (web,) = (process for process in run.left() if "uvicorn" in process.cmdline())
    web.kill()
    web.wait()


def open_to_others(home: Path) -> list[Path]:
    """What another user could read below the home folder; the test's own output aside."""
    inside = (path for path in home.rglob("*") if not path.is_symlink() and path.name != "output")
    return [path for path in inside if path.exists() and path.stat().st_mode & 0o077]


def marked(process: psutil.Process, home: Path) -> bool:
    try:
        return process.environ().get(MARK) == str(home.resolve())
    except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
        return False


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "home"
    for process in psutil.process_iter():
        if marked(process, tmp_path / "home"):
            process.kill()


def test_it_opens_signed_in_stops_without_a_trace_and_comes_back_with_its_data(home: Path):
    first = MakeRun(home, LC_ALL="C")
    with httpx.Client(follow_redirects=True) as browser:
        opened = browser.get(first.address())
        assert opened.status_code == 200
        assert opened.url.path.startswith("/topologies/")  # the sample is there before the address is
        (worker, *_) = (process for process in first.left() if "worker" in process.cmdline())
        assert worker.environ()["STREAMWRIGHT_ADDRESS"] == f"http://localhost:{opened.url.port}"  # for links in alerts
        assert worker.environ()["LC_ALL"] == "C.UTF-8"
        end_web(first)
        assert browser.get(opened.url.join("/health"), timeout=PATIENCE_SECONDS).status_code == 200
    assert open_to_others(home) == []
    login = (home / "login").read_text()
    second = MakeRun(home.parent / "link", STREAMWRIGHT_HOME=str(home))
    assert second.process.wait(PATIENCE_SECONDS) == 1
    assert "already runs in" in second.output.read_text()

    first.end(signal.SIGINT)
    assert first.left() == []

    again = MakeRun(home)
    assert httpx.get(again.address().replace("/enter", "/login")).status_code == 200
    assert (home / "login").read_text() == login

    again.end(signal.SIGKILL)  # leaves its processes running
    assert again.left() != []

    third = MakeRun(home)
    third.address()
    assert "stopped processes that an earlier start left running: " in third.output.read_text()
    third.end(signal.SIGTERM)
    assert third.left() == []


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("JAVA_HOME", "/nowhere", "JAVA_HOME is /nowhere, but it has no bin/java"),
        ("DATABASE_URL", "postgres://me@127.0.0.1:9/x", "DATABASE_URL points to .* where no Postgres answers"),
        ("REDIS_URL", "redis://127.0.0.1:9/0", "REDIS_URL points to .* where no Redis answers"),
        ("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:9", "KAFKA_BOOTSTRAP_SERVERS points to .* where no Kafka answers"),
    ],
)
def test_a_bad_start_is_one_clear_sentence(home: Path, variable: str, value: str, sentence: str):
    started = MakeRun(home, **{variable: value})

    assert started.process.wait(PATIENCE_SECONDS) == 1

    lines = [line for line in started.output.read_text().splitlines() if "stop" not in line]
    assert len(lines) == 1
    assert re.match(f"Streamwright cannot start: {sentence}", lines[0])
    assert started.left() == []


def test_a_taken_port_is_named(home: Path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        started = MakeRun(home, PORT=port)
        assert started.process.wait(PATIENCE_SECONDS) == 1

    assert f"Port {port} cannot be used" in started.output.read_text()
