"""What Spark's state store does for one grouping key, in memory: an attempt's writes last only if it commits."""

from __future__ import annotations

from typing import Any

from runner.spark.state import Changelog


class Variable:
    """A `MapState`, counting calls as Spark would bill them."""

    def __init__(self, content: dict[Any, tuple[Any, ...]]) -> None:
        self.content = content
        self.calls = 0

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
        self.versions: list[dict[Any, Any]] = [{}]
        self.attempt()

    def attempt(self) -> Changelog:
        self.entries = Variable(dict(self.versions[-1]))
        self.changelog = Changelog(self.entries)
        return self.changelog

    def commit(self) -> None:
        self.versions.append(self.entries.content)

    def roll_back(self, versions: int) -> None:
        """What an older copy of the checkpoint holds."""
        del self.versions[len(self.versions) - versions :]
        self.attempt()

    @property
    def calls(self) -> int:
        return self.entries.calls
