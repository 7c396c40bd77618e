"""Sizes of a slot's stores. Each batch updates them with its changes, so nothing is counted twice."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

PLACE = slice(0, 4)
STORE = slice(2, 4)
"""Places in a key of the number of its task and store, and of its store alone (`runner.engine.stores.state.PREFIX`)."""

AT_ONCE = 10_000


class StoreSize(NamedTuple):
    """The size of a store: rows, and bytes of their keys and values."""

    rows: int = 0
    bytes: int = 0


NOTHING = StoreSize()
Sizes = Mapping[int, StoreSize]
"""By number of the store."""


def sum_sizes(sizes: Sizes) -> StoreSize:
    return StoreSize(sum(size.rows for size in sizes.values()), sum(size.bytes for size in sizes.values()))


def measure_rows(keys: Sequence[bytes], values: Sequence[bytes | None]) -> Sizes:
    """The sizes of rows in order, without rows whose value is None. It searches for each task's store among them."""
    if all(values):
        present: Sequence[bytes] = values  # type: ignore[assignment]
    else:
        keys = [key for key, value in zip(keys, values, strict=True) if value is not None]
        present = [value for value in values if value is not None]
    sizes: dict[int, StoreSize] = {}
    start = 0
    while start < len(keys):
        end = bisect_right(keys, keys[start][PLACE], start, key=_find_place)
        store = int.from_bytes(keys[start][STORE])
        weight = sum(map(len, keys[start:end])) + sum(map(len, present[start:end]))
        rows, size = sizes.get(store, NOTHING)
        sizes[store] = StoreSize(rows + end - start, size + weight)
        start = end
    return sizes


def count_rows(rows: Iterator[tuple[bytes, bytes]]) -> Sizes:
    """The sizes of stores with any number of rows, measured some at a time."""
    sizes: Sizes = {}
    while some := list(islice(rows, AT_ONCE)):
        sizes = add(sizes, measure_rows([key for key, _ in some], [value for _, value in some]))
    return sizes


def add(sizes: Sizes, came: Sizes) -> Sizes:
    return {store: _sum(sizes, came, store, 1) for store in chain(sizes, came)}


def remove(sizes: Sizes, went: Sizes) -> Sizes:
    return {store: _sum(sizes, went, store, -1) for store in chain(sizes, went)}


def _sum(sizes: Sizes, more: Sizes, store: int, sign: int) -> StoreSize:
    (rows, size), (more_rows, more_size) = sizes.get(store, NOTHING), more.get(store, NOTHING)
    return StoreSize(rows + sign * more_rows, size + sign * more_size)


def _find_place(key: bytes) -> bytes:
    return key[PLACE]
