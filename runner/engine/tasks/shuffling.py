"""The end of a sub-topology after a change of key: rows leave for the task of their new key."""

from __future__ import annotations

from typing import Any

from designer.expressions.errors import RecordError
from designer.reasons import NULL_KEY_BEFORE_SHUFFLE
from designer.topology.catalogue import Flow
from runner.engine.formats import EncodeError
from runner.engine.planning.layout import Shuffle
from runner.engine.planning.parts import find_owner
from runner.engine.records.codecs import change_codec, make_record_key_codec, make_value_codec
from runner.engine.records.context import RecordContext
from runner.engine.records.record import Emit
from runner.engine.tasks.processor import Processor

UNWRITABLE_KEY = "The new key cannot be written."


# Whole values travel: only the fields read later would save 8 % of engine time, but a record that fails behind the
# shuffle must reach the dead letters whole.
class ShuffleProcessor(Processor):
    """Sends records through a shuffle. Those with a null key are dropped, unless the shuffle keeps them.

    `failure_count` counts keys that could not be written, as errors of the node that made them.
    """

    def __init__(self, shuffle: Shuffle, target: int, flow: Flow, emit: Emit, context: RecordContext) -> None:
        self.node = find_owner(shuffle.from_node)
        self.keeps_null_keys = shuffle.keeps_null_keys
        self.target = target
        self.flow = flow
        self.encode_key = make_record_key_codec(flow).encode
        self.pack, _ = make_value_codec(flow.schema.value.type)
        self.pack_change, _ = change_codec(flow.schema.value.type)
        self.emit = emit
        self.context = context

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None and not self.keeps_null_keys:
            # Kafka Streams does this without counting (the filter before a repartition)
            self.drop(NULL_KEY_BEFORE_SHUFFLE)
            return
        value_bytes = None if value is None else self.pack(value)
        self._emit(key, value_bytes, timestamp)

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        """Updates of a grouped table, whose key is never null, go as one value with both values."""
        self._emit(key, self.pack_change(new, old), timestamp)

    def _emit(self, key: Any, value_bytes: bytes | None, timestamp: int) -> None:
        _, _, _, _, headers, number, offset = self.context.row
        self.emit((self.target, self.key_bytes(key), value_bytes, timestamp, headers, number, offset))

    def key_bytes(self, key: Any) -> bytes | None:
        try:
            return None if key is None else self.encode_key(key)
        except EncodeError as error:
            self.failure_count += 1
            raise RecordError(self.node, "key", f"{UNWRITABLE_KEY} {error}") from error
