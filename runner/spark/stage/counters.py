"""Counters of calls, by node and name, as they travel and are added up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from runner.engine.counts.drops import Drops
from runner.engine.counts.outcomes import Outcomes
from runner.engine.tasks.side_effects import SentAnswers

Counters = dict[str, dict[str, int]]
"""By node and name."""


class CallCounters(TypedDict):
    """What a call of a worker reports of its part of a batch. It travels to the writer as JSON, in a pack."""

    depth: int
    """The depth of its stage."""
    slot: int
    nodes: Counters
    busy_ms: dict[str, int]
    """Processor time of each node's own code."""
    drops: NotRequired[Drops]
    outcomes: NotRequired[Outcomes]
    laps: NotRequired[Mapping[str, float]]
    """Times of its steps (ms)."""
    since: NotRequired[int]
    """Since when its oldest record can have waited in Kafka (ms since 1970)."""
    unread: NotRequired[Mapping[str, int]]
    """By topic, the offsets that were there when the batch was planned, and that it leaves for later ones."""
    state: NotRequired[dict[str, int]]
    """`rows` and `bytes` of the slot."""
    stores: NotRequired[Counters]
    """`rows` and `bytes` of each node with a store, and `held` of one that holds results back."""
    head: NotRequired[str]
    """The nonce of the slot's state, in hex."""
    reader: NotRequired[str]
    """Address for queries of the slot's rows, on a cluster."""
    stream_times: NotRequired[Mapping[str, int]]
    """By node, the greatest stream time of its tasks that had records (ms)."""
    is_caught_up: NotRequired[bool]
    answers: NotRequired[list[SentAnswers]]
    """What the world outside answered users' Python."""
    dead_letters: NotRequired[int]
    """The dead letters that the slot has written itself."""
    checksum: NotRequired[str]
    """The checksum of the results that the slot has written itself (`Results.checksum`)."""
    results: NotRequired[Mapping[str, int]]
    """The number of these by topic."""


def add_stream_times(times: dict[str, int], more: Mapping[str, int]) -> None:
    """Takes the greater one of each node."""
    for node, time in more.items():
        times[node] = max(time, times.get(node, time))


def add(totals: Counters, more: Counters) -> None:
    """Adds counters by node."""
    for node, counts in more.items():
        own = totals.setdefault(node, {})
        for name, count in counts.items():
            own[name] = own.get(name, 0) + count
