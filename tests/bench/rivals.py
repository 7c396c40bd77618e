"""`make bench`'s side by side: the workloads on this product, on Kafka Streams and on Flink SQL.

All read the same records of the same broker, one after the other. A rate is that of the steady state: what comes after
the first 15 s of a side. The warm-up is its own row. Each result is read back (read_committed) and compared with
what the data must give, every key of it.

`python -m tests.bench rivals [--records 8000000] [--rounds 3] [--cases W1 "W4, 2 KB"]`
"""

from __future__ import annotations

import statistics
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from confluent_kafka import Producer

from runner.kafka import KafkaCluster
from tests.bench import orders
from tests.bench.formats import encode_orders
from tests.bench.sides import (
    AT_BEST,
    AT_LEAST_ONCE,
    CORES,
    EXACTLY_ONCE,
    FLINK,
    OURS,
    OURS_AT_LEAST_ONCE,
    SIDES,
    Point,
    Ran,
    Task,
)
from tests.bench.workloads import OTHERS, VARIANTS, WORKLOADS, key_of, value_of
from tests.proof.product import Product, consumer, records

RECORDS = 4_000_000 * CORES
ROUNDS = 3
PARTITIONS = 8
WARM_UP_MS = 15_000
SHOWN_SECONDS = 0.05
"""Processor time for a million records that is worth a word."""
AIMS = {EXACTLY_ONCE: 2.0, AT_BEST: 1.3, AT_LEAST_ONCE: 1.3, FLINK: 1.1}
"""How many times as fast as each of the others this product wants to be."""
Row = tuple[str, str, str]
Sent = tuple[str, str | bytes, int]
"""Key, value and timestamp (ms)."""


EXACTLY_ONCE_ALL = tuple(side for side in SIDES if side != OURS_AT_LEAST_ONCE)


class Case(NamedTuple):
    """What all sides do: a workload on orders of a shape; `share` of the usual number where they are large."""

    name: str
    what: str
    workload: str
    shape: orders.Shape = orders.USUAL
    share: float = 1.0
    sides: Collection[str] = EXACTLY_ONCE_ALL
    format: str = "json"

    @property
    def topic(self) -> str:
        """Where its orders are."""
        return "-".join(
            ["orders", *(str(part) for part in self.shape), *([] if self.format == "json" else [self.format])]
        )


class Judged(NamedTuple):
    """The results of a catch-up: when each was appended (ms), sorted, and what is wrong with them (empty: nothing)."""

    appended: Sequence[int]
    wrong: str


class Result(NamedTuple):
    """Records a second once warm and before, processor seconds for a million once warm, peak memory (bytes)."""

    rate: float
    warm_up_rate: float
    seconds: Mapping[str, float]
    held: int
    written: int
    wrong: str


STREAMS_AND_OURS = tuple(side for side in EXACTLY_ONCE_ALL if side != FLINK)
GUARANTEES = ("W1", "W4")
"""Workloads that also run with our `at_least_once`: one without state and one with."""
CASES = (
    *(
        Case(workload, what, workload, sides=tuple(SIDES) if workload in GUARANTEES else EXACTLY_ONCE_ALL)
        for workload, what in WORKLOADS.items()
    ),
    *(Case(workload, what, workload) for workload, what in VARIANTS.items()),
    *(Case(workload, what, workload, share=0.25, sides=STREAMS_AND_OURS) for workload, what in OTHERS.items()),
    Case("W1, Avro", "W1 with orders in Avro", "W1", sides=STREAMS_AND_OURS, format="avro"),
    Case("W1, Protobuf", "W1 with orders in Protobuf", "W1", sides=STREAMS_AND_OURS, format="protobuf"),
    Case("W4, 2 KB", "W4 with values of 2 KB", "W4", orders.Shape(padding=1_890), share=0.5),
    Case("W4, many keys", "W4 with 1,000,000 customers", "W4", orders.Shape(customers=1_000_000)),
    Case("W4, hot key", "W4 with one customer in 40 % of the orders", "W4", orders.Shape(hot=0.4)),
)


def side_by_side(
    product: Product, count: int = RECORDS, rounds: int = ROUNDS, asked: Collection[str] = ()
) -> Iterator[Row]:
    """Rows of the report: case and side, the median rate, how it was. Without `asked`, all cases.

    The product must have no standby: the next one would start while a job of this one is measured.
    """
    cluster = KafkaCluster(product.kafka)
    fill(cluster, product.kafka, "customers", orders.customers())
    fill(cluster, product.kafka, "homes", orders.homes())
    for case in (case for case in CASES if not asked or case.name in asked):
        number = int(count * case.share)
        if not cluster.find([case.topic]):
            rows_in = encode_orders(orders.orders(number, case.shape), case.format)
            fill(cluster, product.kafka, case.topic, rows_in)
        if case.workload == "stream join" and not cluster.find(["payments"]):
            fill(cluster, product.kafka, "payments", orders.payments(number))
        found: dict[str, list[Result]] = {side: [] for side in case.sides}
        for _ in range(rounds):
            for side in case.sides:
                found[side].append(measured(product, cluster, case, side, number))
        yield from rows(case, found)


def rows(case: Case, found: dict[str, list[Result]]) -> Iterator[Row]:
    """The report of one case."""
    for side, aim in ((side, aim) for side, aim in AIMS.items() if side in found):
        ratios = [one.rate / other.rate for one, other in zip(found[OURS], found[side], strict=True)]
        about = f"steady state; median of {', '.join(f'{ratio:.2f}' for ratio in ratios)}"
        yield f"{case.name}: {case.what}, beside {side}", f"{statistics.median(ratios):.2f} ×", f"{about}; aim {aim} ×"
    for side, results in found.items():
        yield f"{case.name}, {side}", f"{_median(results, 'rate'):,.0f} records/s", _about(results)
        rates = ", ".join(f"{each.warm_up_rate / 1_000:.0f}" for each in results)
        about = f"the first {WARM_UP_MS // 1_000} s; median of {rates} thousand/s"
        yield f"{case.name}, {side}, warm-up", f"{_median(results, 'warm_up_rate'):,.0f} records/s", about
        yield f"{case.name}, {side}, cost", *_cost(results)


def _median(results: Sequence[Result], field: str) -> float:
    return float(statistics.median(getattr(result, field) for result in results))


def _cost(results: Sequence[Result]) -> tuple[str, str]:
    seconds = {kind: statistics.median(each.seconds.get(kind, 0) for each in results) for kind in results[0].seconds}
    parts = ", ".join(f"{kind} {spent:.1f}" for kind, spent in seconds.items() if spent >= SHOWN_SECONDS)
    total, held = statistics.median(sum(each.seconds.values()) for each in results), _median(results, "held")
    about = f"processors for a million records, steady state ({parts}); most memory at once (PSS)"
    return f"{total:.1f} s, {held / 2**20:,.0f} MiB", about


def _about(results: list[Result]) -> str:
    rates = ", ".join(f"{each.rate / 1_000:.0f}" for each in results)
    wrong = [each.wrong for each in results if each.wrong]
    verdict = "; ".join(wrong) if wrong else "every key right"
    return f"steady state; median of {rates} thousand/s; {results[-1].written:,} results; {verdict}"


def fill(cluster: KafkaCluster, servers: str, topic: str, rows: Iterable[Sent]) -> None:
    """Puts rows into a new topic that keeps them all."""
    cluster.create(topic, PARTITIONS, {"retention.ms": "-1"})
    send(servers, topic, rows)


def send(servers: str, topic: str, rows: Iterable[Sent]) -> None:
    """Puts rows into a topic, by the partitioner of the Java clients."""
    producer = Producer(
        {
            "bootstrap.servers": servers,
            "partitioner": "murmur2_random",
            "linger.ms": 20,
            "queue.buffering.max.messages": 500_000,
            "queue.buffering.max.kbytes": 500_000,
        }
    )
    for number, (key, value, at) in enumerate(rows):
        while True:
            try:
                producer.produce(topic, value, key, timestamp=at)
                break
            except BufferError:  # as many records or bytes wait as may
                producer.poll(0.05)
        if number % 1_000 == 0:
            producer.poll(0)
    producer.flush()


def measured(product: Product, cluster: KafkaCluster, case: Case, side: str, count: int) -> Result:
    """One catch-up over all orders."""
    output = f"results-{uuid4().hex[:8]}"
    task = Task(case.workload, case.topic, output, count, padded=case.shape.padding > 0, format=case.format)
    cluster.create(task.output, PARTITIONS, {"message.timestamp.type": "LogAppendTime"})
    ran = SIDES[side](product, task)
    judged = judge(product.kafka, case.workload, task.output, orders.expected(case.workload, count, case.shape))
    cluster.delete(task.output)
    result = work_out(ran, judged, count)
    print(case.name, side, *result, flush=True)
    return result


def work_out(ran: Ran, judged: Judged, count: int) -> Result:
    """The figures of a catch-up.

    Example: 8 million orders of which 2 million were read after 15 s; the last result came 30 s later: 200,000/s.
    Ends the bench if all were read before that: then there is no steady state.
    """
    last_ms = judged.appended[-1]
    first_ms, points = ran.first_ms, ran.points
    if not points:  # each result stands for as many orders
        first_ms = judged.appended[0]
        points = [Point(at, (n + 1) / len(judged.appended)) for n, at in enumerate(judged.appended)]
    warm = next((point for point in points if point.at >= first_ms + WARM_UP_MS), None)
    if warm is None:
        raise SystemExit(f"{count:,} orders were read within {WARM_UP_MS // 1_000} s: measure with more --records.")
    left = count * (1 - warm.part)
    return Result(
        rate=left / (last_ms - warm.at) * 1_000,
        warm_up_rate=count * warm.part / (warm.at - first_ms) * 1_000,
        seconds={kind: spent / left * 1e6 for kind, spent in ran.meter.seconds_between(warm.at, last_ms).items()},
        held=ran.meter.peak,
        written=len(judged.appended),
        wrong=judged.wrong,
    )


def judge(servers: str, workload: str, output: str, want: Mapping[Any, Any]) -> Judged:
    """Reads the results back and compares the last of each key."""
    got: dict[Any, Any] = {}
    appended = []
    with consumer(servers, output) as reader:
        for key, value, at in records(reader):
            appended.append(at)
            if value is None:  # a session that became part of another
                got.pop(key_of(workload, key, value), None)
            else:
                got[key_of(workload, key, value)] = value_of(workload, value)
    differ = sum(1 for key, value in want.items() if got.get(key) != value)
    wrong = f"{differ} of {len(want)} keys differ, {len(got) - len(want)} too many" if got != want else ""
    return Judged(sorted(appended), wrong)
