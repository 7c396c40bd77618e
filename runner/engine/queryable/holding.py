"""Records that nodes hold back or wait for, read from committed state. No record is processed for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from typing_extensions import TypedDict

from designer.topology.graph import Graph
from runner.engine.formats.display import write_shown
from runner.engine.planning.layout import Layout
from runner.engine.planning.options import Options
from runner.engine.records.record import Row
from runner.engine.stores.newest import Newest
from runner.engine.stores.state import GLOBAL_TASK, State
from runner.engine.tasks.holding import Holding, Until, ask_held
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext, makes_processor
from runner.engine.tasks.task_context import TaskContext

MAX_KEY_LENGTH = 100


class NewestRecord(TypedDict):
    """The newest record of a side: its key as JSON text, with its window if it has one, and its time (ms)."""

    key: str
    timestamp: int


class HeldByTask(TypedDict):
    """The records that a node holds in one task (see `Holding`). `task` is None for a global table."""

    task: int | None
    stream_time: int | None
    until: Until | None
    due: int | None
    grace_ms: int | None
    newest: dict[str, NewestRecord | None]


class Resting(TaskContext):
    """A task that takes no records. It makes a processor on demand."""

    def __init__(self, layout: Layout, sub_topology: int, number: int, state: State, options: Options) -> None:
        super().__init__(layout, sub_topology, number, state, _emit_nothing, options)
        self.processors: dict[str, Processor | None] = Processors(self)


class Processors(dict[str, Processor | None]):
    """The processors of a resting task, by node."""

    def __init__(self, task: Resting) -> None:
        super().__init__()
        self.task = task

    def __contains__(self, node: object) -> bool:
        return node in self.task.sub_topology.nodes

    def __missing__(self, node: str) -> Processor | None:
        operator = self.task.layout.nodes[node].operator
        self[node] = processor = (
            operator.processor(ProcessorContext(self.task, node)) if makes_processor(operator) else None
        )
        return processor


def find_nodes_before(graph: Graph, node: str) -> Iterator[str]:
    """A node and all nodes that feed it, the nearest first."""
    nodes = [node]
    for each in nodes:
        yield each
        nodes += [edge.source for edge in graph.edges_into(each) if edge.source not in nodes]


def read_held(
    layout: Layout, sub_topology: int, nodes: Iterable[str], number: int, state: State, options: Options
) -> Iterator[tuple[str, HeldByTask]]:
    """The data that each of these nodes holds in a task. It does not run users' code, so their data is not known."""
    task = Resting(layout, sub_topology, number, state, options)
    for node in nodes:
        if not layout.nodes[node].operator.runs_code and (holding := ask_held(task.processors[node])):
            yield node, describe_held(holding, number)


def read_held_globally(layout: Layout, node: str, state: State, options: Options) -> HeldByTask:
    """The data kept of a global table."""
    task = Resting(layout, layout.sub_topologies[0].number, GLOBAL_TASK, state, options)
    return describe_held(Holding(newest={"": task.globals.stores[node].read_newest()}), None)


def describe_held(holding: Holding, task: int | None) -> HeldByTask:
    """What a task holds, as plain JSON. `task` is None for a global table."""
    newest = {port: None if record is None else _describe(record) for port, record in holding.newest.items()}
    return {"task": task, **holding._asdict(), "newest": newest}  # type: ignore[typeddict-item]


def _describe(newest: Newest) -> NewestRecord:
    text = write_shown(newest.key)
    cut = text if len(text) <= MAX_KEY_LENGTH else f"{text[:MAX_KEY_LENGTH]}…"
    return {"key": cut, "timestamp": newest.timestamp}


def _emit_nothing(row: Row) -> Any:
    raise AssertionError("A task that rests sends nothing.")
