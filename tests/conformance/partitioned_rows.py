"""The records that the topologies for several partitions read."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

KEYS = [f"k{number:02}" for number in range(40)]
VISITORS = range(1, 8)
LETTERS = "abcdefgh"
START = 1_700_000_000_000
CLOSING = 3_600_000
"""How much later (ms) than all others the records are that close windows."""


class Row(NamedTuple):
    """A record of an input topic."""

    topic: str
    key: Any
    value: Any
    timestamp: int


TABLES = ("customers", "owners", "prices", "links")
STREAMS = ("orders", "returns", "clicks", "trades", "visits")
PARTITIONS = dict.fromkeys(("places", *TABLES, *STREAMS), 4) | {"owners": 2, "returns": 3}
"""Only what need not be co-partitioned has other numbers."""
EACH = 600
"""Records of the tables, and of the streams in each part."""


def rows(seed: str) -> tuple[list[Row], list[Row]]:
    """Some hundred records for each topic, tables first, in two parts; the same for the same seed.

    Kafka takes co-partitioned topics by time. Tables are before streams, no time stands in two topics, and each part
    begins in order, so that it is the same whether the parts are read at once or one after the other.
    """
    made = Rows(random.Random(seed))
    places = [Row("places", place, f"{place} place", START) for place in LETTERS[:-2]]
    first = [*places, *made.of_tables(), *made.of_streams()]
    return first, [*made.of_streams(), *closing(made.time() + CLOSING)]


class Rows:
    """Makes records, each in another ten milliseconds, where each topic has its own millisecond."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.number = 0

    def of_tables(self) -> Iterator[Row]:
        return (self._of_table() for _ in range(EACH))

    def of_streams(self) -> Iterator[Row]:
        """One of each stream and key in order, then some late ones among others."""
        yield from (self._row(topic, key) for topic in STREAMS for key in _keys(topic))
        yield from (self._of_stream() for _ in range(EACH))

    def time(self) -> int:
        return START + 10 * self.number

    def _of_table(self) -> Row:
        topic, key = self.chance.choice(TABLES), self.chance.choice(KEYS)
        return self._row(topic, key, deleted=self.chance.random() < 0.15)

    def _of_stream(self) -> Row:
        topic = self.chance.choice(STREAMS)
        late = self.chance.choice((0, 0, 0, self.chance.randrange(40)))
        return self._row(topic, self.chance.choice(_keys(topic)), late=late)

    def _row(self, topic: str, key: Any, *, late: int = 0, deleted: bool = False) -> Row:
        self.number += 1
        time = self.time() - 10 * late + [*TABLES, *STREAMS].index(topic)
        return Row(topic, key, None if deleted else self._value(topic), time)

    def _value(self, topic: str) -> Any:
        number, text = self.chance.randrange(60), f"{self.chance.choice(LETTERS)}{self.chance.randrange(30)}"
        if topic in ("links", "trades"):
            return f"{text}|{self.chance.choice([*KEYS, 'none'] if topic == 'links' else KEYS)}"
        numbers = {"orders": number, "prices": number, "returns": -number, "visits": str(number)}
        return numbers.get(topic, text)


def _keys(topic: str) -> Sequence[Any]:
    return VISITORS if topic == "visits" else KEYS


def closing(time: int) -> Iterator[Row]:
    """Much later records that close the windows before them, in each partition."""
    for number, key in enumerate(KEYS):
        yield Row("orders", key, 0, time + 2 * number)
        yield Row("clicks", key, "z0", time + 2 * number + 1)
