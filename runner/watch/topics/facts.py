"""Facts of topics for a page: their size, their retention, their readers and writers."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from designer.refusals import Refusal
from runner.control.clusters.internal_topics import is_internal
from runner.kafka import BrokerError, KafkaCluster, Topic, measure_topics
from runner.kafka.administering import Group, GroupState, PartitionPlace, list_groups, list_places

log = logging.getLogger(__name__)


class GroupLag(NamedTuple):
    """The lag of a consumer group in a topic: records up to the last committed one."""

    group: str
    state: GroupState
    lag: int


class TopicFacts(NamedTuple):
    """A topic. `starts` and `ends` by partition, `bytes` of one copy, None if brokers do not say.

    `configs` is empty if the cluster's user may not see them.
    """

    name: str
    is_internal: bool
    places: Sequence[PartitionPlace]
    starts: Sequence[int]
    ends: Sequence[int]
    bytes: int | None
    configs: Mapping[str, str]
    groups: Sequence[GroupLag]

    @property
    def records(self) -> int:
        """Offsets that the topic still holds: its records, and the gaps of compaction and transactions."""
        return sum(end - start for start, end in zip(self.starts, self.ends, strict=True))


def find_topic_facts(cluster: KafkaCluster, names: Iterable[str] | None = None) -> list[TopicFacts]:
    """All topics of a cluster by name, or those of `names` that exist. Raises KafkaUnreachable."""
    places = list_places(cluster)
    topic_names = [name for name in (places if names is None else names) if name in places]
    topics = [Topic(name, "", len(places[name])) for name in topic_names]
    starts, ends = cluster.start_offsets(topics), cluster.end_offsets(topics)
    configs, large, lags = (
        cluster.configs_of(topic_names, only_visible=True),
        _measure_sizes(cluster),
        group_lags(list_groups(cluster), ends),
    )
    return [
        TopicFacts(
            name,
            is_internal(name),
            places[name],
            starts.get(name, ()),
            ends.get(name, ()),
            large.get(name),
            configs.get(name, {}),
            lags.get(name, ()),
        )
        for name in topic_names
    ]


def group_lags(groups: Iterable[Group], ends: Mapping[str, Sequence[int]]) -> dict[str, list[GroupLag]]:
    """The lag of each group by topic.

    >>> group_lags([Group("a", "Empty", {("orders", 0): 3, ("orders", 1): 5})], {"orders": [10, 5]})
    {'orders': [GroupLag(group='a', state='Empty', lag=7)]}
    """
    lags: dict[str, list[GroupLag]] = defaultdict(list)
    for group in groups:
        behind: dict[str, int] = defaultdict(int)
        for (topic, partition), offset in group.offsets.items():
            if partition < len(ends.get(topic, ())):
                behind[topic] += max(0, ends[topic][partition] - offset)
        for topic, lag in behind.items():
            lags[topic].append(GroupLag(group.name, group.state, lag))
    return dict(lags)


def _measure_sizes(cluster: KafkaCluster) -> dict[str, int]:
    """Empty if brokers do not say."""
    try:
        return measure_topics(cluster)
    except (BrokerError, Refusal) as error:
        log.info("The sizes of topics are not known: %s", error)
        return {}
