"""How large the records of a batch are, so that it takes no more of them than fit into memory."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing

from runner.spark.source.prefetch import ONE_AT_A_TIME, Arrival
from runner.spark.source.reading import Range

SMALL = 250
"""Most offsets of a batch that is not worth a measurement. As many of a megabyte, Kafka's default limit, would fit."""
SAMPLED_OFFSETS, SAMPLED_RANGES = 10, 8
"""What is read to estimate the others: the beginnings of the longest ranges of each topic."""
KEPT_SECONDS = 60.0
"""How long an estimate holds."""
Read = Callable[[Sequence[Range]], Generator[Arrival, None, None]]
log = logging.getLogger(__name__)


class RecordSizes:
    """The mean size of an offset of each topic, in bytes of keys and values."""

    def __init__(self) -> None:
        self.means: dict[str, float] = {}
        self.measured_at = -KEPT_SECONDS

    def estimate(self, ranges: Sequence[Range], read: Read) -> float:
        """About the bytes of ranges. Topics that were never measured count nothing."""
        is_small = sum(each.end - each.start for each in ranges) <= SMALL
        is_old = time.monotonic() - self.measured_at > KEPT_SECONDS
        if not is_small and (is_old or any(each.topic not in self.means for each in ranges)):
            self._measure(ranges, read)
        return sum((each.end - each.start) * self.means.get(each.topic, 0.0) for each in ranges)

    def _measure(self, ranges: Sequence[Range], read: Read) -> None:
        longest = sorted(ranges, key=lambda each: each.start - each.end)
        by_topic: dict[str, list[Range]] = {}
        for each in longest:
            of_topic = by_topic.setdefault(each.topic, [])
            if len(of_topic) < SAMPLED_RANGES:
                of_topic.append(each._replace(end=min(each.end, each.start + SAMPLED_OFFSETS)))
        sizes = dict.fromkeys(by_topic, 0)
        topic_of = {each.input: each.topic for each in ranges}
        try:
            with ONE_AT_A_TIME, closing(read([each for of_topic in by_topic.values() for each in of_topic])) as found:
                for number, _, records in found:
                    sizes[topic_of[number]] += records.size
        except Exception as error:  # the batch reads these records again, and there the error has its place
            log.info("The sizes of records are not known now: %s", error)
            return
        for topic, of_topic in by_topic.items():
            self.means[topic] = sizes[topic] / sum(each.end - each.start for each in of_topic)
        self.measured_at = time.monotonic()
