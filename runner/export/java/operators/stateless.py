"""Operators without state in Java."""

from __future__ import annotations

from designer.expressions.java import find_java_type, quote_text
from designer.topology.catalogue import Scope
from designer.topology.ports import KStream, KTable
from runner.engine.operators.filter import Filtering
from runner.engine.operators.flat_map import FlatMap
from runner.engine.operators.flat_map_values import FlatMapValues
from runner.engine.operators.foreach import Foreach
from runner.engine.operators.map import Map
from runner.engine.operators.map_values import MapValues
from runner.engine.operators.merge import Merge
from runner.engine.operators.peek import Peek
from runner.engine.operators.print import Print
from runner.engine.operators.repartition import Repartition
from runner.engine.operators.select_key import SelectKey
from runner.engine.operators.shared.record_logging import LogsMessage
from runner.engine.operators.shared.shaping import ShapesValue
from runner.engine.operators.split import DEFAULT, Branch, Split
from runner.engine.operators.to_stream import ToStream
from runner.engine.operators.to_table import ToTable
from runner.export.java.registry import writes
from runner.export.java.writer import PLAIN, RECORD, JavaWriter, MethodCall, write_arguments


def write_shape(operator: ShapesValue, writer: JavaWriter, side: str) -> MethodCall:
    """The same in Java, by its methods."""
    if operator.value is not None:
        return writer.expression("value")
    if not operator.fields:
        return MethodCall((side,))
    paths = {field.name: f"fields.{index}.expression" for index, field in enumerate(operator.fields)}
    scope = operator.scope("fields.0.expression", writer.inputs)
    return writer.struct(paths, side if operator.keep else None, scope)


def write_line(operator: LogsMessage, writer: JavaWriter) -> str:
    """The statement that writes the line of a record, in Java."""
    message = writer.write_optional_expression("message")
    writer.refuse_record(message, what="peek and foreach")
    writer.use("Records")
    log = writer.class_.name_constant(
        "Logger", f"LoggerFactory.getLogger({quote_text(writer.node)})", f"{writer.node}-log"
    )
    if message is None:
        return f'{log}.info("key={{}} value={{}}", key, value)'
    return f'{log}.info("{{}}", Records.message(() -> {message.write_call(PLAIN)}))'


def write_item(scope: Scope) -> dict[str, str]:
    """The item, which a list gives as an Object, and its number in Java."""
    return {"item": f"({find_java_type(scope.names['item'])}) item", "index": "index"}


@writes(Filtering)
def write_filtering(operator: Filtering, writer: JavaWriter) -> None:
    keep, source = writer.expression("predicate"), writer.source("records")
    name, sign = ("filterNot", "!") if operator.is_negated else ("filter", "")
    if keep.needs_record and writer.arriving.type is KStream:
        writer.use("Records")
        supplier = f"Records.<{writer.types}>filter(record -> {sign}Sql.isTrue({keep.write_call(RECORD)}))"
        writer.give(f"{source}.processValues({supplier}, {writer.name_argument})")
        return
    writer.refuse_record(keep, what="a filter of a KTable")
    test = f"(key, value) -> Sql.isTrue({keep.write_call(PLAIN)})"
    store = writer.store_of(operator.store, writer.schema) if operator.store else None
    writer.give(f"{source}.{name}{write_arguments(test, writer.name_argument, store)}")


@writes(Map)
def write_map(operator: Map, writer: JavaWriter) -> None:
    key, shape, source = writer.expression("key"), write_shape(operator, writer, "value"), writer.source("stream")
    pair = f"KeyValue.<{writer.result_types}>pair"
    if key.needs_record or shape.needs_record:
        writer.use("Records")
        mapper = f"record -> {pair}({key.write_call(RECORD)}, {shape.write_call(RECORD)})"
        types = f"{writer.types}, {writer.result_types}"
        writer.give(f"{source}.process(Records.<{types}>map({mapper}), {writer.name_argument})")
    else:
        writer.give(
            f"{source}.map((key, value) -> {pair}({key.write_call(PLAIN)}, {shape.write_call(PLAIN)}), "
            f"{writer.name_argument})"
        )


@writes(MapValues)
def write_map_values(operator: MapValues, writer: JavaWriter) -> None:
    shape, source = write_shape(operator, writer, "value"), writer.source("records")
    if shape.needs_record and writer.arriving.type is KStream:
        writer.use("Records")
        supplier = f"Records.<{writer.types}, {writer.value_type}>mapValues(record -> {shape.write_call(RECORD)})"
        writer.give(f"{source}.processValues({supplier}, {writer.name_argument})")
        return
    writer.refuse_record(shape, what="mapValues of a KTable")
    store = writer.write_derived_store(operator.store) if writer.arriving.type is KTable else None
    mapper = f"(key, value) -> {shape.write_call(PLAIN)}"
    writer.give(f"{source}.mapValues{write_arguments(mapper, writer.name_argument, store)}")


@writes(FlatMap)
def write_flat_map(operator: FlatMap, writer: JavaWriter) -> None:
    items, key, shape = writer.expression("items"), writer.expression("key"), write_shape(operator, writer, "value")
    writer.use("Records")
    roles = RECORD | write_item(operator.scope("key", writer.inputs))
    pair = f"KeyValue.<{writer.result_types}>pair({key.write_call(roles)}, {shape.write_call(roles)})"
    each = f"record -> Records.each({items.write_call(RECORD)}, (item, index) -> {pair})"
    supplier = f"Records.<{writer.types}, {writer.result_types}>flatMap({each})"
    writer.give(f"{writer.source('stream')}.process({supplier}, {writer.name_argument})")


@writes(FlatMapValues)
def write_flat_map_values(operator: FlatMapValues, writer: JavaWriter) -> None:
    values, source = writer.expression("values"), writer.source("stream")
    shape = MethodCall(("item",)) if operator.gives_item_itself else write_shape(operator, writer, "value")
    writer.use("Records")
    roles = write_item(operator.scope("value", writer.inputs))
    if values.needs_record or shape.needs_record:
        mapper = f"(item, index) -> record.withValue({shape.write_call({**RECORD, **roles})})"
        each = f"record -> Records.each({values.write_call(RECORD)}, {mapper})"
        supplier = f"Records.<{writer.types}, {writer.value_type}>flatMapValues({each})"
        writer.give(f"{source}.processValues({supplier}, {writer.name_argument})")
        return
    item = shape.write_call({**PLAIN, **roles})
    each = f"Records.<{writer.value_type}>each({values.write_call(PLAIN)}, (item, index) -> {item})"
    writer.give(f"{source}.flatMapValues((key, value) -> {each}, {writer.name_argument})")


@writes(SelectKey)
def write_select_key(operator: SelectKey, writer: JavaWriter) -> None:
    key, source = writer.expression("key"), writer.source("stream")
    if key.needs_record:
        writer.use("Records")
        mapper = f"record -> KeyValue.pair({key.write_call(RECORD)}, record.value())"
        types = f"{writer.types}, {writer.result_types}"
        writer.give(f"{source}.process(Records.<{types}>map({mapper}), {writer.name_argument})")
    else:
        writer.give(f"{source}.selectKey((key, value) -> {key.write_call(PLAIN)}, {writer.name_argument})")


@writes(Merge)
def write_merge(operator: Merge, writer: JavaWriter) -> None:
    first, *others = writer.sources("streams", writer.type())
    calls = "".join(f".merge({other}, {writer.name_as(number)})" for number, other in enumerate(others))
    writer.give(f"{first}{calls}")


def _write_branch(branch: Branch, writer: JavaWriter, number: int) -> str:
    """The test of a branch: its predicate, or whether the value has its type."""
    if branch.type is not None:
        return f"Sql.isOf({quote_text(branch.type)}, value)"
    test = writer.expression(f"branches.{number}.predicate")
    writer.refuse_record(test, what="a branch")
    return f"Sql.isTrue({test.write_call(PLAIN)})"


@writes(Split)
def write_split(operator: Split, writer: JavaWriter) -> None:
    tests = [_write_branch(branch, writer, number) for number, branch in enumerate(operator.branches)]
    lines = [f"{writer.source('stream')}.split(Named.as({quote_text(f'{writer.node}-')}))"]
    lines += [
        f".branch((key, value) -> {test}, Branched.as({quote_text(f'{number}')}))" for number, test in enumerate(tests)
    ]
    has_default = writer.is_read(DEFAULT)
    lines.append(f".defaultBranch(Branched.as({quote_text(DEFAULT)}))" if has_default else ".noDefaultBranch()")
    branches = writer.name_local(f"Map<String, {writer.type('default')}>", "".join(lines))
    for number, branch in enumerate(operator.branches):
        taken = f"{branches}.get({quote_text(f'{writer.node}-{number}')})"
        if branch.type is not None:
            class_ = find_java_type(writer.outputs[branch.name].schema.value.type)
            content = f"value -> ({class_}) value.value()"
            taken += f".mapValues({content}, Named.as({quote_text(f'{writer.node}-{number}-value')}))"
        writer.give(taken, branch.name)
    if has_default:
        writer.give(f"{branches}.get({quote_text(f'{writer.node}-{DEFAULT}')})", DEFAULT)


@writes(Peek)
def write_peek(operator: Peek, writer: JavaWriter) -> None:
    writer.give(
        f"{writer.source('stream')}.peek((key, value) -> {write_line(operator, writer)}, {writer.name_argument})"
    )


@writes(Foreach)
def write_foreach(operator: Foreach, writer: JavaWriter) -> None:
    writer.do(
        f"{writer.source('stream')}.foreach((key, value) -> {write_line(operator, writer)}, {writer.name_argument})"
    )


@writes(Print)
def write_print(operator: Print, writer: JavaWriter) -> None:
    node = quote_text(writer.node)
    options = f"Printed.<{writer.types}>toSysOut().withLabel({node}).withName({node})"
    writer.do(f"{writer.source('stream')}.print({options})")


@writes(Repartition)
def write_repartition(operator: Repartition, writer: JavaWriter) -> None:
    name = f"Repartitioned.<{writer.types}>as({quote_text(writer.node)})"
    serdes = f".withKeySerde({writer.key_serde(writer.schema)}).withValueSerde({writer.value_serde(writer.schema)})"
    partitions = "" if operator.partitions is None else f".withNumberOfPartitions({operator.partitions})"
    writer.give(f"{writer.source('stream')}.repartition({name}{serdes}{partitions})")


@writes(ToStream)
def write_to_stream(operator: ToStream, writer: JavaWriter) -> None:
    key, source = writer.write_optional_expression("key"), writer.source("table")
    writer.refuse_record(key, what="toStream")
    select = None if key is None else f"(key, value) -> {key.write_call(PLAIN)}"
    writer.give(f"{source}.toStream{write_arguments(select, writer.name_argument)}")


@writes(ToTable)
def write_to_table(operator: ToTable, writer: JavaWriter) -> None:
    writer.refuse_ttl(operator.ttl_ms)
    writer.give(
        f"{writer.source('stream')}.toTable({writer.name_argument}, {writer.store_of(operator.store, writer.schema)})"
    )
