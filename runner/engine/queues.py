"""Rows that wait after shuffles in the test driver, taken in TopologyTestDriver's order."""

from __future__ import annotations

from collections import defaultdict, deque

from runner.engine.records.record import TARGET, TIME, Row


class PartitionGroup:
    """A queue for each target. The one whose head has the lowest timestamp goes first (PartitionGroup).

    Among equal heads, the first one is that of Java's PriorityQueue, in which Kafka Streams keeps the queues.
    Those of `at_once` go before all others. Kafka Streams has nothing like them.
    """

    def __init__(self, at_once: frozenset[int]) -> None:
        self.at_once = at_once
        self.rows: dict[int, deque[Row]] = defaultdict(deque)
        self.heap: list[int] = []
        self.first: deque[Row] = deque()

    def add(self, row: Row) -> None:
        target = row[TARGET]
        if target in self.at_once:
            self.first.append(row)
            return
        self.rows[target].append(row)
        if len(self.rows[target]) == 1:
            self._offer(target)

    def take(self) -> Row | None:
        """The row to process next, or None."""
        if self.first:
            return self.first.popleft()
        if not self.heap:
            return None
        target = self._poll()
        row = self.rows[target].popleft()
        if self.rows[target]:
            self._offer(target)
        return row

    def _find_time(self, target: int) -> int:
        return self.rows[target][0][TIME]

    def _offer(self, target: int) -> None:
        """PriorityQueue.offer: sifts up."""
        heap, at, time = self.heap, len(self.heap), self._find_time(target)
        heap.append(target)
        while at and time < self._find_time(heap[parent := (at - 1) >> 1]):
            heap[at] = heap[parent]
            at = parent
        heap[at] = target

    def _poll(self) -> int:
        """PriorityQueue.poll: sifts the last one down from the top."""
        heap, head = self.heap, self.heap[0]
        last = heap.pop()
        if not heap:
            return head
        at, time = 0, self._find_time(last)
        while (child := 2 * at + 1) < len(heap):
            if child + 1 < len(heap) and self._find_time(heap[child]) > self._find_time(heap[child + 1]):
                child += 1
            if time <= self._find_time(heap[child]):
                break
            heap[at] = heap[child]
            at = child
        heap[at] = last
        return head
