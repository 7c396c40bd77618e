"""The plan of the next run: the epoch goes on where nothing changed that its checkpoint depends on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

from django.conf import settings as django_settings

from designer.graph import Graph
from designer.models import Draft, Version
from designer.refusals import Refusal
from designer.schemas import Schema
from designer.starting import start_ms
from designer.topics import ReadsTopic
from runner.control.clusters import models
from runner.control.jobs.models import Job, OnState, Run
from runner.control.jobs.plans.facts import Facts, gather, resolved, sinks, sources
from runner.control.jobs.plans.losses import EARLIEST, LATEST, find_losses, without_losses
from runner.control.jobs.plans.planner import (
    MARKER_TOPIC,
    fates,
    laid_out,
    layout_of,
    slot_count,
    stored_counts,
    task_counts,
)
from runner.control.jobs.plans.recovery import CannotRepair, Recovery, find_recovery, last_written
from runner.engine.planning.layout import Layout
from runner.kafka import Cluster, Topic
from runner.plan import JobSettings, Plan, Seed, TopicFacts
from runner.spark.checkpoint import Checkpoint

MARKER_PARTITIONS = 64


class TopicRecreated(Refusal):
    """A topic is not the one the job has read so far: its old offsets mean nothing."""

    code = "topic.recreated"
    status = 409


class UncleanEpoch(Refusal):
    """State and committed results of the last epoch do not stand at the same batch."""

    code = "epoch.unclean"
    status = 409


def draft(
    application_id: str, graph: Graph, settings: JobSettings, cluster: Cluster, facts: Facts, old: Plan | None
) -> Plan:
    """The plan as it would be in the current epoch, before anything of the old one has ended.

    A job whose aggregates of one group have shuffles of their own keeps them as long as nothing else changes.
    """
    if old is not None and not old.shared_shuffles:
        as_before = _draft(application_id, graph, settings, cluster, facts, old, shared_shuffles=False)
        if as_before.shape() == old.shape():
            return as_before
    return _draft(application_id, graph, settings, cluster, facts, old, shared_shuffles=True)


def _draft(
    application_id: str,
    graph: Graph,
    settings: JobSettings,
    cluster: Cluster,
    facts: Facts,
    old: Plan | None,
    *,
    shared_shuffles: bool,
) -> Plan:
    laid = laid_out(graph, facts.schemas, shared_shuffles=shared_shuffles)
    partitions = {name: topic.partitions for name, topic in facts.topics.items()}
    tasks = task_counts(laid, partitions, settings.tasks, stored_counts(old) if old else None)
    return Plan(
        application_id=application_id,
        epoch=old.epoch if old else 0,
        generation=0,
        graph=graph.to_json(),
        schemas={node_id: schema.to_json() for node_id, schema in facts.schemas.items()},
        tasks=tasks,
        slots=old.slots if old and not settings.slots and old.tasks == tasks else slot_count(settings, tasks),
        settings=settings,
        kafka=cluster.settings,
        topics=first_offsets(graph, facts, settings, cluster),
        marker_topic=cluster.prefix + MARKER_TOPIC,
        checkpoint=old.checkpoint if old else "",
        state_dir=old.state_dir if old else "",
        seed=old.seed if old else None,
        silent_until=old.silent_until if old else {},
        shared_shuffles=shared_shuffles,
    )


def translate(job: Job) -> Plan:
    """The plan of the job's next run, with every topic it needs made. No run of the job may live meanwhile."""
    cluster, old = job.cluster.connect(), last_plan(job, job.cluster)
    graph = resolved(job.version.read_graph(), cluster)
    facts = gather(graph, cluster, known_schemas(job.version, graph, old))
    plan = draft(job.application_id, graph, job.read_settings(), cluster, facts, old)
    make_topics(plan, cluster, layout_of(plan), facts)
    recovery = recovery_of(job, old, cluster)
    if recovery is not None and old is not None and job.on_state == OnState.REPAIR:
        cluster.fence(old.transactional_id)
        recovery.carry_out(old, cluster)
        recovery = None
    keeps = (OnState.FRESH_FROM_NOW, OnState.REBUILD) if recovery is None else ()
    goes_on = job.on_state in (OnState.KEEP, OnState.REPAIR, *keeps)
    if old is not None and plan.shape() == old.shape() and goes_on:
        return plan.model_copy(update={"topics": old.topics})
    return new_epoch(job, plan, old, cluster, recovery)


def last_plan(job: Job, place: models.Cluster) -> Plan | None:
    """The plan whose checkpoint and offsets are the newest; None where they are another cluster's."""
    run: Run | None = job.last_run()
    return run.read_plan() if run and run.cluster_id == place.id else None


def known_schemas(drawn: Version | Draft, graph: Graph, old: Plan | None) -> dict[str, Schema]:
    """What need not be inferred: what the version says, and what the last plan found of the same source nodes.

    A sample differs from day to day; state must not start empty because of it.
    """
    known: dict[str, Schema] = {}
    if old is not None:
        before = sources(old.read_graph())
        same = {node_id for node_id, source in sources(graph).items() if _reads_alike(before.get(node_id), source)}
        known = {node_id: Schema.from_json(schema) for node_id, schema in old.schemas.items() if node_id in same}
    return known | {node_id: schema for node_id, schema in drawn.read_schemas().items() if node_id in graph.by_id}


def _reads_alike(before: ReadsTopic | None, after: ReadsTopic) -> bool:
    return before is not None and type(before) is type(after) and before == after


def first_offsets(graph: Graph, facts: Facts, settings: JobSettings, cluster: Cluster) -> dict[str, TopicFacts]:
    """Where each topic is read from when no epoch was before: tables from the earliest, streams as they say."""
    found = {}
    for source in sources(graph).values():
        for topic in (facts.topics[name] for name in source.topic_names()):
            start = _first(source.first_start(settings.start), topic, cluster)
            found[topic.name] = TopicFacts(id=topic.id, partitions=topic.partitions, start=start)
    return found


def _first(start: str, topic: Topic, cluster: Cluster) -> list[int]:
    """The first offset of each partition; from a time on it is that of the first record not older, or the end."""
    time_ms = start_ms(start)
    if time_ms is not None:
        return cluster.offsets_at(topic, time_ms)
    return [LATEST if start == "latest" else EARLIEST] * topic.partitions


def recovery_of(job: Job, old: Plan | None, cluster: Cluster) -> Recovery | None:
    """What is damaged of the checkpoint that a run of the job would go on from."""
    run = job.last_run()
    return find_recovery(old, run, cluster) if old is not None and run is not None else None


def new_epoch(job: Job, plan: Plan, old: Plan | None, cluster: Cluster, recovery: Recovery | None = None) -> Plan:
    """Begin a checkpoint: at the old end offsets with the kept stores, or from the start with none."""
    number = _free_epoch(job, cluster)
    home = Path(django_settings.HOME)
    begun = plan.model_copy(
        update={
            "epoch": number,
            "checkpoint": str(home / "checkpoints" / job.application_id / f"epoch-{number}"),
            "state_dir": str(home / "state" / job.application_id / f"epoch-{number}"),
            "seed": None,
            "silent_until": {},
        }
    )
    if old is not None and job.on_state != OnState.FRESH_FROM_EARLIEST:
        if job.on_state != OnState.SKIP_LOST:
            refuse_recreated(job, old, begun)
        begun = go_on(job, begun, old, cluster, recovery)
    return begun.model_copy(update={"topics": _latest_resolved(begun.topics, cluster)})


def go_on(job: Job, begun: Plan, old: Plan, cluster: Cluster, recovery: Recovery | None = None) -> Plan:
    """Where the old epoch ended, with the stores that are kept. One that never committed a batch hands on its start."""
    cluster.fence(old.transactional_id)
    lost = recovery.lost if recovery else frozenset[str]()
    kept = [fate.store for fate in fates(old, begun) if fate.fate == "kept" and fate.store not in lost]
    written, checkpoint = last_written(old, cluster), Checkpoint(old.checkpoint)
    ends = next_offsets(old, begun, written, cluster)
    if job.on_state == OnState.SKIP_LOST:
        ends = without_losses(ends, find_losses(old.topics, begun.topics, ends, {}, cluster))
    topics = _resumed(begun, ends)
    if job.on_state == OnState.REBUILD and recovery is not None:
        return rebuilt(begun.model_copy(update={"topics": topics}), recovery)
    if written is None:
        seed = old.seed and old.seed.model_copy(update={"stores": [name for name in old.seed.stores if name in kept]})
        return begun.model_copy(update={"topics": topics, "seed": seed})
    checkpoint.take_back(written)
    if kept and (checkpoint.last_committed() != written or is_rebuilding(old, checkpoint.offsets(written))):
        raise UncleanEpoch(
            f"The last batch of `{job.name}` is committed in Kafka but not in its checkpoint, so its state is behind.",
            "Deploy the previous version again and stop it, or deploy this version with fresh_from_earliest.",
        )
    plan = old.model_copy(update={"seed": None})
    seed = Seed(checkpoint=old.checkpoint, plan=plan.kept(), stores=kept) if kept else None
    return begun.model_copy(update={"topics": topics, "seed": seed})


def rebuilt(begun: Plan, recovery: Recovery) -> Plan:
    """An epoch that reads again what its state was made of, and writes only what comes after. Raises CannotRepair."""
    rebuild = recovery.rebuild
    if rebuild is None:
        raise CannotRepair(f"The state cannot be rebuilt. {recovery.why_not}", "Choose another option.")
    reloaded = reloaded_topics(begun)
    ends = {name: list(places) for name, places in rebuild.ends.items() if name not in reloaded}
    topics = rebuild.begin(begun.topics, ends)
    return begun.model_copy(update={"topics": topics, "silent_until": ends})


def is_rebuilding(plan: Plan, read: Mapping[str, list[int]]) -> bool:
    """Whether an epoch has not read all that its state is rebuilt from."""
    pairs = (zip(read[name], until, strict=False) for name, until in plan.silent_until.items())
    return any(at < end for places in pairs for at, end in places)


def refuse_recreated(job: Job, old: Plan, new: Plan) -> None:
    for name, facts in new.topics.items():
        if name in old.topics and old.topics[name].id != facts.id:
            raise TopicRecreated(
                f"Topic `{name}` was deleted and created again since `{job.name}` last read it.",
                "Deploy with skip_lost to keep the state and continue with the new topic, or with "
                "fresh_from_earliest to rebuild all state.",
                topic=name,
            )


def next_offsets(old: Plan, new: Plan, written: int | None, cluster: Cluster) -> dict[str, list[int]]:
    """What the old epoch was to read next of those topics that are still read and still the same.

    That is what its last transaction committed for the group named like the application, also of partitions that
    were added while it ran, or else its start. Its writer must be fenced, so that nothing is committed after.
    """
    same = {name: facts for name, facts in old.topics.items() if name in new.topics and new.topics[name].id == facts.id}
    if written is None:
        return {name: facts.start for name, facts in same.items()}
    topics = [Topic(name, facts.id, new.topics[name].partitions) for name, facts in same.items()]
    committed = cluster.committed_of(old.application_id, topics)
    found = {}
    for name, facts in same.items():
        pairs = zip_longest(committed[name], facts.start, fillvalue=None)
        found[name] = [one.offset if one else EARLIEST if start is None else start for one, start in pairs]
    return found


def _latest_resolved(topics: Mapping[str, TopicFacts], cluster: Cluster) -> dict[str, TopicFacts]:
    """Offsets in the place of "latest", so that a run that falls before its first batch misses nothing."""
    late = [Topic(name, facts.id, facts.partitions) for name, facts in topics.items() if LATEST in facts.start]
    ends = cluster.end_offsets(late)
    resolved = {
        name: [end if start == LATEST else start for start, end in zip(topics[name].start, ends[name], strict=True)]
        for name in ends
    }
    return {
        name: facts.model_copy(update={"start": resolved[name]}) if name in resolved else facts
        for name, facts in topics.items()
    }


def _resumed(plan: Plan, ends: Mapping[str, list[int]]) -> dict[str, TopicFacts]:
    """The old ends; partitions and topics that are new, and global tables, from their start."""
    reloaded = reloaded_topics(plan)
    found = {}
    for name, facts in plan.topics.items():
        ended = [] if name in reloaded else ends.get(name, [])
        fresh = [EARLIEST] * (facts.partitions - len(ended)) if ended else facts.start
        found[name] = facts.model_copy(update={"start": [*ended, *fresh]})
    return found


def reloaded_topics(plan: Plan) -> set[str]:
    """Topics of global tables, which each epoch reads from their start."""
    reloaded = (source for source in sources(plan.read_graph()).values() if source.is_reloaded)
    return {name for source in reloaded for name in source.topic_names()}


def _free_epoch(job: Job, cluster: Cluster) -> int:
    """The next number that nothing of an earlier life of this application id has used."""
    markers = cluster.create(cluster.prefix + MARKER_TOPIC, MARKER_PARTITIONS, {"cleanup.policy": "compact"})
    number = job.epoch + 1
    while any(cluster.committed(f"{job.application_id}.{number}", markers)) or _checkpoint_exists(job, number):
        number += 1
    return number


def _checkpoint_exists(job: Job, number: int) -> bool:
    return (Path(django_settings.HOME) / "checkpoints" / job.application_id / f"epoch-{number}").exists()


def make_topics(plan: Plan, cluster: Cluster, laid: Layout, facts: Facts) -> None:
    """Create missing sinks, the dead-letter topic and the marker topic."""
    for topic, width in widths(plan, laid, facts).items():
        cluster.create(topic, width)
    if "dead_letter" in _policies(plan, laid):
        cluster.create(plan.dead_letter_topic, max(plan.tasks, default=1))
    cluster.create(plan.marker_topic, MARKER_PARTITIONS, {"cleanup.policy": "compact"})


def widths(plan: Plan, laid: Layout, facts: Facts) -> dict[str, int]:
    """The partitions of each sink's topic that is to be created: as its node says, else as many as its tasks."""
    found = {}
    for node_id, sink in sinks(plan.read_graph()).items():
        for topic in set(sink.topic_names()) & set(facts.missing_sinks):
            found[topic] = sink.wanted_partitions() or _tasks_at(node_id, plan, laid)
    return found


def _policies(plan: Plan, laid: Layout) -> set[str | None]:
    """What may become of records that fail, by the job's settings and by nodes of their own."""
    settings = plan.settings
    nodes = {node.operator.on_error for node in laid.nodes.values()}
    return {settings.deserialization, settings.processing, settings.production} | nodes


def _tasks_at(node_id: str, plan: Plan, laid: Layout) -> int:
    return next((plan.tasks[each.number] for each in laid.sub_topologies if node_id in each.nodes), 1)
