"""Ports, secrets, the lock, addresses: the small things a start stands on."""

import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from webapp.local import environment, outside, ports
from webapp.local.kafka import Kafka, take_back_data
from webapp.local.lock import hold_lock
from webapp.local.parts import JARS, run_part
from webapp.local.problem import Problem
from webapp.local.redis import Redis
from webapp.local.secret import ensure_secret

pytestmark = pytest.mark.services


def test_a_port_is_remembered(tmp_path: Path):
    first = ports.choose_port(tmp_path, "kafka")

    assert ports.choose_port(tmp_path, "kafka") == first
    assert ports.choose_port(tmp_path, "redis") != first


def test_a_port_taken_meanwhile_is_replaced(tmp_path: Path):
    first = ports.choose_port(tmp_path, "kafka")

    with socket.create_server(("127.0.0.1", first)):
        assert ports.choose_port(tmp_path, "kafka") != first


def test_the_preferred_port_or_the_next_free_one_is_taken(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]

        assert taken < ports.choose_port(tmp_path, "web", prefer=taken) < taken + 100


def test_those_that_start_at_once_listen_on_ports_of_their_own(tmp_path: Path):
    prefer = ports.choose_port(tmp_path, "other")
    homes = [tmp_path / str(number) for number in range(8)]

    with ThreadPoolExecutor(len(homes)) as pool, ExitStack() as held:
        listeners = pool.map(lambda home: ports.open_listener(home, "web", prefer), homes)
        found = {held.enter_context(listener).getsockname()[1] for listener in listeners}

    assert len(found) == len(homes)
    assert found < set(range(prefer, prefer + 100))


def test_a_secret_is_made_once_and_private(tmp_path: Path):
    first = ensure_secret(tmp_path / "key")

    assert ensure_secret(tmp_path / "key") == first
    assert len(first) >= 40
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_second_start_in_the_same_folder_is_one_sentence(tmp_path: Path):
    with hold_lock(tmp_path):
        code = "from webapp.local.up import *; sys.exit(run_product(Product(Path(sys.argv[1]))))"
        second = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)

    assert second.returncode == 1
    assert second.stderr.startswith("Streamwright cannot start: Streamwright already runs in")
    assert str(os.getpid()) in second.stderr
    assert len(second.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("variable", "address", "part"),
    [
        ("DATABASE_URL", "postgres://me:hush@127.0.0.1:9/x", "Postgres"),
        ("REDIS_URL", "redis://:hush@127.0.0.1:9/0", "Redis"),
        ("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:9", "Kafka"),
    ],
)
def test_a_given_part_that_does_not_answer_is_named_without_its_password(
    variable: str, address: str, part: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(outside, "SECONDS", 1)
    with pytest.raises(Problem, match=f"{variable} points to .*no {part} answers") as raised:
        outside.check({variable: address})

    assert "hush" not in str(raised.value)


def test_addresses_of_the_running_parts_are_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "environ", {"REDIS_URL": "redis://given"})
    environment.save(tmp_path, {"REDIS_URL": "redis://ours", "DATABASE_URL": "postgres://ours"}, {})

    environment.load(tmp_path)

    assert os.environ["REDIS_URL"] == "redis://given"
    assert os.environ["DATABASE_URL"] == "postgres://ours"
    assert environment.find_user_addresses() == {"REDIS_URL": "redis://given"}


def test_variables_of_a_running_product_count_for_commands_and_not_for_its_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A deploy in another terminal made a job without the prefix that `make run` was given."""
    monkeypatch.setattr(os, "environ", {})
    environment.save(tmp_path, {}, {"STREAMWRIGHT_PREFIX": "team-", "STREAMWRIGHT_ALLOW_PYTHON": "1"})
    product = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()", "up"], stdin=subprocess.PIPE)
    try:
        (tmp_path / "up.lock").write_text(str(product.pid))
        environment.load(tmp_path)
        beside = dict(os.environ)
    finally:
        product.communicate()

    os.environ.clear()
    environment.load(tmp_path)

    assert (beside["STREAMWRIGHT_PREFIX"], beside["STREAMWRIGHT_ALLOW_PYTHON"]) == ("team-", "1")
    assert os.environ == {}


@pytest.mark.parametrize("name", ["Ünï côdé & space's", 'a"b', "a,b", "a\\b"])
def test_parts_keep_their_data_in_a_home_of_any_name(tmp_path: Path, name: str):
    """Kafka's properties are Latin-1 with lists between commas, and Redis unquotes its file: data went elsewhere."""
    home = tmp_path / name
    home.mkdir()

    with run_part(Kafka(home, JARS, is_passing=True)), run_part(Redis(home, is_passing=True)):
        pass

    assert (home / "kafka" / "meta.properties").exists()
    assert list(tmp_path.iterdir()) == [home]


def test_the_broker_takes_back_what_it_kept_in_a_misread_folder(tmp_path: Path):
    home, misread = tmp_path / "josé", tmp_path / "josÃ©"
    (misread / "kafka").mkdir(parents=True)
    (misread / "kafka" / "meta.properties").write_text("cluster.id=1")
    home.mkdir()

    for _ in range(2):
        take_back_data(home / "kafka")

    assert (home / "kafka" / "meta.properties").read_text() == "cluster.id=1"
