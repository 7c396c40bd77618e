"""Integers as Kafka's IntegerSerializer writes them: 4 bytes, the most significant first."""

from __future__ import annotations

from runner.engine.formats.fixed_width import make_fixed_width

make_decoder, make_encoder = make_fixed_width("integer", ">i", "integers", int, larger="; the format long has 64")
