"""Column lineage: which columns of the sources each value in a topology comes from, and which ones each node reads.

A column is a field of a source's key or value, or the record's time or headers. Lineage is known from the drawing,
before the first record. It never says too little: what it cannot follow, such as user Python, comes from everything
that arrives.

    lineage = find_lineage(graph)
    lineage.written["sink"].value.member("total").find_columns()
    # {Column(node="orders", part="value", path=("price",)): "aggregation"}
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from designer.expressions import ExpressionError, check
from designer.expressions import tree as t
from designer.streams.budget import Budget
from designer.streams.event_time import ReadsTimes
from designer.streams.flows import NodeFlows, find_flows, group_by_target
from designer.streams.topics import ReadsTopic
from designer.topology.catalogue import Flows, Operator
from designer.topology.forms import find_expressions
from designer.topology.graph import Graph
from designer.values.schemas import Kind, Schema, Side

Part = Literal["key", "value", "timestamp", "headers"]
How = Literal["identity", "transformation", "aggregation"]
"""How a value comes from a column, as OpenLineage names it: a copy, computed, or over several records."""
Influence = Literal["filter", "join", "group_by", "window", "conditional"]
"""How a column decides about whole records, as OpenLineage names it."""
MAX_STEPS = 8
"""How often an aggregate's expression is followed before all its fields count as one."""
MAX_SECONDS = 10.0
"""CPU time to find the lineage of one graph: fields that hold whole values, node after node, multiply."""
CODE = "code"
"""The field with user Python, which may read everything that arrives."""
STRENGTH: Sequence[How] = ("identity", "transformation", "aggregation")


class Column(NamedTuple):
    """A field of the records that a source reads. An item of a list or a map has the path of its list or map."""

    node: str
    part: Part
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join((self.part, *self.path))


@dataclass(frozen=True, slots=True)
class Origins:
    """Where a value comes from. `members` are the fields that are known apart, and `whole` is for all others."""

    whole: Mapping[Column, How] = field(default_factory=dict)
    members: Mapping[str, Origins] = field(default_factory=dict)

    def member(self, name: str) -> Origins:
        """The origins of one field. A field of a copied column is a column itself."""
        if name in self.members:
            return self.members[name]
        return Origins(
            {
                (column._replace(path=(*column.path, name)) if how == "identity" else column): how
                for column, how in self.whole.items()
            }
        )

    def with_members(self, members: Mapping[str, Origins]) -> Origins:
        """The same value with other origins for those fields."""
        return Origins(self.whole, {**self.members, **members})

    def find_columns(self) -> dict[Column, How]:
        """Every column that any part of the value comes from."""
        columns = dict(self.whole)
        for member in self.members.values():
            _put_strongest(columns, member.find_columns())
        return columns

    def computed(self, how: How = "transformation") -> Origins:
        """The origins of a value that is computed from this one."""
        return Origins({column: max(how, each, key=STRENGTH.index) for column, each in self.find_columns().items()})


NOTHING = Origins()


def join_origins(parts: Iterable[Origins]) -> Origins:
    """The origins of a value that is one of several, or all of them."""
    whole: dict[Column, How] = {}
    every = list(parts)
    for part in every:
        _put_strongest(whole, part.whole)
    names = dict.fromkeys(name for part in every for name in part.members)
    return Origins(whole, {name: join_origins(part.member(name) for part in every) for name in names})


def _put_strongest(columns: dict[Column, How], others: Mapping[Column, How]) -> None:
    for column, how in others.items():
        columns[column] = max(how, columns.get(column, how), key=STRENGTH.index)


@dataclass(frozen=True, slots=True)
class Columns:
    """The origins of the records on a port. `influences` are the columns that decide which records there are."""

    key: Origins = NOTHING
    value: Origins = NOTHING
    timestamp: Origins = NOTHING
    headers: Origins = NOTHING
    influences: Mapping[Column, Influence] = field(default_factory=dict)

    def influenced(self, by: Influence, *origins: Origins) -> Columns:
        """The same records, which `origins` now decide about, too."""
        added = {column: by for each in origins for column in each.find_columns()}
        return replace(self, influences={**added, **self.influences})

    def find_columns(self) -> set[Column]:
        """Every column that anything about the records depends on."""
        parts = (self.key, self.value, self.timestamp, self.headers)
        return {column for part in parts for column in part.find_columns()} | set(self.influences)


def join_columns(every: Sequence[Columns]) -> Columns:
    """The origins of records that come from several edges."""
    if len(every) == 1:
        return every[0]
    influences: dict[Column, Influence] = {}
    for each in every:
        influences = {**each.influences, **influences}
    sides = {
        name: join_origins(getattr(each, name) for each in every) for name in ("key", "value", "timestamp", "headers")
    }
    return Columns(**sides, influences=influences)


class Tracing:
    """What an operator is asked with: the arriving columns, and the origins of what its expressions give."""

    def __init__(self, operator: Operator, inputs: Flows, arriving: Mapping[str, Columns]) -> None:
        self.operator = operator
        self.inputs = inputs
        self.arriving = arriving
        self.reads: dict[str, Origins] = {}
        """What each expression reads, by the path of its field."""

    @property
    def only(self) -> Columns:
        """The columns of a node's records. With several inputs, those of the first."""
        return next(iter(self.arriving.values()))

    def expression(self, path: str, text: str | None, records: Columns | None = None, **roles: Origins) -> Origins:
        """The origins of an expression's result over `records`, with more names as `roles`. Nothing if it is empty."""
        if text is None:
            return NOTHING
        record = records or self.only
        names = {name: getattr(record, name) for name in ("key", "value", "timestamp", "headers")}
        scope = self.operator.scope(path, self.inputs)
        try:
            tree = check(text, scope).tree
        except ExpressionError:
            return NOTHING
        walk = _Walk({**names, "window": record.timestamp, **roles})
        result = walk.find_origins(tree)
        self.reads[path] = join_origins([self.reads.get(path, NOTHING), Origins(walk.reads)])
        return result


@runtime_checkable
class TracesColumns(Protocol):
    """An operator whose records are not those that arrive. `trace` gives the origins of what leaves it."""

    def trace(self, tracing: Tracing) -> Columns: ...


class _Walk:
    """Follows one checked expression. `reads` are the columns it looks at."""

    def __init__(self, roles: Mapping[str, Origins]) -> None:
        self.roles = roles
        self.reads: dict[Column, How] = {}

    def find_origins(self, tree: t.Tree) -> Origins:
        origins = self._find_origins(tree)
        if not isinstance(tree, t.Struct):
            _put_strongest(self.reads, origins.computed().whole)
        return origins

    def _find_origins(self, tree: t.Tree) -> Origins:
        match tree:
            case t.ScopeRole():
                return self.roles.get(tree.name, NOTHING)
            case t.Member():
                of = self._find_origins(tree.of)
                return of if tree.of.type.kind is Kind.MAP else of.member(tree.name)
            case t.Index():
                of, position = self._find_origins(tree.of), self.find_origins(tree.position)
                if isinstance(tree.position, t.Literal) and isinstance(tree.position.value, str):
                    return of if tree.of.type.kind is Kind.MAP else of.member(tree.position.value)
                return join_origins([of, position.computed()])
            case t.Convert():
                return self._find_origins(tree.of)
            case t.Struct():
                values = (self.find_origins(value) for value in tree.values)
                return Origins({}, dict(zip(tree.names, values, strict=True)))
            case t.Coalesce():
                return join_origins(map(self.find_origins, tree.items))
            case t.Case():
                asked = [*_children(tree.operand), *(when for when, _ in tree.whens)]
                chosen = [*(then for _, then in tree.whens), *_children(tree.otherwise)]
                conditions = [self.find_origins(each).computed() for each in asked]
                return join_origins([*conditions, *map(self.find_origins, chosen)])
        return join_origins(self.find_origins(child).computed() for child in _children_of(tree))


def _children(*trees: t.Tree | None) -> list[t.Tree]:
    return [tree for tree in trees if tree is not None]


def _children_of(tree: t.Tree) -> Iterator[t.Tree]:
    for each in fields(tree):
        value: Any = getattr(tree, each.name)  # the members of any kind of node
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, t.Tree) and each.name != "variables":
                yield item


class Lineage(NamedTuple):
    """The lineage of a topology, by node id. Nodes that are not valid, and those after them, are left out."""

    written: Mapping[str, Columns]
    """The columns of the records that leave a node. Those of a sink are the records that it writes."""
    reads: Mapping[str, Mapping[str, Origins]]
    """The columns that each node's expressions read, by the path of the field."""
    flows: Mapping[str, NodeFlows]

    def find_readers(self, column: Column) -> Iterator[tuple[str, str]]:
        """The nodes and fields whose expressions read a column, or a part of it, or a whole that holds it."""
        for node_id, by_path in self.reads.items():
            for path, origins in by_path.items():
                if any(is_part(column, each) for each in origins.find_columns()):
                    yield node_id, path


def is_part(column: Column, other: Column) -> bool:
    """Whether one column holds the other, or is the same."""
    length = min(len(column.path), len(other.path))
    return column[:2] == other[:2] and column.path[:length] == other.path[:length]


def find_lineage(
    graph: Graph,
    sources: Mapping[str, Schema] | None = None,
    cut: str | None = None,
    budget: Budget | None = None,
) -> Lineage:
    """The lineage of a graph. `sources` are inferred schemas, as in `find_flows`. Raises TooCostly.

    With a `cut` the records of that node count as read from a topic: columns are its fields.
    """
    budget = budget or Budget(seconds=MAX_SECONDS)
    flows = find_flows(graph, sources, budget)
    feeding = group_by_target(graph)
    written: dict[str, Columns] = {}
    reads: dict[str, Mapping[str, Origins]] = {}
    for node in graph.sort_nodes():
        at = flows.get(node.id)
        if at is None or not at.is_valid:
            continue
        by_port: dict[str, list[Columns]] = defaultdict(list)
        for edge in feeding[node.id]:
            if edge.source in written:
                by_port[edge.target_port].append(written[edge.source])
        arriving = {port: join_columns(every) for port, every in by_port.items()}
        tracing = Tracing(at.operator, at.inputs, arriving)
        written[node.id] = _read_columns(node.id) if node.id == cut else _trace(node.id, tracing)
        reads[node.id] = tracing.reads
        budget.charge(node.id)
    return Lineage(written, reads, flows)


def _trace(node_id: str, tracing: Tracing) -> Columns:
    operator = tracing.operator
    if isinstance(operator, ReadsTopic):
        return _trace_source(node_id, tracing)
    if isinstance(operator, TracesColumns):
        return operator.trace(tracing)
    conditions = [tracing.expression(each.path, each.text) for each in find_expressions(operator)]
    return join_columns(list(tracing.arriving.values())).influenced("filter", *conditions)


def _trace_source(node_id: str, tracing: Tracing) -> Columns:
    read = _read_columns(node_id)
    operator = tracing.operator
    if isinstance(operator, ReadsTimes) and operator.timestamp_from == "field":
        time = tracing.expression("timestamp_field", operator.timestamp_field, read)
        return replace(read, timestamp=time)
    return read


def find_fixed_origins(start: Origins, step: Callable[[Origins], Origins]) -> Origins:
    """The origins of an aggregate that begins as `start` and of which each record makes `step(aggregate)`."""
    aggregate = start
    for _ in range(MAX_STEPS):
        after = join_origins([start, step(aggregate)])
        if after == aggregate:
            return aggregate
        aggregate = after
    return aggregate.computed("aggregation")


def _read_columns(node_id: str) -> Columns:
    """Records whose every part is a column of that node."""

    def whole(part: Part) -> Origins:
        return Origins({Column(node_id, part): "identity"})

    return Columns(whole("key"), whole("value"), whole("timestamp"), whole("headers"))


class FieldTrace(NamedTuple):
    """Where a field of a node's records comes from, and where it goes to.

    `columns` are those of sources that it comes from, and `influences` those that decide which records there are.
    `readers` are the later nodes and fields of forms that read it, `results` the fields of sinks that come from it.
    `way` are the nodes that it passes, and those that it reaches. `opaque` are those of them whose Python may read
    everything that arrives. `unknown` are later nodes that are not valid, through which nothing is followed.
    """

    columns: Mapping[Column, How]
    influences: Mapping[Column, Influence]
    readers: Sequence[tuple[str, str]]
    results: Sequence[Column]
    way: frozenset[str]
    opaque: Sequence[str] = ()
    unknown: Sequence[str] = ()


def trace_field(graph: Graph, at: Column, sources: Mapping[str, Schema] | None = None) -> FieldTrace:
    """The way of one field of the records that leave a node, back to the sources and on to the sinks.

    Of a node that is not valid nothing is known. Raises TooCostly.
    """
    lineage = find_lineage(graph, sources)
    if at.node not in lineage.written:
        return FieldTrace({}, {}, (), (), frozenset())
    written = lineage.written[at.node]
    origins: Origins = getattr(written, at.part)
    for name in at.path:
        origins = origins.member(name)
    columns = origins.find_columns()
    back = _find_reached(graph, {at.node}, backwards=True)
    way = {at.node} | (back & _find_reached(graph, {each.node for each in columns}, backwards=False))
    after = find_lineage(graph, sources, cut=at.node)
    later = _find_reached(graph, {at.node}, backwards=False) - {at.node}
    readers = [reader for reader in after.find_readers(at) if reader[0] in later]
    own = [] if lineage.flows[at.node].outputs else [at]
    results = own + [
        Column(node_id, part, path)
        for node_id in later
        if node_id in after.written and not after.flows[node_id].outputs
        for part, path, of in list_fields(after, node_id)
        if any(is_part(at, each) for each in of.find_columns())
    ]
    ends = {node_id for node_id, _ in readers} | {each.node for each in results}
    way |= later & _find_reached(graph, ends, backwards=True)
    opaque = sorted(node_id for node_id in way if CODE in lineage.reads.get(node_id, ()))
    unknown = [
        node_id
        for node_id in sorted(later - after.written.keys())
        if all(edge.source in after.written for edge in graph.edges_into(node_id))
    ]
    return FieldTrace(columns, written.influences, readers, results, frozenset(way), opaque, unknown)


def list_fields(lineage: Lineage, node_id: str) -> Iterator[tuple[Part, tuple[str, ...], Origins]]:
    """The fields of the records that a node without an output takes, each with its origins."""
    schema = lineage.flows[node_id].inputs.only.schema
    written = lineage.written[node_id]
    parts: Sequence[tuple[Part, Origins, Side]] = (
        ("key", written.key, schema.key),
        ("value", written.value, schema.value),
    )
    for part, origins, side in parts:
        names = [each.name for each in side.type.fields] if side.type.kind is Kind.STRUCT else []
        yield from ((part, (name,), origins.member(name)) for name in names)
        if not names:
            yield part, (), origins


def _find_reached(graph: Graph, starts: Iterable[str], *, backwards: bool) -> set[str]:
    """Return the `starts` and all nodes behind them, or with `backwards` all nodes before them."""
    reached, waiting = set[str](), list(starts)
    while waiting:
        node_id = waiting.pop()
        if node_id not in reached:
            reached.add(node_id)
            edges = graph.edges_into(node_id) if backwards else graph.edges_from(node_id)
            waiting += [edge.source if backwards else edge.target for edge in edges]
    return reached


def trace_everything(tracing: Tracing) -> Columns:
    """The columns of an operator that may make anything of what arrives, such as user Python."""
    arriving = join_columns(list(tracing.arriving.values()))
    parts = (arriving.key, arriving.value, arriving.timestamp, arriving.headers)
    every = join_origins(part.computed() for part in parts)
    tracing.reads[CODE] = every
    return Columns(every, every, every, every, {**arriving.influences, **dict.fromkeys(every.whole, "conditional")})
