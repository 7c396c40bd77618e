"""API for users' code: Kafka Streams' Processor API (processor.api.Processor, Record, ProcessorContext)."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, Protocol

import orjson

from runner.engine.records.headers import Header, read_headers
from runner.engine.records.plain import copy_plain
from runner.engine.stores.of_code.store import StoreOfCode
from runner.engine.stores.times import StreamTime
from runner.engine.tasks.event_time import Clock
from runner.engine.tasks.punctuation import PunctuationType, Schedule

Origin = tuple[str | None, int | None, int | None]
"""Topic, partition and offset."""


class Processor:
    """The base of a user's class. An object of it lives for one batch, so lasting data belongs in a store."""

    context: ProcessorContext

    def init(self, context: ProcessorContext) -> None:
        """Called before the first record of a batch."""
        self.context = context

    def process(self, record: Record) -> None:
        """Called for each record."""
        raise TypeError(f"{type(self).__name__} does not say what it does with a record: define process(self, record).")

    def close(self) -> None:
        """Called at the end of a batch."""


class Record:
    """A key, a value, a time in ms and headers. The `with_` methods return changed copies."""

    __slots__ = ("_headers", "_key", "_timestamp", "_value")

    _headers: str | tuple[Header, ...] | None

    def __init__(self, key: Any, value: Any, timestamp: int, headers: Iterable[Header] = ()) -> None:
        self._key = key
        self._value = value
        self._timestamp = timestamp
        self._headers = tuple((name, value) for name, value in headers) or None

    @property
    def key(self) -> Any:
        return self._key

    @property
    def value(self) -> Any:
        return self._value

    @property
    def timestamp(self) -> int:
        return self._timestamp

    @property
    def headers(self) -> tuple[Header, ...]:
        """Names and values. The values are bytes."""
        if type(self._headers) is not tuple:
            self._headers = tuple(read_headers(self._headers))  # type: ignore[arg-type]
        return self._headers

    def with_key(self, key: Any) -> Record:
        return make_record(key, self._value, self._timestamp, self._headers)

    def with_value(self, value: Any) -> Record:
        return make_record(self._key, value, self._timestamp, self._headers)

    def with_timestamp(self, timestamp: int) -> Record:
        return make_record(self._key, self._value, timestamp, self._headers)

    def with_headers(self, headers: Iterable[Header]) -> Record:
        return Record(self._key, self._value, self._timestamp, headers)

    def __repr__(self) -> str:
        return f"Record(key={self._key!r}, value={self._value!r}, timestamp={self._timestamp})"


def make_record(key: Any, value: Any, timestamp: int, headers: str | tuple[Header, ...] | None) -> Record:
    """A record with headers as they are in a row. They are read on demand."""
    record = Record.__new__(Record)
    record._key, record._value, record._timestamp, record._headers = key, value, timestamp, headers
    return record


def write_headers(record: Record) -> str | None:
    """The headers of a record in the form of a row."""
    headers = record._headers
    if type(headers) is not tuple:
        return headers  # type: ignore[return-value]
    return orjson.dumps([_write_header(*each) for each in headers]).decode() if headers else None


class Carrier(Protocol):
    """The carrier of an object of a user's class (`runner.engine.code.code_processor.CodeProcessor`)."""

    @property
    def stores(self) -> Mapping[str, StoreOfCode]: ...

    @property
    def time(self) -> StreamTime: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def task(self) -> int: ...

    def send(self, record: Record) -> None: ...

    def schedule(self, interval_ms: int, kind: PunctuationType, callback: Callable[[int], object]) -> Schedule: ...

    def origin(self) -> Origin: ...

    def find_random(self) -> Random: ...

    def call_outside(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any: ...


class ProcessorContext:
    """Gives users' code its stores, the time and the next nodes (ProcessorContext)."""

    def __init__(self, processor: Carrier) -> None:
        self._processor = processor

    def forward(self, record: Record) -> None:
        """Passes a record on to the next nodes."""
        self._processor.send(record)

    def store(self, name: str) -> StoreOfCode:
        """The store of that name, as declared in the form."""
        stores = self._processor.stores
        if name not in stores:
            raise LookupError(f"There is no store {name!r}; the form has {', '.join(stores) or 'none'}.")
        return stores[name]

    def schedule(self, interval_ms: int, kind: PunctuationType, callback: Callable[[int], object]) -> Schedule:
        """Calls `callback` with the time, at intervals of `stream_time` or `wall_clock`. Only in init()."""
        return self._processor.schedule(interval_ms, kind, callback)

    @property
    def stream_time(self) -> int:
        """The greatest time (ms) of this task's records. -1 before the first record."""
        return self._processor.time.value

    @property
    def wall_clock(self) -> int:
        """The wall-clock time (ms)."""
        return self._processor.clock()

    @property
    def random(self) -> Random:
        """Random numbers. A source record, or the time of a punctuator, gives the same ones each time.

        So a batch that is done again gives the same results, which Python's own `random` does not.
        """
        return self._processor.find_random()

    def side_effect(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls `function(*arguments)`, which may ask another server, and records the answer with the batch.

        A batch that is done again takes the recorded answer and calls nothing. It is found by the function's name and
        the arguments. An answer is what a record can hold. An exception is recorded, too, as a SideEffectFailed.
        """
        return self._processor.call_outside(function, arguments)

    @property
    def task(self) -> int:
        """The number of this task."""
        return self._processor.task

    @property
    def topic(self) -> str | None:
        """The topic of the record. None in a punctuator. After a shuffle it is the name of Kafka's topic."""
        return self._processor.origin()[0]

    @property
    def partition(self) -> int | None:
        """The partition of the record. None in a punctuator and after a shuffle."""
        return self._processor.origin()[1]

    @property
    def offset(self) -> int | None:
        """The offset of the record in its partition. None in a punctuator and after a shuffle."""
        return self._processor.origin()[2]


def _write_header(name: Any, value: Any) -> dict[str, str]:
    if type(name) is not str or not isinstance(value, bytes | None):
        raise TypeError(f"A header is a text and bytes or None, not {name!r:.40} and {value!r:.40}.")
    entry = {"key": copy_plain(name)}
    return entry if value is None else entry | {"value": base64.b64encode(value).decode()}
