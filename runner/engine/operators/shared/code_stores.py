"""The stores of process and process_values: their form, and code that makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

from pydantic import Field, model_validator
from pydantic.config import JsonDict

from designer.issues import Issue
from designer.reasons import PAST_RETENTION
from designer.streams.formats import NATURAL
from designer.topology.forms import Duration, FormPart, StoreName, WindowSize, make_error, make_missing_error
from designer.values.schemas import Side, WindowSpec
from runner.engine.code.code_processor import CodeProcessor
from runner.engine.formats.sides import make_decoder_of, make_encoder_of
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.planning.tables import StoreView
from runner.engine.records.codecs import BOUNDS, TIMESTAMP
from runner.engine.stores.of_code.duplicates import DuplicatesStore
from runner.engine.stores.of_code.entries import Entries
from runner.engine.stores.of_code.key_value import KeyValueStore, TimestampedKeyValueStore
from runner.engine.stores.of_code.segmented_bytes import SegmentedBytes
from runner.engine.stores.of_code.sessions import SessionStore
from runner.engine.stores.of_code.store import StoreOfCode
from runner.engine.stores.of_code.versions import VersionedKeyValueStore, make_versioned_store
from runner.engine.stores.of_code.windows import WindowStore
from runner.engine.tasks.processor_context import ProcessorContext

NEEDED_SETTINGS = {"window": ("size_ms", "retention_ms"), "session": ("retention_ms",), "versioned": ("retention_ms",)}
"""Required fields of each kind of store."""


def _show_with_windows(*kinds: str) -> JsonDict:
    return {"shown": {"kind": [*kinds]}}


class CodeStore(FormPart):
    """A store of the code."""

    name: StoreName = Field(description="The code opens the store with this name: context.store(…).")
    kind: Literal["key_value", "timestamped", "versioned", "window", "session"] = Field(
        "key_value",
        description="timestamped: each value has a time. versioned: the store keeps earlier values. window: values "
        "by key and start of a window. session: values by key, start and end.",
    )
    key_format: Literal["json", "string", "long", "integer", "double", "boolean", "bytes"] = Field(
        "json", description="Format of the keys. It decides the order of range() and all()."
    )
    ttl_ms: Duration | None = Field(
        None,
        ge=1,
        description="How long an entry stays after it was last written, in stream time.",
        json_schema_extra={
            **_show_with_windows("key_value", "timestamped"),
            "empty_means": "it stays until it is deleted",
        },
    )
    size_ms: WindowSize | None = Field(
        None, description="How long a window lasts from its start.", json_schema_extra=_show_with_windows("window")
    )
    duplicates: bool = Field(
        False,
        description="Keeps every value of a key and start of a window, not only the last one.",
        json_schema_extra=_show_with_windows("window"),
    )
    retention_ms: Duration | None = Field(
        None,
        description="How long windows, sessions and old versions are kept before the latest time put, in "
        "milliseconds. A window store keeps windows for at least their length.",
        json_schema_extra=_show_with_windows(*NEEDED_SETTINGS),
    )

    @model_validator(mode="after")
    def _lengths_given(self) -> CodeStore:
        for name in NEEDED_SETTINGS.get(self.kind, ()):
            if getattr(self, name) is None:  # fields of the form, by their names
                raise make_missing_error(self, name, f"a {self.kind} store needs")
        if self.kind == "window" and self.window_ms > self.kept_ms:
            raise make_error(
                Issue(OperatorIssueCode.STORE_RETENTION, {"size": self.window_ms, "retention": self.kept_ms}),
                "retention_ms",
            )
        return self

    @property
    def window_ms(self) -> int:
        """The length of the windows. 0 if there are none."""
        return self.size_ms or 0

    @property
    def kept_ms(self) -> int:
        """Time for which windows, sessions and old versions are kept. 0 if there are none."""
        return self.retention_ms or 0

    @property
    def window(self) -> WindowSpec | None:
        """The windows of its keys, if they have any."""
        match self.kind:
            case "window":
                return WindowSpec("tumbling", self.window_ms)
            case "session":
                return WindowSpec("session")
            case _:
                return None

    @property
    def part(self) -> str:
        """Its name among all data of the node. Versions and duplicates are stored differently from the rest."""
        if self.kind == "versioned":
            return f"{self.name}/versions"
        return f"{self.name}/duplicates" if self.kind == "window" and self.duplicates else self.name

    @property
    def view(self) -> StoreView:
        """Kind of store for queries from outside."""
        kind = "duplicates" if self.kind == "window" and self.duplicates else self.kind
        return StoreView(self.name, kind, self.window_ms, self.retention_ms or self.ttl_ms)

    @property
    def key(self) -> Side:
        return Side(self.key_format, NATURAL[self.key_format])


def refuse_repeated_names(rows: Sequence[CodeStore]) -> Sequence[CodeStore]:
    """The same stores. Raises if two have the same name."""
    names = [row.name for row in rows]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise make_error(Issue(OperatorIssueCode.STORE_TWICE, {"store": name}), f"{index}.name")
    return rows


def make_store(store: CodeStore, context: ProcessorContext, processor: CodeProcessor) -> StoreOfCode:
    """The store, over the state that its place keeps for it. Late puts count as drops of the processor."""
    state = context.get_own_state(store.part)
    when_expired: Callable[[], None] = partial(processor.drop, PAST_RETENTION)
    encode: Any = make_encoder_of(store.key)
    decode = make_decoder_of(store.key)
    match store.kind:
        case "window" if store.duplicates:
            rows = SegmentedBytes(state, BOUNDS, context.stream_time(store.name), store.kept_ms, when_expired)
            return DuplicatesStore(store.name, state, rows, store.window_ms, encode, decode)
        case "window":
            rows = SegmentedBytes(state, TIMESTAMP, context.stream_time(store.name), store.kept_ms, when_expired)
            return WindowStore(store.name, rows, store.window_ms, encode, decode)
        case "session":
            rows = SegmentedBytes(state, BOUNDS, context.stream_time(store.name), store.kept_ms, when_expired)
            return SessionStore(store.name, rows, encode, decode)
        case "versioned":
            versions = make_versioned_store(
                state, context.record_context, store.kept_ms, context.stream_time(store.name)
            )
            return VersionedKeyValueStore(store.name, versions, encode, decode, when_expired)
        case "timestamped" | "key_value":
            of = TimestampedKeyValueStore if store.kind == "timestamped" else KeyValueStore
            return of(store.name, Entries(state, context.task.stream_time, store.ttl_ms), encode, decode)
