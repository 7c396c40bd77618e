"""What the page of a Spark master says about cores, in words."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from runner.control.clusters.cores import UI_PORT, ask_room, count_probe_slots, describe_room
from runner.control.clusters.models import SparkCluster


@contextmanager
def master(answer: Any) -> Iterator[SparkCluster]:
    """A Spark cluster whose master has such a page."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            assert self.path == "/json/"
            body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """No one reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield SparkCluster(
            name="blue",
            master="spark://127.0.0.1:7077",
            executor_cores=2,
            config={UI_PORT: str(server.server_port)},
        )
        server.shutdown()


def state(cores: int, used: int, *, own: int = 0, hosts: int = 3, status: str = "ALIVE") -> dict[str, Any]:
    apps = [{"id": "app-1", "name": "orders", "cores": own}, {"id": "app-2", "name": "other", "cores": used - own}]
    return {"cores": cores, "coresused": used, "aliveworkers": hosts, "activeapps": apps, "status": status}


@pytest.mark.parametrize(
    ("page", "slots", "words"),
    [
        (state(8, 2), 4, "Cores of Spark cluster `blue`: 8, free: 6. The job takes 4."),
        (state(8, 2), 3, "Cores of Spark cluster `blue`: 8, free: 6. The job takes 4."),
        (
            state(8, 6),
            4,
            "Cores of Spark cluster `blue`: 8, free: 2. The job takes 4. "
            "Slots take turns until other applications release their cores.",
        ),
        (
            state(8, 8),
            4,
            "Cores of Spark cluster `blue`: 8, free: 0. The job takes 4. "
            "The job starts when other applications release their cores.",
        ),
        (
            state(2, 0),
            4,
            "Cores of Spark cluster `blue`: 2, free: 2. The job takes 4. Slots wait for each other: "
            "start more workers, or choose at most 2 slots.",
        ),
        (state(8, 8, own=4), 4, "Cores of Spark cluster `blue`: 8, free: 4. The job takes 4."),
    ],
)
def test_a_deploy_is_told_whether_there_are_cores(page: Any, slots: int, words: str) -> None:
    with master(page) as cluster:
        assert describe_room(cluster, slots, ask_room(cluster, "orders")) == words


@pytest.mark.parametrize("page", [b"<html>", {"other": 1}, [], state(8, 0, status="STANDBY")])
def test_a_page_that_says_nothing_of_cores_is_passed_over(page: Any) -> None:
    with master(page) as cluster:
        room = ask_room(cluster, "orders")

    assert room is None
    assert describe_room(cluster, 3, room) == "The job takes 4 cores of Spark cluster `blue`."


@pytest.mark.parametrize("address", ["spark://127.0.0.1:7077", "k8s://https://127.0.0.1:6443"])
def test_without_a_page_of_the_master_it_is_known_what_the_job_takes(address: str) -> None:
    cluster = SparkCluster(name="blue", master=address, executor_cores=1, config={UI_PORT: "9"})

    assert describe_room(cluster, 4, ask_room(cluster, "orders")) == "The job takes 4 cores of Spark cluster `blue`."
    assert describe_room(cluster, 1, None) == "The job takes 1 core of Spark cluster `blue`."


@pytest.mark.parametrize(
    ("page", "slots"),
    [
        (state(8, 2), 6),
        (state(8, 8), 2),
        (state(80, 2), 12),
        (state(8_000, 0, hosts=500), 256),
        (b"<html>", 4),
    ],
)
def test_a_probe_gets_free_cores_enough_for_each_host(page: Any, slots: int) -> None:
    with master(page) as cluster:
        assert count_probe_slots(cluster) == slots


@pytest.mark.parametrize("port", ["80a", "", "99999"])
def test_a_port_that_is_none_leaves_the_cores_unknown(port: str):
    assert ask_room(SparkCluster(master="spark://127.0.0.1:7077", config={UI_PORT: port}), "orders") is None
