from __future__ import annotations

from pydantic import Field

from designer.topology.catalogue import Operator, register
from designer.topology.ports import Input, KStream, Output


# A shuffle, not a topic: only the next task reads that topic in Kafka Streams. A user who wants a topic adds `to`.
@register
class Repartition(Operator):
    """Send each record to the task of its key, even if the key did not change (KIP-221).

    It shuffles the records, where Kafka Streams writes an internal topic. Records with a null key are dropped here,
    unless a left or outer join of a stream follows. No further shuffle is needed until the key changes again.
    """

    icon = "waypoints"
    step_prefixes = ("shuffle",)
    kafka_names = ("through", "Repartitioned")
    family = "stateless"
    repartitions = True
    passes_unchanged = True
    stream = Input(KStream)
    result = Output(KStream)

    partitions: int | None = Field(
        None,
        ge=1,
        le=1_024,
        description="Number of tasks after the shuffle.",
        json_schema_extra={"empty_means": "the same number as before"},
    )

    def count_wanted_tasks(self) -> int | None:
        return self.partitions
