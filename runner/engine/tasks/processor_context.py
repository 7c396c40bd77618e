"""The place of a processor, from which its operator makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeGuard, runtime_checkable

from designer.expressions.errors import RecordError
from designer.topology.catalogue import Operator
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import Kind, Schema, Type
from designer.values.tuples import Windowed
from runner.engine.formats import EncodeError
from runner.engine.planning.layers import find_original
from runner.engine.planning.layout import Source
from runner.engine.records.codecs import make_key_codec
from runner.engine.records.record import Emit, View, ViewAsOf
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.store_context import StoreContext
from runner.engine.tasks.task_context import TaskContext

FITS: Mapping[Kind, Callable[[Any], bool]] = {
    Kind.STRING: lambda key: type(key) is str,
    Kind.INTEGER: lambda key: type(key) is int and MIN_LONG <= key <= MAX_LONG,
    Kind.BOOLEAN: lambda key: type(key) is bool,
    Kind.BYTES: lambda key: type(key) is bytes,
}
"""Whether a key is of such a type. Tables find these keys by themselves, in which 1, 1.0 and true are equal."""


class ProcessorContext(StoreContext):
    """One node of one task, as `MakesProcessor.processor(place)` sees it."""

    def __init__(self, task: TaskContext, node: str) -> None:
        super().__init__(
            task.layout, node, task.number, task.state, task.times, task.record_context, task.options.cache
        )
        self.task = task

    def expression(self, field: str, *parameters: str) -> Callable[..., Any]:
        """The compiled expression of a field (a dotted path), over those roles in that order."""
        function = self.compile_optional(field, *parameters)
        if function is None:
            raise LookupError(f"The field {field} of {self.owner} is empty.")
        return function

    def compile_optional(self, field: str, *parameters: str) -> Callable[..., Any] | None:
        """The compiled expression of a field, or None if it is empty."""
        return self.task.program.expression(find_original(self.node), field, parameters)

    def struct(
        self, fields: Mapping[str, str], parameters: Sequence[str], side: str | None, one_by_one: Callable[..., Any]
    ) -> Callable[..., Any]:
        """A function that makes a struct at once, or else as `one_by_one` does (`Program.struct`)."""
        return self.task.program.struct(find_original(self.node), fields, tuple(parameters), side, one_by_one)

    @property
    def sends_old_values(self) -> bool:
        """True if updates of this node's table carry the value before."""
        return self.layout.tables[self.node].sends_old_values

    def view(self, port: str, asked: Type | None = None) -> View:
        """Looks up rows of the table at an input port, which is materialised or computed from one that is.

        `asked` is the type of the keys that are looked up, if they are not the table's own.
        """
        view = self._name_asker(self._name_source(port), self.task.view(self._name_source(port)))
        return view if asked is None else self._check_keys(port, asked, view)

    def view_as_of(self, port: str, asked: Type | None = None) -> ViewAsOf:
        """Looks up rows as of a time in the versioned table at an input port."""
        processor = self.task.processors[self._name_source(port)]
        assert processor is not None
        view = self._name_asker(self._name_source(port), processor.view_as_of())
        return view if asked is None else self._check_keys(port, asked, view)

    def find_feeding(self, port: str) -> Processor:
        """The processor whose records arrive at an input port in this task, past nodes that only pass them on."""
        node = self.node
        while True:
            node = next(edge.source for edge in self.layout.graph.edges_into(node) if port in (edge.target_port, ""))
            port, processor = "", self.task.processors[node]
            if processor is not None:
                return processor

    def read_schemas(self) -> Mapping[int, Schema]:
        """Contents of the rows of each topic that this task reads, by target."""
        layout = self.layout
        schemas: dict[int, Schema] = {}
        for target in layout.targets_of((self.task.sub_topology.number,)):
            source = layout.targets[target]
            if isinstance(source, Source):
                (flow,) = layout.nodes[source.node].outputs.values()
                schemas[target] = flow.schema
        return schemas

    def _name_asker(self, source: str, view: Callable[..., Any]) -> Callable[..., Any]:
        """The same view. An error of a computed row says who asked for it."""
        processor = self.task.processors.get(source)
        if processor is None or processor.has_store:
            return view

        def ask(*arguments: Any) -> Any:
            try:
                return view(*arguments)
            except RecordError as error:
                error.asker = self.node
                raise

        return ask

    def _check_keys(self, port: str, asked: Type, view: Callable[..., Any]) -> Callable[..., Any]:
        """The same view, for keys that may be none of the table's.

        A key of another type finds nothing, as other bytes do. If the table's format cannot write it, it is an error of
        the record, as in the serde of a store.
        """
        side = self.inputs[port].schema.key
        fits = FITS.get(side.type.kind)
        if fits is not None and asked == side.type:
            return view
        encode, owner = make_key_codec(side).encode, self.owner

        def look_up(key: Any, *time: int) -> Any:
            inner = key.key if type(key) is Windowed else key
            try:
                if fits is None or fits(inner):
                    return view(key, *time)
                encode(inner)
            except EncodeError as error:
                raise RecordError(owner, "", f"The key to look up is none of the table. {error}") from error
            return None

        return look_up

    def _name_source(self, port: str) -> str:
        return next(edge.source for edge in self.layout.graph.edges_into(self.node) if edge.target_port == port)

    @property
    def emit(self) -> Emit:
        return self.task.emit


@runtime_checkable
class MakesProcessor(Protocol):
    """An operator that processes records: all except those that declare `passes_unchanged`."""

    def processor(self, context: ProcessorContext, /) -> Processor | None: ...


def makes_processor(operator: Operator) -> TypeGuard[MakesProcessor]:
    """The same as isinstance, which would take 10 µs: each batch makes tasks, but classes are looked up once."""
    return issubclass(type(operator), MakesProcessor)


def check_processors(operators: Iterable[type[Operator]]) -> None:
    """Raises TypeError for an operator without a processor, because records would pass it unchanged."""
    for operator in operators:
        if issubclass(operator, MakesProcessor) is operator.passes_unchanged:
            what = "a processor, or `passes_unchanged = True`"
            raise TypeError(f"The operator `{operator.operator_name()}` needs either {what}: exactly one of them.")
