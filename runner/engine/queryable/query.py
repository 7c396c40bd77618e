"""Queries of a store, and the form of its rows."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Annotated, Any, TypedDict

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from designer.refusals import Refusal
from designer.values import exact_json
from designer.values.longs import MAX_LONG
from designer.values.schemas import Kind, Side
from designer.values.tuples import Windowed
from runner.engine.codes import EngineCode
from runner.engine.formats import DecodeError, EncodeError
from runner.engine.formats.display import show, to_bytes, write_shown
from runner.engine.formats.sides import make_decoder_of
from runner.engine.records.plain import NotPlain, make_fitter


def _end_before_last(time: int) -> int:
    """The time, or the one before the last of 64 bits: bounds of a store end behind it, and no window begins there."""
    return min(time, MAX_LONG - 1)


class Query(BaseModel):
    """What is asked of a store. Times are ms since 1970; keys are text, as `parse_key` reads it.

    Without a key all rows are meant, or those of keys from `first` to `last`, both included, in order of the bytes of
    keys (windows: of their starts, then keys; sessions: of their ends first). `since` and `until` choose windows by
    their start and sessions by what they touch; `descending` turns the order round. `as_of` asks a versioned table
    for the row that was valid then.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str | None = None
    first: str | None = None
    last: str | None = None
    since: int = Field(0, ge=0, le=MAX_LONG)
    until: Annotated[int, Field(ge=0, le=MAX_LONG), AfterValidator(_end_before_last)] = MAX_LONG - 1
    descending: bool = False
    as_of: int | None = Field(None, ge=0, le=MAX_LONG)
    cursor: str = ""
    limit: int = Field(100, ge=1, le=1_000)


class QueryRefused(Refusal):
    """A query that the store does not support."""

    code = EngineCode.QUERY_REFUSED
    status = 422


class WindowTimes(TypedDict):
    """The bounds of a window (ms). Sessions include their end."""

    start: int
    end: int


class TableRow(TypedDict):
    """A row as plain JSON. A store of code that keeps no times has no timestamp."""

    key: Any
    window: WindowTimes | None
    value: Any
    timestamp: int | None


class TextRow(TypedDict):
    """A row whose key and value are JSON texts, so that their numbers lose no digit on their way."""

    key: str
    window: WindowTimes | None
    value: str
    timestamp: int | None


def parse_key(side: Side, text: str) -> Any:
    """The key that a text represents: plain text, base64 for bytes, JSON for all else. Raises QueryRefused."""
    kind = side.type.kind
    try:
        if kind is Kind.STRING:
            return make_fitter(side.type)(text)
        if kind is Kind.BYTES:
            return to_bytes(text)
        if kind is Kind.DECIMAL:
            return make_decoder_of(Side("json", side.type))(text.encode())
        key = _write_json(text, falls_back_to_text=kind is Kind.ANY)
        if key is None:
            raise ValueError("no row has the key null.")
        return make_fitter(side.type)(key)
    except (ValueError, NotPlain, DecodeError, binascii.Error) as error:
        raise QueryRefused(
            f"{text!r:.60} is not a key of this table: {error}",
            f"Its keys are of type {kind.value}: give bytes in base64, and all but text as JSON.",
        ) from error


def encode_key(encode: Callable[[Any], bytes], key: Any) -> bytes:
    """A key in its stored form. Raises QueryRefused."""
    try:
        return encode(key)
    except EncodeError as error:
        raise QueryRefused(f"That is not a key of this table: {error}") from error


def write_row(key: Any, value: Any, timestamp: int | None) -> TableRow:
    window: WindowTimes | None = None
    if isinstance(key, Windowed):
        key, window = key.key, {"start": key.start, "end": key.end}
    return {"key": show(key), "window": window, "value": show(value), "timestamp": timestamp}


def write_as_text(row: TableRow) -> TextRow:
    return {
        "key": write_shown(row["key"]),
        "window": row["window"],
        "value": write_shown(row["value"]),
        "timestamp": row["timestamp"],
    }


def from_cursor(query: Query, prefix: bytes, begin: bytes, end: bytes) -> tuple[bytes, bytes]:
    """The bounds of the query, from the cursor on. Raises QueryRefused."""
    if not query.cursor:
        return begin, end
    try:
        place = prefix + base64.urlsafe_b64decode(query.cursor)
    except ValueError as error:
        raise QueryRefused("`cursor` is not a place in this table.", "Use the `next` of the page before.") from error
    return (begin, min(end, place + b"\0")) if query.descending else (max(begin, place), end)


def _write_json(text: str, *, falls_back_to_text: bool) -> Any:
    try:
        return exact_json.loads_document(text)
    except ValueError:
        if falls_back_to_text:
            return text
        raise
