"""What Spark's state store does for one grouping key, in memory: an attempt's writes last only if it commits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from runner.spark.state import Changelog


class InMemory:
    """The entries of one slot, counting those that are read or changed."""

    def __init__(self, content: dict[int, bytes]) -> None:
        self.content = content
        self.calls = 0

    def get(self, number: int) -> bytes | None:
        self.calls += 1
        return self.content.get(number)

    def change(self, put: Mapping[int, bytes], removed: Iterable[int] = ()) -> None:
        gone = list(removed)
        self.calls += len(put) + len(gone)
        self.content.update(put)
        for number in gone:
            self.content.pop(number, None)


class SparkStore:
    """The versions of a slot's state. `attempt` starts from the newest; `commit` makes the attempt's the newest."""

    def __init__(self) -> None:
        self.versions: list[dict[int, bytes]] = [{}]
        self.attempt()

    def attempt(self) -> Changelog:
        self.entries = InMemory(dict(self.versions[-1]))
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
