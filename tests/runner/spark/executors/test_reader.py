"""Rows of a slot, asked for over a connection."""

from __future__ import annotations

import errno
import os
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from runner.spark.changes import Changes
from runner.spark.executors import reader
from runner.spark.program import Program, name_slot
from runner.spark.progress import Progress
from runner.spark.state import NotKept, Past, committed_view, far, had_records, history
from runner.spark.state.far import Away, FarView, forget_place
from tests.patience import wait_until
from tests.runner.spark.state.conftest import store  # noqa: F401  (a fixture)
from tests.runner.spark.state.spark_store import SparkStore
from tests.runner.spark.state.test_committed_view import batch
from tests.runner.spark.state.test_history import batch as batch_at
from tests.runner.spark.state.test_history import before

KEY = "key-of-the-run"
ROWS = {b"%04d" % number: b"v" * 10_000 for number in range(1_000)}
"""Some answers hold them: each has at most `BYTES_AT_ONCE`."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[str]:
    """Where a reader of the slots in `tmp_path` answers."""
    with answering(tmp_path) as address:
        yield address


@contextmanager
def answering(folder: Path, server: socket.socket | None = None) -> Iterator[str]:
    """A reader of the slots in a folder; its address."""
    with server or socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(
            target=reader._take_clients, args=(server, folder, KEY.encode(), os.getpid()), daemon=True
        ).start()
        yield "{}:{}".format(*server.getsockname())


@pytest.fixture
def nonce(store: SparkStore, tmp_path: Path) -> bytes:  # noqa: F811
    return batch(store, tmp_path / "stage-1" / "slot-2", {**ROWS})


class Refusing(socket.socket):
    """A server whose system has no room for the first clients."""

    refused = 0

    def accept(self) -> tuple[socket.socket, object]:
        self.refused += 1
        if self.refused < 3:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return super().accept()


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


def test_a_moment_without_room_for_a_client_ends_no_reader(tmp_path: Path, nonce: bytes) -> None:
    with Refusing() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        with answering(tmp_path, server) as place, opened(place, nonce) as view:
            assert view.get(b"0007") == ROWS[b"0007"]


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


def test_a_reader_whose_host_is_silent_has_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that is switched off, or cut off, closes no connection. All later questions wait for the answer."""
    monkeypatch.setattr(far, "ANSWER_SECONDS", 1)
    opened = list[FarView | None]()
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = "{}:{}".format(*server.getsockname())
        asking = threading.Thread(target=lambda: opened.append(FarView.open(place, KEY, 1, 2)), daemon=True)
        asking.start()
        asking.join(20)

        assert opened == [None]


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


class Run:
    """A run on a cluster, as far as it brings changes: one slot, whose executor is where `place` answers."""

    def __init__(self, home: Path, place: str = "") -> None:
        self.home = home
        self.slot = home / name_slot(1, 2)
        self.plan = SimpleNamespace(executors=SimpleNamespace(reader_key=KEY))
        self.stateful = [SimpleNamespace(depth=1)]
        self.slot_ids = [2]
        self.history_bytes = None
        self.readers = {(1, 2): place} if place else {}
        self.changes = Changes(cast(Program, self), cast(Progress, self))

    def kept_directory(self, depth: int, slot: int) -> Path:
        return self.home / name_slot(depth, slot)

    def list_readers(self) -> Iterable[str]:
        return self.readers.values()


def test_the_past_of_a_slot_that_is_with_an_executor_opens_on_the_host_of_its_run(
    place: str,
    store: SparkStore,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(history, "SEGMENT_BYTES", 200)
    monkeypatch.setattr(reader, "CHANGES_AT_ONCE", 100)
    run = Run(tmp_path / "home", place)
    assert not had_records(run.slot)
    for time in range(10, 200, 10):
        batch_at(store, tmp_path / "stage-1" / "slot-2", time, {b"a": b"%d" % time, b"of %d" % time: b"1"})
        if time % 50 == 0:
            run.changes.bring()
    run.changes.bring()

    for time in range(10, 210, 10):
        earlier = range(10, time, 10)
        newest = {b"a": b"%d" % earlier[-1]} if earlier else {}
        assert before(run.slot, time) == newest | {b"of %d" % each: b"1" for each in earlier}
    assert had_records(run.slot)
    assert (run.slot / "away").stat().st_mode & 0o077 == 0


def test_a_slot_that_moves_between_executors_keeps_one_past(
    place: str,
    store: SparkStore,  # noqa: F811
    tmp_path: Path,
) -> None:
    other_folder = tmp_path / "other"
    with answering(other_folder) as other:
        run = Run(tmp_path / "home", place)
        for time in range(10, 100, 10):
            turn = time // 10 % 3 > 0
            batch_at(store, (tmp_path if turn else other_folder) / "stage-1" / "slot-2", time, {b"a": b"%d" % time})
            run.readers = {(1, 2): place if turn else other}
            if time != 70:
                run.changes.bring()

        assert [before(run.slot, time) for time in range(20, 110, 10)] == [
            {b"a": b"%d" % at} for at in range(10, 100, 10)
        ]


def test_without_its_executor_the_past_of_a_slot_does_not_open(
    store: SparkStore,  # noqa: F811
    tmp_path: Path,
) -> None:
    run = Run(tmp_path / "home")
    with answering(tmp_path) as place:
        batch_at(store, tmp_path / "stage-1" / "slot-2", 10, {b"a": b"1"})
        run.readers = {(1, 2): place}
        run.changes.bring()
    Away("127.0.0.1:9", KEY, 1, 2).write(run.slot)

    with pytest.raises(NotKept, match="does not answer"):
        Past(run.slot, 10)


def test_a_past_waits_until_the_newest_changes_are_here(
    place: str,
    store: SparkStore,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = Run(tmp_path / "home", place)
    for time in (10, 20):
        batch_at(store, tmp_path / "stage-1" / "slot-2", time, {b"a": b"%d" % time})
        if time == 10:
            run.changes.bring()

    threading.Timer(0.2, run.changes.bring).start()
    assert before(run.slot, 20) == {b"a": b"10"}

    batch_at(store, tmp_path / "stage-1" / "slot-2", 30, {b"a": b"30"})
    monkeypatch.setattr(committed_view, "BRING_SECONDS", 0.0)
    with pytest.raises(NotKept, match="not on this host yet"):
        Past(run.slot, 30)


def test_a_copy_that_did_not_follow_a_slot_on_a_cluster_goes(
    place: str,
    store: SparkStore,  # noqa: F811
    tmp_path: Path,
) -> None:
    run = Run(tmp_path / "home", place)
    batch_at(store, run.slot, 10, {b"a": b"here"})
    forget_place(run.slot, is_away=False)
    assert before(run.slot, 20) == {b"a": b"here"}

    forget_place(run.slot, is_away=True)
    with pytest.raises(NotKept, match="not on this host"):
        Past(run.slot, 20)
    batch_at(store, tmp_path / "stage-1" / "slot-2", 20, {b"a": b"there"})
    run.changes.bring()
    found = [before(run.slot, time) for time in (10, 20, 30)]
    forget_place(run.slot, is_away=False)
    batch_at(store, run.slot, 30, {b"a": b"here again"})

    assert found == [{}, {b"a": b"here"}, {b"a": b"there"}]
    assert [before(run.slot, time) for time in (20, 30, 40)] == [
        {b"a": b"here"},
        {b"a": b"there"},
        {b"a": b"here again"},
    ]
