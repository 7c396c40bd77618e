"""The ids of schemas before or beside values, as the kernel takes them (`runner/kernel/src/frame.rs`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from designer.values.schemas import FormatSchema, RegistrySchemas, SchemaId, Side
from runner.engine.formats.errors import DecodeError
from runner.engine.formats.framed import KINDS, find_writer, list_own_texts
from runner.engine.formats.framing import PREFIX

Json = Any


def list_writers(side: Side, schemas: RegistrySchemas) -> Iterator[tuple[SchemaId, str]]:
    """The ids of records that can be read, with their schemas."""
    schema = side.schema
    assert schema is not None
    own = list_own_texts(schema)
    yield from own.items()
    for number, each in schemas.items() if schema.registry else ():
        if number not in own and each.kind == KINDS[side.format]:
            try:
                yield number, find_writer(number, side.format, schema, own, schemas)
            except DecodeError:
                continue


def write_frame(schema: FormatSchema, header: str, ids: Mapping[SchemaId, int]) -> dict[str, Json]:
    """Where the id of a value's schema is, and the reader of each id."""
    has_frame = schema.registry or schema.header
    takes_any_id = has_frame and not schema.registry and schema.id is None and not schema.writers
    return {
        "frame": "none" if not has_frame else "any" if takes_any_id else "id",
        "header": header if schema.registry else "",
        "ids": [[number, place] for number, place in ids.items()],
        "prefix": list(PREFIX.pack(0, schema.id or 0)) if schema.header else [],
    }
