"""State stores of one task, with what was read or written in this batch kept decoded."""

from runner.engine.stores.key_value import TimestampedStore
from runner.engine.stores.windows import WindowStore

__all__ = ["TimestampedStore", "WindowStore"]
