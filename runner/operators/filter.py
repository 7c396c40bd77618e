from __future__ import annotations

from pydantic import Field

from designer.catalogue import Operator, Predicate, register
from designer.ports import Input, KStream, KTable, Output


@register
class Filter(Operator):
    """Keep the records for which the predicate is true.

    On a KStream all others are dropped. On a KTable a row that does not satisfy the predicate is deleted from the
    result. A predicate that gives null counts as false.
    """

    icon = "filter"
    family = "stateless"
    records = Input(KStream, KTable)
    result = Output(like="records")

    predicate: Predicate = Field(description="True for the records to keep.")
