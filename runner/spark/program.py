"""A plan made ready in a process, for every call of a worker, the chain and the writer."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from designer.streams.topics import ReadsTopic
from designer.topology.user_code import is_python_allowed
from runner.engine.code.user_code import trust_this_process
from runner.engine.counts.record_log import to_stderr
from runner.engine.planning.layout import DeadLetterSink, Layout, Shuffle, Sink, Source, Stage, Store
from runner.engine.planning.options import Options
from runner.engine.queryable import QueryRefused, find_queryable
from runner.engine.stores.state import GLOBAL_TASK
from runner.engine.tasks.punctuation import find_idling, find_ticking
from runner.plan import Plan
from runner.spark.checkpoint.batch_log import KEPT_BYTES
from runner.spark.ends import GROUPS
from runner.spark.executors.executor import get_own_folder
from runner.spark.layouts import lay_out_plan
from runner.spark.slots import choose_slot_ids


@dataclass(frozen=True, eq=False)
class TopicInput:
    """One topic as one Kafka source of the query reads it. `number` names it in the rows that arrive.

    One topic may feed several nodes, so it may have several targets.
    """

    number: int
    topic: str
    group: str
    targets: tuple[int, ...]


Place = tuple[int, int]
"""Where rows of state belong: the depth of their stage, and their slot."""


@dataclass(frozen=True, eq=False)
class Program:
    """A plan with its layout."""

    plan: Plan
    layout: Layout
    options: Options
    slot_ids: tuple[int, ...]
    inputs: tuple[TopicInput, ...]
    depth_of: Mapping[int, int]
    """Target -> the depth of the stage that reads it. It lacks FINISHED targets and global tables."""
    global_depths: Mapping[int, tuple[int, ...]]
    """Target of a global table -> the depths of the stages that look it up."""

    @property
    def stateful(self) -> tuple[Stage, ...]:
        """The stages after a shuffle, in the order in which rows go through them."""
        return tuple(stage for stage in self.layout.stages if stage.is_stateful)

    @property
    def has_one_slot(self) -> bool:
        return len(self.slot_ids) == 1

    @property
    def operators(self) -> tuple[tuple[Stage, ...], ...]:
        """Spark's stateful operators, in the order in which rows go through them, each with its stages.

        Spark shuffles between stages. A single slot keeps all its rows, so one operator does all of its stages.
        """
        stages = self.stateful
        return (stages,) if self.has_one_slot and stages else tuple((stage,) for stage in stages)

    @property
    def stages_by_folder(self) -> tuple[tuple[Stage, ...], ...]:
        """By N, the stages whose state is in `state/N` of a checkpoint. Spark numbers operators from the last one."""
        return self.operators[::-1]

    @property
    def ticking(self) -> tuple[int, ...]:
        """The depths of stages that are called each second, with or without records."""
        return self._find_depths(find_ticking(self.layout))

    @property
    def idling(self) -> tuple[int, ...]:
        """The depths of stages that are called each second once all records of their topics were read."""
        return self._find_depths(find_idling(self.layout))

    def _find_depths(self, sub_topologies: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({self.layout.sub_topologies[number].depth for number in sub_topologies}))

    @property
    def queryable(self) -> tuple[int, ...]:
        """The depths of stages with tables that can be queried."""
        depths = (self.depth_of_store(store) for store in find_queryable(self.layout).values())
        return tuple(sorted({depth for depth in depths if depth is not None}))

    def depth_of_store(self, store: Store) -> int | None:
        """The depth of the stage that holds a store. No stage holds a global table that no one looks up."""
        if store.sub_topology is not None:
            return self.layout.sub_topologies[store.sub_topology].depth
        depths = self.global_depths[self.layout.source_of[store.node]]
        return depths[0] if depths else None

    def find_tasks(self, store: Store) -> dict[int, tuple[int, int]]:
        """The tasks that hold rows of a store, each with its slot: depth and number. Raises QueryRefused."""
        depth = self.depth_of_store(store)
        if depth is None:
            raise QueryRefused(
                f"The rows of `{store.name}` are not stored, because no node looks them up.",
                "Join a stream with the table.",
            )
        if store.sub_topology is None:
            return {GLOBAL_TASK: (depth, self.slot_ids[0])}
        return self.find_tasks_of(store.sub_topology, depth)

    def find_tasks_of(self, sub_topology: int, depth: int) -> dict[int, tuple[int, int]]:
        """The tasks of a sub-topology, each with its slot."""
        ids = self.slot_ids
        return {task: (depth, ids[task % len(ids)]) for task in range(self.plan.tasks[sub_topology])}

    def tasks_at(self, target_number: int) -> int:
        """Number of tasks that share the rows of a target."""
        target = self.layout.targets[target_number]
        assert isinstance(target, Source | Shuffle) and target.sub_topology is not None
        return self.plan.tasks[target.sub_topology]

    def topic_of(self, target: int) -> str:
        """Topic of a target's finished rows."""
        match self.layout.targets[target]:
            case Sink(topic=topic):
                return topic
            case DeadLetterSink():
                return self.plan.dead_letter_topic
            case other:
                raise AssertionError(f"{other} does not leave the query.")

    def state_directory(self, depth: int, slot: int) -> Path:
        """The folder of a slot's working copy on this host since it booted. On a cluster its executor has it.

        An executor's own folder goes when it ends. The next executor fills its own from the changelog.
        """
        if self.plan.executors is None:
            return self.kept_directory(depth, slot)
        return get_own_folder() / name_slot(depth, slot)

    def kept_directory(self, depth: int, slot: int) -> Path:
        """The folder on the run's host with what a slot's batches changed. A slot of this host has its rows there.

        Otherwise it says which executor has them (`runner.spark.state.far.Away`).
        """
        return self.host_directory / name_slot(depth, slot)

    @property
    def history_bytes(self) -> int | None:
        """Bytes of a slot's history that the run's host keeps. None without state."""
        slots = len(self.stateful) * len(self.slot_ids)
        return KEPT_BYTES // slots if slots else None

    @property
    def host_directory(self) -> Path:
        """Folder for everything that this host keeps of the run since it booted."""
        return Path(self.plan.state_dir) / Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def name_slot(depth: int, slot: int) -> str:
    """The folder of a slot within that of its run.

    >>> name_slot(1, 3)
    'stage-1/slot-3'
    """
    return f"stage-{depth}/slot-{slot}"


def without_secrets(plan: Plan) -> bytes:
    """A plan for workers. They run users' code and never talk to Kafka."""
    executors = plan.executors and plan.executors.model_copy(update={"secret": ""})
    secrets: Mapping[str, object] = {"kafka": {}, "registry": {}, "executors": executors}
    driver_only = {"seed": None, "adopted": None, "stores": None}
    return plan.model_copy(update={**secrets, **driver_only}).model_dump_json().encode()


@lru_cache(maxsize=8)
def get_program(plan_json: bytes) -> Program:
    """The program of a plan, compiled once a process. Afterwards the garbage collector runs seldom."""
    to_stderr()
    if is_python_allowed():
        trust_this_process()
    program = make_program(Plan.model_validate_json(plan_json))
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 50)
    return program


def make_program(plan: Plan) -> Program:
    layout = lay_out_plan(plan)
    settings = plan.settings
    depths = {target: stage.depth for stage in layout.stages for target in stage.targets}
    sources_by_target = {i: target for i, target in enumerate(layout.targets) if isinstance(target, Source)}
    tables = {number for number, source in sources_by_target.items() if source.kind == "global"}
    return Program(
        plan=plan,
        layout=replace(layout, registry_schemas=plan.read_registry_schemas(), written=tuple(plan.written)),
        options=Options(settings.cache, settings.deserialization, settings.processing, settings.production),
        slot_ids=choose_slot_ids(plan.slots),
        inputs=_list_inputs(layout),
        depth_of={target: depth for target, depth in depths.items() if target not in tables},
        global_depths={
            target: tuple(stage.depth for stage in layout.stages if target in stage.targets) for target in tables
        },
    )


def _list_inputs(layout: Layout) -> tuple[TopicInput, ...]:
    targets: dict[tuple[str, str], list[int]] = {}
    for number, target in enumerate(layout.targets):
        if isinstance(target, Source):
            targets.setdefault((_group(layout, target), target.topic), []).append(number)
    places = sorted(targets, key=lambda each: (GROUPS.index(each[0]), each[1]))
    return tuple(TopicInput(i, topic, group, tuple(targets[group, topic])) for i, (group, topic) in enumerate(places))


def _group(layout: Layout, source: Source) -> str:
    if source.kind == "stream":
        return "streams"
    reader = layout.nodes[source.node].operator
    assert isinstance(reader, ReadsTopic)
    return "first" if reader.is_read_first else "tables"


def list_topics(inputs: Sequence[TopicInput], group: str) -> list[TopicInput]:
    return [each for each in inputs if each.group == group]
