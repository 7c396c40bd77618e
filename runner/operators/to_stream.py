from __future__ import annotations

from typing import Any

from designer.catalogue import Operator, register
from designer.ports import Input, KStream, KTable, Output
from runner.engine.place import Place
from runner.engine.processor import Processor


@register
class ToStream(Operator):
    """Turn a KTable into the KStream of its updates.

    Each update is a record; a deleted row is a record with a null value.
    """

    icon = "list-end"
    family = "table"
    table = Input(KTable)
    result = Output(KStream)

    def processor(self, place: Place) -> UpdatesAsRecords:
        return UpdatesAsRecords()


class UpdatesAsRecords(Processor):
    """Forwards the new value of each update."""

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        self.forward(key, new, timestamp)
