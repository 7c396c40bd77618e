from __future__ import annotations

from designer.catalogue import Operator, register
from designer.ports import Input, KGroupedStream, KStream, Output


@register
class GroupByKey(Operator):
    """Group the records by their key, to count or aggregate them.

    Records whose key was changed before are sent to the task of their new key first; null keys are dropped.
    """

    icon = "group"
    family = "group and window"
    stream = Input(KStream)
    result = Output(KGroupedStream)
