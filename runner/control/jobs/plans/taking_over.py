"""A kept epoch goes on: the version before a cut over takes over again, with its state of that moment.

Since then, another version has read further and has written results. The kept state lacks these records. There are two
ways on: read them again without writing results (`Plan.silent_until`), so that the state has all of them, or go on at
once behind them. In both, each record has results of exactly one version. `epochs.take_over` carries it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypedDict

from designer.refusals import Refusal
from runner.control.codes import ControlCode
from runner.control.jobs.models import Run
from runner.control.jobs.plans.graph_facts import find_reloaded_topics
from runner.control.jobs.plans.next_epoch import NextEpoch, TopicRecreated, UncleanEpoch, start_at_ends
from runner.control.jobs.plans.rebuild import takes_time_of_arrival
from runner.control.jobs.plans.remains import MarkerLost, Offsets, Written, find_last_written, find_next_offsets
from runner.control.jobs.plans.state_changes import get_fingerprints
from runner.engine.planning.parts import find_owner
from runner.kafka import KafkaCluster, Topic
from runner.plan import Plan, Seed
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.checkpoint.moving import take_back_moves
from runner.spark.layouts import lay_out_plan

GO_ON = "The version that runs now goes on. Deploy it again if the job has stopped."


class RecordsGone(Refusal):
    """Kafka has deleted records that the state of a kept version lacks."""

    code = ControlCode.EPOCH_UNCLEAN
    status = 409


class WayBackText(TypedDict):
    """What the state of a kept version lacks, and what each way back does, in words."""

    lacking: dict[str, int]
    """By topic, the offsets that its state lacks."""
    gone: dict[str, int]
    """By topic, the lacking offsets that Kafka has deleted."""
    exactly: str
    at_once: str


@dataclass(frozen=True)
class WayBack:
    """What it takes to let a kept epoch go on. `then` is where it stopped reading, and `now` where the job is."""

    kept: Plan
    last_batch: int
    then: Offsets
    now: Offsets
    firsts: Offsets
    """The first offsets that Kafka still has."""

    def count_lacking(self) -> dict[str, int]:
        """Number of offsets of each topic that the kept state lacks, if there are any."""
        return self._count(self.then, self.now)

    def count_gone(self) -> dict[str, int]:
        """Number of these offsets of each topic whose records Kafka has deleted: nobody can read them again."""
        pairs = {name: zip(ends, self.firsts[name], strict=False) for name, ends in self.now.items()}
        return self._count(self.then, {name: [min(pair) for pair in of] for name, of in pairs.items()})

    def _count(self, starts: Offsets, ends: Offsets) -> dict[str, int]:
        counts = {
            name: sum(max(0, end - max(0, at)) for at, end in zip_longest(places, ends[name], fillvalue=0))
            for name, places in starts.items()
        }
        return {name: count for name, count in counts.items() if count}

    def find_clocks(self) -> list[str]:
        """Nodes that see another time when they read the records again."""
        nodes = lay_out_plan(self.kept).nodes.items()
        return sorted(
            {find_owner(node) for node, at in nodes if at.operator.needs_ticks() or takes_time_of_arrival(at)}
        )

    def describe(self, old: int, new: int) -> WayBackText:
        """Describe what its state lacks, and what each way back does. `old` and `new` are numbers of versions."""
        lacking, gone, clocks = self.count_lacking(), self.count_gone(), self.find_clocks()
        count = sum(lacking.values())
        if gone:
            exactly = f"Not possible: Kafka has deleted {_list(gone)}, which version {new} has read since."
        elif lacking:
            exactly = (
                f"Version {old} continues with its state of the cut over. It first reads {count:,} offsets again that "
                f"version {new} has read since, and writes no results for them. Its state then lacks nothing."
            )
        else:
            exactly = f"Version {old} continues with its state. Nothing was read since, so it lacks nothing."
        if lacking and not gone and clocks:
            exactly += f" `{'`, `'.join(clocks)}` depends on the clock, and sees the time of the repeat."
        at_once = f"Version {old} continues at once with its state of the cut over, where version {new} has read to."
        lacks = f"Its state lacks the records since: {_list(lacking)}." if lacking else "Its state lacks nothing."
        return {"lacking": lacking, "gone": gone, "exactly": exactly, "at_once": f"{at_once} {lacks}"}

    def decide(self, *, is_at_once: bool) -> NextEpoch:
        """Where the epoch begins, and until where it writes nothing. Raises RecordsGone."""
        if not is_at_once and (gone := self.count_gone()):
            raise RecordsGone(
                f"Kafka has deleted records that the state of this version lacks: {_list(gone)}.",
                "Go back at once, without the records since the cut over.",
            )
        seed = Seed(
            checkpoint=self.kept.checkpoint,
            plan=self.kept.without_seed().to_stored(),
            stores=[name for name, store in get_fingerprints(self.kept).items() if store.tasks is not None],
        )
        ends = {name: _find_later(then, self.now[name]) for name, then in self.then.items()}
        if is_at_once:
            return NextEpoch(start_at_ends(self.kept, ends), seed)
        topics_then = start_at_ends(self.kept, {name: list(then) for name, then in self.then.items()})
        return NextEpoch(topics_then, seed, ends if self.count_lacking() else {})


def _list(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} offsets of `{name}`" for name, count in counts.items())


def look_back(kept: Plan, present: Plan, cluster: KafkaCluster) -> WayBack:
    """What a kept epoch lacks. Another epoch may still write: then it lacks more soon.

    Raises UncleanEpoch, TopicRecreated, KafkaUnreachable, and OSError of the checkpoint's file system.
    """
    topics = _find_topics(kept, cluster)
    widths = {
        name: facts.model_copy(update={"partitions": topics[name].partitions}) for name, facts in kept.topics.items()
    }
    kept = kept.model_copy(update={"topics": widths})
    written, left = find_last_written(present, cluster), find_last_written(kept, cluster)
    checkpoint = Checkpoint(kept.checkpoint)
    if not isinstance(left, Written) or not checkpoint.is_committed(left.batch):
        raise UncleanEpoch("The state of the version before the cut over is gone.", GO_ON)
    if whole.find_fault(checkpoint.folder / "offsets" / str(left.batch)) is not None:
        raise UncleanEpoch("The checkpoint of the version before the cut over is damaged.", GO_ON)
    if isinstance(written, MarkerLost):
        raise UncleanEpoch("Kafka has no marker of the version that runs now.", GO_ON)
    reloaded = find_reloaded_topics(kept.read_graph())
    planned = checkpoint.offsets(left.batch)
    then = {name: _find_later(planned[name], kept.silent_until.get(name, ())) for name in topics if name in planned}
    then = {name: places for name, places in then.items() if name not in reloaded}
    now = find_next_offsets(present, kept.topics, written, cluster)
    return WayBack(
        kept,
        left.batch,
        then,
        {name: now.get(name, places) for name, places in then.items()},
        cluster.start_offsets([topic for name, topic in topics.items() if name in then]),
    )


def read_kept_plan(run: Run) -> Plan:
    """The plan of a kept epoch, and where its checkpoint is."""
    return take_back_moves(run.read_current_plan())


def _find_topics(kept: Plan, cluster: KafkaCluster) -> dict[str, Topic]:
    """The topics that a kept epoch reads, as they are now. Raises TopicRecreated, TopicMissing."""
    topics = {name: cluster.topic(name) for name in kept.topics}
    for name, topic in topics.items():
        if topic.id != kept.topics[name].id:
            raise TopicRecreated(
                f"Topic `{name}` was deleted and created again since this version read it.", GO_ON, topic=name
            )
    return topics


def _find_later(then: Sequence[int], now: Sequence[int]) -> list[int]:
    """The later offset of each partition. One that only one of them has was added since."""
    return [max(pair) for pair in zip_longest(then, now, fillvalue=0)]
