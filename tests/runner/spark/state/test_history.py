"""Going back from the newest state of a slot to that before a batch."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest

from runner.spark.state import NotKept, Past, SlotState, history
from runner.spark.state.history import History, Undo
from tests.runner.spark.state.spark_store import SparkStore
from tests.runner.spark.state.test_committed_view import forget

Rows = dict[bytes, bytes]


def batch(store: SparkStore, directory: Path, time: int, rows: dict[bytes, bytes | None], *, gone: bytes = b"") -> None:
    """One committed batch of that time, which first deletes all keys from `gone` on, if there is one."""
    with SlotState.load(store.attempt(), directory) as state:
        if gone:
            state.delete_range(gone, b"\xff")
        for key, value in rows.items():
            state.delete(key) if value is None else state.put(key, value)
        state.commit(time)
    store.commit()
    forget(directory)


def before(directory: Path, time: int) -> Rows:
    past = Past(directory, time)
    try:
        with past.view() as view:
            return dict(view.range(b"", None))
    finally:
        past.close()
        forget(directory)


@pytest.mark.parametrize("seed", range(10))
def test_the_state_before_each_batch_is_found(store: SparkStore, directory: Path, seed: int) -> None:
    draw, rows, known = random.Random(seed), Rows(), dict[int, Rows]()
    for time in range(10, 200, 10):
        known[time] = dict(rows)
        gone = bytes([draw.randrange(97, 105)]) if draw.random() < 0.2 else b""
        keys = draw.sample(range(97, 105), draw.randrange(4))
        written = {bytes([key]): draw.choice([None, str(time).encode()]) for key in keys}
        batch(store, directory, time, written, gone=gone)
        kept = {key: value for key, value in rows.items() if not gone or key < gone}
        rows = {key: value for key, value in (kept | written).items() if value is not None}

    assert {time: before(directory, time) for time in known} == known
    assert before(directory, 500) == rows


def test_attempts_that_came_to_nothing_are_passed_over(store: SparkStore, directory: Path) -> None:
    batch(store, directory, 10, {b"a": b"1"})
    with SlotState.load(store.attempt(), directory) as state:
        state.put(b"a", b"lost")
        state.commit(20)
    forget(directory)
    batch(store, directory, 20, {b"a": b"2"})
    batch(store, directory, 30, {b"a": b"3"})

    assert [before(directory, time) for time in (10, 20, 30)] == [{}, {b"a": b"1"}, {b"a": b"2"}]


def test_what_is_no_longer_kept_is_refused(store: SparkStore, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "SEGMENT_BYTES", 200)
    monkeypatch.setattr(history, "KEPT_BYTES", 400)
    for time in range(10, 200, 10):
        batch(store, directory, time, {b"a": str(time).encode()})

    assert before(directory, 190) == {b"a": b"180"}
    with pytest.raises(NotKept, match="no longer kept"):
        before(directory, 20)


def test_a_batch_that_changed_too_much_ends_the_way_back(
    store: SparkStore, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.spark.state.history.MAX_BYTES", 100)
    for time, value in ((10, b"1"), (20, b"2" * 200), (30, b"3"), (40, b"4")):
        batch(store, directory, time, {b"a": value})

    assert before(directory, 40) == {b"a": b"3"}
    with pytest.raises(NotKept):
        before(directory, 20)


def test_a_slot_that_stands_still_is_known_since_it_was_looked_at(store: SparkStore, directory: Path) -> None:
    """A copy that was made again has no history: a batch that changes nothing says since when it stands there."""
    batch(store, directory, 10, {b"a": b"1"})
    for path in directory.glob("history.*"):
        path.unlink()
    batch(store, directory, 20, {})

    assert before(directory, 30) == {b"a": b"1"}
    with pytest.raises(NotKept):
        before(directory, 10)


def test_a_slot_that_stands_still_after_too_large_a_batch_is_known(
    store: SparkStore, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that a backlog filled keeps the state of then, and no batch after it changes a row."""
    monkeypatch.setattr("runner.spark.state.history.MAX_BYTES", 100)
    large = {b"a": b"2" * 200}
    for time, value in ((10, b"1"), (20, large[b"a"]), (30, large[b"a"]), (40, large[b"a"])):
        batch(store, directory, time, {b"a": value})

    assert [before(directory, time) for time in (30, 40, 50)] == [large] * 3
    with pytest.raises(NotKept):
        before(directory, 20)


@pytest.mark.parametrize("left", [10, 60])
def test_a_record_that_a_killed_worker_left_in_half_hides_no_later_one(
    store: SparkStore, directory: Path, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for time in (10, 20, 30):
        batch(store, directory, time, {b"a": str(time).encode() * 20})
    (segment,) = directory.glob("history.*")
    size = segment.stat().st_size
    with segment.open("r+b") as file:
        file.seek(size // 3 * 2)
        half = file.read(left)
        file.seek(0, 2)
        file.write(half)
    monkeypatch.setattr(history, "_ends", {})  # the next batch has another worker
    for time in (40, 50):
        batch(store, directory, time, {b"a": str(time).encode() * 20})

    assert [before(directory, time)[b"a"][:2] for time in (20, 30, 40, 50, 60)] == [b"10", b"20", b"30", b"40", b"50"]


def test_a_batch_without_changes_keeps_as_much_of_the_past_as_others(
    store: SparkStore, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "SEGMENT_BYTES", 200)
    monkeypatch.setattr(history, "KEPT_BYTES", 400)
    monkeypatch.setattr("runner.spark.state.history.MAX_BYTES", 400)

    def run(time: int, value: bytes) -> None:
        with SlotState.load(store.attempt(), directory) as state:
            state.put(b"a", value)
            state.commit(time, 1 << 20)
        store.commit()
        forget(directory)

    for time in range(10, 200, 10):
        run(time, str(time).encode() * 30)
    segments = len(list(directory.glob("history.*")))
    run(200, large := b"large" * 200)
    run(210, large)

    assert len(list(directory.glob("history.*"))) >= segments > 4


def test_a_batch_and_its_run_may_remove_old_segments_at_the_same_time(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "SEGMENT_BYTES", 10)
    directory.mkdir(parents=True)
    failures, is_over = list[Exception](), threading.Event()

    def remove() -> None:
        try:
            while not is_over.is_set():
                History(directory).remove_older(2.0**40)
        except Exception as error:
            failures.append(error)

    removing = [threading.Thread(target=remove) for _ in range(2)]
    for each in removing:
        each.start()
    try:
        for number in range(2_000):
            History(directory).append(Undo(number, b"%016d" % number, bytes(16), bytes(20)), 400)
    finally:
        is_over.set()
        for each in removing:
            each.join()

    assert failures == []


def test_a_slot_that_is_not_here_is_refused(directory: Path) -> None:
    with pytest.raises(NotKept, match="not on this host"):
        Past(directory, 10)
