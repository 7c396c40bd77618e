"""Groups, windows, aggregates and what comes of them in Java."""

from __future__ import annotations

from designer.expressions.java import NotInJava, find_java_type, quote_text
from designer.topology.ports import COGROUPS, KStream
from designer.values.schemas import Side
from runner.engine.operators.aggregate import Aggregate
from runner.engine.operators.cogroup import Cogroup
from runner.engine.operators.count import Count
from runner.engine.operators.deduplicate import Deduplicate
from runner.engine.operators.group_by import GroupBy
from runner.engine.operators.group_by_key import GroupByKey
from runner.engine.operators.reduce import Reduce
from runner.engine.operators.suppress import Suppress
from runner.engine.operators.windowed_by import WindowedBy
from runner.export.java.operators.aggregate_functions import write_functions
from runner.export.java.operators.stateless import write_shape
from runner.export.java.registry import writes
from runner.export.java.writer import (
    PLAIN,
    RECORD,
    JavaWriter,
    MethodCall,
    write_arguments,
    write_calendar_windows,
    write_duration,
    write_key_type,
)


@writes(GroupBy)
def write_group_by(operator: GroupBy, writer: JavaWriter) -> None:
    key, source = writer.expression("key"), writer.source("records")
    if writer.inputs.only.type is KStream:
        writer.refuse_record(key, what="groupBy")
        writer.give(f"{source}.groupBy((key, value) -> {key.write_call(PLAIN)}, {writer.write_grouping()})")
        return
    shape = write_shape(operator, writer, "value") if operator.shapes_value else MethodCall(("value",))
    pair = f"KeyValue.<{writer.result_types}>pair({key.write_call(PLAIN)}, {shape.write_call(PLAIN)})"
    writer.give(f"{source}.groupBy((key, value) -> {pair}, {writer.write_grouping()})")


@writes(GroupByKey)
def write_group_by_key(operator: GroupByKey, writer: JavaWriter) -> None:
    writer.give(f"{writer.source('stream')}.groupByKey({writer.write_grouping()})")


@writes(WindowedBy)
def write_windowed_by(operator: WindowedBy, writer: JavaWriter) -> None:
    if operator.idle_ms is not None:
        raise NotInJava("`idle_ms` has no equivalent in Kafka Streams")
    grace = write_duration(operator.grace_ms)
    match operator.type:
        case "tumbling" | "hopping":
            windows = f"TimeWindows.ofSizeAndGrace({write_duration(operator.size_ms or 0)}, {grace})"
            if operator.type == "hopping":
                windows += f".advanceBy({write_duration(operator.advance_ms or 0)})"
        case "sliding":
            windows = f"SlidingWindows.ofTimeDifferenceAndGrace({write_duration(operator.difference_ms or 0)}, {grace})"
        case "session":
            windows = f"SessionWindows.ofInactivityGapAndGrace({write_duration(operator.gap_ms or 0)}, {grace})"
        case "unlimited":
            windows = f"UnlimitedWindows.of().startOn(Instant.ofEpochMilli({operator.start_ms}L))"
        case "calendar":
            if operator.emit == "on_close":
                raise NotInJava("Kafka Streams refuses emit on close for a Windows class of one's own")
            writer.use("CalendarWindows")
            windows = write_calendar_windows(operator.calendar, operator.longest_ms, operator.grace_ms)
    closing = ".emitStrategy(EmitStrategy.onWindowClose())" if operator.emit == "on_close" else ""
    writer.give_windowed(f"{writer.source('grouped')}.windowedBy({windows}){closing}")


@writes(Count)
def write_count(operator: Count, writer: JavaWriter) -> None:
    writer.refuse_ttl(operator.ttl_ms)
    writer.give(f"{writer.source('grouped')}.count({writer.name_argument}, {writer.aggregate_store(operator.store)})")


@writes(Reduce)
def write_reduce(operator: Reduce, writer: JavaWriter) -> None:
    writer.refuse_ttl(operator.ttl_ms)
    add, subtract = writer.expression("add"), writer.write_optional_expression("subtract")
    if any(each is not None and "key" in each.roles for each in (add, subtract)):
        raise NotInJava("a reducer of Kafka Streams does not see the key; use aggregate")
    reducers = [
        f"(agg, value) -> {each.write_call({'agg': 'agg', 'value': 'value'})}" for each in (add, subtract) if each
    ]
    source = writer.source("grouped", writer.type_like_result("grouped"))
    writer.give(
        f"{source}.reduce{write_arguments(*reducers, writer.name_argument, writer.aggregate_store(operator.store))}"
    )


@writes(Aggregate)
def write_aggregate(operator: Aggregate, writer: JavaWriter) -> None:
    writer.refuse_ttl(operator.ttl_ms)
    if operator.functions:
        write_functions(
            operator.functions,
            [operator.find_type_of(each, writer.inputs) for each in operator.functions],
            writer,
            operator.store,
        )
        return
    add, subtract, merge = (writer.write_optional_expression(name) for name in ("add", "subtract", "merge"))
    writer.refuse_record(add, subtract, what="an aggregator")
    roles = {**PLAIN, "agg": "agg", "other": "other"}
    steps = [f"(key, value, agg) -> {each.write_call(roles)}" for each in (add, subtract) if each]
    merger = None if merge is None else f"(key, agg, other) -> {merge.write_call(roles)}"
    init = f"() -> {writer.expression('init').write_call({})}"
    source = writer.source("grouped")
    if writer.arriving.type in COGROUPS:
        source = writer.source("grouped", writer.type_like_result("grouped"))
    writer.give(
        f"{source}.aggregate"
        f"{write_arguments(init, *steps, merger, writer.name_argument, writer.aggregate_store(operator.store))}"
    )


@writes(Cogroup)
def write_cogroup(operator: Cogroup, writer: JavaWriter) -> None:
    roles = {**PLAIN, "agg": "agg"}
    key = write_key_type(writer.schema)
    expression = ""
    for index, each in enumerate(operator.inputs):
        add = writer.expression(f"inputs.{index}.add")
        writer.refuse_record(add, what="an aggregator")
        (source,) = writer.sources(each.name)
        if not expression:
            expression = f"{source}.<Object>cogroup((key, value, agg) -> {add.write_call(roles)})"
        else:
            expression += f".cogroup({source}, (key, value, agg) -> {add.write_call(roles)})"
    writer.give_unchanged(expression, f"CogroupedKStream<{key}, Object>")


@writes(Deduplicate)
def write_deduplicate(operator: Deduplicate, writer: JavaWriter) -> None:
    writer.use("Deduplicate")
    by, store = writer.write_optional_expression("by"), f"{quote_text(writer.store_name(None))}, {operator.within_ms}L"
    if by is None:
        supplier = f"Deduplicate.<{writer.types}>byKey({store}, {writer.key_serde(writer.schema)})"
    else:
        serde = writer.serde(Side("json", by.type), "identities", is_key=True)
        identity = by.write_call(RECORD)
        supplier = f"Deduplicate.<{writer.types}, {find_java_type(by.type)}>by({store}, {serde}, record -> {identity})"
    writer.give(f"{writer.source_by_key('stream')}.process({supplier}, {writer.name_argument})")


@writes(Suppress)
def write_suppress(operator: Suppress, writer: JavaWriter) -> None:
    if operator.idle_ms is not None:
        raise NotInJava("`idle_ms` has no equivalent in Kafka Streams")
    limits = [f"maxRecords({operator.max_records}L)"] if operator.max_records is not None else []
    limits += [f"maxBytes({operator.max_bytes}L)"] if operator.max_bytes is not None else []
    shuts_down = operator.buffer_full == "shut_down" or (
        operator.until == "window_close" and operator.buffer_full is None
    )
    first, *others = limits or ["unbounded()"]
    buffer = f"BufferConfig.{first}" + "".join(f".with{each[0].upper()}{each[1:]}" for each in others)
    if limits and shuts_down:
        buffer += ".shutDownWhenFull()"
    elif limits:
        buffer += ".emitEarlyWhenFull()"
    if operator.until == "window_close":
        until = f"(Suppressed) Suppressed.untilWindowCloses({buffer}).withName({quote_text(writer.node)})"
    else:
        wait = write_duration(operator.wait_ms) if operator.wait_ms is not None else "Duration.ofMillis(Long.MAX_VALUE)"
        until = f"Suppressed.<{writer.key_type}>untilTimeLimit({wait}, {buffer}).withName({quote_text(writer.node)})"
    writer.give(f"{writer.source('table')}.suppress({until})")
