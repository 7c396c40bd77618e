"""The sample feed under control: a real `manage.py feed`, asked through the HTTP API."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from runner.demo.samples.feed import BAD
from runner.demo.samples.models import SampleFeed
from tests.patience import PATIENCE_SECONDS, wait_until
from tests.people import person
from tests.runner.demo.samples.test_feed import read, sequence, servers  # noqa: F401  (a fixture)

MANAGE = str(settings.BASE_DIR / "manage.py")
NO_POSTGRES = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"}


@pytest.fixture
def client(transactional_db: None, redis_url: str) -> Client:
    client = Client()
    client.force_login(person("ada"))
    return client


@pytest.fixture
def feed(servers: str, environment: dict[str, str]) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:  # noqa: F811
    """Starts `manage.py feed` with options; what still runs is ended."""
    started = []

    def start(*options: str, **env: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, MANAGE, "feed", *options]
        process = subprocess.Popen(command, env=environment | env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        started.append(process)
        return process

    yield start
    for process in started:
        process.terminate()
        process.communicate()


def state(client: Client) -> Any:
    return client.get("/api/sample-feed").json() or {}


def ask(client: Client, **wanted: Any) -> Any:
    answer = client.patch("/api/sample-feed", wanted, "application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def send_broken(client: Client, count: int) -> None:
    assert client.post("/api/sample-feed/broken", {"count": count}, "application/json").status_code == 202


def wait(client: Client, true: Callable[[Any], bool]) -> Any:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true(found := state(client)):
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return found


def wait_for_beats(count: int) -> None:
    """Until the feed has said that often that it is alive."""
    for _ in range(count):
        before = SampleFeed.objects.get().beat_at
        wait_until(lambda before=before: SampleFeed.objects.get().beat_at > before)  # type: ignore[misc]


def flows(found: Any) -> bool:
    return bool(found.get("is_alive") and found["written"] > 0)


def test_a_feed_says_how_far_it_is(client: Client, feed: Any, servers: str) -> None:  # noqa: F811
    feed("--loop", "--rate", "250")

    found = wait(client, flows)

    written = found.pop("written")
    assert found == {"is_alive": True, "rate": 250.0, "is_paused": False, "broken": 0, "topic": "flights"}
    assert written <= len(read(servers, "flights"))


def test_a_pause_holds_until_it_is_ended_also_over_a_new_start(
    client: Client,
    feed: Any,
    servers: str,  # noqa: F811
) -> None:
    first = feed("--loop", "--rate", "250")
    wait(client, flows)

    asked = ask(client, is_paused=True, rate=300)
    wait_for_beats(2)  # it hears of the pause with the first one, and may be in the middle of a batch
    held = state(client)["written"]
    wait_for_beats(2)

    assert (asked["is_paused"], asked["rate"]) == (True, 300.0)
    assert state(client)["written"] == held == len(sequence(read(servers, "flights")))
    first.terminate()
    first.wait()
    SampleFeed.objects.update(beat_at="2000-01-01T00:00Z")
    feed("--loop")
    again = wait(client, lambda found: found["is_alive"])
    assert (again["is_paused"], again["rate"], again["written"]) == (True, 300.0, held)
    ask(client, is_paused=False)
    wait(client, lambda found: found["written"] > held)


def test_another_rate_is_followed(client: Client, feed: Any) -> None:
    feed("--loop", "--rate", "5")
    slow = wait(client, flows)["written"]

    ask(client, rate=5_000)

    wait(client, lambda found: found["written"] > slow + 2_000)


def test_broken_records_are_written_also_while_paused(client: Client, feed: Any, servers: str) -> None:  # noqa: F811
    process = feed("--loop", "--rate", "250")
    wait(client, flows)
    ask(client, is_paused=True)

    send_broken(client, 7)
    send_broken(client, 3)

    assert wait(client, lambda found: found["broken"] >= 10)["broken"] == 10
    ask(client, is_paused=False)
    process.terminate()
    process.wait()
    messages = read(servers, "flights")
    assert sum(message.value() in BAD for message in messages) == 10
    assert sorted(sequence(messages)) == list(range(len(messages) - 10)) == list(range(state(client)["written"]))


def test_a_rate_on_the_command_line_ends_a_pause(client: Client, feed: Any) -> None:
    SampleFeed.objects.create(id=1, rate=7, paused=True)

    assert feed("--rate", "400", "--max", "200").wait() == 0

    assert (state(client)["rate"], state(client)["is_paused"], state(client)["written"]) == (400.0, False, 200)


def test_a_feed_goes_on_without_postgres(feed: Any, servers: str) -> None:  # noqa: F811
    process = feed("--rate", "1000", "--max", "50", **NO_POSTGRES)

    _, complaint = process.communicate()

    assert process.returncode == 0
    assert complaint.count(b"the feed continues uncontrolled") == 1
    assert len(read(servers, "flights")) == 50


def test_a_feed_that_falls_silent_is_no_longer_alive(client: Client) -> None:
    SampleFeed.objects.create(id=1, rate=500)
    assert state(client)["is_alive"]

    SampleFeed.objects.update(beat_at="2000-01-01T00:00Z")

    assert not state(client)["is_alive"]


def test_the_tables_alone_are_no_sample_feed(client: Client, feed: Any) -> None:
    assert feed("--tables-only").wait() == 0

    assert client.get("/api/sample-feed").content == b"null"
    refusals = [
        client.patch("/api/sample-feed", {"is_paused": True}, "application/json"),
        client.post("/api/sample-feed/broken", {"count": 1}, "application/json"),
    ]

    assert {answer.status_code for answer in refusals} == {404}
    assert refusals[0].json()["message"] == "This installation has no sample feed."


@pytest.mark.parametrize("wanted", [{"rate": 0.5}, {"rate": 50_001}, {"rate": "fast"}])
def test_a_rate_out_of_range_is_refused(client: Client, wanted: dict[str, Any]) -> None:
    SampleFeed.objects.create(id=1, rate=500)

    answer = client.patch("/api/sample-feed", wanted, "application/json")

    assert answer.status_code == 422
    assert answer.json()["code"] == "request.malformed"
    assert state(client)["rate"] == 500


@pytest.mark.parametrize("count", [0, 101])
def test_more_than_a_hundred_broken_records_at_once_are_refused(client: Client, count: int) -> None:
    SampleFeed.objects.create(id=1, rate=500)

    answer = client.post("/api/sample-feed/broken", {"count": count}, "application/json")

    assert answer.status_code == 422


def test_the_feed_is_shown_and_moved_by_nobody_who_is_not_signed_in(transactional_db: None) -> None:
    stranger = Client()

    assert stranger.get("/api/sample-feed").status_code == 401
    assert stranger.patch("/api/sample-feed", {"is_paused": True}, "application/json").status_code == 401
    assert stranger.post("/api/sample-feed/broken", {"count": 1}, "application/json").status_code == 401
