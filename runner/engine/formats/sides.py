"""Converts the bytes of a record's key or value by its side: with the format for its type or schema."""

from __future__ import annotations

from collections.abc import Callable

from designer.values.schemas import RegistrySchemas, Side
from runner.engine.formats import Decoder, Encoder, framed, get_format, json


def make_decoder_of(side: Side) -> Decoder:
    if side.schema is not None:
        return framed.make_decoder(side)
    return get_format(side.format).make_decoder(side.type)


def make_source_decoder(
    side: Side, header: str, schemas: RegistrySchemas, read_headers: Callable[[], str | None]
) -> Decoder:
    """The decoder of a side of a topic. `header` may hold a schema's id, `read_headers` gives those of the record."""
    if side.schema is None or not side.schema.registry:
        return make_decoder_of(side)
    decode = framed.make_registry_decoder(side, schemas, header)
    return lambda data: decode(data, read_headers())


def make_encoder_of(side: Side) -> Encoder:
    if side.schema is not None:
        return framed.make_encoder(side)
    return get_format(side.format).make_encoder(side.type)


# Keys of a known integer type use the bytes of Kafka's serde, because scans go in the order of bytes. Others are
# JSON.
def make_key_encoder_of(side: Side) -> Encoder:
    """The encoder of keys that are compared by their bytes."""
    return json.make_key_encoder(side.type) if side.format in ("json", "json_schema") else make_encoder_of(side)
