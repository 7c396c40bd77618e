from __future__ import annotations

from designer.catalogue import Operator, register
from designer.ports import Input, KStream, KTable, Output


@register
class ToStream(Operator):
    """Turn a KTable into the KStream of its updates.

    Each update is a record; a deleted row is a record with a null value.
    """

    icon = "list-end"
    family = "table"
    table = Input(KTable)
    result = Output(KStream)
