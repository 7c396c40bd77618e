"""The old place of `StreamsBuilder`, which is now in `runner.export.python.builder`. A later release removes it."""
