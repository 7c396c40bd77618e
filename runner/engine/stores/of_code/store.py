"""Shared by all stores of code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

from runner.engine.records.plain import copy_plain


class ValueAndTimestamp(NamedTuple):
    """A value and its time in ms."""

    value: Any
    timestamp: int


class StoreOfCode(ABC):
    """A store by its name, with the bytes of its keys."""

    def __init__(self, name: str, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any]) -> None:
        self._name = name
        self._encode = encode
        self._decode = decode

    @abstractmethod
    def flush(self) -> None:
        """Writes changes and forgets expired data, at the end of a batch."""

    def _encode_key(self, key: Any) -> bytes:
        if key is None:
            raise ValueError(f"A key of the store `{self._name}` cannot be None.")
        return self._encode(copy_plain(key))
