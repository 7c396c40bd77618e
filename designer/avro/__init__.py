"""Parses the Avro schemas that users paste, and derives their types. It imports `values`, `topology.forms` and the
issues.

Records become structs, arrays lists, enums text, and fixed bytes bytes. A union with null is a nullable type, and one
of several types is a union. The rules are those of Avro 1.12's specification. Begin with `parsing.py`.

- `tree`, `logical`, `defaults`: a parsed schema, its logical types and its default values.
- `resolution`: whether a reader's schema can read what a writer's wrote.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from designer.avro.parsing import MAX_CHARACTERS, SchemaNotRead, parse
from designer.topology.forms import make_error
from designer.values.schemas import Type

__all__ = ["AvroText", "SchemaNotRead", "parse", "read_type"]


def read_type(text: str) -> Type:
    """The type that an Avro schema describes. Raises SchemaNotRead."""
    return parse(text).type


def _check_text(text: str) -> str:
    try:
        parse(text)
    except SchemaNotRead as error:
        raise make_error(error.issue) from error
    return text


AvroText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_CHARACTERS),
    AfterValidator(_check_text),
    Field(json_schema_extra={"format": "avro-schema"}),
]
