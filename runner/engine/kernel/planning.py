"""Plans of sub-topologies for the kernel, made from the processors of a wired task.

A processor is planned only if its class is in `_OPERATIONS`, exactly and not by inheritance, and if its operator has no
field set that the operation does not know. So whatever is added to the Python engine runs there until it is added here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

import orjson

from designer.streams.event_time import ReadsTimes
from designer.topology.catalogue import Flow
from designer.topology.graph import Edge
from designer.topology.ports import COGROUPS, GROUPS, PortType
from designer.values.schemas import Kind, Side, Type
from runner import kernel
from runner.engine.counts.record_log import MAX_PER_SECOND
from runner.engine.formats.framing import KEY_HEADER, VALUE_HEADER
from runner.engine.formats.written import NameSchema, Stamp
from runner.engine.kernel import avro, json_schema, protobuf
from runner.engine.kernel.expressions import ExpressionWriter, NotInKernel, is_sure, write_digits
from runner.engine.operators.aggregate import Aggregate
from runner.engine.operators.aggregations.aggregates import Aggregation
from runner.engine.operators.aggregations.aggregating import ExpiringKeyAggregation, KeyAggregation, TableAggregation
from runner.engine.operators.aggregations.closing import EmitsOnClose
from runner.engine.operators.aggregations.cogrouping import Cogrouping
from runner.engine.operators.aggregations.exact_totals import choose_average_type, sum_type
from runner.engine.operators.aggregations.session_windows import ClosingSessionAggregation, SessionAggregation
from runner.engine.operators.aggregations.sliding_windows import ClosingSlidingAggregation, SlidingAggregation
from runner.engine.operators.aggregations.time_windows import (
    ClosingCalendarAggregation,
    ClosingWindowAggregation,
    SingleWindowAggregation,
    WindowAggregation,
)
from runner.engine.operators.aggregations.windows import TimeWindows, make_windows
from runner.engine.operators.cogroup import Cogroup
from runner.engine.operators.count import Count
from runner.engine.operators.deduplicate import STORE as SEEN
from runner.engine.operators.deduplicate import FirstOnly
from runner.engine.operators.filter import FilterRecords, FilterRows, LeaveOutRecords
from runner.engine.operators.filter_not import FilterNot
from runner.engine.operators.flat_map import SeveralRecords
from runner.engine.operators.flat_map_values import SeveralValues, ShapedValues
from runner.engine.operators.group_by import RowsToGroups
from runner.engine.operators.joins.foreign_key import LookUp, Subscribe
from runner.engine.operators.joins.stream_stream import JoinSide, StreamJoin
from runner.engine.operators.joins.stream_table import BufferedLookup, KeyedLookup, Lookup, LookupAsOf
from runner.engine.operators.joins.subscriptions import Responses, Subscribing, Subscriptions
from runner.engine.operators.joins.table_table import TableJoin
from runner.engine.operators.map import NewRecord
from runner.engine.operators.map_values import MapRecords, MapValues
from runner.engine.operators.peek import LogAndForward
from runner.engine.operators.reduce import Reduce
from runner.engine.operators.select_key import NewKey
from runner.engine.operators.shared.deriving import DerivedTable
from runner.engine.operators.shared.record_logging import LogProcessor
from runner.engine.operators.split import DEFAULT, FirstMatch
from runner.engine.operators.suppress import ENTRY_BYTES, Suppressing, count_end_bytes
from runner.engine.operators.table import ExpiringTableSource, TableSource, VersionedTableSource
from runner.engine.operators.to import RecordWriter, To
from runner.engine.operators.to_stream import ToStream, UpdatesAsRecords, UpdatesWithNewKeys
from runner.engine.planning.layers import find_original, name_clone
from runner.engine.planning.layout import Layout, Shuffle, find_topic
from runner.engine.planning.options import Options
from runner.engine.planning.parts import find_owner
from runner.engine.records.codecs import WINDOWED_STREAMS
from runner.engine.stores import CalendarWindowStore, ExpiringStore, SessionStore, SlidingWindowStore, WindowStore
from runner.engine.stores.calendar import get_calendar_windows
from runner.engine.stores.key_value import TimestampedStore
from runner.engine.stores.state import MemoryState
from runner.engine.stores.versioned_store import VersionedStore
from runner.engine.stores.windows import MIN_SEGMENT_MS
from runner.engine.tasks.processor import Processor, TableProcessor
from runner.engine.tasks.task import Task

Json = Any
FORMATS = ("json", "avro", "protobuf", "json_schema", "string", "long", "integer", "double", "boolean", "bytes", "none")
"""The formats that the kernel knows."""
FORMATS_WITH_SCHEMAS = {"avro": avro, "protobuf": protobuf}
FUNCTIONS = (
    *("count", "sum", "avg", "min", "max", "first", "last"),
    *("sum of a table", "min of a table", "max of a table", "first of a table", "last of a table"),
)
"""The functions of aggregate that the kernel knows."""
LAST_CALENDAR_MS = 3_155_760_000_000
"""The kernel knows the windows of a calendar up to here, 2070. Later ones are for the Python engine."""
KINDS = {Kind.ANY: "any", Kind.BOOLEAN: "boolean", Kind.INTEGER: "integer", Kind.DOUBLE: "double"}
KINDS |= {Kind.STRING: "string"}
ALWAYS_KNOWN = frozenset({"on_error"})
"""Fields of any operator that do not change what the kernel does: it gives failed records to Python."""


@dataclass
class PlannedNode:
    """A node of the kernel: the node that a user drew, or a shuffle by its target."""

    name: str
    shuffle: int | None = None


@dataclass
class KernelPlan:
    """A plan that the kernel has compiled. `broken` says how it failed; then Python runs the sub-topology."""

    compiled: Any
    nodes: list[PlannedNode]
    is_stateless: bool
    broken: str = field(default="")


@dataclass(frozen=True)
class InPython:
    """Why a sub-topology runs in the Python engine: "`rlike` on node large"."""

    reason: str


def plan(layout: Layout, options: Options, number: int) -> KernelPlan | InPython:
    """The plan of a sub-topology, made once for a layout. Call it only if the kernel is there."""
    plans = _keep_plans(layout, options)
    if number not in plans:
        plans[number] = _compile(layout, options, number)
    return plans[number]


@lru_cache(maxsize=32)
def _keep_plans(layout: Layout, options: Options) -> dict[int, KernelPlan | InPython]:
    """The plans of a layout that are made, in one entry: a layout may have hundreds, and each batch needs all."""
    return {}


def _compile(layout: Layout, options: Options, number: int) -> KernelPlan | InPython:
    module = kernel.load()
    assert module is not None
    try:
        json, nodes = write_plan(layout, options, number, frozenset(module.known_functions()))
        compiled = module.Plan(orjson.dumps(json))
    except NotInKernel as unknown:
        return InPython(str(unknown))
    except ValueError as unknown:
        return InPython(f"the kernel does not know {unknown}")
    return KernelPlan(compiled, nodes, compiled.is_stateless)


def explain(layout: Layout, options: Options, number: int, functions: frozenset[str]) -> str | None:
    """Why a sub-topology runs in Python, or None if the kernel runs it. This needs no kernel."""
    try:
        write_plan(layout, options, number, functions)
    except NotInKernel as unknown:
        return str(unknown)
    return None


def write_plan(
    layout: Layout, options: Options, number: int, functions: frozenset[str]
) -> tuple[Json, list[PlannedNode]]:
    """The plan as JSON, and its nodes. Raises NotInKernel with the part that the kernel does not know."""
    task = Task(layout, number, 0, MemoryState(), lambda row: None, options)
    return _PlanWriter(task, functions).write()


class _PlanWriter:
    """Writes one plan. Each processor becomes one node, each edge into a shuffle another."""

    def __init__(self, task: Task, functions: frozenset[str]) -> None:
        self.task = task
        self.layout = task.layout
        self.expressions = ExpressionWriter(functions)
        self.nodes: list[Json] = []
        self.planned: list[PlannedNode] = []
        self.place_of: dict[str, int] = {}
        self.place_of_port: dict[tuple[str, str], int] = {}
        """The nodes that take what arrives at other ports than a node's first."""
        """Joins of tables have a node of the kernel for each side."""
        self.stores: list[Json] = []
        self.joins: list[Json] = []
        self.buffers: list[Json] = []
        self.waiting: list[Json] = []
        self.store_of: dict[str, int] = {}
        self.buffer_of: dict[str, int] = {}
        self.times: list[str] = []

    def write(self) -> tuple[Json, list[PlannedNode]]:
        if self.task.punctuations is not None:
            raise NotInKernel("nodes that ask for the time")
        for node, processor in self.task.processors.items():
            if processor is not None:
                self.place_of[node] = self._add(PlannedNode(node))
                if type(processor) in (TableJoin, StreamJoin):
                    self.place_of_port[node, "right"] = self._add(PlannedNode(node))
                if type(processor) is Responses:
                    self.place_of_port[node, "latest"] = self._add(PlannedNode(node))
                if isinstance(operator := self.layout.nodes[node].operator, Cogroup):
                    for each in operator.inputs[1:]:
                        self.place_of_port[node, each.name] = self._add(PlannedNode(node))
        for node, place in self.place_of.items():
            processor = self.task.processors[node]
            assert processor is not None
            try:
                self.nodes[place] |= self._describe(node, processor)
            except NotInKernel as unknown:
                raise NotInKernel(f"{unknown} on node `{find_original(node)}`") from None
        entrances = [self._enter(target) for target in self.task.entrances]
        flushes = [place for node, place in self.place_of.items() if node in self.store_of]
        parts = {"entrances": entrances, "nodes": self.nodes, "stores": self.stores, "joins": self.joins}
        parts |= {"waiting": self.waiting}
        return parts | {"buffers": self.buffers, "times": self.times, "flushes": flushes}, self.planned

    def _add(self, planned: PlannedNode) -> int:
        self.planned.append(planned)
        self.nodes.append({"name": find_original(planned.name), "to": []})
        return len(self.nodes) - 1

    def _describe(self, node: str, processor: Processor) -> Json:
        try:
            describe, fields = _OPERATIONS[type(processor)]
        except KeyError:
            operator = self.layout.nodes[node].operator.operator_name()
            raise NotInKernel(f"`{operator}`") from None
        self._refuse_other_fields(node, fields)
        outputs = self.layout.nodes[node].outputs
        to = self.find_children(node) if len(outputs) == 1 else []
        description: Json = describe(self, node, processor)
        return {"to": to} | description

    def _refuse_other_fields(self, node: str, fields: frozenset[str]) -> None:
        operator = self.layout.nodes[node].operator
        operator = operator.join if isinstance(operator, Subscribe | LookUp) else operator
        for name, info in type(operator).model_fields.items():
            is_set = getattr(operator, name) != info.get_default(call_default_factory=True)
            if is_set and name not in fields | ALWAYS_KNOWN and not info.is_required():
                raise NotInKernel(f"the field `{name}`")
            if info.is_required() and name not in fields | ALWAYS_KNOWN:
                raise NotInKernel(f"the field `{name}`")

    def find_children(self, node: str, output: str | None = None) -> list[int]:
        """The nodes that get the records of a node, in order, as `Task` wires them."""
        edges = sorted(self._find_edges(node, output), key=lambda edge: self.layout.creation_order[edge.target])
        return [child for edge in edges for child in self._find_receivers(edge)]

    def _find_edges(self, node: str, output: str | None = None) -> Iterator[Edge]:
        for edge in self.layout.children[node]:
            if output in (None, edge.source_port):
                if self._passes_groups(edge):
                    yield from self._find_edges(edge.target)
                else:
                    yield edge

    def _passes_groups(self, edge: Edge) -> bool:
        is_shuffle = (edge.target, edge.target_port) in self.layout.shuffle_of
        if is_shuffle or self.task.processors[edge.target] is not None:
            return False
        return any(flow.type in GROUPS for flow in self.layout.nodes[edge.target].outputs.values())

    def _find_receivers(self, edge: Edge) -> list[int]:
        target = self.layout.shuffle_of.get((edge.target, edge.target_port))
        if target is not None:
            return [self._shuffle(target)]
        processor = self.task.processors[edge.target]
        if processor is None:
            return self.find_children(edge.target)
        place = self._find_place(edge.target, edge.target_port)
        is_versioned = self.layout.nodes[edge.source].outputs[edge.source_port].history_ms is not None
        if not is_versioned or processor.late_updates == "passed":
            return [place]
        guard = self._add(PlannedNode(edge.target))
        self.nodes[guard] |= {"op": "guard", "late": processor.late_updates, "to": [place]}
        return [guard]

    def _find_place(self, node: str, port: str) -> int:
        """The kernel's node that takes what arrives at a port."""
        return self.place_of_port.get((node, port), self.place_of[node])

    def _shuffle(self, target: int) -> int:
        shuffle = self.layout.targets[target]
        assert isinstance(shuffle, Shuffle)
        flow = self.layout.nodes[shuffle.to_node].inputs[shuffle.to_port]
        place = self._add(PlannedNode(shuffle.from_node, shuffle=target))
        self.nodes[place] |= {
            "op": "shuffle",
            "target": target,
            "key": self.key_codec(flow),
            "value": self._describe_shuffled(target, shuffle, flow),
            "keeps_null_keys": shuffle.keeps_null_keys,
        }
        return place

    def _describe_shuffled(self, target: int, shuffle: Shuffle, flow: Flow) -> Json:
        """The bytes of values in a shuffle. A count by key only looks whether they are null, so they stay behind.

        A count in windows keeps late records as examples, and users see their values.
        """
        entered = [shuffle.to_node, *map(self.layout.node_entered, self.layout.copies.get(target, ()))]
        readers = [each for node in entered for each in self._list_readers(node, shuffle.to_port)]
        is_read = shuffle.keeps_null_keys or not all(self._counts_by_key(*each) for each in readers)
        if is_read or flow.schema.value.type.kind is not Kind.STRUCT:
            return {"format": "packed", "type": self.write_type(flow.schema.value.type)}
        return {"format": "unread"}

    def _list_readers(self, node: str, port: str) -> Iterator[tuple[str, str]]:
        """The nodes and ports that records reach at a port: behind a grouping, those that it leads to."""
        if any(flow.type in GROUPS for flow in self.layout.nodes[node].outputs.values()):
            for edge in self.layout.children[node]:
                yield from self._list_readers(edge.target, edge.target_port)
        else:
            yield node, port

    def _counts_by_key(self, node: str, port: str) -> bool:
        placed = self.layout.nodes[node]
        is_count = type(placed.operator) is Count and placed.inputs[port].type is PortType.KGROUPED_STREAM
        return is_count and self._is_only_written(node)

    def _is_only_written(self, node: str) -> bool:
        """True if nothing can fail behind a node. A record that fails there must reach the dead letters whole."""
        behind = {edge.target for edge in self.layout.children.get(node, ())}
        return all(self._takes_all(each) and self._is_only_written(each) for each in behind)

    def _takes_all(self, node: str) -> bool:
        """True if a node has a result for every record."""
        match self.layout.nodes[node].operator:
            case ToStream(key=None):
                return True
            case To(topic_expression=None, key_schema=None, value_schema=None, uses_registry=False):
                return True
            case MapValues(fields=fields, keep=False):
                paths = [f"fields.{index}.expression" for index, _ in enumerate(fields)] or ["value"]
                found = [self.task.program.find_checked(find_original(node), path) for path in paths]
                return all(checked is not None and is_sure(checked.tree) for checked in found)
        return False

    def _enter(self, target: int) -> Json:
        arriving = self.layout.targets[target]
        node = self.layout.node_entered(target)
        own = self._add(PlannedNode(node))
        self.nodes[own] |= {"op": "enter"}
        port = arriving.to_port if isinstance(arriving, Shuffle) else ""
        is_passed, is_change = self.task.processors[node] is None, False
        to = self.find_children(node) if is_passed else [self._find_place(node, port)]
        if isinstance(arriving, Shuffle):
            flow = self.layout.nodes[node].inputs[arriving.to_port]
            is_change = flow.type is PortType.KGROUPED_TABLE
            key: Json = self.key_codec(flow)
            value: Json = {"format": "packed", "type": self._write_type_entering(node, arriving.to_port, flow)}
        else:
            operator = self.layout.nodes[node].operator
            if isinstance(operator, ReadsTimes) and (
                operator.timestamp_from != "record" or operator.max_ahead_ms is not None
            ):
                raise NotInKernel(f"times from elsewhere on node `{node}`")
            (flow,) = self.layout.nodes[node].outputs.values()
            try:
                key = self.codec(flow.schema.key, KEY_HEADER)
                value = self.codec(flow.schema.value, VALUE_HEADER)
            except NotInKernel as unknown:
                raise NotInKernel(f"{unknown} on node `{node}`") from None
        return {"target": target, "key": key, "value": value, "is_change": is_change, "node": own, "to": to}

    def _write_type_entering(self, node: str, port: str, flow: Flow) -> Json:
        """The type of what comes through a shuffle. Parts of a join by a foreign key send lists to each other."""
        match port, self.task.processors[node]:
            case "subscriptions", Subscriptions():
                return ["tuple", ["integer", "bytes", self.value_type(node, "left"), "integer", "integer"]]
            case "responses", Responses():
                values = [self.value_type(node, side) for side in ("left", "right")]
                return ["tuple", ["integer", "integer", *values]]
        return self.write_type(flow.schema.value.type)

    def value_type(self, node: str, port: str) -> Json:
        """The type of the values at a port."""
        return self.write_type(self.layout.nodes[node].inputs[port].schema.value.type)

    def own_store(self, node: str, part: str) -> int | None:
        """The number of a store that a node keeps beside its table's."""
        return self.layout.own_store_of.get((find_owner(node) + name_clone(node), part))

    def codec(self, side: Side, header: str = "", *, is_key: bool = False) -> Json:
        """The bytes of a side. In those of a topic, `header` is the name of the header that may hold a schema's id.

        `is_key` is for keys that are compared by their bytes.
        """
        if side.schema is not None and side.format in FORMATS_WITH_SCHEMAS:
            write_codec = FORMATS_WITH_SCHEMAS[side.format].write_codec
            return write_codec(side, self.layout.registry_schemas if header else {}, header)
        if side.schema is not None and side.format == "json_schema" and not is_key:
            schemas = self.layout.registry_schemas if header else {}
            return json_schema.write_codec(side, schemas, header, self.write_type)
        if side.schema is not None or side.format not in FORMATS:
            raise NotInKernel(f"the format {side.format}")
        return (
            {"format": "json_key" if is_key else "json", "type": self.write_type(side.type)}
            if side.format == "json"
            else {"format": side.format}
        )

    def key_codec(self, flow: Flow) -> Json:
        """The bytes of keys in shuffles and stores (`make_record_key_codec`)."""
        codec = self.codec(flow.schema.key, is_key=True)
        is_windowed = flow.type not in WINDOWED_STREAMS and flow.schema.window is not None
        return {"format": "windowed", "inner": codec} if is_windowed else codec

    def write_type(self, type_: Type) -> Json:
        """A type as the kernel reads it."""
        match type_.kind:
            case Kind.LIST | Kind.MAP:
                return [type_.kind.value, "any" if type_.item is None else self.write_type(type_.item)]
            case Kind.STRUCT:
                return ["struct", [[each.name, self.write_type(each.type)] for each in type_.fields]]
            case Kind.DECIMAL:
                return write_digits(type_)
            case kind if kind in KINDS:
                return KINDS[kind]
            case kind:
                raise NotInKernel(f"the type {kind.value} in JSON")

    def expression(self, node: str, path: str) -> Json:
        """The expression in a field, or None."""
        checked = self.task.program.find_checked(find_original(node), path)
        return None if checked is None else self.expressions.write(checked)

    def shape(self, node: str) -> Json:
        """The new value of an operator that shapes values."""
        operator: Any = self.layout.nodes[node].operator
        if operator.value is not None:
            return {"how": "whole", "value": self.expression(node, "value")}
        if not operator.fields:
            return {"how": "same"}
        fields = [
            [each.name, self.expression(node, f"fields.{index}.expression")]
            for index, each in enumerate(operator.fields)
        ]
        return {"how": "fields", "keeps": operator.keep, "fields": fields}

    def store(self, node: str, store: TimestampedStore, *, is_global: bool = False) -> int:
        """The place of a node's store."""
        if node not in self.store_of:
            if type(store) not in _STORES:
                raise NotInKernel(f"`{type(store).__name__}`")
            number = self.layout.store_of[node]
            planned = self.layout.stores[number]
            key = self.codec(planned.key, is_key=True)
            retention = None
            if isinstance(store, WindowStore):
                retention = self._write_retention(node, store)
            elif planned.window is not None:
                key = {"format": "windowed", "inner": key}
            try:
                values = self.write_type(planned.value.type)
            except NotInKernel:
                if not isinstance(self.layout.nodes[node].operator, Aggregate):
                    raise
                values = "any"
            self.store_of[node] = len(self.stores)
            self.stores.append(
                {
                    "number": number,
                    "is_global": is_global,
                    "key": key,
                    "values": values,
                    "is_cached": store.is_cached,
                    "starts": _list_starts(store) if isinstance(store, CalendarWindowStore) else [],
                    "history": self._write_history(node, store) if isinstance(store, VersionedStore) else None,
                    "expiry": self._write_expiry(node, store) if isinstance(store, ExpiringStore) else None,
                    "retention": retention,
                }
            )
        return self.store_of[node]

    def buffer(self, node: str, processor: Suppressing) -> int:
        """The place of the buffer of a node."""
        if node not in self.buffer_of:
            arriving = self.layout.nodes[node].inputs.only
            self.buffer_of[node] = len(self.buffers)
            self.buffers.append(
                {
                    "store": self.layout.own_store_of[node, "buffer"],
                    "key": self.key_codec(arriving),
                    "values": self.write_type(arriving.schema.value.type),
                    "time": self.time(node),
                    "waits_ms": processor.waits_ms,
                    "until_close": processor.until_close,
                    "most": processor.max_records,
                    "most_bytes": processor.max_bytes,
                    "sizes": None if processor.max_bytes is None else self._write_sizes(arriving),
                    "shuts_down": processor.shuts_down,
                }
            )
        return self.buffer_of[node]

    def _write_sizes(self, arriving: Flow) -> Json:
        """How the updates of a buffer are measured, by the topics of the rows that this task takes."""
        own = self.layout.targets_of((self.task.sub_topology.number,))
        return {
            "value": self.codec(arriving.schema.value),
            "each": ENTRY_BYTES - count_end_bytes(arriving.schema),
            "topics": [[target, len(find_topic(self.layout.targets[target]))] for target in own],
        }

    def _write_history(self, node: str, store: VersionedStore) -> Json:
        own = self.layout.own_store_of[node, "history"]
        return {"store": own, "kept_ms": store.history_ms, "time": self.time(f"{node}/history")}

    def _write_expiry(self, node: str, store: ExpiringStore) -> Json:
        own = self.own_store(node, "by_time")
        return {"store": own, "ttl_ms": store.ttl_ms, "time": self.time(f"{node}/ttl")}

    def _write_retention(self, node: str, store: WindowStore) -> Json:
        is_indexed = isinstance(store, SlidingWindowStore)
        has_ends = isinstance(store, SessionStore)
        on_close, in_memory = store.window.emit == "on_close", store.window.store_type == "in_memory"
        keeps_segments = has_ends and on_close and not in_memory
        segments = [store.retention_ms, max(store.retention_ms // 2, MIN_SEGMENT_MS)] if keeps_segments else None
        return {
            "kept_ms": store.kept_ms,
            "segments": segments,
            "time": self.time(f"{node}/start"),
            "length_ms": store.length_ms,
            "has_ends": has_ends,
            "index_ms": max(store.retention_ms, 1) if is_indexed else None,
            "is_ordered": on_close,
            "is_by_key": has_ends and in_memory,
        }

    def find_cogroup(self, node: str) -> str | None:
        """The cogroup that feeds an aggregation."""
        if self.layout.nodes[node].inputs.only.type not in COGROUPS:
            return None
        while True:
            node = next(edge.source for edge in self.layout.graph.edges_into(node))
            if self.task.processors[node] is not None:
                return node

    def list_inputs(self, cogroup: str) -> list[str]:
        """The names of the inputs of a cogroup, in order."""
        operator = self.layout.nodes[cogroup].operator
        assert isinstance(operator, Cogroup)
        return [each.name for each in operator.inputs]

    def time(self, name: str) -> int:
        """The place of a stream time."""
        if name not in self.times:
            self.times.append(name)
        return self.times.index(name)


def _filter(writer: _PlanWriter, node: str, processor: Any) -> Json:
    is_negated = isinstance(processor, LeaveOutRecords)
    return {"op": "filter", "keep": writer.expression(node, "predicate"), "is_negated": is_negated}


def _map_values(writer: _PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "shape", "key": None, "value": writer.shape(node)}


def _select_key(writer: _PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "shape", "key": writer.expression(node, "key"), "value": {"how": "same"}}


def _map(writer: _PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "shape", "key": writer.expression(node, "key"), "value": writer.shape(node)}


def _flat_map(writer: _PlanWriter, node: str, processor: Any) -> Json:
    items, key = writer.expression(node, "items"), writer.expression(node, "key")
    return {"op": "flat_map", "items": items, "key": key, "value": writer.shape(node)}


def _flat_map_values(writer: _PlanWriter, node: str, processor: Any) -> Json:
    shape = {"how": "whole", "value": ["role", "other"]} if type(processor) is SeveralValues else writer.shape(node)
    return {"op": "flat_map", "items": writer.expression(node, "values"), "key": None, "value": shape}


def _split(writer: _PlanWriter, node: str, processor: Any) -> Json:
    operator: Any = writer.layout.nodes[node].operator
    if any(branch.type is not None for branch in operator.branches):
        raise NotInKernel("branches by type")
    rules = [
        {"when": writer.expression(node, f"branches.{index}.predicate"), "to": writer.find_children(node, branch.name)}
        for index, branch in enumerate(operator.branches)
    ]
    default = writer.find_children(node, DEFAULT) if processor.keeps_others else None
    return {"op": "split", "rules": rules, "default": default}


def _write(writer: _PlanWriter, node: str, processor: Any) -> Json:
    operator = writer.layout.nodes[node].operator
    assert isinstance(operator, To)
    arriving = writer.layout.nodes[node].inputs.only.schema
    schema = operator.find_schema_written(arriving)
    sides = operator.write_sides(writer.layout, node, operator.topic_names()[0], schema)
    if any(each.side is None for each in sides):
        raise NotInKernel("a schema for each type of a union")
    of_key, of_value = (cast(Side, each.side) for each in sides)
    key = {"format": "json", "type": "any"} if of_key.format == "json" else writer.codec(of_key)
    value = writer.codec(of_value)
    stamp: Stamp | None = processor.stamp
    if arriving.window is not None and schema.key.format != "none":
        writer.write_type(arriving.key.type)  # raises for a type that JSON does not hold
        of_kafka = "session" if arriving.window.kind == "session" else "kafka"
        form = {"json": "json", "key": "plain", "kafka": of_kafka}[operator.windowed_key]
        key = {"format": f"windowed_{form}", "inner": key}
    return {
        "op": "emit",
        "target": processor.target,
        "key": key,
        "value": value,
        "same_keys": sorted(processor.same_keys),
        "same_values": sorted(processor.same_values),
        "stamp": None
        if stamp is None
        else {
            "stale": stamp.stale,
            "key": _write_header(KEY_HEADER, stamp.name_key),
            "value": _write_header(VALUE_HEADER, stamp.name_value),
        },
    }


def _list_starts(store: CalendarWindowStore) -> list[int]:
    assert store.window.calendar is not None
    return list(get_calendar_windows(store.window.calendar).list_starts(LAST_CALENDAR_MS))


def _write_header(name: str, name_schema: NameSchema) -> Json:
    """The header that names the schema of a side, which is the same for all records."""
    content = name_schema(None)
    return None if content is None else [name, content]


def _to_stream(writer: _PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "to_stream", "key": writer.expression(node, "key")}


def _table(writer: _PlanWriter, node: str, processor: Any) -> Json:
    store = None if processor.store is None else writer.store(node, processor.store)
    return {"op": "source", "store": store, "sends_old": processor.sends_old_values}


def _derive(writer: _PlanWriter, node: str, processor: Any) -> Json:
    is_filter = type(processor) is FilterRows
    return {
        "op": "derive",
        "store": None if processor.store is None else writer.store(node, processor.store),
        "sends_old": processor.sends_old_values,
        "keep": writer.expression(node, "predicate") if is_filter else None,
        "is_negated": isinstance(writer.layout.nodes[node].operator, FilterNot),
        "value": None if is_filter else writer.shape(node),
        "skips_nothing": processor.skips_nothing_to_nothing,
    }


def _aggregate(writer: _PlanWriter, node: str, processor: Any) -> Json:
    arriving = writer.layout.nodes[node].inputs.only
    if arriving.type not in _GROUPED:
        raise NotInKernel(f"aggregation of a {arriving.type}")
    return {
        "op": "aggregate",
        "store": writer.store(node, processor.store),
        "sends_old": processor.sends_old_values,
        "by": _write_aggregator(writer, node),
        "window": _write_window(writer, node, processor) if arriving.type in WINDOWED_STREAMS else None,
    }


def _write_window(writer: _PlanWriter, node: str, processor: Any) -> Json:
    window = writer.layout.nodes[node].inputs.only.schema.window
    assert window is not None
    if window.idle_ms is not None:
        raise NotInKernel("idle time")
    if window.kind == "unlimited":
        raise NotInKernel(f"{window.kind} windows")
    times = TimeWindows(0, 0, window.grace_ms) if window.calendar is not None else make_windows(window)
    assert isinstance(times, TimeWindows)
    cogroup = writer.find_cogroup(node)
    names = writer.list_inputs(cogroup) if cogroup else []
    return {
        **times._asdict(),
        "kind": window.kind if window.kind in ("session", "sliding", "calendar") else "time",
        "times": [writer.time(f"{node}/{name}") for name in names] if cogroup else [writer.time(node)],
        "closed": writer.time(f"{node}/closed") if isinstance(processor, EmitsOnClose) else None,
    }


def _write_aggregator(writer: _PlanWriter, node: str) -> Json:
    operator = writer.layout.nodes[node].operator
    match operator:
        case Count():
            return {"how": "count"}
        case Reduce():
            expressions = {name: writer.expression(node, name) for name in ("add", "subtract")}
            return {"how": "reduce", **expressions}
        case Aggregate(functions=()):
            expressions = {name: writer.expression(node, name) for name in ("init", "subtract", "merge")}
            cogroup = writer.find_cogroup(node)
            adds = [(node, "add")]
            if cogroup is not None:
                adds = [(cogroup, f"inputs.{index}.add") for index, _ in enumerate(writer.list_inputs(cogroup))]
            return {"how": "expressions", "adds": [writer.expression(*each) for each in adds], **expressions}
        case Aggregate(functions=functions):
            return {"how": "functions", "functions": list(_write_functions(writer, node, functions))}
    raise NotInKernel(f"`{operator.operator_name()}`")


def _write_functions(writer: _PlanWriter, node: str, functions: Iterable[Any]) -> Iterator[Json]:
    is_of_table = writer.layout.nodes[node].inputs.only.type is PortType.KGROUPED_TABLE
    for index, each in enumerate(functions):
        form = each.part(is_of_table=is_of_table)
        if form not in FUNCTIONS or each.order_by is not None:
            raise NotInKernel(f"the aggregate function {each.function}")
        path = f"functions.{index}.expression"
        checked = writer.task.program.find_checked(find_original(node), path)
        kind = None if checked is None else checked.type.kind
        if kind not in _AGGREGATED:
            assert kind is not None
            raise NotInKernel(f"the aggregate function {each.function} of {kind.value}s")
        sums = averages = None
        if checked is not None and kind is Kind.DECIMAL:
            sums, averages = write_digits(sum_type(checked.type)), write_digits(choose_average_type(checked.type))
        totals = {"sums": sums, "averages": averages}
        yield {"name": each.name, "function": form, "of": writer.expression(node, path), **totals}


def _write_view(writer: _PlanWriter, node: str, port: str) -> Json:
    """The rows of the table at a port."""
    layout = writer.layout
    table = next(edge.source for edge in layout.graph.edges_into(node) if edge.target_port == port)
    holder = writer.task.processors.get(table)
    if isinstance(holder, Suppressing):
        return {"how": "held", "buffer": writer.buffer(table, holder), "of": _write_view(writer, table, "table")}
    if table in writer.task.processors and type(holder) not in _HOLDERS:
        raise NotInKernel("a looked-up table without its own store")
    assert holder is None or isinstance(holder, TableProcessor)
    if holder is not None and holder.store is None:
        if type(holder) is TableJoin:
            sides = {side: _write_view(writer, table, side) for side in ("left", "right")}
            return {"how": "joined", "node": writer.place_of[table], **sides}
        if isinstance(holder, TableSource):
            raise NotInKernel("a looked-up table without its own store")
        of = _write_view(writer, table, next(iter(layout.nodes[table].inputs)))
        return {"how": "derived", "node": writer.place_of[table], "of": of}
    store = writer.task.globals.stores[table] if holder is None else holder.store
    assert store is not None
    place = writer.store(table, store, is_global=holder is None)
    is_aggregated = isinstance(holder, Aggregation)
    return {"how": "stored", "store": place, "presented_by": writer.place_of[table] if is_aggregated else None}


def _lookup(writer: _PlanWriter, node: str, processor: Any) -> Json:
    return {
        "op": "lookup",
        "view": _write_view(writer, node, "right"),
        "as_of": isinstance(processor, LookupAsOf),
        "waiting": _write_waiting(writer, node, processor) if type(processor) is BufferedLookup else None,
        "key": writer.expression(node, "key"),
        "value": writer.shape(node),
        "is_left": processor.is_left,
    }


def _write_waiting(writer: _PlanWriter, node: str, processor: BufferedLookup) -> int:
    """The place of the records that wait at a node."""
    arriving = writer.layout.nodes[node].inputs["left"]
    writer.waiting.append(
        {
            "store": writer.own_store(node, "waiting"),
            "key": writer.key_codec(arriving),
            "values": ["tuple", [writer.value_type(node, "left"), "string", "integer", "integer"]],
            "time": writer.time(f"{node}/waiting"),
            "grace_ms": processor.grace_ms,
        }
    )
    return len(writer.waiting) - 1


def _join_tables(writer: _PlanWriter, node: str, processor: Any) -> Json:
    side = {
        "op": "join_tables",
        "to": writer.find_children(node),
        "store": None if processor.store is None else writer.store(node, processor.store),
        "sends_old": processor.sends_old_values,
        "value": writer.shape(node),
        "keeps_left": processor.keeps_left,
        "keeps_right": processor.keeps_right,
    }
    left, right = _write_view(writer, node, "left"), _write_view(writer, node, "right")
    writer.nodes[writer.place_of_port[node, "right"]] |= {**side, "is_left": False, "view": left}
    return {**side, "is_left": True, "view": right}


def _join_streams(writer: _PlanWriter, node: str, processor: Any) -> Json:
    operator: Any = writer.layout.nodes[node].operator
    inputs, own_stores = writer.layout.nodes[node].inputs, writer.layout.own_store_of
    side = {"op": "join_streams", "join": len(writer.joins), "to": writer.find_children(node)}
    writer.joins.append(
        {
            "left": _write_side(writer, node, processor.left, "left"),
            "right": _write_side(writer, node, processor.right, "right"),
            "unmatched": None if processor.unmatched_store is None else own_stores[node, "unmatched"],
            "key": writer.key_codec(inputs["left"]),
            "time": writer.time(node),
            "before_ms": operator.before_ms,
            "after_ms": operator.after_ms,
            "grace_ms": processor.grace_ms,
            "value": writer.shape(node),
        }
    )
    writer.nodes[writer.place_of_port[node, "right"]] |= {
        **side,
        "is_left": False,
        "is_outer": processor.right.is_outer,
    }
    return {**side, "is_left": True, "is_outer": processor.left.is_outer}


def _subscribe(writer: _PlanWriter, node: str, processor: Any) -> Json:
    left, owner = writer.layout.nodes[node].inputs["left"], writer.layout.nodes[find_owner(node) + name_clone(node)]
    return {
        "op": "subscribe",
        "is_left": processor.is_left,
        "foreign_key": writer.expression(node, "foreign_key"),
        "foreign": writer.key_codec(owner.inputs["right"]),
        "key": writer.key_codec(left),
        "version": writer.time(f"{node}/version"),
        "meets_right": processor.meets_right,
        "subscriptions": writer.find_children(node, "subscriptions"),
        "latest": writer.find_children(node, "latest"),
    }


def _keep_subscriptions(writer: _PlanWriter, node: str, processor: Any) -> Json:
    inputs = writer.layout.nodes[node].inputs
    return {
        "op": "subscriptions",
        "store": writer.own_store(node, "subscriptions"),
        "foreign": writer.key_codec(inputs["right"]),
        "key": writer.key_codec(inputs["left"]),
        "kept": ["tuple", [writer.value_type(node, "left"), "integer", "integer"]],
        "view": _write_view(writer, node, "right"),
    }


def _respond(writer: _PlanWriter, node: str, processor: Any) -> Json:
    writer.nodes[writer.place_of_port[node, "latest"]] |= {"op": "hear", "responses": writer.place_of[node]}
    return {
        "op": "responses",
        "store": None if processor.store is None else writer.store(node, processor.store),
        "sends_old": processor.sends_old_values,
        "key": writer.key_codec(writer.layout.nodes[node].inputs["left"]),
        "is_left": processor.is_left,
        "value": writer.shape(node),
        "latest": writer.own_store(node, "latest"),
    }


def _log(writer: _PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "log", "most": MAX_PER_SECOND}


def _cogroup(writer: _PlanWriter, node: str, processor: Any) -> Json:
    _, *others = writer.list_inputs(node)
    to = writer.find_children(node)
    for place, name in enumerate(others, 1):
        writer.nodes[writer.place_of_port[node, name]] |= {"op": "cogroup", "input": place, "to": to}
    return {"op": "cogroup", "input": 0}


def _group_rows(writer: _PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "group_rows", "key": writer.expression(node, "key"), "value": writer.shape(node)}


def _suppress(writer: _PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "suppress", "buffer": writer.buffer(node, processor)}


def _write_side(writer: _PlanWriter, node: str, side: JoinSide, port: str) -> Json:
    store = side.store
    return {
        "store": writer.layout.own_store_of[node, port],
        "values": writer.write_type(writer.layout.nodes[node].inputs[port].schema.value.type),
        "time": writer.time(f"{node}/{port}"),
        "bucket_ms": store.bucket_ms,
        "segment_ms": store.segment_ms,
        "retention_ms": store.retention_ms,
    }


def _deduplicate(writer: _PlanWriter, node: str, processor: Any) -> Json:
    flow = writer.layout.nodes[node].inputs.only
    by = writer.expression(node, "by")
    return {
        "op": "deduplicate",
        "store": writer.layout.own_store_of[node, SEEN],
        "key": writer.key_codec(flow) if by is None else None,
        "by": by,
        "within_ms": processor.within_ms,
        "time": writer.time(node),
    }


_WINDOW_AGGREGATIONS = (
    SingleWindowAggregation,
    WindowAggregation,
    ClosingWindowAggregation,
    ClosingCalendarAggregation,
    SessionAggregation,
    ClosingSessionAggregation,
    SlidingAggregation,
    ClosingSlidingAggregation,
)
_AGGREGATED = (None, Kind.BOOLEAN, Kind.INTEGER, Kind.DOUBLE, Kind.DECIMAL, Kind.STRING)
"""Kinds of values that functions aggregate. None: the function takes no value."""
_HOLDERS = (
    *(TableSource, ExpiringTableSource, VersionedTableSource, KeyAggregation, ExpiringKeyAggregation, TableAggregation),
    *(DerivedTable, FilterRows, TableJoin),
    Responses,
    *_WINDOW_AGGREGATIONS,
)
"""Processors of tables whose rows may be looked up."""
_SHAPE = frozenset({"value", "fields", "keep"})
_SCHEMA_PARTS = ("schema", "message", "schema_id", "subject")
_SCHEMAS = frozenset(f"{side}_{part}" for side in ("key", "value") for part in _SCHEMA_PARTS)
_SCHEMAS |= {"avro_header", "schema_registry", "subject_strategy"}
_TABLE = _SCHEMAS | {"topic", "key_format", "value_format", "key_type", "value_type", "store", "start", "load_first"}
_TABLE |= {"key_writer_schemas", "value_writer_schemas"}
_AGGREGATE = frozenset({"store", "functions", "init", "add", "subtract", "merge"})
_GROUPED = (
    *COGROUPS,
    PortType.KGROUPED_STREAM,
    PortType.KGROUPED_TABLE,
    PortType.TIME_WINDOWED_KSTREAM,
    PortType.SESSION_WINDOWED_KSTREAM,
)
_STORES = (
    TimestampedStore,
    ExpiringStore,
    VersionedStore,
    WindowStore,
    CalendarWindowStore,
    SlidingWindowStore,
    SessionStore,
)
Describe = Callable[[_PlanWriter, str, Any], Json]
_OPERATIONS: Mapping[type[Processor], tuple[Describe, frozenset[str]]] = {
    FilterRecords: (_filter, frozenset({"predicate"})),
    LeaveOutRecords: (_filter, frozenset({"predicate"})),
    MapRecords: (_map_values, _SHAPE),
    LogProcessor: (_log, frozenset({"message"})),
    LogAndForward: (_log, frozenset({"message"})),
    NewKey: (_select_key, frozenset({"key", "key_format"})),
    NewRecord: (_map, _SHAPE | {"key", "key_format"}),
    SeveralRecords: (_flat_map, _SHAPE | {"items", "key", "key_format"}),
    SeveralValues: (_flat_map_values, _SHAPE | {"values"}),
    ShapedValues: (_flat_map_values, _SHAPE | {"values"}),
    FirstMatch: (_split, frozenset({"branches"})),
    RecordWriter: (
        _write,
        _SCHEMAS | {"topic", "key_format", "value_format", "windowed_key", "create_if_missing", "partitions"},
    ),
    UpdatesAsRecords: (_to_stream, frozenset()),
    UpdatesWithNewKeys: (_to_stream, frozenset({"key", "key_format"})),
    TableSource: (_table, _TABLE),
    ExpiringTableSource: (_table, _TABLE | {"ttl_ms"}),
    VersionedTableSource: (_table, _TABLE | {"history_ms"}),
    FilterRows: (_derive, frozenset({"predicate", "store"})),
    DerivedTable: (_derive, _SHAPE | {"store"}),
    KeyAggregation: (_aggregate, _AGGREGATE),
    ExpiringKeyAggregation: (_aggregate, _AGGREGATE | {"ttl_ms"}),
    TableAggregation: (_aggregate, _AGGREGATE),
    Cogrouping: (_cogroup, frozenset({"inputs"})),
    RowsToGroups: (_group_rows, _SHAPE | {"key", "key_format"}),
    **dict.fromkeys(_WINDOW_AGGREGATIONS, (_aggregate, _AGGREGATE)),
    Lookup: (_lookup, _SHAPE),
    LookupAsOf: (_lookup, _SHAPE),
    BufferedLookup: (_lookup, _SHAPE | {"grace_ms"}),
    KeyedLookup: (_lookup, _SHAPE | {"key"}),
    FirstOnly: (_deduplicate, frozenset({"by", "within_ms"})),
    TableJoin: (_join_tables, _SHAPE | {"store"}),
    Subscribing: (_subscribe, _SHAPE | {"foreign_key", "store"}),
    Subscriptions: (_keep_subscriptions, _SHAPE | {"foreign_key", "store"}),
    Responses: (_respond, _SHAPE | {"foreign_key", "store"}),
    Suppressing: (_suppress, frozenset({"until", "wait_ms", "max_records", "max_bytes", "buffer_full"})),
    StreamJoin: (_join_streams, _SHAPE | {"before_ms", "after_ms", "grace_ms", "eager"}),
}


def list_processors() -> dict[str, str]:
    """The processors that the kernel knows, each with what it does, for the documentation."""
    return {kind.__name__: (kind.__doc__ or "").partition("\n")[0] for kind in _OPERATIONS}
