"""What becomes of Kafka Streams' configurations here (StreamsConfig), for those who know them."""

from __future__ import annotations

STREAMS_SETTINGS: tuple[tuple[str, str], ...] = (
    (
        "`application.id`",
        "the id that the first deploy fixes, behind the prefix of the server or cluster; names the group of the "
        "offsets, the transactions and the state",
    ),
    (
        "`bootstrap.servers`, `security.protocol`, `sasl.mechanism`, `sasl.jaas.config`, `ssl.*`",
        "the cluster that is chosen for the topology, as the page Clusters has it; certificates and keys as PEM",
    ),
    (
        "`processing.guarantee`",
        "`guarantee`; exactly_once is the default, and what exactly_once_v2 and exactly_once_beta are taken for",
    ),
    (
        "`commit.interval.ms`",
        "`batch_interval_ms`: each batch commits",
    ),
    (
        "`num.stream.threads`",
        "`slots`",
    ),
    (
        "`num.partitions` of repartition topics",
        "`tasks`, or the field of `repartition`",
    ),
    (
        "`statestore.cache.max.bytes`, `cache.max.bytes.buffering`",
        "`cache`, on or off: a batch is flushed as a whole, so a size would have no effect",
    ),
    (
        "`default.key.serde`, `default.value.serde`",
        "nothing to set: a source whose format fields are empty has the formats that its topic's records show (one "
        "without records: text keys, JSON values), a sink those of what arrives; the fields of either say otherwise",
    ),
    (
        "`default.timestamp.extractor`",
        "the timestamp field of each source",
    ),
    (
        "`auto.offset.reset`",
        "`start`, or the field of a stream. It counts once: offsets that are gone later end the run; the next deploy "
        "says which and offers to go on without them, by the same start (on_state skip_lost)",
    ),
    (
        "`deserialization.exception.handler`, `processing.exception.handler`, `production.exception.handler`; formerly "
        "`default.deserialization.exception.handler`, `default.production.exception.handler`",
        "`deserialization`, `processing`, `production`: fail is LogAndFail, skip is LogAndContinue; nodes may say "
        "otherwise",
    ),
    (
        "`processing.exception.handler.global.enabled`",
        "nothing: a GlobalKTable only stores its rows, and those that cannot be decoded follow `deserialization`",
    ),
    (
        "`errors.dead.letter.queue.topic.name`",
        "`dead_letter_topic`",
    ),
    (
        "`dsl.store.suppliers.class`, `default.dsl.store`",
        "the store field of windowed_by, the only place where results depend on it",
    ),
    (
        "`dsl.store.format`",
        "nothing: both formats give the same results with the same headers; max_bytes of suppress counts as with "
        "DEFAULT",
    ),
    (
        "the changelog topics, `withLoggingEnabled` and `withLoggingDisabled`",
        "nothing: no topic is made; the changelog of a state lies in the checkpoint. To get a table's "
        "changes in a topic, add to_stream and to behind it, into a compacted topic",
    ),
    (
        "`enable.transactional.statestores`, `statestore.uncommitted.max.bytes`, "
        "`default.interactive.query.isolation.level`",
        "nothing: after a crash the state is that of the last committed batch, and queries show committed rows only",
    ),
    (
        "`rocksdb.config.setter`",
        "nothing: there is no RocksDB to tune. Rows lie in memory-mapped files that the system pages in and out; "
        "`memory_limit_mb` bounds what the processes hold themselves",
    ),
    (
        "`state.dir`",
        "`STREAMWRIGHT_HOME` of the server",
    ),
    (
        "`isolation.level` of the consumer",
        "always read_committed",
    ),
    (
        "`acks`, `enable.idempotence` of the producer",
        "always all and true",
    ),
    (
        "`max.task.idle.ms`, `buffered.records.per.partition`",
        'nothing: a batch has its records before it starts ("catching up" above); `records_per_batch` bounds it',
    ),
    (
        "`num.standby.replicas`, `acceptable.recovery.lag`, `max.warmup.replicas`, `probing.rebalance.interval.ms`",
        "nothing: a job is one run on one host, its state comes back from its checkpoint",
    ),
    (
        "`replication.factor`",
        "a topic that a deploy makes gets the cluster's default; one created from its field in the "
        "inspector gets what is set there",
    ),
    (
        "`topology.optimization`",
        "nothing: never optimised",
    ),
    (
        "`topology.description.push.enabled`",
        "nothing: no description goes to brokers; the deploy dialog and manage.py describe show it",
    ),
    (
        "`application.server`",
        "nothing: one API for all jobs",
    ),
    (
        "`task.timeout.ms`, `retry.backoff.ms`",
        "nothing: a job waits for a silent Kafka, and a failed run is retried at growing intervals",
    ),
    (
        "`group.protocol`, `session.timeout.ms`, `upgrade.from`",
        "nothing: there is no consumer group that could rebalance, and a new version takes over named state "
        "that still fits",
    ),
)
"""Names as Kafka Streams has them, and what stands for them. docs/semantics.md has the same table."""
