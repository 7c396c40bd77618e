"""join, left_join and outer_join in Java."""

from __future__ import annotations

from designer.expressions.java import find_java_type, quote_text
from designer.topology.ports import GlobalKTable
from runner.engine.operators.joins import foreign_key, stream_stream, stream_table
from runner.engine.operators.joins.form import JAVA_NAMES, JoinForm
from runner.engine.operators.joins.joining import Joining
from runner.export.java.operators.stateless import write_shape
from runner.export.java.registry import writes
from runner.export.java.writer import PLAIN, JavaWriter, write_arguments, write_duration, write_key_type


def write_foreign_key_join(join: JoinForm, writer: JavaWriter) -> None:
    """The left key's own function sees key and value of a left row."""
    of = writer.joiner_of_tables(write_shape(join, writer, "left"))
    key, left = writer.expression("foreign_key"), writer.inputs["left"].schema
    right_key = write_key_type(writer.inputs["right"].schema)
    types = f"{write_key_type(left)}, {find_java_type(left.value.type)}, {right_key}"
    select = f"(BiFunction<{types}>) (key, value) -> {key.write_call(PLAIN)}"
    store = writer.store_of(join.store, writer.schema)
    options = f"TableJoined.as({quote_text(writer.node)})"
    arguments = write_arguments(writer.source("right"), select, of, options, store)
    writer.give(f"{writer.source('left')}.{JAVA_NAMES[join.kind]}{arguments}")


def write_stream_join(join: JoinForm, writer: JavaWriter) -> None:
    before, after = join.before_ms or 0, join.after_ms or 0
    widest, grace = write_duration(max(abs(before), abs(after))), write_duration(join.grace_ms or 0)
    windows = f"JoinWindows.of({widest}).grace({grace})"
    if not join.eager:
        windows = f"JoinWindows.ofTimeDifferenceAndGrace({widest}, {grace})"
    windows += f".before({write_duration(before)}).after({write_duration(after)})"
    left, right = writer.inputs["left"].schema, writer.inputs["right"].schema
    values = f"{writer.value_serde(left)}, {writer.value_serde(right)}"
    options = f"StreamJoined.with({writer.key_serde(left)}, {values}).withName({quote_text(writer.node)})"
    of = writer.joiner(write_shape(join, writer, "left"))
    right_stream = writer.source("right", writer.with_left_key("right"))
    writer.give(f"{writer.source('left')}.{JAVA_NAMES[join.kind]}({right_stream}, {of}, {windows}, {options})")


def write_lookup(join: JoinForm, writer: JavaWriter) -> None:
    left, right = writer.inputs["left"], writer.inputs["right"]
    shape = write_shape(join, writer, "left")
    of, then = writer.joiner_of_record(shape)
    if right.type is GlobalKTable:
        key = writer.write_optional_expression("key")
        writer.refuse_record(key, what="the key to look up")
        select = f"(key, left) -> {'key' if key is None else key.write_call({'key': 'key', 'value': 'left'})}"
        right_table = writer.source("right")
        expression = (
            f"{writer.source('left')}.{JAVA_NAMES[join.kind]}({right_table}, {select}, {of}, {writer.name_argument})"
        )
    else:
        values = f"{writer.value_serde(left.schema)}, {writer.value_serde(right.schema)}"
        options = f"Joined.with({writer.key_serde(left.schema)}, {values}).withName({quote_text(writer.node)})"
        if join.grace_ms is not None:
            options += f".withGracePeriod({write_duration(join.grace_ms)})"
        right_table = writer.source("right", writer.with_left_key("right"))
        expression = f"{writer.source('left')}.{JAVA_NAMES[join.kind]}({right_table}, {of}, {options})"
    writer.give(f"{expression}{then}")


def write_table_join(join: JoinForm, writer: JavaWriter) -> None:
    of = writer.joiner_of_tables(write_shape(join, writer, "left"))
    store = writer.store_of(join.store, writer.schema)
    right = writer.source("right", writer.with_left_key("right"))
    writer.give(
        f"{writer.source('left')}.{JAVA_NAMES[join.kind]}{write_arguments(right, of, writer.name_argument, store)}"
    )


@writes(Joining)
def write_join(operator: Joining, writer: JavaWriter) -> None:
    join = operator.choose_join(writer.inputs)
    if join is foreign_key:
        write_foreign_key_join(operator, writer)
    elif join is stream_stream:
        write_stream_join(operator, writer)
    elif join is stream_table:
        write_lookup(operator, writer)
    else:
        write_table_join(operator, writer)
