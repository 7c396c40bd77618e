"""The kernel reads and packs the state of a slot by itself, and finds what Python finds."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner import kernel
from runner.engine.stores.state import MemoryState
from runner.spark.adopting.rows import _NoRows
from runner.spark.past.candidate import RowsInMemory
from runner.spark.state import SlotState, View, entry
from runner.spark.state import kernel as kernel_rows
from runner.spark.state.change import Change, Writes, find_change
from runner.spark.state.copy_file import CopyFile, copy_file, remove_file
from runner.spark.state.entry import Delta, decode_delta
from runner.spark.state.rows import Rows
from runner.spark.state.sorted_keys import Ranges
from tests.runner.engine.kernel.test_moving import STORES, pipe_batch
from tests.runner.kernel_driver import KernelDriver
from tests.runner.spark.state.spark_store import SparkStore

LONG = b"\x00\x01\x00\x02" + b"k" * 500


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "slot"
    remove_file(tmp_path / "slot")


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("store", STORES)
def test_tasks_read_a_slot_as_if_it_were_in_memory(store: str, cache: bool, directory: Path):
    """Two flushes share an attempt, so the second one reads below what the first one wrote."""
    graph = STORES[store]().graph
    here, elsewhere = KernelDriver(graph, cache=cache), KernelDriver(graph, cache=cache, engine="python")
    spark = SparkStore()

    for attempt in range(3):
        with SlotState.load(spark.attempt(), directory) as state:
            assert state.lend() is not None
            here.state = state  # type: ignore[assignment]
            for part in range(2):
                for driver in (here, elsewhere):
                    driver.move_to(driver.engine)
                    pipe_batch(driver, attempt * 2 + part, 20_000 if "calendar" in store else 1)
            assert isinstance(elsewhere.state, MemoryState)
            assert dict(state.range(b"", None)) == elsewhere.state.values
            state.commit()
        spark.commit()
    assert here.rows() == elsewhere.rows()
    assert here.rows_in_kernel >= 90


KEYS = st.binary(max_size=3).map(lambda tail: b"\0\1\0" + tail) | st.binary(min_size=1, max_size=3)
RANGES = st.lists(st.tuples(KEYS, KEYS), max_size=3)
VALUES = st.binary(max_size=40)


@settings(deadline=None, max_examples=60)
@given(
    st.dictionaries(KEYS, VALUES),
    st.dictionaries(KEYS, st.none() | VALUES),
    RANGES,
    KEYS | st.just(b""),
    st.integers(1, 300),
    st.integers(10, 200),
)
def test_a_change_is_what_python_finds(
    rows: Mapping[bytes, bytes],
    writes: dict[bytes, bytes | None],
    deleted: list[tuple[bytes, bytes]],
    cursor: bytes,
    least: int,
    piece: int,
):
    ranges = Ranges()
    for start, end in deleted:
        ranges.add(start, end)
    given = Writes(writes, list(ranges), cursor, least)
    after = {key: value for key, value in rows.items() if key not in ranges} | writes

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry, "PIECE", piece)
        file = make_file(Path(folder), rows)
        ours = read(file, given)
        patch.setenv(kernel.SWITCH, "off")
        theirs = read(file, given)
        remove_file(Path(folder))

    assert [*ours.deltas] == [*theirs.deltas]
    assert (ours.undo, ours.came, ours.went) == (theirs.undo, theirs.came, theirs.went)
    for change in (ours, theirs) if ours.deltas else ():
        pieces = [decode_delta(piece) for piece in change.spans]
        span = {each: value for delta in pieces for each, value in zip(delta.keys, delta.values, strict=True)}
        stop = change.span_end
        kept = {key: value for key, value in after.items() if value is not None}
        assert span == {key: value for key, value in kept.items() if cursor <= key and (stop is None or key < stop)}
        assert change.span_bytes == sum(len(key) + len(value or b"") for key, value in span.items())


def test_an_encoded_delta_is_applied_as_python_does(directory: Path, monkeypatch: pytest.MonkeyPatch):
    rows = {b"%03d" % number: b"v" * number for number in range(300)}
    delta = Delta([(b"05", b"1"), (b"29", b"x")], [b"000", b"051", b"1", b"no"], [None, b"new", b"", None])
    found = []

    for switch in ("on", "off"):
        monkeypatch.setenv(kernel.SWITCH, switch)
        file = make_file(directory / switch, rows)
        apply(file, delta.encode())
        found.append(list_rows(file))
        remove_file(directory / switch)

    assert found[0] == found[1]
    assert len(found[0]) == 300 - 50 - 10 - 1 + 2


def test_long_keys_are_left_to_python(directory: Path):
    file = make_file(directory, {b"a": b"1", LONG: b"2", LONG + b"x": b"3"})

    change = read(file, Writes({b"a": b"2", LONG: b"4"}, [(LONG + b"a", LONG + b"z")], b"", 1))

    (delta,) = map(decode_delta, change.deltas)
    assert (delta.keys, delta.values) == ([LONG, b"a"], [b"4", b"2"])
    assert [tuple(bounds) for bounds in delta.deleted_ranges] == [(LONG + b"a", LONG + b"z")]


def test_a_file_that_is_full_grows(directory: Path, monkeypatch: pytest.MonkeyPatch):
    """LMDB's answer to the kernel has the same effect as to py-lmdb: a larger map, and the work again."""
    monkeypatch.setattr("runner.spark.state.copy_file.FIRST_SIZE", 1 << 20)
    file = make_file(directory, {})
    delta = Delta([], [b"%06d" % number for number in range(1_000)], [bytes(5_000)] * 1_000).encode()

    apply(file, delta)

    assert len(list_rows(file)) == 1_000


@pytest.mark.parametrize(("name", "value"), [("KNOWN", frozenset()), ("TABLES", ("lmdb_api_sys",))])
def test_an_unknown_lmdb_is_left_to_python(name: str, value: object, directory: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel_rows, name, value)
    kernel_rows._find_functions.cache_clear()

    found = Rows((file := make_file(directory, {})).read(), file.rows).lend()

    kernel_rows._find_functions.cache_clear()
    assert found is None


@pytest.mark.parametrize("make", [RowsInMemory, _NoRows])
def test_rows_that_are_in_no_file_are_asked_for(make: Callable[[], Any]):
    """A view over them runs tasks in the kernel, too."""
    graph = STORES["sessions"]().graph
    here, elsewhere = KernelDriver(graph), KernelDriver(graph, engine="python")
    here.state = View(make())  # type: ignore[assignment]

    for driver in (here, elsewhere):
        driver.move_to(driver.engine)
        pipe_batch(driver, 0, 1)

    assert here.rows() == elsewhere.rows()
    assert here.rows_in_kernel > 0


def make_file(directory: Path, rows: Mapping[bytes, bytes]) -> CopyFile:
    file = copy_file(directory)
    delta = Delta([], list(rows), list(rows.values()))
    file.write(lambda txn: Rows(txn, file.rows).apply(delta))
    return file


def apply(file: CopyFile, delta: bytes) -> None:
    file.write(lambda txn: Rows(txn, file.rows).apply_encoded(delta))


def list_rows(file: CopyFile) -> list[tuple[bytes, bytes]]:
    rows = Rows(file.read(), file.rows)
    found = list(rows.items())
    rows.close()
    return found


def read(file: CopyFile, given: Writes) -> Change:
    rows = Rows(file.read(), file.rows)
    try:
        return find_change(rows, given, {})
    finally:
        rows.close()
