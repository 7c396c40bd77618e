"""From facts to a plan: pure, so that a preview and the deploy agree."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from designer.streams.flows import NodeFlows
from runner.control.jobs.plans.facts import Facts
from runner.control.jobs.plans.graph_facts import find_sinks
from runner.control.jobs.plans.state_changes import fingerprint_stores
from runner.engine.planning.layout import Layout, Source
from runner.plan import MARKER_TOPIC, Plan

MAX_SLOTS = 4
LARGE_LAG = 500_000
"""Number of records from which a new job gets a slot for each core."""


@dataclass(frozen=True, slots=True)
class JoinSpread:
    """Topics that a join combines despite different partition counts, and the number of tasks for both."""

    partitions: dict[str, int]
    tasks: int


def find_spreads(layout: Layout, partitions: Mapping[str, int], tasks: list[int]) -> list[JoinSpread]:
    """Joins that Kafka Streams would refuse: their topics differ in partitions without a shuffle in between."""
    spreads = []
    for layers in dict.fromkeys(layout.layers_of(each.number) for each in layout.sub_topologies):
        sources = (t for t in layout.targets if isinstance(t, Source) and t.sub_topology in layers)
        read = {source.topic: partitions[source.topic] for source in sources}
        nodes = (layout.nodes[node] for number in layers for node in layout.sub_topologies[number].nodes)
        if len(set(read.values())) > 1 and any(_joins(at) for at in nodes):
            spreads.append(JoinSpread(read, tasks[min(layers)]))
    return spreads


def _joins(at: NodeFlows) -> bool:
    return len(at.inputs) > 1 and bool(at.operator.find_keyed_inputs(at.inputs))


def count_tasks(
    layout: Layout, partitions: Mapping[str, int], max_tasks: int = 0, before: Mapping[str, int] | None = None
) -> list[int]:
    """Tasks of each sub-topology, by Kafka Streams' rule: as many as its widest source topic has partitions.

    Without source topics of its own it has as many as the widest sub-topology that feeds it (there: the partitions
    of the repartition topic). A store that is there already, `before` by its name, keeps its count, because a topic
    that grew must not move its keys. Where a repartition node after a shuffle names a number, that holds. `max_tasks`
    (a job setting) overrules all. The layers of what is one sub-topology in Kafka Streams have the same count.
    """
    old_counts = before or {}
    counts: dict[int, int] = {}

    def count(number: int) -> int:
        if number not in counts:
            layers = layout.layers_of(number)
            task_count = max_tasks or count_chosen(layers) or count_kept(layers) or count_fed(layers)
            counts.update(dict.fromkeys(layers, task_count))
        return counts[number]

    def count_chosen(layers: Collection[int]) -> int:
        behind = (layout.nodes[shuffle.to_node].operator for each in layers for shuffle in layout.shuffles_into(each))
        return max((operator.count_wanted_tasks() or 0 for operator in behind), default=0)

    def count_kept(layers: Collection[int]) -> int:
        return max(
            (old_counts.get(store.name, 0) for store in layout.stores if store.sub_topology in layers), default=0
        )

    def count_fed(layers: Collection[int]) -> int:
        topics = [t.topic for t in layout.targets if isinstance(t, Source) and t.sub_topology in layers]
        if topics:
            return max(partitions[topic] for topic in topics)
        first = min(layers, key=lambda each: layout.sub_topologies[each].depth)
        return max((count(shuffle.from_sub_topology) for shuffle in layout.shuffles_into(first)), default=1)

    return [count(each.number) for each in layout.sub_topologies]


def choose_max_slots(cores: int | None) -> int:
    """The maximum of slots for a job without a setting: one for each core is enough."""
    return min(MAX_SLOTS, cores or MAX_SLOTS)


def count_slots(facts: Facts, tasks: list[int]) -> int:
    """Slots share the tasks, so more than tasks would idle. Without a setting, a job keeps its slots.

    A new one gets a slot for each core if its lag is large. Else it gets one: without a shuffle between its stages, a
    small batch costs less than half of the processor time.
    """
    of_new = choose_max_slots(facts.cores) if facts.lag >= LARGE_LAG else 1
    automatic = facts.old.slots if facts.old else of_new
    return min(facts.target.settings.slots or automatic, max(tasks, default=1))


@dataclass(frozen=True)
class NextPlan:
    """What the next run of a job would be: its plan in the epoch that there is, and what it still lacks."""

    plan: Plan
    layout: Layout
    creates: Mapping[str, int]
    """The partitions of each topic that the run needs and that may be missing: of sinks, and of dead letters."""


def make_plan(facts: Facts) -> NextPlan:
    """The plan of the next run. `epochs.commit` makes it true, and gives it a new epoch if necessary.

    A job whose aggregates of one group have separate shuffles keeps them as long as nothing else changes.
    """
    old = facts.old
    if old is not None and not old.shared_shuffles:
        as_before = _make_plan(facts, facts.of_graph.lay_out(shares_shuffles=False), shares_shuffles=False)
        if as_before.plan.shape() == old.shape():
            return as_before
    return _make_plan(facts, facts.of_graph.lay_out(), shares_shuffles=True)


def _make_plan(facts: Facts, layout: Layout, *, shares_shuffles: bool) -> NextPlan:
    old, settings = facts.old, facts.target.settings
    partitions = {name: topic.partitions for name, topic in facts.topics.items()}
    stores = old.stores if old and old.stores else {}
    of_stores = {name: store.tasks for name, store in stores.items() if store.tasks is not None}  # no global tables
    tasks = count_tasks(layout, partitions, settings.tasks, of_stores)
    plan = Plan(
        application_id=facts.target.application_id,
        epoch=old.epoch if old else 0,
        generation=0,
        graph=facts.graph.to_json(),
        schemas={node_id: schema.to_json() for node_id, schema in facts.of_graph.schemas.items()},
        tasks=tasks,
        stores=fingerprint_stores(layout, tasks),
        slots=count_slots(facts, tasks),
        settings=settings,
        kafka=facts.cluster.settings,
        topics=dict(facts.topics),
        # a changed prefix counts for new jobs: the markers of this one are where they are
        marker_topic=old.marker_topic if old else facts.cluster.prefix + MARKER_TOPIC,
        checkpoint=old.checkpoint if old else "",
        state_dir=old.state_dir if old else "",
        seed=old.seed if old else None,
        adopted=old.adopted if old else None,
        is_seeded=old.is_seeded if old else False,
        has_begun=old.has_begun if old else False,
        silent_until=old.silent_until if old else {},
        shared_shuffles=shares_shuffles,
        written=facts.sink_schemas.known,
    )
    return NextPlan(plan, layout, _find_missing_topics(facts, plan, layout))


def _find_missing_topics(facts: Facts, plan: Plan, layout: Layout) -> dict[str, int]:
    """The partitions of sink topics: by their node, else as many as its tasks. And those of dead letters."""
    creates = {}
    for node_id, sink in find_sinks(facts.graph).items():
        tasks = next((plan.tasks[each.number] for each in layout.sub_topologies if node_id in each.nodes), 1)
        for topic in set(sink.topic_names()) & set(facts.of_graph.missing_sinks):
            creates[topic] = sink.count_wanted_partitions() or tasks
    settings = plan.settings
    policies = {settings.deserialization, settings.processing, settings.production}
    of_nodes = {node.operator.on_error for node in layout.nodes.values()}
    has_dead_letters = "dead_letter" in policies | of_nodes
    return creates | ({plan.dead_letter_topic: max(plan.tasks, default=1)} if has_dead_letters else {})
