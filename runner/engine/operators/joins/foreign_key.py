"""Two KTables joined by a foreign key: each left row names the key of its right row.

The left side subscribes to the right row of its foreign key. The subscription, with the left value in it, goes to the
task of that key and stays there. A change of either row sends a response back to the task of the left
key. There the result begins. These are the three parts of the join, with shuffles between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from designer.expressions import check
from designer.issues import Issue
from designer.topology.catalogue import Flow, Flows, Operator, Scope, make_record_scope
from designer.topology.graph import Edge
from designer.topology.ports import KStream
from designer.values.schemas import ANY, Schema, Side, is_alike, struct
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.joins.form import BY_ARRIVAL, JoinForm
from runner.engine.operators.joins.subscriptions import Responses, Subscribing, Subscriptions
from runner.engine.planning.parts import Part, Parts, find_owner
from runner.engine.planning.tables import Contents, NodeTables, OwnStore
from runner.engine.tasks.processor_context import ProcessorContext

SUBSCRIPTIONS = Contents(BY_ARRIVAL, "an update of a right row reaches only left rows that came since.")
LATEST = Contents(BY_ARRIVAL, "a left row may get a result of an earlier value.")


def make_scope(left: Schema) -> Scope:
    """The foreign key sees key and value of a left row. It sees no time and headers: a replaced row has lost them."""
    whole = make_record_scope(left)
    return whole._replace(names={name: of for name, of in whole.names.items() if name not in ("timestamp", "headers")})


def find_issues(join: JoinForm, inputs: Flows) -> Iterator[Issue]:
    key = inputs["right"].schema.key.type
    if join.kind == "outer":
        yield Issue(OperatorIssueCode.JOIN_FOREIGN_KEY_OUTER, field="foreign_key")
    elif inputs["right"].schema.window is not None:
        yield Issue(OperatorIssueCode.JOIN_FOREIGN_KEY_WINDOWED, field="foreign_key")
    elif not is_alike(foreign_type := check(join.foreign_key or "", make_scope(inputs["left"].schema)).type, key):
        yield Issue(
            OperatorIssueCode.JOIN_FOREIGN_KEY_TYPE,
            {"foreign_key": foreign_type.kind, "table": key.kind},
            field="foreign_key",
        )


# Three parts and two shuffles: rows cannot return to an earlier stage of one chain, as they do by Kafka Streams'
# response topic. So subscriptions carry the left value, and the join happens at the right table.
def plan_parts(join: JoinForm, inputs: Flows) -> Parts:
    left, right = inputs["left"], inputs["right"]
    subscriptions = Flow(KStream, Schema(right.schema.key, Side("json", ANY), right.schema.window))
    responses = Flow(KStream, Schema(left.schema.key, Side("json", ANY), left.schema.window))
    subscribe = Part(
        Subscribe.model_construct(join=join), {"left": left}, {"subscriptions": subscriptions, "latest": responses}
    )
    look_up = Part(
        LookUp.model_construct(join=join),
        {"subscriptions": subscriptions, "right": right, "left": left},
        {"responses": responses},
    )
    result = Part(join, {"left": left, "right": right, "latest": responses, "responses": responses}, {})
    return Parts(
        by_name={"subscribe": subscribe, "lookup": look_up, "": result},
        enter={"left": "subscribe", "right": "lookup"},
        edges=(
            Edge("subscribe", "subscriptions", "lookup", "subscriptions"),
            Edge("subscribe", "latest", "", "latest"),
            Edge("lookup", "responses", "", "responses"),
        ),
    )


def find_keyed_inputs(inputs: Flows) -> frozenset[str]:
    return frozenset({"latest", "responses"})


def plan_tables(join: JoinForm, plan: NodeTables) -> None:
    plan.source(is_named=join.store is not None)


def make_processor(join: JoinForm, context: ProcessorContext) -> Responses:
    return Responses(join, context)


class Subscribe(Operator):
    """The part of the join at its left table."""

    rekeys = True
    join: JoinForm

    def find_keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return frozenset({"left"})

    def plan_tables(self, plan: NodeTables) -> None:
        left = plan.arriving["left"]
        left.ask_old_values(is_forced=True)
        if left.may_err_on_old_values():
            key = plan.inputs["left"].schema.key
            latest = OwnStore("latest", key, Side("json", ANY), LATEST)
            plan.own_stores.setdefault(find_owner(plan.node), []).append(latest)

    def processor(self, context: ProcessorContext) -> Subscribing:
        return Subscribing(context, is_left=self.join.kind == "left")


class LookUp(Operator):
    """The part of the join at its right table."""

    rekeys = True
    takes_null_keys = frozenset({"subscriptions"})
    join: JoinForm

    def find_keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return frozenset({"subscriptions", "right"})

    def plan_tables(self, plan: NodeTables) -> None:
        right, left = plan.arriving["right"], plan.inputs["left"].schema
        right.ask_old_values(is_forced=True)
        right.read()
        row = struct(key=left.key.type, value=left.value.type)
        plan.keep("subscriptions", plan.inputs["right"].schema.key, Side(left.key.format, row), SUBSCRIPTIONS)

    def processor(self, context: ProcessorContext) -> Subscriptions:
        return Subscriptions(context)
