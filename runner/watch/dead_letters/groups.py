"""Groups letters by node and reason, over time, and searches them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from typing import Any, NamedTuple

from runner.control.clusters.schemas import MAX_BYTES
from runner.kafka import Message, Place
from runner.watch.dead_letters.contents import DeadLettersOfRecord, Origin, find_origin
from runner.watch.dead_letters.marks import Marks
from runner.watch.topics.dead_letters import DeadLetterDetails, read_dead_letter

SAMPLES, MAX_SHOWN = 3, 100
"""Number of the newest letters shown of each group, and of requested ones."""
STEPS = 48
"""Number of steps on the time axis."""
MAX_GROUPS = 200
PARTS = re.compile(r"'[^']*'|\"[^\"]*\"|(?<![\w-])[\w-]*\d[\w-]*(?:[.,:]\d[\w-]*)*")
"""What may vary in reasons: quoted texts, and words with digits."""
NUMBER = re.compile(r"\b\d[\d.,:-]*\b")
DIGITS_OF_ID = 3
"""A word with so many digits is an id or a time. With fewer it may be a term, such as int64 or base64."""


class Filter(NamedTuple):
    """The requested letters: of a node, of a group, with a text, failed since a time, not sent back yet."""

    node: str | None = None
    group: str | None = None
    search: str = ""
    since: int | None = None
    is_waiting: bool = False

    def takes(self, message: Message, letter: DeadLetterDetails, group: str, at: int, is_marked: bool) -> bool:
        return (
            (self.node is None or letter["node"] == self.node)
            and (self.group is None or group == self.group)
            and (self.since is None or at >= self.since)
            and not (self.is_waiting and is_marked)
            and (not self.search or _contains(message, letter, self.search.casefold()))
        )


class ShownDeadLetter(NamedTuple):
    """A shown letter. Sorts by the time of its failure."""

    at: int
    place: Place
    message: Message


@dataclass
class Group:
    """Letters of one node with one reason. `reason` has … for the varying parts. `waiting` are not sent back yet."""

    id: str
    node: str | None
    reason: str
    exception: str | None
    output_topic: str | None
    count: int = 0
    waiting: int = 0
    times: list[int] = field(default_factory=list)
    samples: list[ShownDeadLetter] = field(default_factory=list)
    sources: set[str] = field(default_factory=set)


class Grouping:
    """The letters read, in groups. `records` are those of the filter, in the order of their records. `groups` ignore
    the filter's own group, so that users can choose another.
    """

    def __init__(self, choice: Filter, marks: Marks) -> None:
        self.choice = choice
        self.marks = marks
        self.groups: dict[str, Group] = {}
        self.shown_dead_letters: list[ShownDeadLetter] = []
        self.match_count = self.waiting_count = 0
        self._taken_places: set[Place] = set()
        self._by_origin: dict[Origin, list[Place]] = {}
        self._without_origin: list[Place] = []

    def add(self, messages: Iterable[Message]) -> Grouping:
        for message in messages:
            self._add(message)
        return self

    def records(self, choice: set[Place] | None = None) -> list[DeadLettersOfRecord]:
        """The letters of each record with one among the chosen, or in the filter, in order of origin."""
        choice = self._taken_places if choice is None else choice
        with_origin = [tuple(sorted(places)) for _, places in sorted(self._by_origin.items())]
        alone = [(place,) for place in sorted(self._without_origin)]
        return [letters for letters in [*with_origin, *alone] if not choice.isdisjoint(letters)]

    def find_source_topics(self, records: Iterable[DeadLettersOfRecord]) -> set[str]:
        """The topics from which these records were read."""
        places = {place for letters in records for place in letters}
        return {origin.topic for origin, own in self._by_origin.items() if not places.isdisjoint(own)}

    def steps(self) -> tuple[int, int]:
        """Begin and length (ms) of the steps."""
        times = [at for group in self.groups.values() for at in group.times]
        if not times:
            return 0, 1_000
        return min(times), max(1_000, -(-(max(times) - min(times) + 1) // STEPS))

    def _add(self, message: Message) -> None:
        letter = read_dead_letter(message)
        place = (message.partition, message.offset)
        at = letter["at"] if letter["at"] is not None else message.timestamp
        origin = find_origin(message)
        if origin is None:
            self._without_origin.append(place)
        else:
            self._by_origin.setdefault(origin, []).append(place)
        reason = hide_values(letter["reason"])
        group_id = _make_id(letter["node"], reason, letter["exception"], letter["output_topic"])
        is_marked = place in self.marks
        if not self.choice._replace(group=None).takes(message, letter, group_id, at, is_marked):
            return
        group = self.groups.get(group_id)
        if group is None:
            group = Group(group_id, letter["node"], reason, letter["exception"], letter["output_topic"])
            self.groups[group_id] = group
        group.count += 1
        group.waiting += not is_marked
        group.times.append(at)
        group.sources |= {origin.topic} if origin else set()
        shown_dead_letter = ShownDeadLetter(at, place, message.cut(MAX_BYTES))
        _keep(group.samples, shown_dead_letter, SAMPLES)
        if self.choice.group in (None, group_id):
            self.match_count += 1
            self.waiting_count += not is_marked
            self._taken_places.add(place)
            _keep(self.shown_dead_letters, shown_dead_letter, MAX_SHOWN)


def _keep(heap: list[ShownDeadLetter], letter: ShownDeadLetter, most: int) -> None:
    (heappush if len(heap) < most else heappushpop)(heap, letter)


def hide_values(reason: str) -> str:
    """Return the reason with … for what varies: quoted texts, numbers, and ids such as `T2000`."""
    return PARTS.sub(_hide, reason)


def _hide(part: re.Match[str]) -> str:
    text = part[0]
    is_value = text[0] in "'\"" or sum(map(str.isdigit, text)) >= DIGITS_OF_ID
    return "…" if is_value else NUMBER.sub("…", text)


def _make_id(*parts: Any) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _contains(message: Message, letter: DeadLetterDetails, text: str) -> bool:
    """Whether the key, the value or the reason contains a text."""
    parts = (message.key, message.value, letter["reason"].encode())
    return any(text in part[:MAX_BYTES].decode(errors="replace").casefold() for part in parts if part is not None)
