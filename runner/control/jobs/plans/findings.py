"""What a user must know before a deploy. Only a preview asks for it: the worker decides by what it reads itself.

A run may still write meanwhile. So `epochs.commit` reads what an old epoch left again, after its writers are fenced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from designer.checks.hints import find_hints
from designer.issues import Issue
from runner.control.clusters.topic_checks import find_forgetful_tables, find_undecoded_topics
from runner.control.jobs.models import Run
from runner.control.jobs.plans.durability import Durability, check_durability
from runner.control.jobs.plans.facts import Facts
from runner.control.jobs.plans.graph_facts import find_reloaded_topics, find_sinks
from runner.control.jobs.plans.recovery import DamageReport, inspect
from runner.control.jobs.plans.remains import (
    Loss,
    MarkerLost,
    NothingWritten,
    OffsetsForgotten,
    Written,
    find_last_written,
    find_losses,
    find_next_offsets,
    find_rebuild_starts,
    find_rebuilt_offsets,
    is_in_part,
    is_rebuilding,
)
from runner.control.jobs.statuses import LIVE
from runner.kafka import KafkaUnreachable
from runner.plan import Plan
from runner.spark.failures import read_checkpoint


@dataclass(frozen=True)
class LeftByEpoch:
    """What the old epoch has left, as far as it can be seen while a run may still write."""

    losses: tuple[Loss, ...] = ()
    """Records that are gone before they were read."""
    damage: DamageReport | None = None
    """What is damaged of the checkpoint. None while a run is live: its files change."""
    is_rebuilding: bool = False
    """The state is still being rebuilt from its topics."""
    is_in_part: bool = False
    """A run has left a batch written in part."""
    is_marker_lost: bool = False
    """Nobody knows which results are written, or which records were read."""


@dataclass(frozen=True)
class Findings(LeftByEpoch):
    """What the old epoch has left, and what the graph and its topics may do that the user did not mean."""

    durability: tuple[Durability, ...] = ()
    """What the topics of the job survive."""
    hints: tuple[Issue, ...] = ()


@read_checkpoint()
def collect_findings(facts: Facts) -> Findings:
    """Ask Kafka and the checkpoint. Raises KafkaUnreachable or CheckpointUnreachable."""
    sinks = [topic for sink in find_sinks(facts.graph).values() for topic in sink.topic_names()]
    dead_letters = facts.target.settings.dead_letters_of(facts.target.application_id)
    left = _find_left(facts, facts.old, facts.last_run) if facts.old and facts.last_run else LeftByEpoch()
    return Findings(
        **vars(left),
        durability=check_durability([*facts.topics, *sinks, dead_letters], facts.cluster),
        hints=(
            *find_hints(facts.of_graph.view),
            *find_undecoded_topics(facts.graph, facts.of_graph.schemas, facts.topics, facts.cluster),
            *find_forgetful_tables(facts.graph, facts.cluster),
        ),
    )


def _find_left(facts: Facts, old: Plan, run: Run) -> LeftByEpoch:
    """Nothing is known while Kafka does not say how far the job is, as while a killed run's transaction is open."""
    is_over, left = run.status not in LIVE, LeftByEpoch()
    try:
        written = find_last_written(old, facts.cluster)
        left = LeftByEpoch(
            damage=inspect(old, run, facts.cluster) if is_over else None,
            is_rebuilding=is_rebuilding(old, written),
            is_in_part=is_over and is_in_part(old, written, facts.cluster),
            is_marker_lost=isinstance(written, MarkerLost),
        )
        if not isinstance(written, MarkerLost):
            left = replace(left, losses=_find_losses(old, written, run, facts))
    except OffsetsForgotten:
        return replace(left, is_marker_lost=True)
    except KafkaUnreachable:
        pass
    return left


def _find_losses(old: Plan, written: Written | NothingWritten, run: Run, facts: Facts) -> tuple[Loss, ...]:
    """The lost records of topics to read on. Global tables start over anyway.

    A rebuild that meets a loss begins again, so that all losses since its start count.
    """
    reloaded_topics = find_reloaded_topics(facts.graph)
    read_on = {name: topic for name, topic in facts.topics.items() if name not in reloaded_topics}
    read_to: dict[str, Sequence[int]] = {**find_next_offsets(old, facts.topics, written, facts.cluster)}
    if is_rebuilding(old, written) and find_losses(
        old.topics, read_on, find_rebuilt_offsets(old, written), run.offsets, facts.cluster
    ):
        read_to |= find_rebuild_starts(old)
    return tuple(find_losses(old.topics, read_on, read_to, run.offsets, facts.cluster))
