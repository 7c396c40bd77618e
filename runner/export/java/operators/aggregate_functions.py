"""The functions of aggregate in Java: a struct of parts, and a step of each function (`Folds` of the program)."""

from __future__ import annotations

from collections.abc import Sequence

from designer.expressions.java import JavaMethod, NotInJava, find_java_type, quote_text, write_comment
from designer.topology.ports import KGroupedTable
from designer.values.schemas import ANY, INTEGER, Kind, Side, Type
from designer.values.schemas import Field as StructField
from runner.engine.operators.aggregations.aggregate_function import AggregateFunction
from runner.engine.operators.aggregations.exact_totals import sum_type
from runner.engine.operators.aggregations.grouping import SESSIONS
from runner.export.java.writer import PLAIN, JavaWriter, MethodCall, write_arguments

STEPS = ("count", "sum", "avg", "min", "max", "first", "last", "collect")
TAKES_BACK = ("count", "avg", "collect")
"""The functions with a step in `Folds`, and those that can take a value back without keeping all values."""


def write_functions(
    functions: Sequence[AggregateFunction], of: Sequence[Type], writer: JavaWriter, store: str | None
) -> None:
    """Writes the aggregation. Raises NotInJava for functions that keep many values."""
    of_table = writer.arriving.type is KGroupedTable
    for each in functions:
        if each.function not in STEPS or (of_table and each.function not in TAKES_BACK):
            rows = " over rows of a table" if of_table else ""
            raise NotInJava(f"the function {each.function}{rows} cannot be exported as Java yet")
    writer.use("Folds")
    fields = tuple(
        StructField(each.name, _find_kept_type(each, type_)) for each, type_ in zip(functions, of, strict=True)
    )
    side = Side("json", Type(Kind.STRUCT, fields=fields))
    expressions = [writer.write_optional_expression(f"functions.{index}.expression") for index in range(len(functions))]
    writer.refuse_record(*expressions, what="an aggregator")
    roles = {**PLAIN, "parts": "agg", "others": "other"}
    steps = [f"(key, value, agg) -> {_write_steps(writer, functions, of, expressions, 'add').write_call(roles)}"]
    if of_table:
        steps.append(
            f"(key, value, agg) -> {_write_steps(writer, functions, of, expressions, 'take').write_call(roles)}"
        )
    merger = None
    if writer.arriving.type in SESSIONS:
        merger = f"(key, agg, other) -> {_write_merge(writer, functions, of).write_call(roles)}"
    starts = [f"{quote_text(each.name)}, {_write_start(each)}" for each in functions]
    init = f"() -> Sql.struct({', '.join(starts)})"
    arguments = write_arguments(init, *steps, merger, writer.name_argument, writer.aggregate_store(store, side))
    show_call = f".mapValues(parts -> {_write_show(writer, functions, of).write_call({'parts': 'parts'})})"
    aggregation = f"{writer.source('grouped')}.aggregate{arguments}"
    writer.give(aggregation + (show_call if any(each.function == "avg" for each in functions) else ""))


def _find_kept_type(each: AggregateFunction, of: Type) -> Type:
    """Type of a function's part: an average keeps its total and its count."""
    if each.function != "avg":
        return each.type(of)
    return Type(Kind.STRUCT, fields=(StructField("total", _choose_total_type(of)), StructField("count", INTEGER)))


def _choose_total_type(of: Type) -> Type:
    """The type of a total: decimals are added up in the type of their sum."""
    return sum_type(of) if of.kind is Kind.DECIMAL else ANY


def _write_start(each: AggregateFunction) -> str:
    return {"count": "0L", "collect": "new ArrayList<>()"}.get(each.function, "null")


def _choose_name(each: AggregateFunction, what: str) -> str:
    """The method of Folds for a function."""
    return f"Folds.{each.function}{'' if what == 'add' else what.title()}"


def _write_sizes(each: AggregateFunction, of: Type) -> str:
    """Further arguments of a method: the digits of a total of decimals."""
    if of.kind is not Kind.DECIMAL or each.function not in ("sum", "avg"):
        return ""
    total_type = _choose_total_type(of)
    return f", {total_type.precision}, {total_type.scale}"


def _write_steps(
    writer: JavaWriter,
    functions: Sequence[AggregateFunction],
    of: Sequence[Type],
    expressions: Sequence[MethodCall | None],
    what: str,
) -> MethodCall:
    """The method that changes each part by its step with its value. It leaves out nulls."""
    scope = writer.operator.scope("functions", writer.inputs)
    types = {**writer.role_types(scope), "parts": "Map<String, Object>"}
    needed_roles = {"parts", *(role for each in expressions if each is not None for role in each.roles)}
    roles = tuple(role for role in types if role in needed_roles)
    name = writer.class_.name(f"{writer.node}-{what}")
    body = ["Map<String, Object> made = new LinkedHashMap<>(parts);"]
    for number, (each, type_, expression) in enumerate(zip(functions, of, expressions, strict=True)):
        part = f"parts.get({quote_text(each.name)})"
        if expression is None:
            body.append(f"made.put({quote_text(each.name)}, {_choose_name(each, what)}({part}, null));")
            continue
        operand = f"found{number}"
        body.append(
            f"{find_java_type(type_)} {operand} = {expression.write_call({role: role for role in expression.roles})};"
        )
        step = f"{_choose_name(each, what)}({part}, {operand}{_write_sizes(each, type_)})"
        body += [f"if ({operand} != null) {{", f"    made.put({quote_text(each.name)}, {step});", "}"]
    return _write_method(writer, name, types, roles, [*body, "return made;"])


def _write_merge(writer: JavaWriter, functions: Sequence[AggregateFunction], of: Sequence[Type]) -> MethodCall:
    types = {"parts": "Map<String, Object>", "others": "Map<String, Object>"}
    body = ["Map<String, Object> made = new LinkedHashMap<>();"]
    for each, type_ in zip(functions, of, strict=True):
        sides = f"parts.get({quote_text(each.name)}), others.get({quote_text(each.name)})"
        body.append(
            f"made.put({quote_text(each.name)}, {_choose_name(each, 'merge')}({sides}{_write_sizes(each, type_)}));"
        )
    return _write_method(
        writer, writer.class_.name(f"{writer.node}-merge"), types, tuple(types), [*body, "return made;"]
    )


def _write_show(writer: JavaWriter, functions: Sequence[AggregateFunction], of: Sequence[Type]) -> MethodCall:
    types = {"parts": "Map<String, Object>"}
    body = ["Map<String, Object> made = new LinkedHashMap<>(parts);"]
    for each, type_ in zip(functions, of, strict=True):
        if each.function == "avg":
            average_type = each.type(type_)
            size = f", {average_type.precision}, {average_type.scale}" if type_.kind is Kind.DECIMAL else ""
            body.append(f"made.put({quote_text(each.name)}, Folds.average(parts.get({quote_text(each.name)}){size}));")
    return _write_method(
        writer, writer.class_.name(f"{writer.node}-show"), types, tuple(types), [*body, "return made;"]
    )


def _write_method(
    writer: JavaWriter, name: str, types: dict[str, str], roles: tuple[str, ...], body: list[str]
) -> MethodCall:
    head = f"static Map<String, Object> {name}({', '.join(f'{types[role]} {role}' for role in roles)}) {{"
    writer.class_.add_lines(
        write_comment(f"{writer.node}: the functions"), [head, *(f"    {line}" for line in body), "}"]
    )
    return MethodCall(roles, JavaMethod(name, roles, (), ()))
