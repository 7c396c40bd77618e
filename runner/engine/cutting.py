"""The end of a sub-topology where the key was changed: rows leave for the task of their new key."""

from __future__ import annotations

from typing import Any

from designer.expressions.errors import RecordError
from designer.schemas import Schema
from runner.engine.codecs import record_key_codec, value_codec
from runner.engine.context import Context
from runner.engine.layout import Cut
from runner.engine.processor import Processor
from runner.engine.records import Emit
from runner.formats import EncodeError


class CutProcessor(Processor):
    """Sends records through a shuffle; those with a null key go nowhere, unless the cut keeps them."""

    def __init__(self, cut: Cut, target: int, schema: Schema, emit: Emit, context: Context) -> None:
        self.node = cut.from_node
        self.keeps_null_keys = cut.keeps_null_keys
        self.target = target
        self.encode_key = record_key_codec(schema).encode
        self.pack, _ = value_codec(schema.value.type)
        self.emit = emit
        self.context = context

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None and not self.keeps_null_keys:
            self.silent += 1
            return
        try:
            key_bytes = None if key is None else self.encode_key(key)
        except EncodeError as error:
            raise RecordError(self.node, "key", f"The new key cannot be written. {error}") from error
        value_bytes = None if value is None else self.pack(value)
        self.emit(self.target, key_bytes, value_bytes, timestamp, self.context.row[4])
