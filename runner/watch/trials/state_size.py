"""Estimates the state of a job before its deploy: the rows and bytes of each store, and the time to restore them.

A trial runs on the newest records of the topics. The rows after half of its records and after all of them say how fast
new keys come: if twice the records made `2 ** growth` times the rows, that holds for more records, too (Heaps' law).
A growth of 1 means that each record has a new key, 0 that all keys are known.

Kafka keeps the times of records, not when they arrived. If the newest record of a topic is old, its records may have
been written today, or nothing may come any more. So only the records that the topic holds count.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from designer.streams.topics import ReadsTopic
from runner.control.jobs.plans.graph_facts import (
    collect_graph_facts,
    find_sources,
    refuse_unpermitted,
    resolve_patterns,
)
from runner.kafka import KafkaCluster, Message, Topic
from runner.watch.trials.questions import AskStoreSizes, StoreSize
from runner.watch.trials.services import Trial, as_sent, ask, keep_feeding, read_newest

DAY_MS = 24 * 3_600_000
ROWS_PER_SECOND = 100_000
"""Rows that a run restores in a second on two cores: `make bench`, "restore of 1,000,000 keys" without the start."""


class TopicSample(NamedTuple):
    """The records of a topic: how many it holds, their rate in a day, and how many of them the trial took.

    `is_current`: the newest one is of the last day, so that as many come in the next.
    """

    present: int
    per_day: float
    taken: int
    is_current: bool


class StoreEstimate(NamedTuple):
    """A store after a day: its expected rows and bytes, and its rows after the records of the trial."""

    node: str
    store: str
    rows: int
    bytes: int
    tried_rows: int


class StateEstimate(TypedDict):
    """The expected state after a day. `runner.watch.trials.schemas.StateEstimateOut` says what each member is."""

    stores: list[StoreEstimate]
    records: int
    records_per_day: int
    topics_of_old_records: list[str]
    restore_s: float


def estimate_state(trial: Trial) -> StateEstimate:
    """The expected state of a graph after a day. Raises the refusals of a trial."""
    refuse_unpermitted(trial.graph, trial.by)
    graph = resolve_patterns(trial.graph, trial.cluster)
    sources = {topic: source for source in find_sources(graph).values() for topic in source.topic_names()}
    messages = {topic: read_newest(topic, source, trial.cluster) for topic, source in sources.items()}
    facts = collect_graph_facts(graph, trial.cluster, trial.schemas, read=lambda topic: messages[topic])
    samples = _describe_samples(sources, messages, trial.cluster, facts.topics)
    question = AskStoreSizes(
        graph=graph.to_json(),
        schemas={node: schema.to_json() for node, schema in facts.schemas.items()},
        records=[as_sent(topic, message) for topic, some in messages.items() for message in some],
    )
    stores = []
    for store in ask(question, by=trial.by)["stores"]:
        fed_by = {
            topic for each in find_sources(keep_feeding(graph, store["node"])).values() for topic in each.topic_names()
        }
        stores.append(_extrapolate(store, [samples[topic] for topic in fed_by if topic in samples]))
    rows = sum(each.rows for each in stores)
    return {
        "stores": stores,
        "records": sum(sample.taken for sample in samples.values()),
        "records_per_day": round(sum(sample.per_day for sample in samples.values() if sample.is_current)),
        "topics_of_old_records": [topic for topic, sample in samples.items() if sample.taken and not sample.is_current],
        "restore_s": round(rows / ROWS_PER_SECOND, 1),
    }


def _describe_samples(
    sources: Mapping[str, ReadsTopic],
    messages: Mapping[str, Sequence[Message]],
    cluster: KafkaCluster,
    topics: Mapping[str, Topic],
) -> dict[str, TopicSample]:
    known = list(topics.values())
    first, end = cluster.start_offsets(known), cluster.end_offsets(known)
    samples, now = {}, time.time_ns() // 1_000_000
    for topic in sources:
        present = sum(last - begin for begin, last in zip(first[topic], end[topic], strict=True))
        times = [message.timestamp for message in messages[topic]]
        span = max(times) - min(times) if times else 0
        per_day = (len(times) - 1) * DAY_MS / span if span > 0 else 0.0
        samples[topic] = TopicSample(present, per_day, len(times), bool(times) and abs(now - max(times)) < DAY_MS)
    return samples


def _extrapolate(store: StoreSize, samples: Sequence[TopicSample]) -> StoreEstimate:
    rows, half, taken = store["rows"], store["rows_at_half"], sum(sample.taken for sample in samples)
    if rows == 0 or taken == 0:
        return StoreEstimate(store["node"], store["store"], 0, 0, rows)
    per_day = sum(sample.per_day for sample in samples)
    kept = sum(sample.present + sample.per_day * sample.is_current for sample in samples)
    if store["retention_ms"] is not None and per_day > 0:
        kept = min(kept, per_day * store["retention_ms"] / DAY_MS)
    growth = 1.0 if half == 0 else min(1.0, max(0.0, math.log2(rows / half)))
    expected = max(rows, math.ceil(rows * max(1.0, kept / taken) ** growth))
    return StoreEstimate(store["node"], store["store"], expected, round(store["bytes"] * expected / rows), rows)
