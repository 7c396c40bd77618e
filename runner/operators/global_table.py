from __future__ import annotations

from pydantic import Field

from designer.catalogue import register
from designer.forms import StoreName
from designer.ports import GlobalKTable, Output
from designer.topics import ReadsTopic
from runner.engine.tables import NodeTables


@register
class GlobalTable(ReadsTopic):
    """Read a topic as a GlobalKTable: every task holds all of it, so a stream can look up any key.

    It is loaded to its end before processing starts and kept up to date apart from stream time, as in
    `StreamsBuilder.globalTable`. Meant for small topics: its size counts once per slot.
    """

    icon = "globe"

    result = Output(GlobalKTable)

    store: StoreName | None = Field(None, description="Name it to query the table while the job runs.")

    def plan_tables(self, plan: NodeTables) -> None:
        plan.global_source()
