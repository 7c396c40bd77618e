"""Resolves names: the roles of the scope first, then the fields of the spread role's struct."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace as replace_fields
from functools import lru_cache
from heapq import merge
from itertools import islice

from designer.expressions import tree as t
from designer.expressions.errors import ExpressionError, Span
from designer.expressions.functions import FUNCTIONS
from designer.expressions.lexis import IDENTIFIER, KEYWORDS
from designer.expressions.types import with_article
from designer.issues import Fix
from designer.messages import FixCode, IssueCode
from designer.topology.catalogue import Scope
from designer.values.schemas import ANY, Kind, Type

MAX_NAMES = 12
MAX_SHOWN_LENGTH = 60
MAX_GUESS_LENGTH = 60
"""Maximum number of names to compare with an unknown one: those of similar length. Each takes 10 µs."""
NULLS = frozenset(("None", "nil", "undefined", "Null"))
CLOCKS = frozenset(
    ("now", "current_timestamp", "current_date", "current_time", "localtime", "localtimestamp", "curdate", "today")
)


class Names:
    """Resolves the names of one expression. `text` is its whole text, for the fixes."""

    def __init__(self, text: str, scope: Scope) -> None:
        self.text = text
        self.scope = scope
        self.spread = scope.names.get(scope.spread or "")
        self.shadowed_names: dict[str, None] = {}
        self.variables: dict[str, t.Variable] = {}
        """The parameters of the lambdas around a name, by name. They come before all other names, as in Spark."""

    def resolve(self, name: t.Name) -> t.Tree:
        """A ScopeRole, or a Member of the spread role. Raises ExpressionError."""
        if name.quote == '"':
            raise self._describe_double_quotes(name)
        if (variable := self.variables.get(name.name)) is not None:
            return replace_fields(variable, span=name.span)
        if name.name in self.scope.names:
            if self.spread is not None and self.spread.field(name.name) is not None:
                self.shadowed_names[name.name] = None
            return t.ScopeRole(name.name, span=name.span, type=self.scope.names[name.name])
        if self.spread is not None and self.scope.spread is not None:
            role = t.ScopeRole(self.scope.spread, span=name.span, type=self.spread)
            type_ = self.spread.field(name.name)
            if type_ is not None:
                return t.Member(role, name.name, span=name.span, type=type_)
            if self.spread == ANY and name.name not in NULLS and not _asks_a_clock(name) and not _is_dunder(name.name):
                return t.Member(role, name.name, span=name.span)
        raise self._describe_unknown_name(name)

    def member(self, of: t.Tree, name: str, span: Span) -> t.Tree:
        """`of.name` with its type. Raises ExpressionError."""
        if of.type == ANY and not _is_dunder(name) and not isinstance(of, t.Literal):
            return t.Member(of, name, span=span)
        type_ = of.type.item or ANY if of.type.kind is Kind.MAP else of.type.field(name)
        if type_ is not None:
            return t.Member(of, name, span=span, type=type_)
        at = self._find_last_name(name, span)
        owner = self.text[of.span[0] : of.span[1]]
        if of.type.kind is not Kind.STRUCT:
            raise ExpressionError(
                IssueCode.TEXT_NO_FIELDS, {"owner": owner, "type": with_article(of.type), "field": name[:60]}, at
            )
        raise self._describe_unknown_field(name, owner, of.type, at)

    def _describe_unknown_name(self, name: t.Name) -> ExpressionError:
        if name.name in NULLS:
            null = self._make_fix(name.span, "NULL")
            return ExpressionError(IssueCode.TEXT_NULL, {"written": name.name}, name.span, null)
        if _asks_a_clock(name):
            role = "timestamp" if "timestamp" in self.scope.names else None
            fix = self._make_fix(name.span, role) if role else None
            return ExpressionError(IssueCode.TEXT_CLOCK, {"role": role, "time": None}, name.span, fix)
        if name.name == "window":
            return ExpressionError(IssueCode.TEXT_NO_WINDOW, {}, name.span)
        if self.spread is not None and self.spread.kind is Kind.STRUCT and self.spread.fields:
            owner = self.scope.spread or "value"
            roles = (*self.variables, *self.scope.names)
            return self._describe_unknown_field(name.name, owner, self.spread, name.span, roles)
        names = [*self.variables, *self.scope.names]
        close = _guess_name(name.name, names)
        return ExpressionError(
            IssueCode.TEXT_NAME_UNKNOWN,
            {"name": name.name[:60], "known": list_names(names) or None, "meant": close},
            name.span,
            self._make_fix(name.span, close) if close else None,
        )

    def _describe_unknown_field(
        self, name: str, owner: str, of: Type, span: Span, roles: Sequence[str] = ()
    ) -> ExpressionError:
        close = _guess_name(name, (*_guess_fields(name, of), *roles))
        fields = list_names([field.name for field in of.fields]) or None
        return ExpressionError(
            IssueCode.TEXT_FIELD_UNKNOWN,
            {"field": name[:60], "owner": owner, "fields": fields, "meant": close},
            span,
            self._make_fix(span, quote(close)) if close else None,
        )

    def _describe_double_quotes(self, name: t.Name) -> ExpressionError:
        is_known = name.name in self.scope.names or (
            self.spread is not None and self.spread.field(name.name) is not None
        )
        new = quote(name.name) if is_known else "'" + name.name.replace("\\", "\\\\").replace("'", "\\'") + "'"
        return ExpressionError(
            IssueCode.TEXT_DOUBLE_QUOTES,
            {},
            name.span,
            self._make_fix(name.span, new),
        )

    def _find_last_name(self, name: str, span: Span) -> Span:
        at = self.text.rfind(name, *span)
        return (at, at + len(name)) if at >= 0 else span

    def _make_fix(self, span: Span, new: str) -> Fix:
        part = new if "'" in new or "`" in new else f"`{new}`"
        return Fix(FixCode.USE, replace(self.text, span, new), part)


def quote(name: str) -> str:
    """The name in an expression, in backquotes if it needs them."""
    plain = IDENTIFIER.fullmatch(name) and name.upper() not in KEYWORDS
    return name if plain else "`" + name.replace("`", "``") + "`"


def replace(text: str, span: Span, new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]


def list_names(names: Sequence[str]) -> str:
    """`a`, `b`, `c` and 8 more"""
    text = ", ".join(f"`{name[:MAX_SHOWN_LENGTH]}`" for name in names[:MAX_NAMES])
    return text if len(names) <= MAX_NAMES else f"{text} and {len(names) - MAX_NAMES} more"


def guess_function(name: str) -> str | None:
    matches = difflib.get_close_matches(name.lower()[:80], FUNCTIONS, n=1, cutoff=0.7)
    return matches[0] if matches else None


def _guess_name(name: str, names: Sequence[str]) -> str | None:
    lower = {other.lower(): other for other in reversed(names)}
    matches = difflib.get_close_matches(name.lower()[:80], lower, n=1, cutoff=0.6)
    return lower[matches[0]] if matches else None


def _guess_fields(name: str, of: Type) -> Sequence[str]:
    """The fields of a struct that a name might mean."""
    if len(of.fields) <= MAX_GUESS_LENGTH:
        return [field.name for field in of.fields]
    by_length = _group_by_length(of)
    near = (by_length.get(length, ()) for length in range(len(name) - 1, len(name) + 2))
    return [field_name for _, field_name in islice(merge(*near), MAX_GUESS_LENGTH)]


@lru_cache(maxsize=8)
def _group_by_length(of: Type) -> Mapping[int, Sequence[tuple[int, str]]]:
    """The names of its fields by their length, each with its place."""
    names_by_length: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for place, field in enumerate(of.fields):
        names_by_length[len(field.name)].append((place, field.name))
    return names_by_length


def _asks_a_clock(name: t.Name) -> bool:
    return not name.quote and name.name.lower() in CLOCKS


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
