"""Operators at the edge of a topology: those that read a topic and those that write one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from designer.catalogue import Flows, Operator
from designer.formats import NATURAL, FormatName, fits, format_for, side_of
from designer.forms import DeclaredType, Topic
from designer.issues import Issue
from designer.schemas import ANY, STRING, Schema, Side, Type

UNKNOWN = Schema(key=Side("string", STRING), value=Side("json", ANY))
"""What a topic is taken to hold when nothing is declared and nothing was sampled."""


class ReadsTopic(Operator):
    """A source: its schema is what its config declares, else what sampled messages show."""

    family: ClassVar[str] = "sources"

    topic: Topic = Field(description="The topic to read.")
    key_format: FormatName | None = Field(
        None, description="How keys are written in bytes. Empty: as sampled messages show."
    )
    value_format: FormatName | None = Field(
        None, description="How values are written in bytes. Empty: as sampled messages show."
    )
    key_type: DeclaredType | None = Field(None, description="Type of the keys. Empty: as sampled messages show.")
    value_type: DeclaredType | None = Field(
        None, description="Type of the values, with their fields. Empty: as sampled messages show."
    )

    def read(self, inferred: Schema | None) -> Schema:
        """What the topic holds: the declared sides, and the inferred ones where nothing is declared."""
        key, value = (inferred.key, inferred.value) if inferred else (None, None)
        return Schema(
            key=_side(self.key_format, self.key_type, key, UNKNOWN.key),
            value=_side(self.value_format, self.value_type, value, UNKNOWN.value),
        )

    def output_schema(self, inputs: Flows) -> Schema:
        return self.read(None)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        schema = self.read(None)
        for name, side in (("key", schema.key), ("value", schema.value)):
            if not fits(side):
                yield misfit(f"{name}_format", side)


class WritesTopic(Operator):
    """A sink: what goes into it leaves the topology for a topic."""

    family: ClassVar[str] = "sinks"

    topic: Topic = Field(description="The topic to write.")


def misfit(field: str, side: Side) -> Issue:
    """The issue of a format that cannot write the type it is chosen for."""
    return Issue(
        code="format.misfit",
        message=f"The format {side.format} takes {_WANTS[side.format]}, and here it would get {side.type.kind.value}.",
        hint=f"Choose {format_for(side.type)} or json, or change the type.",
        field=field,
    )


_WANTS = {"string": "text", "long": "integers", "json": "any value"}


def _side(chosen: FormatName | None, declared: Type | None, sampled: Side | None, unknown: Side) -> Side:
    known = sampled or unknown
    if declared is not None:
        return Side(chosen, declared) if chosen else side_of(declared, sampled.format if sampled else None)
    return known if chosen in (None, known.format) else Side(str(chosen), NATURAL[str(chosen)])
