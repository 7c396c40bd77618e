"""Whether each of a job's topics survives the loss of a broker. Exactly once depends on it, and only Kafka can ensure
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from runner.kafka import KafkaCluster, NotAllowed

KAFKAS_OWN = ("__consumer_offsets", "__transaction_state")
"""Kafka's topics for the offsets and the transactions of jobs."""


@dataclass(frozen=True)
class Durability:
    """The replication factor of a topic, whether it survives the loss of one broker, and why."""

    topic: str
    replication: int
    is_durable: bool
    why: str

    @classmethod
    def of(cls, topic: str, replication: int, configs: Mapping[str, str]) -> Durability:
        """By `min.insync.replicas` and `unclean.leader.election.enable`. Writers wait for all replicas in sync."""
        least = int(configs["min.insync.replicas"])
        weakness = _find_weakness(
            replication, least, may_be_unclean=configs["unclean.leader.election.enable"] == "true"
        )
        strength = f"Each record is on {least} brokers before Kafka confirms it."
        return cls(topic, replication, weakness is None, weakness or strength)


def check_durability(topics: Iterable[str], cluster: KafkaCluster) -> tuple[Durability, ...]:
    """For existing topics and Kafka's own two. Empty if the cluster's user may not look."""
    try:
        facts = cluster.find(list(dict.fromkeys([*topics, *KAFKAS_OWN])))
        configs = cluster.configs_of(list(facts))
    except NotAllowed:
        return ()
    return tuple(
        Durability.of(name, topic.replication, configs[name]) for name, topic in facts.items() if name in configs
    )


def _find_weakness(replication: int, least: int, *, may_be_unclean: bool) -> str | None:
    if least > replication:
        return f"`min.insync.replicas` is {least}: no record can be written to it."
    if replication == 1:
        return "Its records are lost if its broker's disk is lost."
    if may_be_unclean:
        return (
            "`unclean.leader.election.enable`: a replica that lags may become leader, and the records it lacks "
            "are lost."
        )
    if least == 1:
        return "`min.insync.replicas` is 1: Kafka may confirm a record that is on only one broker."
    if least == replication:
        return f"`min.insync.replicas` is {least}: no record can be written while one of its brokers is down."
    return None
