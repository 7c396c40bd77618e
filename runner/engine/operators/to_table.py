from __future__ import annotations

from collections.abc import Iterator

from designer.issues import Issue
from designer.topology.catalogue import Flows, Operator, register
from designer.topology.forms import TableStoreName
from designer.topology.ports import Input, KStream, KTable, Output
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.shared.expiring import TimeToLive
from runner.engine.operators.table import TableSource, make_table_source
from runner.engine.planning.tables import NodeTables
from runner.engine.tasks.processor_context import ProcessorContext


@register
class ToTable(Operator):
    """Turn a KStream into a KTable: each record is the newest value of its key (KIP-523).

    A record with a null value deletes the key. Records without a key are dropped. Records whose key was changed before
    go to the task of their new key first. The table has a store if you name it, or if a later node looks up its rows.
    """

    icon = "table-2"
    step_prefixes = ("KSTREAM-TOTABLE",)
    family = "table"
    summary = ("store",)
    remembers = True
    stream = Input(KStream)
    result = Output(KTable)

    store: TableStoreName = None
    ttl_ms: TimeToLive = None

    def hints(self, inputs: Flows) -> Iterator[Issue]:
        if self.ttl_ms is None and self.store is not None:
            yield Issue(OperatorIssueCode.STATE_GROWS, {"store": None}, field="ttl_ms")

    def find_keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return frozenset({"stream"})

    def plan_tables(self, plan: NodeTables) -> None:
        plan.source(is_named=self.store is not None, ttl_ms=self.ttl_ms)

    def processor(self, context: ProcessorContext) -> TableSource:
        return make_table_source(context)
