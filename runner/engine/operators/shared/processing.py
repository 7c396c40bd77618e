"""Shared by process and process_values: a class that the user writes, and its stores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from designer.issues import Issue
from designer.streams.formats import NATURAL, choose_side, fits
from designer.streams.lineage import Columns, Tracing, trace_everything
from designer.streams.topics import make_misfit
from designer.topology.catalogue import Family, Flows, Operator
from designer.topology.forms import DeclaredType
from designer.topology.user_code import PythonText, find_code_issues, find_unrecorded_modules, read_outline
from designer.values.schemas import ANY, FormatName, Side
from designer.values.schemas import Type as ValueType
from designer.values.tuples import Windowed
from runner.engine.code.code_processor import CodeProcessor
from runner.engine.code.processor_api import Processor as UserProcessor
from runner.engine.code.processor_api import Record
from runner.engine.code.user_code import load_user_class
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.shared.code_stores import CodeStore, make_store, refuse_repeated_names
from runner.engine.planning.tables import Contents, NodeTables
from runner.engine.stores.of_code.store import ValueAndTimestamp
from runner.engine.tasks.processor_context import ProcessorContext
from runner.engine.tasks.punctuation import PUNCTUATORS, Schedules
from runner.engine.tasks.side_effects import SideEffectFailed

OFFERED_NAMES = {
    "Processor": UserProcessor,
    "Record": Record,
    "SideEffectFailed": SideEffectFailed,
    "ValueAndTimestamp": ValueAndTimestamp,
    "Windowed": Windowed,
}
"""Names that code has without an import."""
TIME_METHODS = frozenset({"schedule", "stream_time"})
"""Names in code that need the time of the task, which is kept in state."""
_RUNS_CODE = "runs code, which may give other results the second time."
OF_CODE = Contents(_RUNS_CODE, "its code finds no entries from before.")
SCHEDULES = Contents(_RUNS_CODE, "the schedules of its code begin again.")


class RunsCode(Operator):
    """An operator that the user programs in Python."""

    icon: ClassVar[str] = "square-code"
    family: ClassVar[Family] = "code"
    runs_code: ClassVar[bool] = True

    code: PythonText = Field(
        description="A class that extends Processor and has process(self, record). init(self, context) and "
        "close(self) are optional."
    )
    stores: Annotated[tuple[CodeStore, ...], AfterValidator(refuse_repeated_names)] = Field(
        (), max_length=32, description="The stores that the code reads and writes."
    )
    value_format: FormatName | None = Field(
        None,
        description="How each value that the code forwards becomes bytes.",
        json_schema_extra={"empty_means": "the format for their type"},
    )
    value_type: DeclaredType | None = Field(
        None,
        description="What the code forwards as values, so that later nodes know their fields.",
        json_schema_extra={"empty_means": "any JSON"},
    )

    @classmethod
    def can_fail(cls) -> bool:
        return True

    @property
    def value(self) -> Side:
        """The side of the new values."""
        return make_side(self.value_format, self.value_type)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from find_code_issues(self.code)
        if not fits(self.value):
            yield make_misfit("value_format", self.value)

    def hints(self, inputs: Flows) -> Iterator[Issue]:
        if modules := find_unrecorded_modules(self.code):
            names = f"`{'`, `'.join(modules)}`"
            yield Issue(OperatorIssueCode.CODE_NOT_RECORDED, {"modules": names}, field="code")
        if "delete" not in read_outline(self.code).attributes:
            for index, store in enumerate(self.stores):
                if store.kind in ("key_value", "timestamped") and store.ttl_ms is None:
                    yield Issue(OperatorIssueCode.STATE_GROWS, {"store": store.name}, field=f"stores.{index}.ttl_ms")

    def trace(self, tracing: Tracing) -> Columns:
        return trace_everything(tracing)

    def plan_tables(self, plan: NodeTables) -> None:
        for store in self.stores:
            plan.keep(store.part, store.key, Side("json", ANY), OF_CODE, store.window, store.view)
        if self.keeps_time:
            plan.keep(PUNCTUATORS, Side("bytes", ANY), Side("bytes", ANY), SCHEDULES)

    @property
    def keeps_time(self) -> bool:
        """True if the task's time and schedules matter. Without those and stores it needs no state and no shuffle."""
        return bool(self.stores or TIME_METHODS & read_outline(self.code).attributes)

    def needs_ticks(self) -> bool:
        return "schedule" in read_outline(self.code).attributes and "wall_clock" in self.code

    def make_processor(self, context: ProcessorContext, key: Side | None) -> CodeProcessor:
        """The processor. `key` is the side of new keys, or None if records keep theirs."""
        user_class = load_user_class(context.owner, self.code, OFFERED_NAMES)
        processor = CodeProcessor(context, user_class, key=key, value=self.value)
        processor.stores = {store.name: make_store(store, context, processor) for store in self.stores}
        if self.keeps_time:
            state = context.get_own_state(PUNCTUATORS)
            processor.schedules = Schedules(processor, state, context.task.watch_time())
        processor.begin()
        return processor


def make_side(format_name: FormatName | None, type_: ValueType | None) -> Side:
    """A side as the form declares it. Without a declaration it is any JSON."""
    if type_ is not None:
        return Side(format_name, type_) if format_name else choose_side(type_)
    name = format_name or "json"
    return Side(name, NATURAL[name])
