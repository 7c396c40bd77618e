"""Rows of a slot, asked for over a connection."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from pathlib import Path

import pytest

from runner.spark.executors import reader
from runner.spark.executors.reader import FarView
from tests.patience import wait_until
from tests.runner.spark.state.conftest import store  # noqa: F401  (a fixture)
from tests.runner.spark.state.spark_store import SparkStore
from tests.runner.spark.state.test_committed_view import batch

KEY = "key-of-the-run"
ROWS = {b"%04d" % number: b"v" * 10_000 for number in range(1_000)}
"""Some answers hold them: each has at most `BYTES_AT_ONCE`."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[str]:
    """Where a reader of the slots in `tmp_path` answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(
            target=reader._take_clients, args=(server, tmp_path, KEY.encode(), os.getpid()), daemon=True
        ).start()
        yield "{}:{}".format(*server.getsockname())


@pytest.fixture
def nonce(store: SparkStore, tmp_path: Path) -> bytes:  # noqa: F811
    return batch(store, tmp_path / "stage-1" / "slot-2", {**ROWS})


def opened(place: str, nonce: bytes, key: str = KEY) -> FarView:
    view = FarView.open(place, key, 1, 2, nonce)
    assert view is not None
    return view


def test_rows_come_in_order_and_against_it_however_many_there_are(place: str, nonce: bytes) -> None:
    with opened(place, nonce) as view:
        forward, backward = list(view.range(b"", None)), list(view.range(b"", None, reverse=True))
        some = [key for key, _ in view.range(b"0100", b"0103")]

    assert forward == list(ROWS.items())
    assert backward == forward[::-1]
    assert some == [b"0100", b"0101", b"0102"]


def test_a_row_is_found_by_its_whole_key(place: str, nonce: bytes) -> None:
    with opened(place, nonce) as view:
        assert (view.get(b"0007"), view.get(b"000"), view.get(b"9")) == (ROWS[b"0007"], None, None)


def test_who_does_not_know_the_key_gets_nothing(place: str, nonce: bytes) -> None:
    assert FarView.open(place, "guessed", 1, 2, nonce) is None
    with opened(place, nonce) as view:
        assert view.get(b"0007")


def test_a_slot_that_does_not_stand_there_has_no_rows(place: str, nonce: bytes) -> None:
    assert FarView.open(place, KEY, 1, 2, b"?" * 16) is None
    assert FarView.open(place, KEY, 1, 3, nonce) is None


def test_a_reader_that_is_gone_has_no_rows(nonce: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = "{}:{}".format(*server.getsockname())

    assert FarView.open(place, KEY, 1, 2, nonce) is None


def test_it_weighs_the_processes_of_its_executor(place: str) -> None:
    def sees_what_is_held() -> bool:
        before = reader.look(place, KEY)
        with mmap(-1, 64 << 20, MAP_PRIVATE | MAP_ANONYMOUS) as held:  # a bytearray may get memory that was free
            held.write(os.urandom(len(held)))
            after = reader.look(place, KEY)
        assert before is not None
        assert after is not None
        return 64 << 20 <= after.memory - before.memory < 128 << 20

    wait_until(sees_what_is_held)  # a process that another test left may end in between


def test_nobody_is_weighed_where_nobody_answers(place: str) -> None:
    assert reader.look(place, "guessed") is None
    assert reader.look("127.0.0.1:9", KEY) is None
