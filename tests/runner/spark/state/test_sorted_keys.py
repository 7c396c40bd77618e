"""Sorted keys and sets of ranges behave like the plain sets they stand for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runner.spark.state.sorted_keys import Ranges, SortedKeys

KEYS = st.binary(min_size=1, max_size=2)
BOUNDS = st.tuples(KEYS, KEYS)


@given(batches=st.lists(st.sets(KEYS, max_size=3_000), max_size=6), bounds=BOUNDS, taken=BOUNDS)
def test_sorted_keys_are_a_sorted_set(
    batches: list[set[bytes]], bounds: tuple[bytes, bytes], taken: tuple[bytes, bytes]
) -> None:
    keys, model = SortedKeys(), set[bytes]()

    for batch in batches:
        keys.update(batch - model)
        model |= batch
    took = keys.take(*taken)

    assert took == sorted(key for key in model if taken[0] <= key < taken[1])
    assert keys.find_between(*bounds) == sorted(key for key in model - set(took) if bounds[0] <= key < bounds[1])
    assert len(keys) == len(model) - len(took)


def test_keys_added_one_by_one_stay_sorted() -> None:
    keys = SortedKeys()

    for number in range(5_000):
        keys.update([b"%05d" % (number * 3_571 % 5_000)])

    assert keys.find_between(b"", None) == [b"%05d" % number for number in range(5_000)]


@given(added=st.lists(BOUNDS, max_size=8), key=KEYS, bounds=BOUNDS)
def test_ranges_hold_what_any_of_them_holds(
    added: list[tuple[bytes, bytes]], key: bytes, bounds: tuple[bytes, bytes]
) -> None:
    ranges = Ranges()

    for start, end in added:
        ranges.add(start, end)

    held = any(start <= key < end for start, end in added)
    free = any(start <= key and (end is None or key < end) for start, end in ranges.gaps(*bounds))
    assert (key in ranges) == held
    assert free == (not held and bounds[0] <= key < bounds[1])
    assert all(end < start for (_, end), (start, _) in zip(ranges, list(ranges)[1:], strict=False))
