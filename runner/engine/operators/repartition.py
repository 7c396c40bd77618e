from __future__ import annotations

from typing import Any

from pydantic import Field

from designer.catalogue import Operator, register
from designer.ports import Input, KStream, Output


@register
class Repartition(Operator):
    """Send each record to the task of its key, whether the key was changed or not (KIP-221).

    A shuffle, where Kafka Streams writes an internal topic. Records with a null key are dropped there, unless a left
    or outer join of a stream lies anywhere behind. What follows needs no further shuffle until the key changes again.
    """

    icon = "waypoints"
    kafka_names = ("through", "Repartitioned")
    family = "stateless"
    repartitions = True
    stream = Input(KStream)
    result = Output(KStream)

    partitions: int | None = Field(
        None,
        ge=1,
        le=1_024,
        description="Tasks that share what lies behind.",
        json_schema_extra={"empty_means": "as many as in front"},
    )

    def wanted_tasks(self) -> int | None:
        return self.partitions

    def processor(self, place: Any) -> None:
        """The shuffle in front is all there is to it."""
