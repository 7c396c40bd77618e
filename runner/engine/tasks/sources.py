"""The entrance of rows: from bytes to records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from runner.engine.formats import Decoder
from runner.engine.formats.sides import make_decoder_of
from runner.engine.planning.layout import Layout
from runner.engine.records.record import Receive


class Entrance(NamedTuple):
    """The steps of a row of a target."""

    decode_key: Callable[[bytes], Any]
    decode_value: Callable[[bytes], Any]
    receive: Receive


def make_decoders(layout: Layout, node: str) -> tuple[Decoder, Decoder]:
    """The decoders of a source's keys and values."""
    (flow,) = layout.nodes[node].outputs.values()
    return make_decoder_of(flow.schema.key), make_decoder_of(flow.schema.value)
