"""The module that cargo builds of `src/`."""

from typing import Any, TypedDict

from runner.engine.stores.state import State

Numbers = tuple[Any, int] | int
"""Arrow's buffer of a column with the place of its first row, or one number for all rows."""
Blobs = tuple[Any, Any, Any, int]
Column = tuple[int, bytes, bytes, Any]
"""How many are null, which are not, the ends of values, and a buffer of their bytes."""

class Outcome(TypedDict):
    count: int
    targets: bytes
    timestamps: bytes
    keys: Column
    values: Column
    headers: Column
    numbers: bytes
    offsets: bytes
    for_python: list[tuple[int, int]]
    counters: list[tuple[int, int, int]]
    inputs: list[tuple[int, int]]
    samples: list[tuple[int, int, int, int | None]]
    last_samples: list[tuple[int, int, int, int | None]]
    seconds: list[float]
    writes: list[tuple[bytes, bytes | None]]
    deleted_ranges: list[tuple[bytes, bytes]]
    seen: list[tuple[int, int, list[tuple[bytes, int]]]]

Sizes = list[tuple[int, int, int]]
"""Number of a store, its rows and bytes."""
Packed = tuple[list[bytes], bytes | None, Sizes, Sizes, bytes | None, list[bytes], int]
"""Pieces of the delta, what undoes it, what came and went, and of the span its end, its pieces and its bytes."""

class Panicked(Exception): ...

class Plan:
    is_stateless: bool

    def __init__(self, json: bytes) -> None: ...
    def run(
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

class Lmdb:
    """LMDB's functions. A transaction is its address (`runner/spark/state/kernel.py`)."""

    def __init__(self, address: int) -> None: ...
    def apply(self, txn: int, delta: bytes) -> int | None: ...
    def pack(
        self,
        txn: int,
        writes: dict[bytes, bytes | None],
        deleted_ranges: list[tuple[bytes, bytes]],
        cursor: bytes,
        least: int,
        piece: int,
        most_undo: int,
    ) -> Packed | None: ...

def known_functions() -> list[str]: ...
def hash_keys(count: int, keys: Blobs) -> bytes: ...
