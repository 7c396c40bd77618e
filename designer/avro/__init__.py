"""Avro schemas as a user pastes them: what is understood of them, and the types they stand for.

Records are structs, arrays lists, maps maps, enums text, bytes and fixed bytes; a union with null is a nullable type,
as every type here is, and one of several types a union. The rules are those of Avro 1.12's specification.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from designer.avro.parsing import MAX_CHARACTERS, SchemaNotRead, parse
from designer.topology.forms import make_error
from designer.values.schemas import Type

__all__ = ["AvroText", "SchemaNotRead", "parse", "type_of"]


def type_of(text: str) -> Type:
    """The type of what an Avro schema describes; raises SchemaNotRead."""
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
