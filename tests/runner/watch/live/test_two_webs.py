"""Two web processes behind one address: a page's socket may go to either, and to another after a loss."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.test import Client
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from runner.control.jobs.models import Job
from runner.watch.live.events import make_progress_event
from runner.watch.live.outbox import LiveUpdate, get_outbox
from runner.watch.live.snapshot import read_clock
from tests.patience import PATIENCE_SECONDS
from webapp.local.ports import choose_port

NUMBERS = {"nodes": {}, "sources": {}, "batch": {}, "state": {"rows": 0, "bytes": 0}}
PAUSE_SECONDS = 0.02


class Web:
    """A web process of its own."""

    def __init__(self, port: int, environment: dict[str, str], log: Path) -> None:
        self.address = f"127.0.0.1:{port}"
        command = [sys.executable, "-m", "uvicorn", "webapp.asgi:application", "--port", str(port), "--lifespan", "off"]
        with log.open("wb") as to:
            self.process = subprocess.Popen(command, env=environment, stdout=to, stderr=to, cwd=settings.BASE_DIR)

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"http://{self.address}/health").is_success
        except httpx.TransportError:
            return False

    def die(self) -> None:
        self.process.kill()
        self.process.wait()

    @contextmanager
    def socket(self, job: Job, client: Client) -> Iterator[ClientConnection]:
        """The socket of a page that shows a job."""
        cookie = f"sessionid={client.cookies['sessionid'].value}"
        address, origin = f"ws://{self.address}/ws/jobs/{job.id}/", Origin(f"http://{self.address}")
        with connect(address, origin=origin, additional_headers={"Cookie": cookie}) as socket:
            yield socket


@pytest.fixture
def webs(environment: dict[str, str], tmp_path: Path) -> Iterator[tuple[Web, Web]]:
    names = ("one", "two")
    found = [Web(choose_port(tmp_path, name), environment, tmp_path / f"{name}.log") for name in names]
    try:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not all(web.is_ready() for web in found):
            assert time.monotonic() < deadline, [(tmp_path / f"{name}.log").read_text() for name in names]
            time.sleep(0.1)
        yield found[0], found[1]
    finally:
        for web in found:
            web.die()


@pytest.fixture
def run(job: Job) -> Iterator[None]:
    """A run that tells its numbers, one after the other, until the test ends."""
    over = threading.Event()

    def tell() -> None:
        records = 0
        while not over.wait(PAUSE_SECONDS):
            records += 1
            numbers: Any = NUMBERS | {"at": read_clock(), "records_in": records}
            get_outbox().post(LiveUpdate(job.id, make_progress_event({"records_in": records}), numbers))

    telling = threading.Thread(target=tell, daemon=True)
    telling.start()
    yield
    over.set()
    telling.join()


def hear(socket: ClientConnection, amount: int = 1) -> list[dict[str, Any]]:
    return [json.loads(socket.recv(PATIENCE_SECONDS)) for _ in range(amount)]


def test_pages_at_both_hear_the_same_events_under_the_same_numbers(
    webs: tuple[Web, Web], job: Job, client: Client, run: None
) -> None:
    with ExitStack() as stack:
        first, second = (stack.enter_context(web.socket(job, client)) for web in webs)
        one, two = hear(first, 100), hear(second, 100)

    snapshots, events = (one[0], two[0]), ({each["sequence"]: each for each in heard[1:]} for heard in (one, two))
    of_one, of_two = events
    both = of_one.keys() & of_two.keys()
    assert [each["type"] for each in snapshots] == ["snapshot", "snapshot"]
    assert len(both) > 10
    assert all(of_one[number] == of_two[number] for number in both)


def test_a_page_whose_web_process_dies_goes_on_at_the_other_without_a_gap(
    webs: tuple[Web, Web], job: Job, client: Client, run: None
) -> None:
    with webs[0].socket(job, client) as socket:
        before = hear(socket, 30)
        webs[0].die()
    with webs[1].socket(job, client) as socket:
        snapshot, *after = hear(socket, 30)

    assert numbers(before) == list(range(before[0]["sequence"], before[0]["sequence"] + 30))
    assert snapshot["type"] == "snapshot"
    assert snapshot["sequence"] >= before[-1]["sequence"]
    assert snapshot["numbers"]["records_in"] >= before[-1]["numbers"]["records_in"]
    assert numbers([snapshot, *after]) == list(range(snapshot["sequence"], snapshot["sequence"] + 30))


def numbers(heard: list[dict[str, Any]]) -> list[int]:
    return [each["sequence"] for each in heard]
