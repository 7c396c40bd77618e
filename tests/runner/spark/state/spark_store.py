"""What Spark's state store does for one grouping key, in memory: an attempt's writes last only if it commits."""

from __future__ import annotations

from typing import Any

from runner.spark.state import Changelog


class Variable:
    """A `ValueState` and a `MapState` in one, counting calls as Spark would bill them."""

    def __init__(self, content: dict[Any, tuple[Any, ...]]) -> None:
        self.content = content
        self.calls = 0

    def get(self) -> tuple[Any, ...] | None:
        return self.getValue(())

    def update(self, value: tuple[Any, ...]) -> None:
        self.updateValue((), value)

    def getValue(self, key: tuple[Any, ...]) -> tuple[Any, ...] | None:
        self.calls += 1
        return self.content.get(key)

    def updateValue(self, key: tuple[Any, ...], value: tuple[Any, ...]) -> None:
        self.calls += 1
        self.content[key] = value

    def removeKey(self, key: tuple[Any, ...]) -> None:
        self.calls += 1
        self.content.pop(key, None)


class SparkStore:
    """The versions of a slot's state. `attempt` starts from the newest; `commit` makes the attempt's the newest."""

    def __init__(self) -> None:
        self.versions: list[tuple[dict[Any, Any], dict[Any, Any]]] = [({}, {})]
        self.attempt()

    def attempt(self) -> Changelog:
        head, entries = self.versions[-1]
        self.head, self.entries = Variable(dict(head)), Variable(dict(entries))
        self.changelog = Changelog(self.head, self.entries)
        return self.changelog

    def commit(self) -> None:
        self.versions.append((self.head.content, self.entries.content))

    def roll_back(self, versions: int) -> None:
        """What an older copy of the checkpoint holds."""
        del self.versions[len(self.versions) - versions :]
        self.attempt()

    @property
    def calls(self) -> int:
        return self.head.calls + self.entries.calls
