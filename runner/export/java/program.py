"""The generated class: its statements in the order of flow, its methods, and the constants they use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from designer.expressions.java.method import JavaMethod
from designer.expressions.java.source import make_identifier

RESERVED_NAMES = frozenset(
    [
        "agg",
        "arguments",
        "builder",
        "config",
        "context",
        "index",
        "item",
        "key",
        "left",
        "main",
        "other",
        "partitionTime",
        "parts",
        "record",
        "right",
        "settings",
        "streams",
        "topology",
        "value",
        "window",
    ]
)
"""Names of the frame and of lambdas. A parameter of a lambda may not hide a variable."""


class JavaClass:
    """Collects the code of nodes. It makes names of variables, methods and constants unique."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.methods: list[Sequence[str]] = []
        self.constants: dict[tuple[str, str], str] = {}
        """Type and value -> name."""
        self.topics: list[tuple[str, str, str]] = []
        """`input` or `output`, the topic, and serde and type of its keys and its values, for tests."""
        self.support: set[str] = set()
        """The project's own classes in use, beside `Sql` and `Json`."""
        self.names = set(RESERVED_NAMES)
        self.written_nodes: set[str] = set()
        """The nodes that have written their code."""
        self.variables: dict[tuple[str, str], str] = {}
        """Node and output port -> the variable of that output."""
        self.types: dict[tuple[str, str], str] = {}

    def mark(self) -> tuple[int, int]:
        """Present length of the code."""
        return len(self.statements), len(self.methods)

    def go_back_to(self, mark: tuple[int, int]) -> None:
        """Takes back the code written since then."""
        del self.statements[mark[0] :], self.methods[mark[1] :]

    def name(self, hint: str) -> str:
        name = make_identifier(hint, self.names)
        self.names.add(name)
        return name

    def add_method(self, about: str, method: JavaMethod) -> None:
        """Takes a method in. Its patterns become constants."""
        lines = list(method.lines)
        for place, pattern in reversed(list(enumerate(method.patterns))):
            constant = self.name_constant("Pattern", pattern, f"{method.name}-pattern")
            lines = [line.replace(f"PATTERN_{place}", constant) for line in lines]
        self.add_lines(about, lines)

    def add_lines(self, about: str, lines: Iterable[str]) -> None:
        first, *rest = lines
        self.methods.append([about, f"private {first}", *rest])

    def name_constant(self, type_: str, value: str, hint: str) -> str:
        """The name of a constant with that value. Makes one if there is none yet."""
        if (type_, value) not in self.constants:
            name = re.sub(r"(?<!^)(?=[A-Z])", "_", self.name(hint)).upper()
            self.constants[type_, value] = name if name not in self.constants.values() else f"{name}_"
        return self.constants[type_, value]
