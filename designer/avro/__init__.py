"""Parses the Avro schemas that users paste, and derives their types. It imports `values` and the issues.

Records become structs, arrays lists, enums text, and fixed bytes bytes. A union with null is a nullable type, and one
of several types is a union. The rules are those of Avro 1.12's specification. Begin with `parsing.py`.

- `tree`, `logical`, `defaults`: a parsed schema, its logical types and its default values.
- `resolution`: whether a reader's schema can read what a writer's wrote.
- `writing`: the schema of a type, for values that have none.
"""

from __future__ import annotations

from designer.avro import resolution
from designer.avro.parsing import parse
from designer.avro.references import inline_references
from designer.avro.writing import write_schema
from designer.values.schemas import Type

__all__ = ["find_mismatch", "inline_references", "parse", "read_type", "write_schema"]


def read_type(text: str, message: str = "") -> Type:
    """The type that an Avro schema describes. Raises SchemaNotRead."""
    return parse(text).type


def find_mismatch(writer: str, reader: str, message: str = "", *, all_fit: bool = False) -> str | None:
    """Why no record of the writer's schema can be read with the reader's; with `all_fit`, why some cannot.

    Raises SchemaNotRead.
    """
    return resolution.find_mismatch(parse(writer), parse(reader), all_fit=all_fit)
