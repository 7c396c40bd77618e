"""Writes the plan of one sub-topology from the processors of its wired task: nodes, their edges, codecs and stores.

`operations.py` describes what each node does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designer.streams.event_time import ReadsTimes
from designer.topology.catalogue import Flow
from designer.topology.graph import Edge
from designer.topology.ports import COGROUPS, GROUPS, PortType
from designer.values.schemas import Kind, Side, Type
from runner.engine.formats.framing import KEY_HEADER, VALUE_HEADER
from runner.engine.kernel import avro, json_schema, protobuf
from runner.engine.kernel.expressions import ExpressionWriter, NotInKernel, is_sure, write_digits
from runner.engine.operators.aggregate import Aggregate
from runner.engine.operators.cogroup import Cogroup
from runner.engine.operators.count import Count
from runner.engine.operators.joins.foreign_key import LookUp, Subscribe
from runner.engine.operators.joins.stream_stream import StreamJoin
from runner.engine.operators.joins.subscriptions import Responses, Subscriptions
from runner.engine.operators.joins.table_table import TableJoin
from runner.engine.operators.map_values import MapValues
from runner.engine.operators.suppress import ENTRY_BYTES, Suppressing, count_end_bytes
from runner.engine.operators.to import To
from runner.engine.operators.to_stream import ToStream
from runner.engine.planning.layers import find_original, name_clone
from runner.engine.planning.layout import Shuffle, find_topic
from runner.engine.planning.parts import find_owner
from runner.engine.records.codecs import WINDOWED_STREAMS
from runner.engine.stores import CalendarWindowStore, ExpiringStore, SessionStore, SlidingWindowStore, WindowStore
from runner.engine.stores.calendar import get_calendar_windows
from runner.engine.stores.key_value import TimestampedStore
from runner.engine.stores.versioned_store import VersionedStore
from runner.engine.stores.windows import MIN_SEGMENT_MS
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.task import Task

Json = Any
FORMATS = ("json", "avro", "protobuf", "json_schema", "string", "long", "integer", "double", "boolean", "bytes", "none")
"""The formats that the kernel knows."""
FORMATS_WITH_SCHEMAS = {"avro": avro, "protobuf": protobuf}
LAST_CALENDAR_MS = 3_155_760_000_000
"""The kernel knows the windows of a calendar up to here, 2070. Later ones are for the Python engine."""
KINDS = {Kind.ANY: "any", Kind.BOOLEAN: "boolean", Kind.INTEGER: "integer", Kind.DOUBLE: "double"}
KINDS |= {Kind.STRING: "string"}
ALWAYS_KNOWN = frozenset({"on_error"})
"""Fields of any operator that do not change what the kernel does: it gives failed records to Python."""
_STORES = (
    TimestampedStore,
    ExpiringStore,
    VersionedStore,
    WindowStore,
    CalendarWindowStore,
    SlidingWindowStore,
    SessionStore,
)


@dataclass
class PlannedNode:
    """A node of the kernel: the node that a user drew, or a shuffle by its target."""

    name: str
    shuffle: int | None = None


Describe = Callable[["PlanWriter", str, Any], Json]
"""Describes the operation of a node: of its name and its processor."""
Operations = Mapping[type[Processor], tuple[Describe, frozenset[str]]]
"""By class of the processor: how to describe it, and the fields of its operator that the operation knows."""


class PlanWriter:
    """Writes one plan. Each processor becomes one node, each edge into a shuffle another."""

    def __init__(self, task: Task, functions: frozenset[str], operations: Operations) -> None:
        self.task = task
        self.operations = operations
        self.layout = task.layout
        self.expressions = ExpressionWriter(functions)
        self.nodes: list[Json] = []
        self.planned: list[PlannedNode] = []
        self.place_of: dict[str, int] = {}
        self.place_of_port: dict[tuple[str, str], int] = {}
        """The nodes that take what arrives at other ports than a node's first: a join has one for each side."""
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
            describe, fields = self.operations[type(processor)]
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
            is_set = info.is_required() or getattr(operator, name) != info.get_default(call_default_factory=True)
            if is_set and name not in fields | ALWAYS_KNOWN:
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


def _list_starts(store: CalendarWindowStore) -> list[int]:
    assert store.window.calendar is not None
    return list(get_calendar_windows(store.window.calendar).list_starts(LAST_CALENDAR_MS))
