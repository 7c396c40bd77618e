"""The outcome of each store when a changed version is deployed: pure, from the old plan and the new one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from runner.control.jobs.plans.planner import count_tasks_of_stores, get_layout
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Store
from runner.plan import Plan

Effect = Literal["kept", "new", "reloaded", "starts_empty", "dropped", "damaged"]


@dataclass(frozen=True, slots=True)
class StateChange:
    """The outcome of one store when a changed version is deployed, and why."""

    node: str
    store: str
    effect: Effect
    why: str

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "fate": self.effect}  # 0.1.0 reads `fate`


def find_state_changes(old: Plan, new: Plan) -> list[StateChange]:
    """The outcome of every store of either plan, in order of definition, the dropped ones last.

    Stores of clones share the outcome of their originals.
    """
    before = {store.name: store for store in get_layout(old).stores if not is_clone(store.node)}
    after = {store.name: store for store in get_layout(new).stores if not is_clone(store.node)}
    old_counts, new_counts = count_tasks_of_stores(old), count_tasks_of_stores(new)
    state_changes = [
        _decide_change(before.get(name), store, old_counts.get(name), new_counts.get(name))
        for name, store in after.items()
    ]
    dropped_stores = [store for name, store in before.items() if name not in after]
    return state_changes + [
        StateChange(store.node, store.name, "dropped", "This version no longer has it.") for store in dropped_stores
    ]


def list_first_fates(plan: Plan) -> list[StateChange]:
    """The stores of a job that nothing ran of before, in order of definition."""
    return [
        StateChange(store.node, store.name, "reloaded", "A global table is read from its topic.")
        if store.sub_topology is None
        else StateChange(store.node, store.name, "new", "It starts empty.")
        for store in get_layout(plan).stores
        if not is_clone(store.node)
    ]


def _decide_change(before: Store | None, after: Store, old_tasks: int | None, new_tasks: int | None) -> StateChange:
    if after.sub_topology is None:
        return StateChange(after.node, after.name, "reloaded", "A global table is read again from its topic.")
    if before is None:
        return StateChange(after.node, after.name, "new", "The previous version had no such store.")
    if old_tasks != new_tasks:
        why = f"It was divided over {old_tasks} tasks and would now have {new_tasks}."
        return StateChange(after.node, after.name, "starts_empty", why)
    difference = find_first_difference(before, after)
    if difference:
        return StateChange(after.node, after.name, "starts_empty", f"{difference} changed.")
    return StateChange(after.node, after.name, "kept", "Its contents fit the new version.")


def find_first_difference(before: Store, after: Store) -> str:
    """The first difference that makes old contents unreadable. Empty if there is none."""
    parts = {
        "The kind of the store": (before.kind, after.kind),
        "The format or type of its keys": (before.key, after.key),
        "The format or type of its values": (before.value, after.value),
        "Its windows": (before.window, after.window),
        "The contents of each group": (before.form, after.form),
    }
    return next((name for name, (old, new) in parts.items() if old != new), "")
