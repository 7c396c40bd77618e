"""What must be loaded before streams flow: global tables, and tables that say so, to the ends they have now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runner.kafka import Cluster, Topic
from runner.spark.checkpoint import Checkpoint, Offsets
from runner.spark.program import Program, topics


@dataclass(frozen=True)
class Loading:
    """The ends of the topics, recorded once, and how far the checkpoint has come."""

    checkpoint: Checkpoint
    starts: Mapping[str, list[int]]
    ends: Mapping[str, list[int]]

    @classmethod
    def find(cls, program: Program, checkpoint: Checkpoint, cluster: Cluster) -> Loading:
        """Asks Kafka where the topics start and end."""
        names = [each.topic for each in topics(program.inputs, "first")]
        facts = [Topic(name, program.plan.topics[name].id, program.plan.topics[name].partitions) for name in names]
        first = cluster.start_offsets(facts)
        wanted = {name: program.plan.topics[name].start for name in names}
        starts = {name: [max(*pair) for pair in zip(first[name], wanted[name], strict=False)] for name in names}
        return cls(checkpoint, starts, cluster.end_offsets(facts))

    @property
    def needed(self) -> bool:
        """Whether there is something to load."""
        return not self.done()

    def done(self) -> bool:
        """Whether a committed batch has read to the recorded ends."""
        batch = self.checkpoint.last_committed()
        read: Offsets = {} if batch is None else self.checkpoint.offsets(batch)
        return all(self._is_read(name, read.get(name, self.starts[name])) for name in self.ends)

    def _is_read(self, name: str, read: list[int]) -> bool:
        return all(at >= end for at, end in zip(read, self.ends[name], strict=False))
