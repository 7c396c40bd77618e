"""The group ids by which Spark keeps slots apart."""

from __future__ import annotations

from functools import lru_cache
from itertools import count


@lru_cache
def choose_slot_ids(slots: int) -> tuple[int, ...]:
    """Ids that Spark's hash partitioning sends to partitions 0, 1, 2, …: each slot has its own partition."""
    ids: dict[int, int] = {}
    for number in count():
        ids.setdefault(hash_as_spark(number) % slots, number)
        if len(ids) == slots:
            return tuple(ids[partition] for partition in range(slots))
    raise AssertionError


def hash_as_spark(number: int) -> int:
    """Spark's `hash` of one long (Murmur3, seed 42), as the signed number whose `pmod` names the partition."""
    h = 42
    for half in (number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF):
        k = _rotate(half * 0xCC9E2D51 & 0xFFFFFFFF, 15) * 0x1B873593 & 0xFFFFFFFF
        h = _rotate(h ^ k, 13) * 5 + 0xE6546B64 & 0xFFFFFFFF
    h ^= 8
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    h ^= h >> 16
    return h - (1 << 32) if h >> 31 else h


def _rotate(word: int, bits: int) -> int:
    return (word << bits | word >> 32 - bits) & 0xFFFFFFFF
