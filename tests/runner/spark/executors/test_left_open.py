"""Ends of connections that no one closes, closed once the other end is: here this process has both."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from runner.spark.executors.left_open import LeftOpen, note

Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """That of the JVM and that of a task."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        task = socket.create_connection(server.getsockname())
        java, _ = server.accept()
        yield java, task
        for end in (java, task):
            if is_open(end):
                end.close()


@pytest.fixture
def left(tmp_path: Path) -> LeftOpen:
    return LeftOpen(tmp_path / "state" / "connections", grace=0)


def ports(end: socket.socket) -> tuple[int, int]:
    return end.getsockname()[1], end.getpeername()[1]


def is_open(end: socket.socket) -> bool:
    return end.fileno() >= 0 and Path(f"/proc/self/fd/{end.fileno()}").exists()


def close(left: LeftOpen) -> list[int]:
    """The files that were closed."""
    closed: list[int] = []
    left.close(os.getpid(), closed.append)
    for number in closed:
        os.close(number)
    return closed


def test_what_a_task_has_left_is_closed_once(left: LeftOpen, ends: Ends) -> None:
    java, task = ends
    note(str(left.file), ports(java))
    task.close()

    assert close(left) == [java.detach()]
    assert close(left) == []


def test_a_connection_in_use_stays(left: LeftOpen, ends: Ends) -> None:
    java, task = ends
    note(str(left.file), ports(java))

    assert close(left) == []
    task.close()
    assert close(left) == [java.detach()]


def test_what_nobody_noted_stays(left: LeftOpen, ends: Ends) -> None:
    _, task = ends
    task.close()

    assert close(left) == []


def test_the_other_side_has_its_time_to_close_it_itself(tmp_path: Path, ends: Ends) -> None:
    java, task = ends
    patient = LeftOpen(tmp_path / "connections", grace=60)
    note(str(patient.file), ports(java))
    task.close()

    assert close(patient) == []
    java.close()
    assert close(patient) == []


def test_notes_are_taken_once_and_do_not_grow_for_ever(
    left: LeftOpen, ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.spark.executors.left_open.MAX_NOTES", 8)
    java, task = ends
    for port in range(1, 4):
        note(str(left.file), (port, port))

    assert close(left) == []
    assert left.file.stat().st_size == 0
    note(str(left.file), ports(java))
    task.close()
    assert close(left) == [java.detach()]


def test_an_older_run_s_notes_are_forgotten(tmp_path: Path, ends: Ends) -> None:
    java, task = ends
    note(str(tmp_path / "connections"), ports(java))
    task.close()

    with closing(java):
        assert close(LeftOpen(tmp_path / "connections", grace=0)) == []


def test_a_folder_that_was_cleared_has_no_notes(left: LeftOpen) -> None:
    left.file.unlink()

    assert close(left) == []
