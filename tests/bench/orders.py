"""The orders and customers that the workloads run on: the same on every machine, as in no other's interest.

Orders of 151 bytes, keyed by one of 10,000 customers, a millisecond apart, a tenth of them up to half a second late;
a `Shape` says what is different. What each workload must give is computed from the columns, not by any engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

BASE_MS = 1_767_225_600_000
CUSTOMERS = 10_000
PRODUCTS = 500
WINDOW_MS = 60_000
CHUNK = 100_000
TIERS = ("bronze", "silver", "gold", "platinum")
REGIONS = (
    *("us-east", "us-west", "us-south", "ca-central", "eu-west", "eu-north"),
    *("eu-south", "ap-south", "ap-east", "ap-north", "sa-east", "af-south"),
)
Column = NDArray[np.int64]
Record = tuple[str, str, int]
"""Key, value and timestamp (ms)."""


class Columns(NamedTuple):
    """The orders by column: customers, regions and products by number, amounts in cents, times in ms."""

    customer: Column
    region: Column
    product: Column
    cents: Column
    at: Column


class Shape(NamedTuple):
    """How many customers there are, which part of the orders the first has, and bytes that each order has besides."""

    customers: int = CUSTOMERS
    hot: float = 0.0
    padding: int = 0


USUAL = Shape()


@lru_cache(maxsize=2)
def columns(count: int, shape: Shape = USUAL) -> Columns:
    """The first `count` orders; those of a smaller count begin those of a greater one."""
    chunks = [_chunk(number, shape) for number in range(-(-count // CHUNK))]
    return Columns(*(np.concatenate(parts)[:count] for parts in zip(*chunks, strict=True)))


def _chunk(number: int, shape: Shape) -> Columns:
    chance = np.random.Generator(np.random.PCG64([7, number]))
    customer = chance.integers(0, shape.customers, CHUNK)
    region = chance.integers(0, len(REGIONS), CHUNK)
    product = chance.integers(0, PRODUCTS, CHUNK)
    cents = chance.integers(500, 20_000, CHUNK)
    late = np.where(chance.random(CHUNK) < 0.1, chance.integers(1, 500, CHUNK), 0)
    if shape.hot:
        customer = np.where(chance.random(CHUNK) < shape.hot, 0, customer)
    return Columns(customer, region, product, cents, BASE_MS + np.arange(number * CHUNK, (number + 1) * CHUNK) - late)


def orders(count: int, shape: Shape = USUAL) -> Iterator[Record]:
    rows = zip(*(column.tolist() for column in columns(count, shape)), strict=True)
    note = f',"note":"{"x" * shape.padding}"' if shape.padding else ""
    for number, (customer, region, product, cents, at) in enumerate(rows):
        key = f"c{customer:05d}"
        value = (
            f'{{"order_id":"o{number:08d}","customer_id":"{key}","region":"{REGIONS[region]}","product":"p{product:03d}",'
            f'"amount":{cents / 100},"ts":{at},"currency":"EUR","channel":"web"{note}}}'
        )
        yield key, value, at


def customers() -> Iterator[Record]:
    for number in range(CUSTOMERS):
        key = f"c{number:05d}"
        value = (
            f'{{"customer_id":"{key}","name":"Customer {number}","tier":"{tier(number)}",'
            f'"region":"{REGIONS[number % len(REGIONS)]}"}}'
        )
        yield key, value, BASE_MS - 3_600_000


def homes() -> Iterator[Record]:
    """Where each customer lives: the second table of W3-twice."""
    for number in range(CUSTOMERS):
        key = f"c{number:05d}"
        yield key, f'{{"customer_id":"{key}","home":"{REGIONS[number % len(REGIONS)]}"}}', BASE_MS - 3_600_000


def payments(count: int, shape: Shape = USUAL) -> Iterator[Record]:
    """A payment of the customer of each order, a second after it."""
    found = columns(count, shape)
    for number, (customer, at) in enumerate(zip(found.customer.tolist(), found.at.tolist(), strict=True)):
        key = f"c{customer:05d}"
        yield key, f'{{"payment_id":"p{number:08d}","customer_id":"{key}"}}', at + 1_000


def tier(customer: int) -> str:
    return TIERS[(customer * 7 + customer // 13) % len(TIERS)]


def expected(workload: str, count: int, shape: Shape = USUAL) -> dict[Any, Any]:
    """The final value of each key; of W1 and W1-wide, the amount with tax (6 digits) of each order by its number."""
    found = columns(count, shape)
    match workload:
        case "W1" | "W1-wide":
            passing = np.flatnonzero(found.cents >= 10_000)
            taxed = np.round(found.cents[passing] / 100 * 1.2, 6)
            return dict(zip(passing.tolist(), taxed.tolist(), strict=True))
        case "W2":
            pairs, counts = np.unique(
                np.stack([found.customer, found.at // WINDOW_MS * WINDOW_MS]), axis=1, return_counts=True
            )
            keys = ((f"c{customer:05d}", start) for customer, start in pairs.T.tolist())
            return dict(zip(keys, counts.tolist(), strict=True))
        case "hopping":
            starts = [found.at // 20_000 * 20_000 - back for back in (0, 20_000, 40_000)]
            each = np.concatenate([np.stack([found.customer, at]) for at in starts], axis=1)
            pairs, counts = np.unique(each, axis=1, return_counts=True)
            hops = zip(pairs.T.tolist(), counts.tolist(), strict=True)
            return {(f"c{customer:05d}", start, start + WINDOW_MS): n for (customer, start), n in hops}
        case "sliding" | "session":
            order = np.lexsort((found.at, found.customer))
            ends = np.flatnonzero(np.diff(found.customer[order])) + 1
            per_customer = zip(np.split(found.customer[order], ends), np.split(found.at[order], ends), strict=True)
            windows = _find_sessions if workload == "session" else _find_sliding
            return {
                (f"c{customer[0]:05d}", *bounds): n for customer, times in per_customer for bounds, n in windows(times)
            }
        case "stream join":
            return {
                (order, payment): round(found.cents[order] / 100, 2)
                for order, payment in _find_pairs(found.customer, found.at, found.at + 1_000, 2_000)
            }
        case "fraud":
            large = {("large", f"o{number:08d}"): 1 for number in np.flatnonzero(found.cents >= 19_900).tolist()}
            counted = expected("W2", count, shape)
            rapid = {("rapid", f"{customer}@{start}"): n for (customer, start), n in counted.items() if n > 12}
            platinum = np.array([tier(number) == "platinum" for number in range(shape.customers)])[found.customer]
            known = np.flatnonzero(platinum & (found.cents >= 19_800)).tolist()
            return large | rapid | {("platinum", f"o{number:08d}"): 1 for number in known}
        case "word count":
            products, regions = np.bincount(found.product), np.bincount(found.region)
            words = {f"p{number:03d}": n for number, n in enumerate(products.tolist()) if n}
            return words | {REGIONS[at]: n for at, n in enumerate(regions.tolist()) if n} | {"web": count}
        case "W3" | "W3-twice":
            tiers = np.array([TIERS.index(tier(number)) for number in range(shape.customers)])[found.customer]
            places = found.customer % len(REGIONS) if workload == "W3-twice" else found.region
            pairs, counts = np.unique(np.stack([tiers, places]), axis=1, return_counts=True)
            names = (f"{TIERS[one]}|{REGIONS[other]}" for one, other in pairs.T.tolist())
            return dict(zip(names, counts.tolist(), strict=True))
        case _:
            counts = np.bincount(found.customer, minlength=shape.customers)
            sums = np.bincount(found.customer, weights=found.cents, minlength=shape.customers)
            rows = enumerate(zip(counts.tolist(), sums.tolist(), strict=True))
            return {f"c{number:05d}": (count, round(cents / 100, 2)) for number, (count, cents) in rows if count}


Bounds = tuple[int, int]


def _find_sessions(times: Column, gap_ms: int = 10_000) -> Iterator[tuple[Bounds, int]]:
    """Sessions of one customer's sorted times: two times at most the gap apart share one (SessionWindows)."""
    for session in np.split(times, np.flatnonzero(np.diff(times) > gap_ms) + 1):
        yield (int(session[0]), int(session[-1])), len(session)


def _find_sliding(times: Column, difference_ms: int = 30_000) -> Iterator[tuple[Bounds, int]]:
    """Windows that end with a time or begin right after one, if they hold any (SlidingWindows, KIP-450)."""
    for start in np.unique(np.concatenate([times - difference_ms, times + 1])).tolist():
        first, last = np.searchsorted(times, (start, start + difference_ms + 1))
        if last > first:
            yield (start, start + difference_ms), int(last - first)


def _find_pairs(customer: Column, one: Column, other: Column, apart_ms: int) -> Iterator[tuple[int, int]]:
    """The numbers of two records of one customer whose times are at most so far apart."""
    order = np.lexsort((other, customer))
    ends = np.flatnonzero(np.diff(customer[order])) + 1
    for numbers in np.split(order, ends):
        times = other[numbers]
        for number in numbers.tolist():
            first, last = np.searchsorted(times, (one[number] - apart_ms, one[number] + apart_ms + 1))
            yield from ((number, int(each)) for each in numbers[first:last])
