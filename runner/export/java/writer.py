"""One node as its operator writes it in Java: its input, calls of its expressions, and its output."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from designer.expressions import check
from designer.expressions.java import JavaMethod, NotInJava, find_java_type, make_java_method, quote_text, write_comment
from designer.streams.flows import NodeFlows
from designer.topology.catalogue import Flow, Scope
from designer.topology.forms import find_expressions
from designer.topology.graph import Edge, Graph
from designer.topology.ports import COGROUPS, PortType
from designer.values.schemas import ANY, Calendar, Schema, Side, SideName, Type, WindowSpec
from runner.engine.records.codecs import WINDOWED_STREAMS
from runner.export.java.program import JavaClass
from runner.export.java.serdes import (
    FORM,
    SERDES,
    Ids,
    write_json_type,
    write_key_serde,
    write_serde,
    write_topic_serde,
)

PLAIN = {"key": "key", "value": "value"}
RECORD = {
    "key": "record.key()",
    "value": "record.value()",
    "timestamp": "record.timestamp()",
    "headers": "Records.headers(record.headers())",
}
"""Java for roles, if the DSL gives key and value, and if a processor has the whole record."""
WHOLE = frozenset({"timestamp", "headers"})
TYPES_WITH_WINDOW = (PortType.KSTREAM, PortType.KTABLE, PortType.KGROUPED_STREAM, PortType.KGROUPED_TABLE)


@dataclass(frozen=True, slots=True)
class MethodCall:
    """A value computed from a record: the roles that it needs, and a call of the method that computes it."""

    roles: tuple[str, ...]
    method: JavaMethod | None = None
    type: Type = ANY

    def write_call(self, roles: Mapping[str, str]) -> str:
        """The Java that computes it. Without a method it is the only role."""
        return roles[self.roles[0]] if self.method is None else self.method.call(roles)

    @property
    def needs_record(self) -> bool:
        """True if it asks for the time or the headers, which functions of the DSL do not see."""
        return not WHOLE.isdisjoint(self.roles)


class JavaWriter:
    """One node, into which its operator writes."""

    def __init__(
        self, graph: Graph, node: str, flows: NodeFlows, class_: JavaClass, shuffles: Collection[Edge] = ()
    ) -> None:
        self.graph = graph
        self.shuffles = shuffles
        self.node = node
        self.operator = flows.operator
        self.inputs = flows.inputs
        self.outputs = flows.outputs
        self.class_ = class_
        self.name_argument = f"Named.as({quote_text(node)})"
        self.notes: list[str] = []
        """Features of the node that are lost although it is exported."""

    def source(self, port: str, as_type: str | None = None) -> str:
        """The input at a port, with a cast if Java distinguishes types that may be anything."""
        return self.sources(port, as_type)[0]

    def sources(self, port: str, as_type: str | None = None) -> list[str]:
        variables = []
        for edge in self.graph.edges_into(self.node):
            if edge.target_port == port:
                at = (edge.source, edge.source_port)
                variable, variable_type = self.class_.variables[at], self.class_.types[at]
                if as_type is not None and variable_type != as_type:
                    variable = f"(({as_type}) ({variable_type.partition('<')[0]}<?, ?>) {variable})"
                variables.append(variable)
        return variables

    def source_by_key(self, port: str) -> str:
        """The input at the port of a processor. The DSL does not repartition it by itself."""
        (source,) = self.sources(port)
        if not any((edge.target, edge.target_port) == (self.node, port) for edge in self.shuffles):
            return source
        schema = self.inputs[port].schema
        name = f"Repartitioned.<{write_types(schema)}>as({quote_text(self.node)})"
        serdes = f".withKeySerde({self.key_serde(schema)}).withValueSerde({self.value_serde(schema)})"
        return f"{source}.repartition({name}{serdes})"

    @property
    def arriving(self) -> Flow:
        return self.inputs.only

    @property
    def schema(self) -> Schema:
        """The schema of the node's output."""
        return next(iter(self.outputs.values())).schema

    def type(self, port: str = "result") -> str:
        """The type of the variable of an output port."""
        return write_type(self.outputs[port])

    @property
    def types(self) -> str:
        """Java's types of the input's key and value."""
        return write_types(self.arriving.schema)

    @property
    def result_types(self) -> str:
        return write_types(self.schema)

    @property
    def key_type(self) -> str:
        return write_key_type(self.schema)

    @property
    def value_type(self) -> str:
        return find_java_type(self.schema.value.type)

    def type_like_result(self, port: str) -> str:
        """The type of the input at a port, with the values of the result."""
        flow = self.inputs[port]
        return write_type(flow._replace(schema=replace(flow.schema, value=self.schema.value)))

    def with_left_key(self, port: str) -> str:
        """The type of the input at a port, with the keys of the left input."""
        flow, left = self.inputs[port], self.inputs["left"].schema
        return f"{flow.type.value}<{write_key_type(left)}, {find_java_type(flow.schema.value.type)}>"

    def name_as(self, number: int) -> str:
        """The name of one of several steps that the node becomes."""
        return self.name_argument if number == 0 else f"Named.as({quote_text(f'{self.node}-{number + 1}')})"

    def note(self, message: str) -> None:
        self.notes.append(message)

    def refuse_ttl(self, ttl_ms: int | None) -> None:
        if ttl_ms is not None:
            raise NotInJava("`ttl_ms` has no equivalent in Kafka Streams' DSL")

    def store_name(self, name: str | None) -> str:
        return name or f"{self.node}-store"

    def is_read(self, port: str) -> bool:
        return any(edge.source_port == port for edge in self.graph.edges_from(self.node))

    def name_local(self, java_type: str, expression: str) -> str:
        """A variable that no other node sees."""
        name = self.class_.name(self.node)
        self.class_.statements.append(f"{java_type} {name} = {expression};")
        return name

    def give(self, expression: str, port: str = "result") -> None:
        """Declares the variable of the output at a port."""
        flow = self.outputs[port]
        is_only = len(self.outputs) == 1
        name = self.class_.name(self.node if is_only else f"{self.node}-{port}")
        at = self.node, port
        self.class_.variables[at] = name
        self.class_.types[at] = write_type(flow)
        self.class_.statements.append(f"{write_type(flow)} {name} = {expression};")

    def give_unchanged(self, expression: str, java_type: str, port: str = "result") -> None:
        """Declares the variable of the only output, with another type than that of its port."""
        at = self.node, port
        self.class_.variables[at] = self.class_.name(self.node)
        self.class_.types[at] = java_type
        self.class_.statements.append(f"{java_type} {self.class_.variables[at]} = {expression};")

    def do(self, statement: str) -> None:
        self.class_.statements.append(f"{statement};")

    def topic_serde(self, side: Side, name: SideName, what: str, ids: Ids = FORM) -> str:
        """The serde of keys or values in a user's topic. One with a schema is a constant."""
        serde = write_topic_serde(side, name, ids)
        if side.format not in SERDES:
            return self.serde(side, what, is_users=True)
        self.use("SchemaFrame")
        self.use(SERDES[side.format])
        if side.format == "protobuf":
            self.use("MessageNames")
        return self.class_.name_constant(f"Serde<{find_java_type(side.type)}>", serde, f"{self.node}-{what}")

    def topic(self, what: str, topic: str, schema: Schema, key: Ids = FORM, value: Ids = FORM) -> None:
        """Notes a topic for the tests: `input` or `output`, and its contents."""
        sides = [
            f"{write_topic_serde(schema.key, 'key', key)}, {write_json_type(schema.key.type)}",
            f"{write_topic_serde(schema.value, 'value', value)}, {write_json_type(schema.value.type)}",
        ]
        self.class_.topics.append((what, topic, ", ".join(sides)))

    def use(self, support: str) -> None:
        """Notes that the program needs this class of ours."""
        self.class_.support.add(support)

    def expression(self, field: str) -> MethodCall:
        """The method of a field's expression (a dotted path). Raises NotInJava."""
        call = self.write_optional_expression(field)
        assert call is not None, field
        return call

    def write_optional_expression(self, field: str) -> MethodCall | None:
        """The method of a field's expression, or None if it is empty."""
        expression = next((each for each in find_expressions(self.operator) if each.path == field), None)
        if expression is None:
            return None
        scope = self.operator.scope(field, self.inputs)
        checked_expression = check(expression.text, scope, expression.returns)
        name = self.class_.name(f"{self.node}-{self._name_variable(field)}")
        method = make_java_method(
            checked_expression, name, self.role_types(scope), java_types=self._write_window_end(scope)
        )
        self.class_.add_method(write_comment(f"{self.node}, {field}: {expression.text}"), method)
        return MethodCall(method.roles, method, checked_expression.type)

    def struct(self, fields: Mapping[str, str], side: str | None, of: Scope) -> MethodCall:
        """The method that makes a struct from the expressions of fields (name -> path), over the fields of a role."""
        calls = {name: self.expression(path) for name, path in fields.items()}
        types = self.role_types(of)
        needed_roles = {*(role for each in calls.values() for role in each.roles), *([side] if side else [])}
        roles = tuple(role for role in types if role in needed_roles)
        parameters = {role: role for role in roles}
        start = f"Sql.copyFields({side})" if side else "new LinkedHashMap<>()"
        name = self.class_.name(f"{self.node}-value")
        lines = [
            f"static Map<String, Object> {name}({', '.join(f'{types[role]} {role}' for role in roles)}) {{",
            f"    Map<String, Object> result = {start};",
            *(f"    result.put({quote_text(field)}, {each.write_call(parameters)});" for field, each in calls.items()),
            "    return result;",
            "}",
        ]
        self.class_.add_lines(write_comment(f"{self.node}: the fields of the new value"), lines)
        return MethodCall(roles, JavaMethod(name, roles, (), ()))

    def role_types(self, scope: Scope) -> dict[str, str]:
        types = {role: find_java_type(type_) for role, type_ in scope.names.items() if role != "window"}
        types |= {role: "long" for role in ("timestamp", "index") if role in types}
        if scope.is_windowed:
            types["key"] = f"Windowed<{types['key']}>"
        return types

    def _name_variable(self, field: str) -> str:
        """Name for the method of a field: a row of the form gives its own name."""
        words = field.split(".")
        if len(words) == 3:
            row = getattr(self.operator, words[0])[int(words[1])]
            words = [str(getattr(row, "name", words[1])), *([] if words[2] == "expression" else words[2:])]
        return "-".join(words)

    def _write_window_end(self, scope: Scope) -> Mapping[str, str]:
        """Kafka Streams keeps only the start of a calendar window, and gives it the size of the longest."""
        windows = [flow.schema.window for flow in self.inputs.values()]
        calendar = next((each.calendar for each in windows if each is not None and each.calendar), None)
        if not scope.is_windowed or calendar is None:
            return {}
        return {"window end": f"{self.calendar(calendar)}.end(key.window().start())"}

    def calendar(self, calendar: Calendar) -> str:
        """The constant with the windows of a calendar, to ask for their ends."""
        self.use("CalendarWindows")
        return self.class_.name_constant("CalendarWindows", write_calendar_windows(calendar, 0, 0), "calendar")

    def window_end(self, window: WindowSpec) -> str:
        """The function that returns the end of a window."""
        if window.calendar is None:
            return "Window::end"
        return f"window -> {self.calendar(window.calendar)}.end(window.start())"

    def key_serde(self, schema: Schema) -> str:
        if schema.window is None:
            return self.serde(schema.key, "keys", is_key=True)
        return write_key_serde(schema.key, schema.window)

    def value_serde(self, schema: Schema) -> str:
        return self.serde(schema.value, "values")

    def serde(self, side: Side, what: str, *, is_users: bool = False, is_key: bool = False) -> str:
        """The serde of a side. A serde that names fields is a constant, called after the node that first needs it."""
        serde = write_serde(side, is_users=is_users, is_key=is_key)
        if "Json.field(" not in serde:
            return serde
        return self.class_.name_constant(f"Serde<{find_java_type(side.type)}>", serde, f"{self.node}-{what}")

    def serdes(self, schema: Schema) -> str:
        """The serdes of key and value."""
        return f"{self.key_serde(schema)}, {self.value_serde(schema)}"

    def store_of(self, store: str | None, schema: Schema, kind: str = "KeyValueStore") -> str:
        """Java that keeps a table. `schema` is that of its rows."""
        key, value = write_key_type(schema), find_java_type(schema.value.type)
        if store is None:
            return f"Materialized.<{key}, {value}, {kind}<Bytes, byte[]>>with({self.serdes(schema)})"
        head = f"Materialized.<{key}, {value}, {kind}<Bytes, byte[]>>as({quote_text(store)})"
        return f"{head}.withKeySerde({self.key_serde(schema)}).withValueSerde({self.value_serde(schema)})"

    def write_grouping(self) -> str:
        """Java that shuffles groups. The name makes aggregates of one group share the topic."""
        return f"Grouped.<{self.result_types}>with({quote_text(self.node)}, {self.serdes(self.schema)})"

    def aggregate_store(self, store: str | None, value: Side | None = None) -> str:
        """Java that keeps the rows of an aggregation. `value` is the store's content, if not the node's output."""
        schema = self.schema if value is None else replace(self.schema, value=value)
        arriving, window = self.arriving.type, self.arriving.schema.window
        if arriving not in WINDOWED_STREAMS:
            return self.store_of(store, schema)
        assert window is not None
        kind = "SessionStore" if window.kind == "session" else "WindowStore"
        options = self.store_of(store, replace(schema, window=None), kind)
        if window.retention_ms is not None:
            options += f".withRetention({write_duration(window.retention_ms)})"
        if window.store_type == "in_memory":
            options += ".withStoreType(BuiltInDslStoreSuppliers.IN_MEMORY)"
        return options

    def give_windowed(self, expression: str) -> None:
        """Declares the variable of windowed groups. Their key is not windowed yet."""
        if self.arriving.schema.window is not None:
            raise NotInJava("groups of windowed keys cannot be windowed again in Java")
        flow = self.outputs["result"]
        is_cogrouped = flow.type in COGROUPS
        value = "Object" if is_cogrouped else find_java_type(flow.schema.value.type)
        self.give_unchanged(expression, f"{flow.type.value}<{find_java_type(flow.schema.key.type)}, {value}>")

    def joiner(self, shape: MethodCall) -> str:
        """The function of key and both values."""
        self.refuse_record(shape, what="a joiner")
        names = ("key", "left", "right") if "key" in shape.roles else ("left", "right")
        return f"({', '.join(names)}) -> {shape.write_call({name: name for name in names})}"

    def joiner_of_tables(self, shape: MethodCall) -> str:
        """The function of both values. Kafka Streams gives it no key."""
        if "key" in shape.roles:
            raise NotInJava("a joiner of two KTables does not see the key")
        return self.joiner(shape)

    def joiner_of_record(self, shape: MethodCall) -> tuple[str, str]:
        """The joiner of a result with the time of the left record, and the code behind it that reads that time."""
        if not shape.needs_record:
            return self.joiner(shape), ""
        self.use("Records")
        values = ", ".join(find_java_type(self.inputs[side].schema.value.type) for side in ("left", "right"))
        sides = f"Records.Sides<{values}>"
        roles = {**RECORD, "left": "record.value().left()", "right": "record.value().right()"}
        supplier = (
            f"Records.<{self.key_type}, {sides}, {self.value_type}>mapValues(record -> {shape.write_call(roles)})"
        )
        name = f"Named.as({quote_text(f'{self.node}-value')})"
        return f"(left, right) -> new {sides}(left, right)", f".processValues({supplier}, {name})"

    def write_derived_store(self, store: str | None) -> str | None:
        """Java that keeps a table computed from another.

        A table computed from a versioned one is versioned as well, unless it names a store or a serde.
        """
        if store is None and self.arriving.history_ms is not None:
            self.use("AnySerde")
            return None
        return self.store_of(store, self.schema)

    def refuse_record(self, *calls: MethodCall | None, what: str) -> None:
        """Raises NotInJava if an expression asks for the time or the headers of the record."""
        for each in calls:
            if each is not None and each.needs_record:
                raise NotInJava(f"{what} in Kafka Streams' DSL sees neither `timestamp` nor `headers`")


def write_calendar_windows(calendar: Calendar, size_ms: int, grace_ms: int) -> str:
    """The windows of a calendar. None is longer than `size_ms`."""
    unit, week = calendar.unit.upper() + "S", calendar.week_start.upper()
    return (
        f"new CalendarWindows(ChronoUnit.{unit}, {calendar.count}, ZoneId.of({quote_text(calendar.zone)}), "
        f"DayOfWeek.{week}, {calendar.start_hour}, {size_ms}L, {grace_ms}L)"
    )


def write_types(schema: Schema) -> str:
    return f"{write_key_type(schema)}, {find_java_type(schema.value.type)}"


def write_key_type(schema: Schema) -> str:
    class_ = find_java_type(schema.key.type)
    return class_ if schema.window is None else f"Windowed<{class_}>"


def write_type(flow: Flow) -> str:
    """The type of a variable for the flow over an edge."""
    key = write_key_type(flow.schema) if flow.type in TYPES_WITH_WINDOW else find_java_type(flow.schema.key.type)
    return f"{flow.type.value}<{key}, {find_java_type(flow.schema.value.type)}>"


def write_duration(ms: int) -> str:
    return f"Duration.ofMillis({ms}L)"


def write_arguments(*arguments: str | None) -> str:
    """The arguments that exist, in brackets."""
    return f"({', '.join(each for each in arguments if each)})"
