"""Equivalents of the settings of Kafka Streams (StreamsConfig)."""

from __future__ import annotations

STREAMS_SETTINGS: tuple[tuple[str, str], ...] = (
    (
        "`application.id`",
        "The id that the first deploy fixes, after the prefix of the server or cluster. It names the group of the "
        "offsets, the transactions and the state.",
    ),
    (
        "`bootstrap.servers`, `security.protocol`, `sasl.mechanism`, `sasl.jaas.config`, `ssl.*`",
        "The topology's cluster, as set on the page Clusters. Certificates and keys are PEM.",
    ),
    (
        "`processing.guarantee`",
        "`guarantee`. The default, exactly_once, is also used for exactly_once_v2 and exactly_once_beta.",
    ),
    (
        "`commit.interval.ms`",
        "`batch_interval_ms`: each batch commits.",
    ),
    (
        "`num.stream.threads`",
        "`slots`",
    ),
    (
        "`num.partitions` of repartition topics",
        "`tasks`, or the field of `repartition`.",
    ),
    (
        "`statestore.cache.max.bytes`, `cache.max.bytes.buffering`",
        "`cache`, on or off. Each batch is flushed as a whole, so a size would have no effect.",
    ),
    (
        "`default.key.serde`, `default.value.serde`",
        "Nothing to set. A source without formats takes the formats of its topic's records: text keys and JSON values "
        "if there are none. A sink takes the formats of arriving records. Their fields can override this.",
    ),
    (
        "`default.timestamp.extractor`",
        "The timestamp field of each source.",
    ),
    (
        "`auto.offset.reset`",
        "`start`, or the field of a stream. It counts once: if Kafka deletes offsets later, the run ends. The next "
        "deploy names them and offers to continue without them (on_state skip_lost).",
    ),
    (
        "`deserialization.exception.handler`, `processing.exception.handler`, `production.exception.handler`; "
        "formerly `default.deserialization.exception.handler`, `default.production.exception.handler`",
        "`deserialization`, `processing`, `production`. fail is LogAndFail, skip is LogAndContinue. Nodes can "
        "override this.",
    ),
    (
        "`processing.exception.handler.global.enabled`",
        "Not needed: a global table only stores its rows. `deserialization` decides about rows that cannot be decoded.",
    ),
    (
        "`errors.dead.letter.queue.topic.name`",
        "`dead_letter_topic`",
    ),
    (
        "`dsl.store.suppliers.class`, `default.dsl.store`",
        "The store field of windowed_by, the only place where results depend on it.",
    ),
    (
        "`dsl.store.format`",
        "Not needed: both formats give the same results and headers. max_bytes of suppress counts as with DEFAULT.",
    ),
    (
        "the changelog topics, `withLoggingEnabled` and `withLoggingDisabled`",
        "Not needed: no topic is made, because the checkpoint holds the changelog of the state. To get a table's "
        "changes in a compacted topic, add to_stream and to.",
    ),
    (
        "`enable.transactional.statestores`, `statestore.uncommitted.max.bytes`, "
        "`default.interactive.query.isolation.level`",
        "Not needed: after a crash the state is that of the last committed batch. Queries show committed rows only.",
    ),
    (
        "`rocksdb.config.setter`",
        "Not needed: there is no RocksDB to tune. The system pages memory-mapped files in and out, and "
        "`memory_limit_mb` bounds what the processes hold themselves.",
    ),
    (
        "`state.dir`",
        "`STREAMWRIGHT_HOME` of the server.",
    ),
    (
        "`isolation.level` of the consumer",
        "Always read_committed.",
    ),
    (
        "`acks`, `enable.idempotence` of the producer",
        "Always all and true.",
    ),
    (
        "`max.task.idle.ms`, `buffered.records.per.partition`",
        "Not needed: a batch has its records before it starts. `records_per_batch` and `batch_size_mb` bound it.",
    ),
    (
        "`num.standby.replicas`, `acceptable.recovery.lag`, `max.warmup.replicas`, `probing.rebalance.interval.ms`",
        "Not needed: a job is one run on one host. Its state is restored from its checkpoint.",
    ),
    (
        "`replication.factor`",
        "A topic that a deploy makes gets the cluster's default. A topic created in the inspector gets what its "
        "field says.",
    ),
    (
        "`topology.optimization`",
        "Not needed: a topology is never optimised.",
    ),
    (
        "`topology.description.push.enabled`",
        "Not needed: no description goes to brokers. The deploy dialog and the command describe show it.",
    ),
    (
        "`application.server`",
        "Not needed: one API serves all jobs.",
    ),
    (
        "`task.timeout.ms`, `retry.backoff.ms`",
        "Not needed: a job waits for a silent Kafka. A failed run is retried at growing intervals.",
    ),
    (
        "`group.protocol`, `session.timeout.ms`, `upgrade.from`",
        "Not needed: there is no consumer group that could rebalance. A new version takes over named state that still "
        "fits.",
    ),
)
"""Names of Kafka Streams, and their equivalents. docs/semantics.md has the same table."""
