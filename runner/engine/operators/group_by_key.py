from __future__ import annotations

from designer.topology.catalogue import Flows, Operator, register
from designer.topology.ports import Input, KGroupedStream, KStream, Output


@register
class GroupByKey(Operator):
    """Group the records by their key, to count or aggregate them (KStream.groupByKey).

    Records whose key was changed before go to the task of their new key first. Records with a null key are dropped.
    """

    icon = "group"
    follows = 4
    step_prefixes = ("grouped",)
    first_step = "group"
    kafka_names = ("Grouped",)
    family = "group and window"
    passes_unchanged = True
    stream = Input(KStream)
    result = Output(KGroupedStream)

    def find_keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return frozenset({"stream"})
