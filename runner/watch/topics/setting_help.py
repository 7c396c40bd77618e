"""Meanings of a topic's settings for its readers and writers."""

from __future__ import annotations

SETTING_HELP = {
    "cleanup.policy": "What Kafka does with old records: delete them, or compact to the newest of each key. A table "
    "needs compact, or it loses rows.",
    "retention.ms": "Age at which Kafka deletes records, in ms; -1 keeps them. A job further behind loses input.",
    "retention.bytes": "Size of a partition at which Kafka deletes its oldest records; -1 means no limit.",
    "max.message.bytes": "Largest batch of records that Kafka takes. A larger result becomes a dead letter.",
    "min.insync.replicas": "Copies that must have a record before a write succeeds. Too few brokers stop all writers.",
    "message.timestamp.type": "CreateTime keeps the time that the producer gave. LogAppendTime replaces it by the "
    "broker's, so windows go by arrival.",
    "message.timestamp.before.max.ms": "Kafka refuses records whose time is older than this.",
    "message.timestamp.after.max.ms": "Kafka refuses records whose time is further ahead than this.",
    "compression.type": "How Kafka stores records; producer keeps what each writer chose.",
    "delete.retention.ms": "How long a deleted key (null value) stays in a compacted topic. A reader that is away "
    "for longer misses the deletion.",
    "min.compaction.lag.ms": "Age below which Kafka compacts no record.",
    "max.compaction.lag.ms": "Age at which Kafka compacts a record at the latest.",
    "min.cleanable.dirty.ratio": "Share of uncompacted records at which Kafka begins to compact.",
    "segment.bytes": "Size of a file of records. Kafka deletes and compacts whole files, never the newest.",
    "segment.ms": "Age at which Kafka begins a new file, in ms. Retention cannot take smaller steps.",
    "unclean.leader.election.enable": "Whether a copy that lacks records may become leader. Records are lost then.",
}
"""By name. Settings without a meaning here concern the broker more than readers and writers."""
