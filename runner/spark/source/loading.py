"""Data that must be loaded before streams flow: global tables, and tables with that setting, to their present ends."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from runner.kafka import KafkaCluster, Topic
from runner.spark.checkpoint.checkpoint import Checkpoint, Offsets
from runner.spark.program import Program, list_topics
from runner.spark.source.prefetch import Arrival
from runner.spark.source.reading import Range, read
from runner.spark.source.sizes import RecordSizes


# Small global tables load inside the first batch: planning one query takes 10 s of a cold start. A stage applies
# global tables first, so order holds.
@dataclass
class Loading:
    """The ends of the topics, recorded once, and the progress of the checkpoint."""

    checkpoint: Checkpoint
    starts: Mapping[str, list[int]]
    ends: Mapping[str, list[int]]
    looked_at: int | None = None
    """The batch that `has_loaded` has looked at."""

    @classmethod
    def find(cls, program: Program, checkpoint: Checkpoint, cluster: KafkaCluster) -> Loading:
        """Asks Kafka where the topics start and end."""
        names = [each.topic for each in list_topics(program.inputs, "first")]
        facts = [Topic(name, program.plan.topics[name].id, program.plan.topics[name].partitions) for name in names]
        first = cluster.start_offsets(facts)
        chosen_starts = {name: program.plan.topics[name].start for name in names}
        starts = {name: [max(*pair) for pair in zip(first[name], chosen_starts[name], strict=False)] for name in names}
        return cls(checkpoint, starts, cluster.end_offsets(facts))

    @property
    def is_needed(self) -> bool:
        """True if there is something to load."""
        return not self.is_done()

    def fits_beside_streams(self, program: Program) -> bool:
        """True if one batch can load it together with streams: few records that are not large, all of global tables.

        A stage applies global tables before it processes anything, so no stream runs ahead of them.
        """
        only_global = all(
            set(each.targets) <= set(program.global_depths) for each in list_topics(program.inputs, "first")
        )
        plan, left = program.plan, self._list_left()
        if not only_global or sum(each.end - each.start for each in left) > plan.settings.records_per_batch:
            return False

        def read_some(ranges: Sequence[Range]) -> Generator[Arrival, None, None]:
            return ((each.input, each.partition, records) for each, records in read(plan.kafka, ranges))

        return RecordSizes().estimate(left, read_some) <= plan.bytes_per_batch

    def has_loaded(self, written: int | None) -> bool:
        """True if `is_done`, when a batch was written. It looks at the checkpoint until Spark has committed the batch.

        To ask a file system on other hosts takes longer than the 20 ms between two looks.
        """
        if written is None or written == self.looked_at:
            return False
        committed = self.checkpoint.find_last_committed()
        if committed is None or committed < written:
            return False
        self.looked_at = written
        return self.is_done()

    def is_done(self) -> bool:
        """True if a committed batch has read to the recorded ends."""
        return not self._list_left()

    def _list_left(self) -> list[Range]:
        """The offsets between the end of the newest committed batch and the recorded ends."""
        batch = self.checkpoint.find_last_committed()
        done: Offsets = {} if batch is None else self.checkpoint.offsets(batch)
        return [
            Range(number, name, partition, at, end)
            for number, (name, ends) in enumerate(self.ends.items())
            for partition, (at, end) in enumerate(zip(done.get(name, self.starts[name]), ends, strict=False))
            if at < end
        ]
