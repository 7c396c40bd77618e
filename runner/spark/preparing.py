"""Preparations before a query starts."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from runner.kafka import KafkaCluster, Topic
from runner.plan import TopicFacts
from runner.spark.checkpoint.batch_log import take_over_lines
from runner.spark.codes import RunCode
from runner.spark.failures import RunFailed


def refuse_changed(topics: Mapping[str, TopicFacts], cluster: KafkaCluster) -> dict[str, Topic]:
    """The present topics. Raises TopicMissing, and RunFailed if one was made again: old offsets mean nothing then."""
    current_topics = cluster.find(list(topics))
    # the description of a topic may have come late
    current_topics |= {name: cluster.topic(name) for name in topics.keys() - current_topics.keys()}
    for name, facts in topics.items():
        if current_topics[name].id != facts.id:
            raise RunFailed(
                RunCode.TOPIC_RECREATED,
                f"Topic {name} was deleted and created again since the job began to read it.",
                "Deploy the job again: the dialog offers to keep its state and continue with the new topic (on_state "
                "skip_lost), or to start fresh.",
            )
        if current_topics[name].partitions < facts.partitions:
            raise RunFailed(
                RunCode.TOPIC_SHRUNK, f"Topic {name} has fewer partitions than before.", "Deploy the job fresh."
            )
    return current_topics


def clear(state_dir: Path) -> None:
    """Removes the files of earlier boots of this host and earlier lives: those of Spark take some 20 MB.

    Working copies of this boot stay, and what is known of batches: the next one begins where the last one ended.
    """
    own = state_dir / Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    for folder in state_dir.glob("*"):
        if folder != own:
            take_over_lines(folder, own)
            shutil.rmtree(folder, ignore_errors=True)
