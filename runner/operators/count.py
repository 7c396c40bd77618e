from __future__ import annotations

from dataclasses import replace

from pydantic import Field

from designer.catalogue import Flows, Operator, register
from designer.forms import StoreName
from designer.ports import Input, KGroupedStream, KTable, Output, TimeWindowedKStream
from designer.schemas import INTEGER, Schema, Side


@register
class Count(Operator):
    """Count the records of each key, or of each key and window.

    Without windows a record with a null value is dropped; in windows it counts, as in Kafka Streams.
    """

    icon = "hash"
    family = "aggregate"
    grouped = Input(KGroupedStream, TimeWindowedKStream)
    result = Output(KTable)

    store: StoreName | None = Field(None, description="Name it to query the counts while the job runs.")

    def schema(self, inputs: Flows) -> Schema:
        return replace(inputs.only.schema, value=Side("long", INTEGER))
