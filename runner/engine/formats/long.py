"""Integers as Kafka's LongSerializer writes them: 8 bytes, the most significant first."""

from __future__ import annotations

from runner.engine.formats.fixed_width import make_fixed_width

make_decoder, make_encoder = make_fixed_width("long", ">q", "integers", int)
