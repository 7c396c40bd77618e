"""What a process that only reads sees of a slot: what is committed, or nothing."""

from pathlib import Path

import pytest

from runner.spark.state import SlotState, open_committed
from runner.spark.state.copy_file import _open
from tests.runner.spark.state.spark_store import SparkStore


def batch(store: SparkStore, directory: Path, rows: dict[bytes, bytes | None]) -> bytes:
    """One batch that Spark has committed; the nonce of its head."""
    with SlotState.load(store.attempt(), directory) as state:
        for key, value in rows.items():
            state.delete(key) if value is None else state.put(key, value)
        state.commit()
    store.commit()
    forget(directory)
    return state.nonce


def forget(directory: Path) -> None:
    """Closes the file, as if another process had it open: the one that reads does not write."""
    for known in [known for known in _open if known[1] == directory]:
        _open.pop(known).close()


def seen(directory: Path, nonce: bytes) -> dict[bytes, bytes] | None:
    view = open_committed(directory, nonce)
    if view is None:
        return None
    with view:
        found = dict(view.range(b"", None))
    forget(directory)
    return found


def test_the_newest_batch_and_the_one_before_it_can_be_seen(store: SparkStore, directory: Path) -> None:
    first = batch(store, directory, {b"a": b"1", b"b": b"1"})
    second = batch(store, directory, {b"a": b"2", b"b": None, b"c": b"2"})

    assert seen(directory, first) == {b"a": b"1", b"b": b"1"}
    assert seen(directory, second) == {b"a": b"2", b"c": b"2"}


def test_a_batch_that_is_passed_or_unknown_is_not_seen(store: SparkStore, directory: Path) -> None:
    first, *_ = (batch(store, directory, {b"a": bytes([number])}) for number in range(3))

    assert seen(directory, first) is None
    assert seen(directory, b"?" * 16) is None


def test_an_attempt_that_failed_is_not_seen(store: SparkStore, directory: Path) -> None:
    first = batch(store, directory, {b"a": b"1"})
    with SlotState.load(store.attempt(), directory) as state:
        state.put(b"a", b"2")
        state.commit()
    forget(directory)

    assert seen(directory, first) == {b"a": b"1"}


def test_a_range_that_goes_and_what_comes_after_it_are_seen(store: SparkStore, directory: Path) -> None:
    batch(store, directory, {b"a1": b"1", b"a2": b"1", b"b": b"1"})
    with SlotState.load(store.attempt(), directory) as state:
        state.delete_range(b"a", b"b")
        state.put(b"a2", b"2")
        state.commit()
    store.commit()
    forget(directory)

    assert seen(directory, state.nonce) == {b"a2": b"2", b"b": b"1"}


@pytest.mark.parametrize("made", [False, True], ids=["no folder", "an empty folder"])
def test_nothing_is_made_where_there_is_no_copy(tmp_path: Path, made: bool) -> None:
    folder = tmp_path / "slot-0"
    if made:
        folder.mkdir()

    assert open_committed(folder, b"?" * 16) is None
    assert not (folder / "data.mdb").exists()
