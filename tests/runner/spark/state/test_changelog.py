"""The changelog alone tells what a slot holds, and says so where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.spark.state import HEAD, BrokenChangelog, Head, SlotState, UnknownCodec, read_content, write_rows
from tests.runner.spark.state.spark_store import SparkStore

ROWS = [(b"%04d" % number, b"%d" % number * 50) for number in range(5_000)]


def put(store: SparkStore, directory: Path, rows: list[tuple[bytes, bytes]]) -> None:
    with SlotState.load(store.attempt(), directory) as state:
        for key, value in rows:
            state.put(key, value)
        state.commit()
    store.commit()


def stored(store: SparkStore) -> list[tuple[int, bytes]]:
    """The head and the entries as Spark's state reader would show them."""
    return sorted(store.versions[-1].items())


def test_the_content_can_be_read_without_the_query(store: SparkStore, directory: Path, tmp_path: Path) -> None:
    for first in range(0, 5_000, 100):
        put(store, directory, ROWS[first : first + 100])

    content = list(read_content(stored(store), tmp_path / "scratch"))

    assert content == ROWS
    assert not (tmp_path / "scratch").exists()


def test_a_new_epoch_starts_with_what_was_seeded(store: SparkStore, directory: Path) -> None:
    seeded = store.attempt()
    for first in range(0, 5_000, 2_000):
        write_rows(seeded, ROWS[first : first + 2_000])
    store.commit()

    with SlotState.load(store.attempt(), directory) as state:
        content, size, stores = list(state.range(b"", None)), state.size, state.stores

    assert content == ROWS
    assert size == (5_000, sum(len(key) + len(value) for key, value in ROWS))
    assert sum(held.rows for held in stores.values()) == 5_000


def test_a_seeded_slot_goes_on_like_any_other(store: SparkStore, directory: Path, tmp_path: Path) -> None:
    write_rows(store.attempt(), ROWS)
    store.commit()

    for number in range(60):
        put(store, directory, [(ROWS[number][0], b"changed"), (b"new-%d" % number, bytes(20_000))])

    changed = {ROWS[number][0]: b"changed" for number in range(60)}
    added = {b"new-%d" % number: bytes(20_000) for number in range(60)}
    assert dict(read_content(stored(store), tmp_path / "scratch")) == dict(ROWS) | changed | added
    assert stored(store)[1][0] > 1


def test_a_large_batch_is_split_into_entries_of_four_mebibytes(store: SparkStore, directory: Path) -> None:
    put(store, directory, [(b"%04d" % number, bytes(100_000)) for number in range(200)])

    sizes = [len(entry) for _, entry in stored(store)]

    assert max(sizes) <= 4 << 20
    assert sum(sizes) >= 200 * 100_000


def test_a_small_store_keeps_one_entry(store: SparkStore, directory: Path) -> None:
    for number in range(20):
        put(store, directory, [(b"%d" % number, b"row")])

    assert len(stored(store)) == 2


def test_a_missing_entry_is_named(store: SparkStore, directory: Path, tmp_path: Path) -> None:
    write_rows(store.attempt(), ROWS)
    store.commit()
    put(store, directory, [(ROWS[0][0], b"changed")])
    head, _, *entries = stored(store)

    with pytest.raises(BrokenChangelog, match=r"Entry 1 .* is missing; entries 1 to 2 are needed"):
        list(read_content([head, *entries], tmp_path / "scratch"))
    with pytest.raises(BrokenChangelog, match=r"Entry 0 .* is missing; entries 0 to 2 are needed"):
        list(read_content(entries, tmp_path / "scratch"))


def test_an_entry_of_another_attempt_is_named(store: SparkStore, directory: Path, tmp_path: Path) -> None:
    put(store, directory, ROWS[:1])
    head, *_ = stored(store)
    other = SparkStore()
    put(other, tmp_path / "other", ROWS[:1])

    with pytest.raises(BrokenChangelog, match=r"Entry 1 .* is not the one"):
        list(read_content([head, *stored(other)[1:]], tmp_path / "scratch"))


def test_state_of_a_later_version_is_refused(store: SparkStore, directory: Path) -> None:
    store.entries.change({HEAD: Head(version=9).encode()})

    with pytest.raises(UnknownCodec, match="format 9"):
        store.changelog.head()
