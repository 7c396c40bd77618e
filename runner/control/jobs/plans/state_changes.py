"""What becomes of each store when a changed version is deployed: pure, from the fingerprints in both plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from designer.text import write_count
from designer.topology.bypassing import remove_bypassed
from designer.topology.graph import Graph
from designer.topology.ports import KGroupedTable
from designer.values.schemas import Side, WindowSpec
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Layout, Store
from runner.engine.stores.conversion import can_keep_keys, can_keep_values
from runner.engine.tasks.holding import KeepsRecords
from runner.plan import Plan, StoreFingerprint
from runner.spark.layouts import lay_out_plan

INDEX = ".by-time"
"""End of the name of a table's index by time (`_make_stores` of `lay_out`). It is kept if the rows of the table are."""
MAX_NAMED = 3
"""Most nodes that a sentence names."""
HOLD_RECORDS = frozenset({"table", "to_table", "reduce"})
"""Operators whose stores have whole records of what comes to them."""
Effect = Literal["kept", "new", "reloaded", "starts_empty", "dropped", "damaged"]


class StateChangeOut(TypedDict):
    node: str
    store: str
    effect: Effect
    fate: Annotated[
        Effect,
        Field(
            json_schema_extra={"deprecated": True},
            description="Read `effect` instead. A later release removes this member.",
        ),
    ]
    why: str


@dataclass(frozen=True, slots=True)
class StateChange:
    """The outcome of one store when a changed version is deployed, and why."""

    node: str
    store: str
    effect: Effect
    why: str

    def to_json(self) -> StateChangeOut:
        return {
            "node": self.node,
            "store": self.store,
            "effect": self.effect,
            "fate": self.effect,  # 0.1.0 reads it
            "why": self.why,
        }


def fingerprint_stores(layout: Layout, tasks: Sequence[int]) -> dict[str, StoreFingerprint]:
    """Return the fingerprint of each store, by name and in order of definition.

    `tasks` has the task count of each sub-topology. Stores of clones are left out: they share the outcome of their
    originals.
    """
    return {
        store.name: StoreFingerprint(
            node=store.node,
            tasks=None if store.sub_topology is None else tasks[store.sub_topology],
            kind=store.kind,
            key=store.key.to_json(),
            value=store.value.to_json(),
            window=None if store.window is None else store.window.to_json(),
            form=store.form,
            holds_records=_holds_records(layout, store),
            follows=[*_find_followed(layout, store), *_find_grouped_rows(layout, store)],
        )
        for store in layout.stores
        if not is_clone(store.node)
    }


def _holds_records(layout: Layout, store: Store) -> bool:
    return layout.graph.node(store.node).operator in HOLD_RECORDS or bool(_find_kept_ports(layout, store))


def _find_followed(layout: Layout, store: Store) -> list[str]:
    """The other stores of a node that have records of the same ports."""
    of_ports = {f"{store.node}.{port}" for port in _find_kept_ports(layout, store)}
    return [each.name for each in layout.stores if each.name in of_ports and each.name != store.name]


def _find_grouped_rows(layout: Layout, store: Store) -> list[str]:
    """The stores of the rows that the aggregate of a grouped table takes back when they change."""
    if KGroupedTable not in layout.nodes[store.node].inputs.types.values():
        return []
    found, waiting, seen = list[str](), [store.node], {store.node}
    while waiting:
        for edge in layout.graph.edges_into(waiting.pop()):
            names = [each.name for each in layout.stores if each.node == edge.source and each.part is None]
            found += (name for name in names if name not in found)
            if not names and edge.source not in seen:
                seen.add(edge.source)
                waiting.append(edge.source)
    return found


def _find_kept_ports(layout: Layout, store: Store) -> Sequence[str]:
    """The ports of its node whose records a store has as they came."""
    operator = layout.nodes[store.node].operator
    return operator.kept_ports.get(store.part or "", ()) if isinstance(operator, KeepsRecords) else ()


def with_fingerprint(plan: Plan) -> Plan:
    """Return a stored plan with the fingerprints of its stores.

    Plans of 0.1.0 have none. This lays their graph out once; the next plan of the job carries its own.
    """
    if plan.stores is not None:
        return plan
    return plan.model_copy(update={"stores": fingerprint_stores(lay_out_plan(plan), plan.tasks)})


def get_fingerprints(plan: Plan) -> Mapping[str, StoreFingerprint]:
    return with_fingerprint(plan).stores or {}


def find_state_changes(old: Plan, new: Plan, damaged: Mapping[str, str] | None = None) -> list[StateChange]:
    """The outcome of every store of either plan, in order of definition, the dropped ones last.

    `damaged` says by the name of a store that cannot be read why that is so.
    """
    before, after = get_fingerprints(old), get_fingerprints(new)
    decided = {name: _decide_change(name, before.get(name), store) for name, store in after.items()}
    for name, why in (damaged or {}).items():
        if name in decided and decided[name].effect == "kept":
            decided[name] = replace(decided[name], effect="damaged", why=why)
    while (followed := {name: _follow(decided, each, after[name]) for name, each in decided.items()}) != decided:
        decided = followed
    state_changes = list(decided.values())
    graphs = remove_bypassed(old.read_graph()), remove_bypassed(new.read_graph())
    state_changes = [
        replace(change, why=f"{change.why}{_describe_origin(before[change.store].node, change.node, *graphs)}")
        if change.effect == "kept"
        else change
        for change in state_changes
    ]
    dropped_stores = [(name, store) for name, store in before.items() if name not in after]
    return state_changes + [
        StateChange(store.node, name, "dropped", f"The version to deploy has no store `{name}`: its rows are deleted.")
        for name, store in dropped_stores
    ]


def list_first_states(plan: Plan) -> list[StateChange]:
    """The stores of a job that nothing ran of before, in order of definition."""
    return [
        StateChange(store.node, name, "reloaded", "A global table is read from its topic.")
        if store.tasks is None
        else StateChange(store.node, name, "new", "It starts empty.")
        for name, store in get_fingerprints(plan).items()
    ]


def _follow(decided: Mapping[str, StateChange], change: StateChange, store: StoreFingerprint) -> StateChange:
    """The change of a store that is kept only with others."""
    empty = next((name for name in store.follows if name in decided and decided[name].effect != "kept"), None)
    if change.effect != "kept" or empty is None:
        return change
    what = "has records" if store.kind == "own" else "counts rows"
    return replace(change, effect="starts_empty", why=f"It {what} of the store {empty}, which starts empty.")


def _describe_origin(old_node: str, new_node: str, old: Graph, new: Graph) -> str:
    """What made the rows that a store keeps, if it is not what makes new ones: a sentence, or nothing."""
    before, after = _find_steps_to(old_node, old), _find_steps_to(new_node, new)
    if old_node != new_node:
        before[new_node] = before.pop(old_node)
    changed = [node for node in after if node in before and before[node] != after[node]]
    added, removed = ([node for node in one if node not in other] for one, other in ((after, before), (before, after)))
    for node in [*added]:
        renamed = next((each for each in removed if before[each] == after[node]), None)
        if renamed is not None:
            added.remove(node)
            removed.remove(renamed)
    ways = [("with other settings of ", changed), ("without ", added), ("with ", removed)]
    parts = [f"{how}{_list_nodes(nodes)}" for how, nodes in ways if nodes]
    return f" Earlier rows were made {', '.join(parts)}." if parts else ""


def _find_steps_to(node: str, graph: Graph) -> dict[str, tuple[str, dict[str, Any]]]:
    """Operator and settings of a node and of all before it, which come first."""
    found, waiting = dict[str, tuple[str, dict[str, Any]]](), [node]
    while waiting:
        at = waiting.pop()
        if at in graph.by_id and at not in found:
            settings = {name: value for name, value in graph.node(at).config.items() if value is not None}
            found[at] = graph.node(at).operator, settings
            waiting += [edge.source for edge in graph.edges_into(at)]
    return dict(reversed(found.items()))


def _list_nodes(nodes: Sequence[str]) -> str:
    names = [f"`{node}`" for node in nodes[:MAX_NAMED]]
    more = len(nodes) - len(names)
    last = write_count(more, "other node") if more else names.pop()
    return f"{', '.join(names)} and {last}" if names else last


def _decide_change(name: str, before: StoreFingerprint | None, after: StoreFingerprint) -> StateChange:
    if after.tasks is None:
        return StateChange(after.node, name, "reloaded", "A global table is read again from its topic.")
    if before is None:
        return StateChange(after.node, name, "new", f"The version before has no store `{name}`, so it starts empty.")
    if before.tasks != after.tasks:
        why = f"It was divided over {before.tasks} tasks and would now have {after.tasks}."
        return StateChange(after.node, name, "starts_empty", why)
    difference = find_first_difference(name, before, after)
    if difference:
        return StateChange(after.node, name, "starts_empty", f"{difference} changed.")
    if Side.from_json(before.value).type != Side.from_json(after.value).type:
        return StateChange(after.node, name, "kept", "Its values become those of the new type when the job starts.")
    return StateChange(after.node, name, "kept", "Its contents fit the new version.")


def find_first_difference(name: str, before: StoreFingerprint, after: StoreFingerprint) -> str:
    """The first difference that makes old contents of a store unreadable. Empty if there is none."""
    has_known_rows = before.kind == "own" and (after.holds_records or name.endswith(INDEX))
    kind = "key_value" if has_known_rows else before.kind
    values = Side.from_json(before.value), Side.from_json(after.value)
    fits = {
        "The kind of the store": before.kind == after.kind,
        "The format or type of its keys": can_keep_keys(Side.from_json(before.key), Side.from_json(after.key)),
        "The format or type of its values": can_keep_values(kind, *values, holds_records=after.holds_records),
        "Its windows": _read_window(before) == _read_window(after),
        "The contents of each group": before.form == after.form,
    }
    return next((part for part, is_fitting in fits.items() if not is_fitting), "")


def _read_window(store: StoreFingerprint) -> WindowSpec | None:
    """The windows of a store, without grace: it decides which records they take, and not which windows there are."""
    return None if store.window is None else replace(WindowSpec.from_json(store.window), grace_ms=0)
