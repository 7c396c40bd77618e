"""The catalogue of operators. Each is one class in one file, and the page derives everything from the class.

The docstring is the help text, the pydantic fields are the form, the ports are the handles. `runner/engine/operators`
holds the classes; importing that package fills the catalogue.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import ClassVar, Literal, NamedTuple, Never, Protocol, TypeVar, get_args, runtime_checkable

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler
from pydantic import Field as FormField
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from designer.issues import Issue
from designer.topology.forms import find_expression_fields
from designer.topology.ports import Input, Output, PortType
from designer.values.schemas import INTEGER, STRING, Kind, Schema, Type, struct

Config = Mapping[str, object]
"""The values of a node's form as JSON. They may be invalid."""
NOTHING: Mapping[str, Never] = {}
Family = Literal["sources", "stateless", "group and window", "aggregate", "join", "table", "sinks", "code"]
FAMILIES: tuple[Family, ...] = get_args(Family)
"""The groups of operators, in the order in which the palette shows them (that of the DSL)."""
TopicUse = Literal["reads", "writes"]
FirstStep = Literal["read", "hold", "look_up", "keep", "rekey", "group", "count", "unroll", "write"]
HEADERS = Type(Kind.LIST, item=struct(key=STRING, value=STRING))
BOUNDS = struct(start=INTEGER, end=INTEGER)
"""The types of `headers` and `window` in an expression."""


class Flow(NamedTuple):
    """The flow at an input port: a port type and its schema.

    `history_ms` is for how long a versioned KTable can be looked up as of an earlier time. None for all others.
    """

    type: PortType
    schema: Schema
    history_ms: int | None = None


class Flows(dict[str, Flow]):
    """The arriving flows of a node, by input port. `only` is the flow of a node with one input.

    A port with several edges has the first. `every` has all of them.
    """

    def __init__(self, every: Mapping[str, Sequence[Flow]] | None = None) -> None:
        self.every = every or {}
        super().__init__({port: flows[0] for port, flows in self.every.items()})

    @property
    def only(self) -> Flow:
        (flow,) = self.values()
        return flow

    @property
    def types(self) -> dict[str, PortType]:
        return {port: flow.type for port, flow in self.items()}


class Scope(NamedTuple):
    """The names for an expression, and their types.

    `spread` is the name whose struct fields need no prefix (usually `value`). `is_windowed` says that `key` is the
    inner key and that `window.start` and `window.end` (ms) exist.
    """

    names: Mapping[str, Type]
    spread: str | None = None
    is_windowed: bool = False


Policy = Literal["fail", "skip", "dead_letter"]
"""The policy for a failed record: Kafka Streams' handlers answer FAIL or CONTINUE, the latter with or without a record
for the dead-letter queue (KIP-1034).
"""


class WindowProbe(NamedTuple):
    """The display of a node's windows in a trial: an operator after it lists the times of the records in each."""

    operator: str
    config: Config
    """With it the operator gives a struct with the list in its field `times`."""
    port: str
    without: tuple[str, ...] = ()
    """Settings that only decide when windows are forwarded. They would hide open windows."""


class Words(NamedTuple):
    """Words about fields, whose values replace their names in braces. They apply `when` fields have those values."""

    text: str
    when: Mapping[str, str | int] = NOTHING


class Operator(BaseModel):
    """One kind of node. Subclasses add fields (the form) and ports (the handles).

    The engine runs it through the hooks `PlansTables`, `HasParts` and `MakesProcessor`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, ignored_types=(Input, Output))

    icon: ClassVar[str] = "box"
    family: ClassVar[Family]
    """Its place in the palette: one of `FAMILIES`."""
    kafka_names: ClassVar[tuple[str, ...]] = ()
    """Its other names in Kafka Streams: those of older versions, and of its implementing classes. The palette finds it
    by them.
    """
    step_prefixes: ClassVar[tuple[str, ...]] = ()
    """The prefixes of its steps in `Topology.describe()`, for the import of such a text."""
    first_step: ClassVar[FirstStep | None] = None
    """What it does in the graphs that the page proposes for a topic."""
    is_usual: ClassVar[bool] = False
    """Most graphs begin or end with it: the palette shows it first in its family."""
    follows: ClassVar[int] = 0
    """Likelihood that it is the next node where it fits: the page offers the highest first, and never 0."""
    topic_use: ClassVar[TopicUse | None] = None
    """What it does with the topics in its config."""
    has_topic_of_rows: ClassVar[bool] = False
    """The newest record of each key in its topic is a row, so Kafka should keep it."""
    takes_any_order: ClassVar[bool] = False
    """Its state does not depend on the order of its records, as long as nothing expires."""
    remembers: ClassVar[bool] = False
    """It stores something of each record, so a repeated record changes its result."""
    summary: ClassVar[tuple[str | Words, ...]] = ()
    """Summary of a node's settings in a line on the canvas: the first of these fields that is not empty."""
    looked_up_input: ClassVar[str | None] = None
    """Input with the table that it looks records up in."""
    new_key_field: ClassVar[str | None] = None
    """The field with the expression for the new key: the canvas puts such a node into an edge to key its records."""
    rekeys: ClassVar[bool] = False
    """Sets Kafka Streams' re-key flag: the next grouping, join or table after it shuffles."""

    repartitions: ClassVar[bool] = False
    """Shuffles the arriving records, even if their key did not change."""

    takes_null_keys: ClassVar[frozenset[str]] = frozenset()
    """Inputs that also get null keys from a shuffle directly before them."""

    keeps_null_keys: ClassVar[bool] = False
    """A left or outer join of a stream: shuffles anywhere before it let null keys pass (KIP-962)."""

    passes_unchanged: ClassVar[bool] = False
    """Records pass it unchanged, so it has no processor. Every other operator must have one."""

    beneath: ClassVar[Literal["result", "windows"] | None] = None
    """The result that the form shows below the fields: the newest record, or the windows."""
    window_probe: ClassVar[WindowProbe | None] = None
    """The display of its windows, if it makes any."""
    more: ClassVar[tuple[str, ...]] = ()
    """Rarely used fields, which the form folds under "More"."""
    ways: ClassVar[Mapping[str, tuple[str, ...]]] = NOTHING
    """The alternatives of a form, with the fields of each. The form first asks for one."""

    runs_code: ClassVar[bool] = False
    """Runs users' Python, which only some users may do (designer.topology.user_code)."""

    on_error: Policy | None = FormField(
        None,
        description="What happens to a record that fails here.",
        json_schema_extra={"empty_means": "the job's setting"},
    )

    @classmethod
    def can_fail(cls) -> bool:
        """Whether a record may fail on it, so that its form asks for a policy."""
        return bool(find_expression_fields(cls))

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """`on_error` comes last in a form, and only if a record can fail."""
        schema = handler.resolve_ref_schema(handler(core))
        fields: dict[str, JsonSchemaValue] = schema["properties"]
        on_error = fields.pop("on_error")
        if cls.can_fail():
            fields["on_error"] = on_error
        for name in cls.more:
            fields[name]["more"] = True
        for way, names in cls.ways.items():
            for name in names:
                fields[name]["way"] = way
        return schema

    @classmethod
    def operator_name(cls) -> str:
        """`KeyValue` is `key_value` in JSON, as in the DSL's Python spelling."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    @classmethod
    def get_declared_inputs(cls) -> Mapping[str, Input]:
        return _find_ports(cls, Input)

    @classmethod
    def get_declared_outputs(cls) -> Mapping[str, Output]:
        return _find_ports(cls, Output)

    @classmethod
    def input_ports(cls, config: Config = NOTHING) -> dict[str, Input]:
        """The input ports of a node with that config, which may be invalid."""
        return _choose_ports(cls.get_declared_inputs(), config)

    @classmethod
    def output_ports(cls, config: Config = NOTHING) -> dict[str, Output]:
        """The output ports of a node with that config, which may be invalid."""
        return _choose_ports(cls.get_declared_outputs(), config)

    @classmethod
    def help(cls) -> str:
        return inspect.cleandoc(cls.__doc__ or "")

    def output_schema(self, inputs: Flows) -> Schema:
        """The schema of every output. Called only if all inputs are there and all expressions are right."""
        return inputs.only.schema

    def output_schema_at(self, port: str, inputs: Flows) -> Schema:
        """The schema of one output."""
        return self.output_schema(inputs)

    def history(self, inputs: Flows) -> int | None:
        """For how long (ms) its KTable can be looked up as of an earlier time. None: it is not versioned."""
        return None

    def scope(self, field: str, inputs: Flows) -> Scope:
        """The names for an expression in `field` (a dotted path such as `functions.0.expression`)."""
        return make_record_scope(inputs.only.schema)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        """Problems other than those of the form, the ports and the expressions."""
        return iter(())

    def hints(self, inputs: Flows) -> Iterator[Issue]:
        """What is allowed but seldom meant, such as state that only grows. It does not prevent a deploy."""
        return iter(())

    def find_keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        """Inputs whose records must be at the task of their key, so that a changed key shuffles there."""
        return frozenset()

    def count_wanted_tasks(self) -> int | None:
        """The number of tasks after its shuffle. None if it does not decide."""
        return None

    def changes_key(self) -> bool:
        """Whether this node sets the re-key flag, if its form decides that."""
        return self.rekeys

    def name_stored_form(self, inputs: Flows) -> str:
        """The stored form of its values, besides their type: contents of another form have another meaning."""
        return ""

    def needs_ticks(self) -> bool:
        """Whether it may have punctuators of the wall clock, which need batches without records."""
        return False


@runtime_checkable
class NamesStore(Protocol):
    """An operator whose form names the store of its table."""

    @property
    def store(self) -> str | None: ...


def make_record_scope(schema: Schema, *, value: str = "value") -> Scope:
    """The names in every expression over one record: key, value, its fields, timestamp, headers, window."""
    names = {"key": schema.key.type, value: schema.value.type, "timestamp": INTEGER, "headers": HEADERS}
    if schema.window is not None:
        names["window"] = BOUNDS
    return Scope(names, spread=value, is_windowed=schema.window is not None)


_catalogue: dict[str, type[Operator]] = {}
AnyOperator = TypeVar("AnyOperator", bound=type[Operator])
P = TypeVar("P")
PortKind = TypeVar("PortKind", Input, Output)


def register(operator: AnyOperator) -> AnyOperator:
    """Put an operator into the catalogue, under its DSL name."""
    name = operator.operator_name()
    if name in _catalogue:
        raise TypeError(f"Two operators are called `{name}`.")
    _catalogue[name] = operator
    return operator


def get_catalogue() -> Mapping[str, type[Operator]]:
    return _catalogue


def sort_for_palette() -> list[type[Operator]]:
    """All operators by family. In each the usual ones come first, the rest by name."""

    def place(operator: type[Operator]) -> tuple[int, bool, str]:
        return FAMILIES.index(operator.family), not operator.is_usual, operator.operator_name()

    return sorted(_catalogue.values(), key=place)


def _choose_ports(ports: Mapping[str, PortKind], config: Config) -> dict[str, PortKind]:
    chosen_ports: dict[str, PortKind] = {}
    for name, port in ports.items():
        chosen_ports.update(
            {name: port} if port.each is None else dict.fromkeys(_find_row_names(config.get(port.each)), port)
        )
    return chosen_ports


def _find_row_names(rows: object) -> Iterator[str]:
    for row in rows if isinstance(rows, list | tuple) else ():
        name = row.get("name") if isinstance(row, Mapping) else None
        if isinstance(name, str):
            yield name


@cache
def _find_ports(cls: type, kind: type[P]) -> Mapping[str, P]:
    ports: dict[str, P] = {}
    for owner in reversed(cls.__mro__):
        ports.update({name: port for name, port in vars(owner).items() if isinstance(port, kind)})
    return ports
