"""The module that cargo builds of `src/`."""

from typing import Any, TypedDict

from runner.engine.stores.state import State

Numbers = tuple[Any, int]
Blobs = tuple[Any, Any, Any, int]
Column = tuple[int, bytes, bytes, bytes]

class Outcome(TypedDict):
    count: int
    targets: bytes
    timestamps: bytes
    keys: Column
    values: Column
    headers: Column
    numbers: bytes
    offsets: bytes
    hard: list[tuple[int, int]]
    counters: list[tuple[int, int, int]]
    inputs: list[tuple[int, int]]
    samples: list[tuple[int, int, int, int | None]]
    seconds: list[float]
    writes: list[tuple[bytes, bytes | None]]
    deleted_ranges: list[tuple[bytes, bytes]]

class Panicked(Exception): ...

class Plan:
    def __init__(self, json: bytes) -> None: ...
    def run_lists(
        self,
        task: int,
        state: State | None,
        target: int,
        number: int,
        offsets: list[int],
        timestamps: list[int],
        keys: list[bytes | None],
        values: list[bytes | None],
        headers: list[str | None],
    ) -> Outcome | None: ...
    def run_columns(
        self,
        task: int,
        state: State | None,
        count: int,
        targets: Numbers,
        timestamps: Numbers,
        keys: Blobs,
        values: Blobs,
        headers: Blobs | None,
        numbers: Numbers,
        offsets: Numbers,
    ) -> Outcome | None: ...

def known_functions() -> list[str]: ...
