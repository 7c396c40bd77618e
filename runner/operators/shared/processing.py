"""What process and process_values share: a class that the user writes, and the stores it reads and writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from designer.catalogue import Flows, Operator
from designer.formats import NATURAL, FormatName, fits, side_of
from designer.forms import DeclaredType, Duration, FormPart, StoreName, WindowSize, missing, wrong
from designer.issues import Issue
from designer.schemas import ANY, Side, WindowSpec
from designer.schemas import Type as ValueType
from designer.topics import misfit
from designer.user_code import PythonText, code_issues, outline
from designer.values import Windowed
from runner.engine.code_processor import CodeProcessor
from runner.engine.place import Place
from runner.engine.processor_api import Processor as UserProcessor
from runner.engine.processor_api import Record
from runner.engine.punctuation import PUNCTUATORS, Schedules
from runner.engine.stores.of_code import (
    Entries,
    KeyValueStore,
    StoreOfCode,
    TimestampedKeyValueStore,
    ValueAndTimestamp,
)
from runner.engine.stores.windows_of_code import WindowStore
from runner.engine.tables import NodeTables
from runner.engine.user_code import user_class
from runner.formats.sides import decoder_of, encoder_of

OFFERED = {
    "Processor": UserProcessor,
    "Record": Record,
    "ValueAndTimestamp": ValueAndTimestamp,
    "Windowed": Windowed,
}
"""What code finds without importing it."""
TIMED = frozenset({"schedule", "stream_time"})
"""What code uses that needs the time of the task, which is kept in state."""
BY_KEY: dict[str, Any] = {"shown": {"kind": ["key_value", "timestamped"]}}
WINDOWED: dict[str, Any] = {"shown": {"kind": ["window"]}}


class CodeStore(FormPart):
    """A store of the code."""

    name: StoreName = Field(description="What context.store(…) calls it.")
    kind: Literal["key_value", "timestamped", "window"] = Field(
        "key_value",
        description="timestamped: each value stands with a time of its own. window: values by key and start of a "
        "window.",
    )
    key_format: Literal["json", "string", "long", "integer", "double", "boolean", "bytes"] = Field(
        "json", description="How keys are written, which sets the order of range() and all()."
    )
    ttl_ms: Duration | None = Field(
        None,
        ge=1,
        description="An entry that was not written for so long, in milliseconds of stream time, is gone. Empty: it "
        "stays until it is deleted.",
        json_schema_extra=BY_KEY,
    )
    size_ms: WindowSize | None = Field(
        None, description="Length of a window, in milliseconds.", json_schema_extra=WINDOWED
    )
    retention_ms: Duration | None = Field(
        None,
        description="How long windows are kept behind the latest, in milliseconds: at least their length.",
        json_schema_extra=WINDOWED,
    )

    @model_validator(mode="after")
    def _lengths_given(self) -> CodeStore:
        if self.kind != "window":
            return self
        for name in ("size_ms", "retention_ms"):
            if getattr(self, name) is None:
                raise missing(self, name, "a window store needs")
        if self.window_ms > self.kept_ms:
            text = f"Windows of {self.window_ms} ms are kept {self.kept_ms} ms."
            raise wrong("window.retention", text, f"Keep them for at least {self.window_ms} ms.", "retention_ms")
        return self

    @property
    def window_ms(self) -> int:
        """The length of the windows; 0 where there are none."""
        return self.size_ms or 0

    @property
    def kept_ms(self) -> int:
        """How long windows are kept; 0 where there are none."""
        return self.retention_ms or 0

    @property
    def window(self) -> WindowSpec | None:
        """The windows of its keys, if it is a window store."""
        return WindowSpec("tumbling", self.window_ms) if self.kind == "window" else None

    @property
    def key(self) -> Side:
        return Side(self.key_format, NATURAL[self.key_format])


def _named_once(rows: Sequence[CodeStore]) -> Sequence[CodeStore]:
    names = [row.name for row in rows]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise wrong("store.named_twice", f"There are two stores called `{name}`.", "Rename one.", f"{index}.name")
    return rows


class RunsCode(Operator):
    """An operator that the user programs in Python."""

    icon: ClassVar[str] = "square-code"
    family: ClassVar[str] = "code"
    runs_code: ClassVar[bool] = True

    code: PythonText = Field(
        description="A class that extends Processor, with process(self, record), and init(self, context) and "
        "close(self) where they are needed."
    )
    stores: Annotated[tuple[CodeStore, ...], AfterValidator(_named_once)] = Field(
        (), max_length=32, description="The stores it reads and writes."
    )
    value_format: FormatName | None = Field(
        None, description="How the new values are written in bytes. Empty: as their type asks for."
    )
    value_type: DeclaredType | None = Field(None, description="What the new values are. Empty: any JSON.")

    @classmethod
    def can_fail(cls) -> bool:
        return True

    @property
    def value(self) -> Side:
        """The side of the new values."""
        return declared(self.value_format, self.value_type)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from code_issues(self.code)
        if not fits(self.value):
            yield misfit("value_format", self.value)

    def plan_tables(self, plan: NodeTables) -> None:
        for store in self.stores:
            plan.keep(store.name, store.key, Side("json", ANY), store.window)
        if self.keeps_time:
            plan.keep(PUNCTUATORS, Side("bytes", ANY), Side("bytes", ANY))

    @property
    def keeps_time(self) -> bool:
        """Whether the task's time and schedules matter; without those and stores it needs no state and no shuffle."""
        return bool(self.stores or TIMED & outline(self.code).attributes)

    @property
    def ticks(self) -> bool:
        """Whether it may have punctuators of the wall clock, which need batches without records."""
        return "schedule" in outline(self.code).attributes and "wall_clock" in self.code

    def made(self, place: Place, key: Side | None) -> CodeProcessor:
        """The processor; `key` is the side of new keys, or None where records keep theirs."""
        made = user_class(place.owner, self.code, OFFERED)
        processor = CodeProcessor(place, made, key=key, value=self.value)
        processor.stores = {store.name: _store(store, place, processor) for store in self.stores}
        if self.keeps_time:
            state = place.own_state(PUNCTUATORS)
            processor.schedules = Schedules(processor, state, place.task.watched_time())
        processor.begin()
        return processor


def declared(chosen: FormatName | None, held: ValueType | None) -> Side:
    """A side as the form declares it: any JSON where it says nothing."""
    if held is not None:
        return Side(chosen, held) if chosen else side_of(held)
    name = chosen or "json"
    return Side(name, NATURAL[name])


def _store(store: CodeStore, place: Place, processor: CodeProcessor) -> StoreOfCode:
    state = place.own_state(store.name)
    encode: Any = encoder_of(store.key)
    decode = decoder_of(store.key)
    if store.kind == "window":
        return WindowStore(
            store.name,
            encode,
            decode,
            state=state,
            latest=place.stream_time(store.name),
            size_ms=store.window_ms,
            retention_ms=store.kept_ms,
            when_expired=partial(processor.drop, "past retention"),
        )
    of: type[KeyValueStore] = TimestampedKeyValueStore if store.kind == "timestamped" else KeyValueStore
    return of(store.name, Entries(state, place.task.stream_time, store.ttl_ms), encode, decode)
