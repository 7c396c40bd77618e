"""The bytes of a record's key or value, as its side says: the format made for its type or its schema."""

from __future__ import annotations

from designer.values.schemas import Side
from runner.engine.formats import Decoder, Encoder, avro, format_named, json


def decoder_of(side: Side) -> Decoder:
    if side.avro is not None:
        return avro.decoder(side.avro)
    return format_named(side.format).decoder(side.type)


def encoder_of(side: Side) -> Encoder:
    if side.avro is not None:
        return avro.encoder(side.avro)
    return format_named(side.format).encoder(side.type)


def key_encoder_of(side: Side) -> Encoder:
    """The encoder of keys that are compared by their bytes."""
    return json.key_encoder(side.type) if side.format == "json" else encoder_of(side)
