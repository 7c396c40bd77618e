"""Plans of sub-topologies for the kernel, written once for a layout and compiled by the kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import orjson

from runner import kernel
from runner.engine.kernel.expressions import NotInKernel
from runner.engine.kernel.operations import OPERATIONS
from runner.engine.kernel.plan_writer import Json, PlannedNode, PlanWriter
from runner.engine.planning.layout import Layout
from runner.engine.planning.options import Options
from runner.engine.stores.state import MemoryState
from runner.engine.tasks.task import Task


@dataclass
class KernelPlan:
    """A plan that the kernel has compiled. `broken` says how it failed; then Python runs the sub-topology."""

    compiled: Any
    nodes: list[PlannedNode]
    is_stateless: bool
    broken: str = field(default="")


@dataclass(frozen=True)
class InPython:
    """Why a sub-topology runs in the Python engine: "`rlike` on node large"."""

    reason: str


def plan(layout: Layout, options: Options, number: int) -> KernelPlan | InPython:
    """The plan of a sub-topology, made once for a layout. Call it only if the kernel is there."""
    plans = _keep_plans(layout, options)
    if number not in plans:
        plans[number] = _compile(layout, options, number)
    return plans[number]


@lru_cache(maxsize=32)
def _keep_plans(layout: Layout, options: Options) -> dict[int, KernelPlan | InPython]:
    """The plans of a layout that are made, in one entry: a layout may have hundreds, and each batch needs all."""
    return {}


def _compile(layout: Layout, options: Options, number: int) -> KernelPlan | InPython:
    module = kernel.load()
    assert module is not None
    try:
        json, nodes = write_plan(layout, options, number, frozenset(module.known_functions()))
        compiled = module.Plan(orjson.dumps(json))
    except NotInKernel as unknown:
        return InPython(str(unknown))
    except ValueError as unknown:
        return InPython(f"the kernel does not know {unknown}")
    return KernelPlan(compiled, nodes, compiled.is_stateless)


def explain(layout: Layout, options: Options, number: int, functions: frozenset[str]) -> str | None:
    """Why a sub-topology runs in Python, or None if the kernel runs it. This needs no kernel."""
    try:
        write_plan(layout, options, number, functions)
    except NotInKernel as unknown:
        return str(unknown)
    return None


def write_plan(
    layout: Layout, options: Options, number: int, functions: frozenset[str]
) -> tuple[Json, list[PlannedNode]]:
    """The plan as JSON, and its nodes. Raises NotInKernel with the part that the kernel does not know."""
    task = Task(layout, number, 0, MemoryState(), lambda row: None, options)
    return PlanWriter(task, functions, OPERATIONS).write()
