"""The working copy is never trusted: behind, astray, ahead, missing or damaged, it ends up at the changelog's head."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lmdb
import pytest

from runner.spark.state import SlotState, copy_file, roll
from runner.spark.state.copy_file import DiskFull, remove_file
from tests.runner.spark.state.spark_store import SparkStore

ROWS = {b"%03d" % number: bytes(1_000) for number in range(100)}


@pytest.fixture(autouse=True)
def slow_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small spans, so that the changelog keeps a long chain."""
    monkeypatch.setattr(roll, "MIN_BYTES", 256)


def batch(store: SparkStore, directory: Path, rows: dict[bytes, bytes]) -> dict[bytes, bytes]:
    """One committed batch; what the slot held before it."""
    with SlotState.load(store.attempt(), directory) as state:
        before = dict(state.range(b"", None))
        for key, value in rows.items():
            state.put(key, value)
        state.commit()
    store.commit()
    return before


def content(store: SparkStore, directory: Path) -> dict[bytes, bytes]:
    with SlotState.load(store.attempt(), directory) as state:
        return dict(state.range(b"", None))


def content_and_calls(store: SparkStore, directory: Path) -> tuple[dict[bytes, bytes], int]:
    return content(store, directory), store.calls


def in_another_process(work: Callable[..., Any], *arguments: object) -> Any:
    """What the work gives in a new process of this host, as Spark's Python workers are."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def two_batches(store: SparkStore, directory: Path) -> None:
    batch(store, directory, {b"000": b"newer"})
    batch(store, directory, {b"000": b"newest"})


def set_aside(directory: Path) -> Path:
    """A copy of the file as it is now."""
    aside = directory.with_name("aside")
    subprocess.run(["cp", "-a", "--sparse=always", directory, aside], check=True)
    return aside


def put_back(aside: Path, directory: Path) -> None:
    remove_file(directory)
    aside.rename(directory)


def test_a_current_copy_costs_one_state_call(store: SparkStore, directory: Path) -> None:
    batch(store, directory, ROWS)

    content(store, directory)

    assert store.calls == 1


def test_the_pending_delta_is_used_by_another_process_of_the_host(store: SparkStore, directory: Path) -> None:
    batch(store, directory, ROWS)

    seen, calls = in_another_process(content_and_calls, store, directory)

    assert seen == ROWS
    assert calls == 1


def test_a_copy_that_is_behind_reads_only_the_batches_it_lacks(store: SparkStore, directory: Path) -> None:
    batch(store, directory, ROWS)
    content(store, directory)
    for number in range(3):
        batch(store, directory.with_name("elsewhere"), {b"new": b"%d" % number})

    seen = content(store, directory)

    assert seen == ROWS | {b"new": b"2"}
    assert store.calls == 1 + 3


def test_a_copy_put_back_from_an_older_batch_reads_only_the_batches_it_lacks(
    store: SparkStore, directory: Path
) -> None:
    batch(store, directory, ROWS)
    content(store, directory)
    aside = set_aside(directory)
    for number in range(3):
        batch(store, directory, {b"new": b"%d" % number})
    put_back(aside, directory)

    seen = content(store, directory)

    assert seen == ROWS | {b"new": b"2"}
    assert store.calls == 1 + 3


def test_a_copy_of_another_life_of_the_query_is_rebuilt(store: SparkStore, directory: Path) -> None:
    batch(store, directory, ROWS)
    batch(store, directory, {b"life": b"first"})
    content(store, directory)
    store.roll_back(1)
    for number in range(2):
        batch(store, directory.with_name("elsewhere"), {b"batch": b"%d" % number})

    assert content(store, directory) == ROWS | {b"batch": b"1"}


def test_a_copy_ahead_of_the_checkpoint_is_rebuilt(store: SparkStore, directory: Path) -> None:
    batch(store, directory, ROWS)
    batch(store, directory, {b"000": b"ahead", b"later": b"row"})
    content(store, directory)

    store.roll_back(1)

    assert content(store, directory) == ROWS


def test_a_copy_with_a_forged_nonce_is_rebuilt(store: SparkStore, directory: Path) -> None:
    batch(store, directory, ROWS)
    content(store, directory)
    file = copy_file.copy_file(directory)

    def forge(txn: lmdb.Transaction) -> None:
        txn.put(b"at", b"\x01" + (99).to_bytes(8, "big") + os.urandom(16), db=file.facts)
        txn.put(b"forged", b"row", db=file.rows)

    file.write(forge)

    assert content(store, directory) == ROWS


def test_a_lost_copy_is_rebuilt(store: SparkStore, directory: Path) -> None:
    batch(store, directory, ROWS)
    content(store, directory)

    shutil.rmtree(directory)

    assert content(store, directory) == ROWS


@pytest.mark.parametrize("size", [0, 100, 100_000, 500_000, 800_000])
def test_a_truncated_copy_is_rebuilt(store: SparkStore, directory: Path, size: int) -> None:
    rows = dict.fromkeys(ROWS, b"x" * 5_000)
    batch(store, directory, rows)
    for number in range(3):
        batch(store, directory, {b"new": b"%d" % number})
    content(store, directory)
    aside = set_aside(directory)
    os.truncate(aside / "data.mdb", size)
    put_back(aside, directory)

    assert content(store, directory) == rows | {b"new": b"2"}


def test_a_copy_full_of_rubbish_is_rebuilt(store: SparkStore, directory: Path) -> None:
    batch(store, directory, ROWS)
    content(store, directory)
    remove_file(directory)
    directory.mkdir()
    (directory / "data.mdb").write_bytes(os.urandom(100_000))

    assert content(store, directory) == ROWS


def test_a_reader_keeps_its_rows_while_another_process_moves_the_copy(store: SparkStore, directory: Path) -> None:
    batch(store, directory, ROWS)
    with SlotState.load(store.attempt(), directory) as zombie:
        in_another_process(two_batches, store, directory)

        assert zombie.get(b"000") == ROWS[b"000"]


def test_a_copy_grows_with_the_store(store: SparkStore, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copy_file, "FIRST_SIZE", 200_000)
    rows = {b"%05d" % number: bytes(500) for number in range(4_000)}

    for first in range(0, 4_000, 500):
        batch(store, directory, dict(list(rows.items())[first : first + 500]))

    assert content(store, directory) == rows


def test_a_full_disk_is_said_before_it_hurts(
    store: SparkStore, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch(store, directory, ROWS)
    monkeypatch.setattr(copy_file, "SPARE", 1 << 60)

    with pytest.raises(DiskFull, match="Free some space"):
        content(store, directory)


def test_a_disk_without_room_for_a_lost_copy_is_said_before_it_ends_the_process(
    store: SparkStore, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch(store, directory, ROWS)
    content(store, directory)
    monkeypatch.setattr(copy_file, "SPARE", 1_000)
    monkeypatch.setattr(os, "statvfs", lambda path: SimpleNamespace(f_bavail=50_000, f_frsize=1))
    assert content(store, directory) == ROWS  # it is there

    remove_file(directory)

    with pytest.raises(DiskFull, match="Free some space"):
        content(store, directory)


def test_a_process_that_holds_a_thrown_away_file_opens_the_new_one(store: SparkStore, directory: Path) -> None:
    batch(store, directory, ROWS)
    content(store, directory)
    subprocess.run([sys.executable, "-c", f"import shutil; shutil.rmtree({str(directory)!r})"], check=True)

    batch(store, directory, {b"000": b"new"})

    assert content(store, directory) == ROWS | {b"000": b"new"}
