from __future__ import annotations

from designer.streams.topics import ReadsTopic
from designer.topology.catalogue import register
from designer.topology.forms import TableStoreName
from designer.topology.ports import GlobalKTable, Output
from runner.engine.planning.tables import NodeTables


@register
class GlobalTable(ReadsTopic):
    """Read a topic as a GlobalKTable: every task holds all of it, so a stream can look up any key.

    The job loads the whole topic before processing starts. It then keeps the table up to date independently of stream
    time, as in `StreamsBuilder.globalTable`. Use it for small topics: each slot keeps a full copy. Put reference data
    into such a topic instead of asking a database for each record.
    """

    icon = "globe"
    step_prefixes = ("global",)
    first_step = "hold"
    kafka_names = ("GlobalKTable",)
    has_topic_of_rows = True
    remembers = True
    is_reloaded = True
    passes_unchanged = True
    more = ("key_type", "value_type", "store", "on_error")

    result = Output(GlobalKTable)

    store: TableStoreName = None

    @property
    def is_read_first(self) -> bool:
        return True

    def choose_first_start(self, default: str) -> str:
        return "earliest"

    def plan_tables(self, plan: NodeTables) -> None:
        plan.global_source()
