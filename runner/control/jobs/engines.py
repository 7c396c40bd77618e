"""Which engine runs each sub-topology of a job's newest run: the kernel or the Python engine, and why."""

from __future__ import annotations

from dataclasses import dataclass

from runner import kernel
from runner.control.jobs.models import Job
from runner.engine.kernel.planning import explain
from runner.engine.planning.layers import is_clone
from runner.engine.planning.options import Options
from runner.engine.planning.parts import find_owner
from runner.spark.layouts import lay_out_plan


@dataclass(frozen=True, slots=True)
class EngineUse:
    """The nodes of one sub-topology, and why the Python engine runs them. Empty reason: the kernel does."""

    nodes: list[str]
    reason: str


def find_engines(job: Job) -> list[EngineUse]:
    """The engine of each sub-topology, as this host would run it. Empty before the first run."""
    run = job.find_last_run()
    if run is None:
        return []
    plan = run.read_plan()
    layout = lay_out_plan(plan)
    settings = plan.settings
    options = Options(settings.cache, settings.deserialization, settings.processing, settings.production)
    module = kernel.load()
    uses: list[EngineUse] = []
    for each in layout.sub_topologies:
        nodes = list(dict.fromkeys(find_owner(node) for node in each.nodes if not is_clone(node)))
        if module is None:
            is_off = kernel.is_off()
            reason = f"{kernel.SWITCH} is off" if is_off else "the kernel is not built on this host"
        else:
            reason = explain(layout, options, each.number, frozenset(module.known_functions())) or ""
        uses.append(EngineUse(nodes, reason))
    return uses
