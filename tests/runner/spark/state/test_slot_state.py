"""A slot's state is a sorted map that survives batches, aborted attempts and lost disks."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from runner import kernel
from runner.engine.stores.state import PREFIX
from runner.spark.state import HEAD, SlotState, entry, read_content, roll
from runner.spark.state.copy_file import remove_file
from tests.runner.spark.state.spark_store import SparkStore

LONG = b"\x00\x01\x00\x02" + b"k" * 470


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small stores take many batches to roll through, and large batches many entries."""
    monkeypatch.setattr(roll, "MIN_BYTES", 256)
    monkeypatch.setattr(entry, "PIECE", 20_000)


def load(store: SparkStore, directory: Path) -> SlotState:
    return SlotState.load(store.attempt(), directory)


def batch(store: SparkStore, directory: Path, rows: dict[bytes, bytes | None]) -> None:
    """One committed batch that writes the rows."""
    with load(store, directory) as state:
        for key, value in rows.items():
            state.delete(key) if value is None else state.put(key, value)
        state.commit()
    store.commit()


def content(store: SparkStore, directory: Path) -> dict[bytes, bytes]:
    with load(store, directory) as state:
        return dict(state.range(b"", None))


def test_a_batch_sees_what_earlier_batches_and_itself_wrote(store: SparkStore, directory: Path) -> None:
    batch(store, directory, {b"a": b"1", b"b": b"1"})

    with load(store, directory) as state:
        state.put(b"b", b"2")
        state.delete(b"a")
        seen = state.get(b"a"), state.get(b"b"), state.get(b"c")

    assert seen == (None, b"2", None)


def test_an_attempt_that_does_not_commit_leaves_nothing_behind(store: SparkStore, directory: Path) -> None:
    batch(store, directory, {b"a": b"1"})

    with load(store, directory) as state:
        state.put(b"a", b"lost")
        state.commit()

    assert content(store, directory) == {b"a": b"1"}


def test_a_second_attempt_is_not_taken_for_the_first(store: SparkStore, directory: Path) -> None:
    with load(store, directory) as first:
        first.put(b"a", b"first")
        first.commit()
    won = store.entries.content
    with load(store, directory) as second:
        second.put(b"a", b"second")
        second.commit()

    store.versions.append(won)

    assert content(store, directory) == {b"a": b"first"}


def test_ranges_are_in_byte_order_both_ways_with_writes_laid_over(store: SparkStore, directory: Path) -> None:
    batch(store, directory, {b"a": b"1", b"c": b"1", b"e": b"1"})

    with load(store, directory) as state:
        state.put(b"b", b"2")
        state.put(b"c", b"2")
        state.delete(b"e")
        forward, backward = list(state.range(b"a", b"e")), list(state.range(b"b", b"z", reverse=True))

    assert forward == [(b"a", b"1"), (b"b", b"2"), (b"c", b"2")]
    assert backward == [(b"c", b"2"), (b"b", b"2")]


def test_a_range_shows_the_moment_it_was_asked_for(store: SparkStore, directory: Path) -> None:
    with load(store, directory) as state:
        state.put(b"a", b"1")
        state.put(b"b", b"1")
        rows = state.range(b"a", b"z")
        state.delete_range(b"a", b"z")
        state.put(b"c", b"1")

        assert list(rows) == [(b"a", b"1"), (b"b", b"1")]


def test_a_range_delete_takes_what_was_there_and_spares_what_comes_later(store: SparkStore, directory: Path) -> None:
    batch(store, directory, {b"a": b"1", b"b": b"1", b"c": b"1"})

    with load(store, directory) as state:
        state.put(b"aa", b"1")
        assert (state.get(b"a"), state.get(b"b")) == (b"1", b"1")
        state.delete_range(b"a", b"c")
        state.put(b"b", b"2")
        seen = state.get(b"a"), state.get(b"aa"), list(state.range(b"", None))
        state.commit()
    store.commit()

    assert seen == (None, None, [(b"b", b"2"), (b"c", b"1")])
    assert content(store, directory) == {b"b": b"2", b"c": b"1"}


def test_keys_beyond_the_limit_of_lmdb_keep_their_order(store: SparkStore, directory: Path) -> None:
    keys = [LONG[:447], LONG[:450], LONG, LONG + b"a" * 9, LONG + b"b" * 5_000, LONG + b"c" * 6, LONG[:-30] + b"z"]

    batch(store, directory, dict.fromkeys(keys, b"v"))
    with load(store, directory) as state:
        forward = [key for key, _ in state.range(b"", None)]
        middle = [key for key, _ in state.range(LONG + b"a", LONG + b"c", reverse=True)]
        found = [state.get(key) for key in keys]
        state.delete_range(LONG + b"a", LONG + b"c")
        state.commit()
    store.commit()

    assert forward == keys
    assert middle == [LONG + b"b" * 5_000, LONG + b"a" * 9]
    assert found == [b"v"] * len(keys)
    assert list(content(store, directory)) == [*keys[:3], *keys[5:]]


def test_a_batch_that_changes_nothing_makes_one_state_call(store: SparkStore, directory: Path) -> None:
    batch(store, directory, {b"a": b"1", b"b": b"1"})
    content(store, directory)

    with load(store, directory) as state:
        state.get(b"b")
        state.put(b"a", b"1")
        state.delete(b"nowhere")
        state.delete_range(b"x", b"z")
        state.commit()

    assert store.calls == 1


def test_a_steady_batch_reads_and_changes_at_most_five_entries(store: SparkStore, directory: Path) -> None:
    calls = []

    for number in range(400):
        batch(
            store, directory, {b"%d" % (number * 100 % 4_000 + row): bytes(100) + b"%d" % number for row in range(20)}
        )
        calls.append(store.calls)

    assert max(calls) == 5
    assert sum(calls[200:]) / 200 <= 4.2


def test_the_changelog_stays_in_proportion_to_the_store(store: SparkStore, directory: Path) -> None:
    for number in range(300):
        batch(
            store, directory, {b"%d" % (row * 7_919 % 5_000): b"%d" % number * 30 for row in range(number, number + 50)}
        )

    with load(store, directory) as state:
        assert sum(len(entry) for entry in store.entries.content.values()) <= 3.5 * state.size.bytes + 100_000


def test_the_changelog_of_a_store_that_only_grows_stays_in_proportion(store: SparkStore, directory: Path) -> None:
    written = 0
    for number in range(120):
        before = set(store.entries.content.values())
        batch(
            store,
            directory,
            {b"%d" % (row * 7_919 % 100_003): b"x" * 1_000 for row in range(number * 50, number * 50 + 50)},
        )
        written += sum(len(entry) for entry in set(store.entries.content.values()) - before)

    with load(store, directory) as state:
        assert sum(len(entry) for entry in store.entries.content.values()) <= 2 * state.size.bytes + 100_000
        assert written <= 2.2 * state.size.bytes
    with load(store, directory / "restored") as restored:
        assert len(list(restored.range(b"", None))) == 120 * 50


def test_sizes_are_exact(store: SparkStore, directory: Path) -> None:
    batch(store, directory, {b"%03d" % row: b"value" for row in range(100)})
    batch(store, directory, {b"001": None, b"002": b"longer value", b"200": b"new", b"nowhere": None})
    with load(store, directory) as state:
        state.get(b"011")
        state.delete_range(b"010", b"020")
        state.put(b"012", b"back")
        state.commit()
    store.commit()

    rows = content(store, directory)

    with load(store, directory) as state:
        assert state.size == (len(rows), sum(len(key) + len(value) for key, value in rows.items()))
    assert state.size.rows == 91


def weighed(rows: dict[bytes, bytes]) -> dict[int, tuple[int, int]]:
    """Rows and bytes by number of the store, row by row."""
    found: dict[int, tuple[int, int]] = {}
    for key, value in rows.items():
        count, size = found.get(int.from_bytes(key[2:4]), (0, 0))
        found[int.from_bytes(key[2:4])] = count + 1, size + len(key) + len(value)
    return found


def test_each_store_knows_its_own_size(store: SparkStore, directory: Path) -> None:
    first, second = PREFIX.pack(0, 1), PREFIX.pack(0, 2)
    other_task = PREFIX.pack(4, 1)
    batch(store, directory, {first + b"a": b"1", first + b"b": b"22", second + b"a": b"333", other_task + b"a": b""})
    with load(store, directory) as state:
        state.delete_range(first, first + b"b")
        state.put(second + b"b", b"")
        state.delete(second + b"a")
        state.commit()
        assert state.stores == {1: (2, 12), 2: (1, 5)}
    store.commit()

    with load(store, directory) as state:
        assert state.stores == {1: (2, 12), 2: (1, 5)}


def test_a_head_that_says_nothing_of_single_stores_has_them_counted(store: SparkStore, directory: Path) -> None:
    rows = {PREFIX.pack(number % 3, number % 2) + b"%05d" % number: bytes(number % 7) for number in range(25_000)}
    batch(store, directory, dict(rows))
    fields = msgpack.unpackb(store.versions[-1][HEAD], strict_map_key=False)
    store.versions[-1][HEAD] = msgpack.packb(fields[:-1])

    with load(store, directory) as state:
        assert state.stores == weighed(rows)
        assert state.size == (25_000, sum(len(key) + len(value) for key, value in rows.items()))


KEYS = st.one_of(
    st.integers(0, 40).map(lambda number: b"%02d" % number),
    st.integers(0, 6).map(lambda number: LONG[: 440 + number * 10]),
    st.binary(min_size=1, max_size=3).map(lambda tail: LONG + b"x" * 20 + tail),
)
VALUES = st.one_of(st.binary(max_size=8), st.integers(1, 4_000).map(lambda size: b"v" * size))


class AnyHistory(RuleBasedStateMachine):
    """Whatever is written, committed, aborted, lost or restored: the state equals a dict, and so does a replay.

    The kernel and Python take turns. The kernel leaves long keys to Python, so half of the histories have none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "slot"
        self.store = SparkStore()
        self.model: dict[bytes, bytes] = {}
        self.committed = [self.model]
        self.environment = pytest.MonkeyPatch()
        self.longest: int | None = None

    def teardown(self) -> None:
        self.environment.undo()
        self.state.close()
        remove_file(self.path)
        remove_file(self.path.with_name("elsewhere"))
        self.folder.cleanup()

    @initialize(longest=st.sampled_from([None, 460]))
    def begin_with_keys(self, longest: int | None) -> None:
        self.longest = longest
        self.begin()

    def begin(self) -> None:
        self.model = dict(self.committed[-1])
        self.state = load(self.store, self.path)

    @rule(switch=st.sampled_from(["on", "off"]))
    def move_to_an_engine(self, switch: str) -> None:
        self.environment.setenv(kernel.SWITCH, switch)

    @rule(key=KEYS, value=VALUES)
    def put(self, key: bytes, value: bytes) -> None:
        self.state.put(key := key[: self.longest], value)
        self.model[key] = value

    @rule(first=st.integers(0, 40), count=st.integers(1, 30), size=st.integers(0, 3_000))
    def put_many(self, first: int, count: int, size: int) -> None:
        for number in range(first, first + count):
            self.put(b"%02d" % number, b"m" * size)

    @rule(key=KEYS)
    def delete(self, key: bytes) -> None:
        self.state.delete(key := key[: self.longest])
        self.model.pop(key, None)

    @rule(start=KEYS, end=KEYS)
    def delete_range(self, start: bytes, end: bytes) -> None:
        start, end = start[: self.longest], end[: self.longest]
        self.state.delete_range(start, end)
        self.model = {key: value for key, value in self.model.items() if not start <= key < end}

    @rule(key=KEYS)
    def get(self, key: bytes) -> None:
        assert self.state.get(key := key[: self.longest]) == self.model.get(key)

    @rule(start=KEYS, end=KEYS | st.none(), reverse=st.booleans())
    def read_range(self, start: bytes, end: bytes | None, reverse: bool) -> None:
        expected = sorted(
            ((k, v) for k, v in self.model.items() if start <= k and (end is None or k < end)), reverse=reverse
        )

        assert list(self.state.range(start, end, reverse)) == expected

    @rule()
    def commit(self) -> None:
        self.state.commit()
        self.store.commit()
        self.committed.append(self.model)
        self.begin()
        self.replay()

    @rule(reached_spark=st.booleans())
    def abort(self, reached_spark: bool) -> None:
        if reached_spark:
            self.state.commit()
        self.state.close()
        self.begin()

    @rule()
    def lose_the_disk(self) -> None:
        self.state.close()
        remove_file(self.path)
        self.begin()

    @rule(restored=st.integers(0, 3), batches=st.integers(0, 4))
    def return_after_other_hosts(self, restored: int, batches: int) -> None:
        """A checkpoint of some batches ago is restored, others work on: this host's copy is behind, ahead or astray."""
        self.state.close()
        restored = min(restored, len(self.committed) - 1)
        del self.committed[len(self.committed) - restored :]
        self.store.roll_back(restored)
        for number in range(batches):
            self.elsewhere(b"%d" % number)
        self.begin()

    def elsewhere(self, value: bytes) -> None:
        with load(self.store, self.path.with_name("elsewhere")) as state:
            state.put(b"20", value)
            state.delete_range(b"30", b"33")
            state.commit()
        self.store.commit()
        model = {key: row for key, row in self.committed[-1].items() if not b"30" <= key < b"33"}
        self.committed.append(model | {b"20": value})

    @invariant()
    def sizes_are_exact(self) -> None:
        before = self.committed[-1]
        assert self.state.size == (len(before), sum(len(key) + len(value) for key, value in before.items()))
        assert {store: size for store, size in self.state.stores.items() if size.rows} == weighed(before)

    def replay(self) -> None:
        stored = sorted(self.store.versions[-1].items())
        if stored:
            replayed = dict(read_content(stored, self.path.with_name("scratch")))
            assert replayed == self.committed[-1]


AnyHistory.TestCase.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
TestAnyHistory: Any = AnyHistory.TestCase
