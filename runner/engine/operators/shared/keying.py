"""Shared by select_key, map, flat_map and to_stream: a new key, computed from the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field

from designer.expressions import check
from designer.issues import Issue
from designer.streams.formats import choose_side, fits
from designer.streams.topics import make_misfit
from designer.topology.catalogue import Operator, Scope
from designer.topology.forms import ExpressionText
from designer.values.schemas import FormatName, Side

KEY_FORMAT: Any = Field(
    None,
    description="How the new keys become bytes where they are shuffled, stored or written.",
    json_schema_extra={"empty_means": "as before, if the type fits"},
)


class GivesKey(Operator):
    """An operator whose records get a user-defined key. It is plain, even if the old one was windowed."""

    key: ExpressionText = Field(
        description="Expression over the record. Records with the same result go to the same task."
    )
    key_format: FormatName | None = KEY_FORMAT

    def find_new_key(self, scope: Scope, arriving: Side) -> Side:
        """The side of the new key."""
        return choose_key_side(self.key, self.key_format, scope, arriving)


def choose_key_side(key: str, key_format: FormatName | None, scope: Scope, arriving: Side) -> Side:
    """The side of an expression's key: in the chosen format, or in that of the old keys if it fits."""
    key_type = check(key, scope).type
    return Side(key_format, key_type) if key_format else choose_side(key_type, arriving)


def find_key_misfits(key: Side) -> Iterator[Issue]:
    """The issue of a key format that cannot write the new keys."""
    if not fits(key):
        yield make_misfit("key_format", key)
