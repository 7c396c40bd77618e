"""Declaration of a function: a signature, a docstring (one line of help, then true examples), and Python."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

Run = TypeVar("Run", bound=Callable[..., Any])
SIGNATURE = re.compile(r"(\w+)\((.*)\) -> ([\w\[\]{}]+)(\?)?")
KINDS = frozenset(
    (
        *("string", "integer", "double", "number", "boolean", "bytes", "binary", "text"),
        *("any", "[any]", "[string]"),
        *("T", "[T]", "{T}", "C", "[C]"),
        *("{any}", "collection"),
        *("time", "micros", "union", "tag"),
        *("pattern", "path", "unit", "format", "printf", "lambda"),
    )
)
"""text: anything that can be printed, made a string; binary: bytes or a string; [x]: a list, {x}: a map (a struct is
taken for one), collection: either; T: one type for all its places, C: one that can be compared;
time: an integer of ms, micros: the same in µs, both from a logical type of any unit; union: a union of several types,
tag: the name of one; pattern, path, unit, format, printf: a text literal, read once when the expression is compiled;
lambda: a function of the text, such as `x -> x + 1`."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its name, its kind, whether it is optional, whether it is repeatable."""

    name: str
    kind: str
    is_optional: bool
    is_repeated: bool


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """One callable name. Without `run` it is a form that the check rewrites into other nodes.

    Null in any argument gives null without a call, unless it `takes_nulls`. `is_nullable` says that the result may be
    null.
    """

    name: str
    signature: str
    parameters: tuple[Parameter, ...]
    result: str
    is_nullable: bool
    takes_nulls: bool
    run: Callable[..., Any] | None
    help: str
    examples: tuple[str, ...]

    @property
    def takes_lambdas(self) -> bool:
        """Whether the first argument of `run` is the `Steps` that its lambdas may take."""
        return any(parameter.kind == "lambda" for parameter in self.parameters)

    @property
    def fewest(self) -> int:
        return sum(not parameter.is_optional for parameter in self.parameters)

    @property
    def most(self) -> int | None:
        has_repeats = any(parameter.is_repeated for parameter in self.parameters)
        return None if has_repeats else len(self.parameters)

    def parameter(self, index: int) -> Parameter:
        return self.parameters[min(index, len(self.parameters) - 1)]


_table: dict[str, Function] = {}


def get_table() -> Mapping[str, Function]:
    return MappingProxyType(_table)


def function(signature: str, *aliases: str, takes_nulls: bool = False) -> Callable[[Run], Run]:
    """Put a Python function into the table: `@function("left(text: string, length: integer) -> string")`."""

    def register(run: Run) -> Run:
        _put(signature, aliases, takes_nulls, run, inspect.cleandoc(run.__doc__ or ""))
        return run

    return register


def register_form(signature: str, doc: str, *aliases: str) -> None:
    """Put a name into the table that the check rewrites into other nodes."""
    _put(signature, aliases, True, None, inspect.cleandoc(doc))


def _put(signature: str, aliases: tuple[str, ...], takes_nulls: bool, run: Callable[..., Any] | None, doc: str) -> None:
    parts = SIGNATURE.fullmatch(signature)
    assert parts, signature
    name, parameters, result, nullable = parts.groups()
    help_, *examples = doc.splitlines()
    for spelling in (name, *aliases):
        assert spelling not in _table, spelling
        _table[spelling] = Function(
            name=spelling,
            signature=signature.replace(name, spelling, 1),
            parameters=tuple(_read_parameter(part) for part in parameters.split(", ") if part),
            result=result,
            is_nullable=bool(nullable),
            takes_nulls=takes_nulls,
            run=run,
            help=help_,
            examples=tuple(line.strip() for line in examples if line.strip()),
        )


def _read_parameter(text: str) -> Parameter:
    is_optional = text.startswith("[") and text.endswith("]")
    name, _, kind = (text[1:-1] if is_optional else text).partition(": ")
    is_repeated = kind.endswith("...")
    kind = kind.removesuffix("...")
    assert kind in KINDS, text
    return Parameter(name, kind, is_optional, is_repeated)
