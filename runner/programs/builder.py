"""The place of `StreamsBuilder` in 0.1.0, for programs that were exported then."""

from runner.export.python.builder import StreamsBuilder

__all__ = ["StreamsBuilder"]
