"""Stream times of the records that reached each processor. They are in state and only move forward."""

from __future__ import annotations

from runner.engine.records.codecs import TIMESTAMP
from runner.engine.stores.state import PREFIX, TIMES, State


class StreamTime:
    """The largest timestamp observed by one processor of one task (observedStreamTime). -1 before the first record."""

    __slots__ = ("has_advanced", "value")

    def __init__(self, value: int = -1) -> None:
        self.value = value
        self.has_advanced = False

    def observe(self, timestamp: int) -> None:
        if timestamp > self.value:
            self.value = timestamp
            self.has_advanced = True


class StreamTimes:
    """The stream times of one task, by name."""

    def __init__(self, state: State, task: int) -> None:
        self.state = state
        self.prefix = PREFIX.pack(task, TIMES)
        self.by_name: dict[str, StreamTime] = {}

    def stream_time(self, name: str) -> StreamTime:
        if name not in self.by_name:
            data = self.state.get(self.prefix + name.encode())
            self.by_name[name] = StreamTime() if data is None else StreamTime(TIMESTAMP.unpack(data)[0])
        return self.by_name[name]

    def read(self) -> dict[str, int]:
        """The times by node (ms) as the state has them, whichever engine moved them on. Without those that are not
        there yet."""
        found: dict[str, int] = {}
        for name in self.by_name:
            data = self.state.get(self.prefix + name.encode())
            if data is not None:
                node, time = name.partition("/")[0], TIMESTAMP.unpack(data)[0]
                found[node] = max(time, found.get(node, time))
        return found

    def flush(self) -> None:
        for name, time in self.by_name.items():
            if time.has_advanced:
                self.state.put(self.prefix + name.encode(), TIMESTAMP.pack(time.value))
                time.has_advanced = False
