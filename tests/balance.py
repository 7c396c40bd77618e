"""Whether the outcomes of every node balance: records in + extra = out + dropped + errors + no result + waiting.

What went out, what failed, what was dropped for which reason and what waits is also looked up where it does not depend
on the counters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from runner.engine.counts.outcomes import NOTHING
from runner.engine.formats import EncodeError
from runner.engine.formats.sides import make_encoder_of
from runner.engine.operators.shared.buffering import KEYS
from runner.engine.planning.layout import Sink
from runner.engine.planning.parts import find_owner
from runner.engine.records.codecs import TIMESTAMP, unpack
from runner.engine.stores.state import PREFIX, TIMES, find_key_after
from runner.engine.stores.unmatched_store import EARLIEST
from runner.engine.tasks.shuffling import UNWRITABLE_KEY
from runner.engine.trial import Trial

GARBAGE = b"\xff"
"""A key or value that no format but `bytes` can read."""
INDEX = 2**62
"""What stands in a window store behind all times is its index."""


def pipe(trial: Trial, topic: str, key: Any, value: Any, timestamp: int) -> None:
    """Process a record; what does not fit its topic, and bytes, are written as they cannot be read."""
    schema = trial._find_schema(trial.layout.sources_by_topic[topic][0])
    trial.pipe_bytes(topic, _written(schema.key, key), _written(schema.value, value), timestamp)


def imbalances(trial: Trial) -> dict[str, str]:
    """What is wrong with the outcomes of each node."""
    counters, outcomes, drops, letters = trial.counters(), trial.outcomes(), trial.drops(), trial.failures()
    failed = Counter(find_owner(each["node"]) for each in letters)
    unsent = Counter(each["node"] for each in letters if each["message"].startswith(UNWRITABLE_KEY))
    found = {}
    for node, counts in counters.items():
        page, waits = outcomes.get(node, NOTHING), _waits(trial, node)
        no_result, dropped = page["no_result"].values(), drops.get(node, {}).values()
        ends = counts["out"] + counts["dropped"] + counts["errors"] + sum(no_result) + page["waiting"]
        checks = {
            "in + extra": (counts["in"] + page["extra"], ends),
            "out": (counts["out"], _went_out(trial, node, unsent[node])),
            "errors": (counts["errors"], failed[node]),
            "dropped": (counts["dropped"], sum(each["count"] for each in dropped)),
            "waiting": (page["waiting"], page["waiting"] if waits is None else waits),
            "the least": (min([0, page["extra"], *no_result, *counts.values()]), 0),
        }
        wrong = [
            f"{name} is {said} in the outcomes, not {seen}" for name, (said, seen) in checks.items() if said != seen
        ]
        if wrong:
            found[node] = f"{', '.join(wrong)}: {counts} {page}"
    return found


def _written(side: Any, part: Any) -> bytes | None:
    if part is None or isinstance(part, bytes):
        return part
    try:
        return make_encoder_of(side)(part)
    except EncodeError:
        return GARBAGE


def _went_out(trial: Trial, node: str, unsent: int) -> int:
    """The records that were seen leaving a node, but for those whose key could not be written for its only reader."""
    targets = trial.layout.targets
    if sinks := [number for number, each in enumerate(targets) if isinstance(each, Sink) and each.node == node]:
        return sum(row[0] in sinks for _, row in trial.output)
    if not (ports := trial.layout.nodes[node].outputs):
        return trial.counters()[node]["out"]
    seen = sum(trial.counts[node, port] for port in ports)
    return seen - (unsent if len(trial.layout.children[node]) == 1 else 0)


def _waits(trial: Trial, node: str) -> int | None:
    """How many records or windows a node holds back, as its state says; None if it keeps none."""
    held = {part: number for (of, part), number in trial.layout.own_store_of.items() if of == node}
    if (number := held.get("buffer")) is not None:
        return sum(1 for _ in _stored(trial, number, KEYS))
    if (number := held.get("waiting")) is not None:
        return sum(1 for key, _ in _stored(trial, number) if key)
    if (number := held.get("unmatched")) is not None:
        return sum(len(unpack(data)) for key, data in _stored(trial, number) if key != EARLIEST)
    number = trial.layout.store_of.get(node)
    window = None if number is None else trial.layout.stores[number].window
    if number is None or window is None or window.emit != "on_close" or window.kind == "calendar":
        return None
    closed = trial.state.get(PREFIX.pack(0, TIMES) + f"{node}/closed".encode())
    since = TIMESTAMP.pack(0 if closed is None else TIMESTAMP.unpack(closed)[0] + 1)
    return sum(1 for key, _ in _stored(trial, number) if since <= key < TIMESTAMP.pack(INDEX))


def _stored(trial: Trial, number: int, start: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
    """The entries of a store, without the prefix of their keys."""
    prefix = PREFIX.pack(0, number)
    for key, data in trial.state.range(prefix + start, find_key_after(prefix + start)):
        yield key[len(prefix) :], data
