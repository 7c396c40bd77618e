"""What Kafka has of the records from which the state of a candidate is rebuilt, and what it no longer has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

from designer.streams.topics import ReadsTopic
from runner.control.jobs.plans.rebuild import takes_time_of_arrival
from runner.engine.planning.parts import find_owner
from runner.kafka import KafkaCluster, Topic
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.ends import find_batch_end
from runner.spark.program import Program
from runner.spark.proving.rebuilding import Backlog, find_own_topics
from runner.spark.replay import Arrivals, read_columns
from runner.spark.source.reading import Range, read
from runner.watch.proving.models import ProofRebuilt


@dataclass
class Rebuilding:
    """The state of a candidate, rebuilt from its topics up to a first batch, and what later batches read beside it."""

    program: Program
    """The candidate's."""
    backlog: Backlog
    own: OwnTopics
    cut: Sequence[str]
    """Topics whose first records Kafka no longer has."""
    compacted: Sequence[str]
    """Compacted topics of which the candidate needs all records."""

    @classmethod
    def find(cls, old: Program, new: Program, first: Manifest, cluster: KafkaCluster) -> Rebuilding:
        """Asks Kafka where the topics of the candidate begin. They end where the first compared batch begins.

        Raises TopicMissing, KafkaUnreachable.
        """
        own_topics = find_own_topics(old, new)
        topics = {each.topic: cluster.topic(each.topic) for each in new.inputs}
        firsts = cluster.start_offsets(topics.values())
        starts, ends = dict[str, list[int]](), dict[str, list[int]]()
        for name, topic in topics.items():
            chosen = new.plan.topics[name].start
            starts[name] = [
                max(begin, *(at for at in chosen[partition : partition + 1] if at >= 0), 0)
                for partition, begin in enumerate(firsts[name])
            ]
            of_batch = [first.get_first(name, partition) for partition in range(topic.partitions)]
            at = cluster.offsets_at(topic, first.time) if name in own_topics else of_batch
            ends[name] = [max(pair) for pair in zip(starts[name], at, strict=True)]
        backlog = Backlog(new, starts, ends, first.time)
        own = OwnTopics(
            new, cluster, {name: topics[name] for name in own_topics}, {name: ends[name] for name in own_topics}
        )
        cut = sorted(name for name in topics if _is_cut(starts[name], new.plan.topics[name].start))
        return cls(new, backlog, own, cut, _find_compacted(new, cluster))

    def describe(self) -> ProofRebuilt:
        return {
            "done": self.backlog.done,
            "count": self.backlog.count,
            "topics": {
                name: {"since": self.backlog.since.get(name), "offsets": list(starts), "is_cut": name in self.cut}
                for name, starts in sorted(self.backlog.starts.items())
            },
        }

    def list_limits(self) -> Iterator[str]:
        """What makes the rebuilt state differ from that of a job that has run from the beginning."""
        for name in self.cut:
            since = self.backlog.since.get(name)
            at = f" from {datetime.fromtimestamp(since / 1_000, UTC):%F %R} UTC" if since is not None else ""
            yield (
                f"The state was rebuilt from `{name}`{at}. Older records are gone, so it is not the state of a run "
                "from the beginning."
            )
        for name in self.compacted:
            yield f"`{name}` is compacted: the rebuilt state lacks what older records of its keys would have added."
        if clocks := self.find_clocks():
            yield (
                f"`{'`, `'.join(clocks)}` depends on the clock. For the records of the rebuilding, it saw the last "
                "moments before the first compared batch, as in a job that has just read all records."
            )
        if self.own.by_time:
            names = f"`{'`, `'.join(sorted(self.own.by_time))}`"
            yield (
                f"Only the new version reads {names}. Nobody knows which records were there at each batch, so their "
                "times decide: a batch gets those that are older than it."
            )
        if self.backlog.has_smaller_batches:
            yield "The records are large, so batches of the rebuilding had fewer of them than those of a job."

    def find_clocks(self) -> list[str]:
        nodes = self.program.layout.nodes.items()
        return sorted(
            {find_owner(node) for node, at in nodes if at.operator.needs_ticks() or takes_time_of_arrival(at)}
        )


@dataclass
class OwnTopics:
    """Topics that only the candidate reads. A compared batch gets their records that Kafka had at its time.

    Of a topic with LogAppendTime these are exactly those. Otherwise the times that producers gave decide (`by_time`).
    """

    program: Program
    cluster: KafkaCluster
    topics: dict[str, Topic]
    at: dict[str, list[int]]
    """Where the next batch begins."""
    ends: dict[str, list[int]] = field(default_factory=dict)
    """Where the last batch of those that `look` knows of ends."""

    @cached_property
    def by_time(self) -> set[str]:
        configs = self.cluster.configs_of(sorted(self.topics))
        return {name for name in self.topics if configs.get(name, {}).get("message.timestamp.type") != "LogAppendTime"}

    def look(self, manifests: Sequence[Manifest]) -> None:
        """Looks how far batches read that are executed next."""
        if manifests:
            self.ends = self._find_ends(manifests[-1].time)

    def take(self, manifest: Manifest) -> list[Arrivals]:
        """The records of one batch."""
        if all(self.at[name][: len(ends)] == ends for name, ends in self.ends.items()):
            return []
        ends, ranges = self._find_ends(manifest.time), list[Range]()
        settings = self.program.plan.settings
        for group in ("first", "tables", "streams"):
            inputs = [each for each in self.program.inputs if each.group == group and each.topic in self.topics]
            starts = {each.topic: self.at[each.topic] for each in inputs}
            limit = None if group == "first" else settings.records_per_batch
            found = find_batch_end(starts, {name: ends[name] for name in starts}, limit)
            for each in inputs:
                pairs = zip(starts[each.topic], found[each.topic], strict=True)
                ranges += [
                    Range(each.number, each.topic, n, *pair) for n, pair in enumerate(pairs) if pair[0] < pair[1]
                ]
            self.at |= found
        columns = read_columns(self.cluster.settings, ranges, read)
        return [(number, partition, records) for (number, partition), records in sorted(columns.items())]

    def _find_ends(self, time: int) -> dict[str, list[int]]:
        found = {name: self.cluster.offsets_at(topic, time) for name, topic in self.topics.items()}
        return {name: [max(pair) for pair in zip(self.at[name], ends, strict=True)] for name, ends in found.items()}


def _is_cut(starts: Sequence[int], chosen: Sequence[int]) -> bool:
    """Whether a topic begins after what it was to be read from."""
    return any(start > max(0, *chosen[partition : partition + 1], 0) for partition, start in enumerate(starts))


def _find_compacted(program: Program, cluster: KafkaCluster) -> list[str]:
    """Topics without older records of their keys, of which not only the newest one matters."""
    configs = cluster.configs_of(sorted({each.topic for each in program.inputs}))
    return sorted(
        {
            each.topic
            for each in program.inputs
            if "compact" in configs.get(each.topic, {}).get("cleanup.policy", "")
            and not all(_reads_rows(program, target) for target in each.targets)
        }
    )


def _reads_rows(program: Program, target: int) -> bool:
    operator = program.layout.nodes[program.layout.node_entered(target)].operator
    return isinstance(operator, ReadsTopic) and operator.has_topic_of_rows
