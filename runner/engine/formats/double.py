"""Doubles as Kafka's DoubleSerializer writes them: 8 bytes of IEEE 754, the most significant first."""

from __future__ import annotations

from designer.values.exact_json import JsonNumber
from runner.engine.formats.fixed_width import make_fixed_width

make_decoder, make_encoder = make_fixed_width("double", ">d", "numbers", float, int, JsonNumber)
