"""Integers as Kafka's LongSerializer writes them: 8 bytes, the most significant first."""

from __future__ import annotations

from runner.engine.formats.fixed_width import fixed_width

decoder, encoder = fixed_width("long", ">q", "integers", int)
