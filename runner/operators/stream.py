from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from designer.catalogue import register
from designer.ports import KStream, Output
from designer.topics import ReadsTopic


@register
class Stream(ReadsTopic):
    """Read a topic as a KStream: each record is an event of its own.

    Null keys and null values pass. As in `StreamsBuilder.stream`, a topology reads a topic once; draw as many
    wires from this node as you need.
    """

    icon = "arrow-right"

    result = Output(KStream)

    start: Literal["earliest", "latest"] | None = Field(
        None, description="Where reading starts the first time. Empty: as the job's settings say."
    )

    def processor(self, place: Any) -> None:
        """Records go straight to what reads the stream."""
