"""stream, table and global_table in Java: code that consumes a topic."""

from __future__ import annotations

from designer.expressions.java import quote_text
from designer.streams.event_time import ReadsTimes
from designer.streams.starting import find_start_ms
from designer.values.logical import get_unit
from runner.engine.operators.global_table import GlobalTable
from runner.engine.operators.stream import Stream
from runner.engine.operators.table import Table
from runner.export.java.registry import writes
from runner.export.java.writer import JavaWriter, write_arguments, write_duration


def write_source(operator: ReadsTimes, writer: JavaWriter) -> str:
    """The `Consumed` of the source."""
    if operator.max_ahead_ms is not None:
        writer.note("`max_ahead_ms` has no equivalent: records far ahead move stream time")
    options = f"Consumed.with({', '.join(_write_serdes(writer))}).withName({quote_text(writer.node)})"
    if (start := getattr(operator, "start", None)) in ("earliest", "latest"):
        options += f".withOffsetResetPolicy(AutoOffsetReset.{start}())"
    if operator.timestamp_from == "wall_clock":
        options += ".withTimestampExtractor(new WallclockTimestampExtractor())"
    if operator.timestamp_from == "field":
        options += f".withTimestampExtractor((record, partitionTime) -> {_write_time(operator, writer)})"
    return options


def _write_serdes(writer: JavaWriter) -> tuple[str, str]:
    """The serdes of the keys and values in the topics."""
    schema = writer.schema
    return (
        writer.topic_serde(schema.key, "key", "topic-keys"),
        writer.topic_serde(schema.value, "value", "topic-values"),
    )


def _has_schema(writer: JavaWriter) -> bool:
    """Whether the topics have a format that stores of Kafka Streams must not have."""
    return any(side.schema is not None for side in (writer.schema.key, writer.schema.value))


def _write_time(operator: ReadsTimes, writer: JavaWriter) -> str:
    """The time of a consumer's record."""
    time = writer.expression("timestamp_field")
    assert time.method is not None
    writer.use("Records")
    scope = operator.scope("timestamp_field", writer.inputs)
    types = writer.role_types(scope)
    roles = {role: f"({types[role]}) record.{role}()" for role in ("key", "value")}
    roles |= {"timestamp": "record.timestamp()", "headers": "Records.headers(record.headers())"}
    unit = get_unit(time.type)
    if unit is not None:
        return f"Records.timeOfUnit({time.write_call(roles)}, {unit.ns}L)"
    return f"Records.time({time.write_call(roles)}, {quote_text(operator.timestamp_unit)})"


@writes(Stream)
def write_stream(operator: Stream, writer: JavaWriter) -> None:
    if operator.start is not None and find_start_ms(operator.start) is not None:
        writer.note("`start` is a time; consumer groups of Kafka Streams start at the earliest or latest offset")
    for topic in operator.topic_names():
        writer.topic("input", topic, writer.schema)
    names = ", ".join(map(quote_text, operator.topic_names()))
    topics = f"List.of({names})" if operator.pattern is None else f"Pattern.compile({quote_text(operator.pattern)})"
    one = quote_text(operator.topic_names()[0]) if len(operator.topic_names()) == 1 else topics
    writer.give(f"builder.stream({one}, {write_source(operator, writer)})")


@writes(Table)
def write_table(operator: Table, writer: JavaWriter) -> None:
    writer.refuse_ttl(operator.ttl_ms)
    writer.topic("input", operator.topic, writer.schema)
    if operator.load_first:
        writer.note(
            "`load_first` has no equivalent: Kafka Streams takes records of streams and tables in order of time"
        )
    if operator.history_ms is not None:
        versions = f"{quote_text(writer.store_name(operator.store))}, {write_duration(operator.history_ms)}"
        store = f"Materialized.<{writer.result_types}>as(Stores.persistentVersionedKeyValueStore({versions}))"
        serdes = writer.key_serde(writer.schema), writer.value_serde(writer.schema)
        options: str | None = f"{store}.withKeySerde({serdes[0]}).withValueSerde({serdes[1]})"
    else:
        needs_store = operator.store or _has_schema(writer)
        options = writer.store_of(operator.store, writer.schema) if needs_store else None
    writer.give(f"builder.table{write_arguments(quote_text(operator.topic), write_source(operator, writer), options)}")


@writes(GlobalTable)
def write_global_table(operator: GlobalTable, writer: JavaWriter) -> None:
    writer.topic("input", operator.topic, writer.schema)
    options = f"Consumed.with({', '.join(_write_serdes(writer))}).withName({quote_text(writer.node)})"
    store = writer.store_of(operator.store, writer.schema) if operator.store or _has_schema(writer) else None
    writer.give(f"builder.globalTable{write_arguments(quote_text(operator.topic), options, store)}")
