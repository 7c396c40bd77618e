"""The tree of an expression: our own few kinds of node. Nothing else can be expressed.

`span` is the place of a node in the text. `type` is ANY until the check has found it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from designer.expressions.errors import Span
from designer.expressions.functions import Function
from designer.values.schemas import ANY, Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Any node of an expression."""

    span: Span = field(default=(0, 0), compare=False)
    type: Type = ANY


@dataclass(frozen=True, slots=True)
class Literal(Tree):
    """`NULL`, `TRUE`, `60`, `1.5`, `1.5BD`, `'text'`.

    `digits` is the text of a double without an exponent: beside a decimal it is a decimal, too.
    """

    value: bool | int | float | Decimal | str | None
    digits: Decimal | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Name(Tree):
    """A bare name. `quote` is the mark around it: nothing, a backquote, or a double quote (a slip)."""

    name: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class ScopeRole(Tree):
    """The meaning of a name after the check: `key`, `value`, `timestamp`, `left`, `agg`…"""

    name: str


@dataclass(frozen=True, slots=True)
class Variable(Tree):
    """The meaning of a name inside a lambda: one of its parameters. `number` tells it from others of that name."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Lambda(Tree):
    """`(names) -> body`, an argument of some functions. The check finds the `variables`."""

    names: tuple[str, ...]
    body: Tree
    variables: tuple[Variable, ...] = ()


@dataclass(frozen=True, slots=True)
class Member(Tree):
    """`of.name`, `of['name']`: one field of a struct. Null if it or the struct is missing."""

    of: Tree
    name: str


@dataclass(frozen=True, slots=True)
class Index(Tree):
    """`of[position]`: an item of a list, counted from 0."""

    of: Tree
    position: Tree


@dataclass(frozen=True, slots=True)
class Negative(Tree):
    """`-of`"""

    of: Tree


@dataclass(frozen=True, slots=True)
class Arithmetic(Tree):
    """`left op right`, op one of + - * / % div. `/` gives a double, or a decimal if either is one."""

    op: str
    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Concat(Tree):
    """`a || b || …`"""

    items: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Comparison(Tree):
    """`left op right`, op one of = <> < <= > >= and <=> (equal, or both null)."""

    op: str
    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Logic(Tree):
    """`a AND b AND …` or `a OR b OR …`, in SQL's three-valued logic."""

    op: str
    operands: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Not(Tree):
    """`NOT of`"""

    of: Tree


@dataclass(frozen=True, slots=True)
class Is(Tree):
    """`of IS NULL`, `of IS TRUE`, `of IS FALSE`."""

    of: Tree
    value: bool | None


@dataclass(frozen=True, slots=True)
class In(Tree):
    """`of IN (items)`"""

    of: Tree
    items: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Between(Tree):
    """`of BETWEEN low AND high`, both ends included."""

    of: Tree
    low: Tree
    high: Tree


@dataclass(frozen=True, slots=True)
class Like(Tree):
    """`of LIKE pattern` (% any text, _ one character), `ILIKE` without case, `RLIKE` a regular expression."""

    op: str
    of: Tree
    pattern: Tree


@dataclass(frozen=True, slots=True)
class Case(Tree):
    """`CASE WHEN … THEN … ELSE … END`. With `operand`, each WHEN is compared with it."""

    operand: Tree | None
    whens: tuple[tuple[Tree, Tree], ...]
    otherwise: Tree | None


@dataclass(frozen=True, slots=True)
class Cast(Tree):
    """`CAST(of AS to)`. `is_safe` is TRY_CAST, which gives null if CAST fails."""

    of: Tree
    to: Type
    is_safe: bool


@dataclass(frozen=True, slots=True)
class Coalesce(Tree):
    """The first of `items` that is not null. Later ones are not computed."""

    items: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Call(Tree):
    """`name(arguments)`. The check finds the `function`."""

    name: str
    arguments: tuple[Tree, ...]
    function: Function | None = None


@dataclass(frozen=True, slots=True)
class Struct(Tree):
    """`named_struct('name', value, …)` after the check."""

    names: tuple[str, ...]
    values: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Convert(Tree):
    """An implicit conversion: a number widened to `double` or `decimal`, its `text`, an ANY of a certain kind."""

    of: Tree
    to: str
