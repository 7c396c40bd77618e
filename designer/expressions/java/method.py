"""One expression as one static method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from designer.expressions.check import CheckedExpression
from designer.expressions.java.emit import Emitter
from designer.expressions.java.source import find_java_type


@dataclass(frozen=True, slots=True)
class JavaMethod:
    """A method: its name, its roles in order, its lines, and its patterns.

    The lines name a pattern `PATTERN_0` and so on, until the class names its constant.
    """

    name: str
    roles: tuple[str, ...]
    lines: tuple[str, ...]
    patterns: tuple[str, ...]

    def call(self, roles: Mapping[str, str]) -> str:
        """The call of it with the given texts of its roles."""
        return f"{self.name}({', '.join(roles[role] for role in self.roles)})"


def make_java_method(
    expression: CheckedExpression,
    name: str,
    types: Mapping[str, str],
    *,
    java_types: Mapping[str, str] | None = None,
) -> JavaMethod:
    """The method of an expression over roles of those Java types. Raises NotInJava.

    `java_types` gives the text of a role if it is not its own name.
    """
    roles = {role: role for role in types} | dict(java_types or {})
    emitter = Emitter(roles, is_windowed=expression.is_windowed)
    code = emitter.emit(expression.tree)
    used_roles = [role for role in types if role in emitter.used_roles]
    parameters = ", ".join(f"{types[role]} {role}" for role in used_roles)
    bound_names = {test.name for test in code.nulls if test.value is not None}
    body = [f"{find_java_type(type_)} {local};" for local, type_ in emitter.locals.items() if local not in bound_names]
    waiting: list[str] = []
    for test in code.nulls:
        if test.value is not None:
            body += _write_null_return(waiting)
            waiting = []
            body.append(f"{find_java_type(test.type)} {test.name} = {test.value};")
        waiting.append(f"{test.name} == null")
    body += [*_write_null_return(waiting), f"return {code.value};"]
    head = f"static {find_java_type(expression.type)} {name}({parameters}) {{"
    return JavaMethod(name, tuple(used_roles), (head, *(f"    {line}" for line in body), "}"), tuple(emitter.patterns))


def _write_null_return(tests: list[str]) -> list[str]:
    return [f"if ({' || '.join(tests)}) {{", "    return null;", "}"] if tests else []
