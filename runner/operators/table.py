from __future__ import annotations

from typing import Literal

from pydantic import Field

from designer.catalogue import register
from designer.forms import StoreName
from designer.ports import KTable, Output
from designer.topics import ReadsTopic


@register
class Table(ReadsTopic):
    """Read a topic as a KTable: each record is the newest value of its key.

    A null value deletes the key; a record without a key is dropped. Updates apply in the order of their offsets,
    not of their times, as in `StreamsBuilder.table`.
    """

    icon = "table"

    result = Output(KTable)

    store: StoreName | None = Field(None, description="Name it to query the table while the job runs.")
    start: Literal["earliest", "latest"] | None = Field(
        None, description="Where reading starts the first time. Empty: earliest."
    )
    load_first: bool = Field(
        False,
        description="Read what the topic holds when the job first starts before any stream. Kafka Streams does not: "
        "it takes records of streams and tables by their times.",
    )
