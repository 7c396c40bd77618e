"""The operations of the kernel, each made from a processor.

A processor is planned only if its class is in `OPERATIONS`, exactly and not by inheritance, and if its operator has no
field set that the operation does not know. So whatever is added to the Python engine runs there until it is added here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from designer.topology.ports import COGROUPS, PortType
from designer.values.schemas import Kind, Side
from runner.engine.counts.record_log import MAX_PER_SECOND
from runner.engine.formats.framing import KEY_HEADER, VALUE_HEADER
from runner.engine.formats.written import NameSchema, Stamp
from runner.engine.kernel.expressions import NotInKernel, write_digits
from runner.engine.kernel.plan_writer import Json, Operations, PlanWriter
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
from runner.engine.operators.count import Count
from runner.engine.operators.deduplicate import STORE as SEEN
from runner.engine.operators.deduplicate import FirstOnly
from runner.engine.operators.filter import FilterRecords, FilterRows, LeaveOutRecords
from runner.engine.operators.filter_not import FilterNot
from runner.engine.operators.flat_map import SeveralRecords
from runner.engine.operators.flat_map_values import SeveralValues, ShapedValues
from runner.engine.operators.group_by import RowsToGroups
from runner.engine.operators.joins.stream_stream import JoinSide, StreamJoin
from runner.engine.operators.joins.stream_table import BufferedLookup, KeyedLookup, Lookup, LookupAsOf
from runner.engine.operators.joins.subscriptions import Responses, Subscribing, Subscriptions
from runner.engine.operators.joins.table_table import TableJoin
from runner.engine.operators.map import NewRecord
from runner.engine.operators.map_values import MapRecords
from runner.engine.operators.peek import LogAndForward
from runner.engine.operators.reduce import Reduce
from runner.engine.operators.select_key import NewKey
from runner.engine.operators.shared.deriving import DerivedTable
from runner.engine.operators.shared.record_logging import LogProcessor
from runner.engine.operators.split import DEFAULT, FirstMatch
from runner.engine.operators.suppress import Suppressing
from runner.engine.operators.table import ExpiringTableSource, TableSource, VersionedTableSource
from runner.engine.operators.to import RecordWriter, To
from runner.engine.operators.to_stream import UpdatesAsRecords, UpdatesWithNewKeys
from runner.engine.planning.layers import find_original, name_clone
from runner.engine.planning.parts import find_owner
from runner.engine.records.codecs import WINDOWED_STREAMS
from runner.engine.tasks.processor import TableProcessor

FUNCTIONS = (
    *("count", "sum", "avg", "min", "max", "first", "last"),
    *("sum of a table", "min of a table", "max of a table", "first of a table", "last of a table"),
)
"""The functions of aggregate that the kernel knows."""


def _filter(writer: PlanWriter, node: str, processor: Any) -> Json:
    is_negated = isinstance(processor, LeaveOutRecords)
    return {"op": "filter", "keep": writer.expression(node, "predicate"), "is_negated": is_negated}


def _map_values(writer: PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "shape", "key": None, "value": writer.shape(node)}


def _select_key(writer: PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "shape", "key": writer.expression(node, "key"), "value": {"how": "same"}}


def _map(writer: PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "shape", "key": writer.expression(node, "key"), "value": writer.shape(node)}


def _flat_map(writer: PlanWriter, node: str, processor: Any) -> Json:
    items, key = writer.expression(node, "items"), writer.expression(node, "key")
    return {"op": "flat_map", "items": items, "key": key, "value": writer.shape(node)}


def _flat_map_values(writer: PlanWriter, node: str, processor: Any) -> Json:
    shape = {"how": "whole", "value": ["role", "other"]} if type(processor) is SeveralValues else writer.shape(node)
    return {"op": "flat_map", "items": writer.expression(node, "values"), "key": None, "value": shape}


def _split(writer: PlanWriter, node: str, processor: Any) -> Json:
    operator: Any = writer.layout.nodes[node].operator
    if any(branch.type is not None for branch in operator.branches):
        raise NotInKernel("branches by type")
    rules = [
        {"when": writer.expression(node, f"branches.{index}.predicate"), "to": writer.find_children(node, branch.name)}
        for index, branch in enumerate(operator.branches)
    ]
    default = writer.find_children(node, DEFAULT) if processor.keeps_others else None
    return {"op": "split", "rules": rules, "default": default}


def _write(writer: PlanWriter, node: str, processor: Any) -> Json:
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


def _write_header(name: str, name_schema: NameSchema) -> Json:
    """The header that names the schema of a side, which is the same for all records."""
    content = name_schema(None)
    return None if content is None else [name, content]


def _to_stream(writer: PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "to_stream", "key": writer.expression(node, "key")}


def _table(writer: PlanWriter, node: str, processor: Any) -> Json:
    store = None if processor.store is None else writer.store(node, processor.store)
    return {"op": "source", "store": store, "sends_old": processor.sends_old_values}


def _derive(writer: PlanWriter, node: str, processor: Any) -> Json:
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


def _aggregate(writer: PlanWriter, node: str, processor: Any) -> Json:
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


def _write_window(writer: PlanWriter, node: str, processor: Any) -> Json:
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


def _write_aggregator(writer: PlanWriter, node: str) -> Json:
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


def _write_functions(writer: PlanWriter, node: str, functions: Iterable[Any]) -> Iterator[Json]:
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


def _write_view(writer: PlanWriter, node: str, port: str) -> Json:
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


def _lookup(writer: PlanWriter, node: str, processor: Any) -> Json:
    return {
        "op": "lookup",
        "view": _write_view(writer, node, "right"),
        "as_of": isinstance(processor, LookupAsOf),
        "waiting": _write_waiting(writer, node, processor) if type(processor) is BufferedLookup else None,
        "key": writer.expression(node, "key"),
        "value": writer.shape(node),
        "is_left": processor.is_left,
    }


def _write_waiting(writer: PlanWriter, node: str, processor: BufferedLookup) -> int:
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


def _join_tables(writer: PlanWriter, node: str, processor: Any) -> Json:
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


def _join_streams(writer: PlanWriter, node: str, processor: Any) -> Json:
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


def _subscribe(writer: PlanWriter, node: str, processor: Any) -> Json:
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


def _keep_subscriptions(writer: PlanWriter, node: str, processor: Any) -> Json:
    inputs = writer.layout.nodes[node].inputs
    return {
        "op": "subscriptions",
        "store": writer.own_store(node, "subscriptions"),
        "foreign": writer.key_codec(inputs["right"]),
        "key": writer.key_codec(inputs["left"]),
        "kept": ["tuple", [writer.value_type(node, "left"), "integer", "integer"]],
        "view": _write_view(writer, node, "right"),
    }


def _respond(writer: PlanWriter, node: str, processor: Any) -> Json:
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


def _log(writer: PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "log", "most": MAX_PER_SECOND}


def _cogroup(writer: PlanWriter, node: str, processor: Any) -> Json:
    _, *others = writer.list_inputs(node)
    to = writer.find_children(node)
    for place, name in enumerate(others, 1):
        writer.nodes[writer.place_of_port[node, name]] |= {"op": "cogroup", "input": place, "to": to}
    return {"op": "cogroup", "input": 0}


def _group_rows(writer: PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "group_rows", "key": writer.expression(node, "key"), "value": writer.shape(node)}


def _suppress(writer: PlanWriter, node: str, processor: Any) -> Json:
    return {"op": "suppress", "buffer": writer.buffer(node, processor)}


def _write_side(writer: PlanWriter, node: str, side: JoinSide, port: str) -> Json:
    store = side.store
    return {
        "store": writer.layout.own_store_of[node, port],
        "values": writer.write_type(writer.layout.nodes[node].inputs[port].schema.value.type),
        "time": writer.time(f"{node}/{port}"),
        "bucket_ms": store.bucket_ms,
        "segment_ms": store.segment_ms,
        "retention_ms": store.retention_ms,
    }


def _deduplicate(writer: PlanWriter, node: str, processor: Any) -> Json:
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
OPERATIONS: Operations = {
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
    return {kind.__name__: (kind.__doc__ or "").partition("\n")[0] for kind in OPERATIONS}
