"""The entrance of rows: from bytes to records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from runner.engine.formats import Decoder
from runner.engine.formats.framing import KEY_HEADER, VALUE_HEADER
from runner.engine.formats.sides import make_source_decoder
from runner.engine.planning.layout import Layout
from runner.engine.records.record import Receive


class Entrance(NamedTuple):
    """The steps of a row of a target."""

    decode_key: Callable[[bytes], Any]
    decode_value: Callable[[bytes], Any]
    receive: Receive


def make_decoders(layout: Layout, node: str, read_headers: Callable[[], str | None]) -> tuple[Decoder, Decoder]:
    """The decoders of a source's keys and values. `read_headers` gives the headers of the record that is decoded."""
    (flow,) = layout.nodes[node].outputs.values()
    schema, schemas = flow.schema, layout.registry_schemas
    return (
        make_source_decoder(schema.key, KEY_HEADER, schemas, read_headers),
        make_source_decoder(schema.value, VALUE_HEADER, schemas, read_headers),
    )
