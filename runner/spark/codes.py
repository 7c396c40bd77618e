"""Codes of failed runs, and of what control refuses for the same reason."""

from designer.refusal_codes import RefusalCode


class RunCode(RefusalCode):
    """Codes of failed runs, and of what control refuses for the same reason."""

    KAFKA_WRITE_FAILED = ("kafka.write_failed", "Kafka did not accept the results of a batch.")
    TOPIC_RECREATED = ("topic.recreated", "A topic was deleted and created again since the job began to read it.")
    TOPIC_SHRUNK = ("topic.shrunk", "A topic has fewer partitions than before.")
    OFFSETS_LOST = ("offsets.lost", "Kafka deleted records before the job read them.")
    RECORD_UNDELIVERABLE = ("record.undeliverable", "A node could not write a record to its topic.")
    RECORDS_REFUSED = ("records.refused", "The broker refused too many records of a batch.")
    SCHEMA_UNKNOWN = ("schema.unknown", "A record is written with a schema that the run does not know yet.")
    SPARK_NO_IMAGE = ("spark.no_image", "The Spark cluster does not name the image of its executors.")
    SPARK_NO_EXECUTOR = ("spark.no_executor", "The Spark cluster started no executor in time.")
    SPARK_UNREACHABLE = ("spark.unreachable", "The Spark master does not answer.")
    SPARK_REFUSED = ("spark.refused", "The Spark master does not accept the run.")
    SPARK_VERSION = ("spark.version", "A host of the Spark cluster has another version of Spark.")
    SPARK_PYTHON = ("spark.python", "A worker host lacks the Python that the run needs.")
    SPARK_PACKAGES = ("spark.packages", "A worker host could not import the packages of Streamwright.")
    SPARK_EXECUTOR_MEMORY = ("spark.executor_memory", "An executor was killed because it used too much memory.")
    SPARK_WORKER_DIED = ("spark.worker_died", "A Python worker ended early.")
    SPARK_WORKER_LATE = ("spark.worker_late", "A Python worker did not start in time.")
    PLAN_INVALID = ("plan.invalid", "The plan of the run cannot be read.")
    RUN_FAILED = ("run.failed", "The run failed. Its message and its log have the cause.")
    RUN_CLOCK_SET_BACK = ("run.clock_set_back", "The clock of the host was set back. The run is started again.")
    RUN_DISK_BROKEN = ("run.disk_broken", "A disk cannot be read or written.")
    RUN_DISK_FULL = ("run.disk_full", "A disk is full.")
    RUN_OUT_OF_MEMORY = ("run.out_of_memory", "The memory of the run is full.")
    ADOPTED_NOT_READY = ("adopted.not_ready", "The Kafka Streams application cannot be taken over as it is now.")
    ADOPTED_GROWN = ("adopted.grown", "The Kafka Streams application has gone on since it was to be taken over.")
    ADOPTED_UNREADABLE = ("adopted.unreadable", "A changelog of the Kafka Streams application cannot be read.")
    RUN_FENCED = ("run.fenced", "A newer run of the job is writing, or another job with its application id.")
    TRANSACTION_OVERDUE = ("transaction.overdue", "Kafka ended a transaction that was open for too long.")
    RUN_LEASE_LOST = ("run.lease_lost", "The run could not renew its lease.")
    CHECKPOINT_DAMAGED = ("checkpoint.damaged", "A checkpoint file has changed since it was written.")
    CHECKPOINT_NOT_MOVED = ("checkpoint.not_moved", "The checkpoint could not be copied to its new place.")
    CHECKPOINT_OLDER = ("checkpoint.older", "The checkpoint is older than the results in Kafka.")
    CHECKPOINT_TAKEN = ("checkpoint.taken", "The checkpoint folder belongs to another product.")
    CHECKPOINT_UNREACHABLE = ("checkpoint.unreachable", "The file system of the checkpoint does not answer.")
    CHECKPOINT_UNREADABLE = ("checkpoint.unreadable", "The checkpoint cannot be read.")
    CHECKPOINT_UNWRITTEN = ("checkpoint.unwritten", "Spark did not record the end of a batch in time.")
    MARKER_BEHIND = ("marker.behind", "Kafka holds fewer results than the checkpoint says.")
    MARKER_CLOSED = ("marker.closed", "A later version of the job has taken over, or wrote after it did.")
    MARKER_MISMATCH = ("marker.mismatch", "Kafka holds a batch with other offsets or settings.")
    MARKER_MISSING = ("marker.missing", "Kafka has no marker, though the checkpoint has batches.")
    MARKER_OTHER_QUERY = ("marker.other_query", "Another checkpoint wrote the last results.")
    MARKER_UNREADABLE = ("marker.unreadable", "The marker in Kafka cannot be read.")
    STATE_NOT_CONVERTED = (
        "state.not_converted",
        "A value of a kept store cannot be read as the new version declares it.",
    )
    STATE_CONTENDED = ("state.contended", "Another run uses the same state.")
    STATE_UNKNOWN_CODEC = ("state.unknown_codec", "Another version wrote the state in an unknown format.")
    QUERY_UNREADABLE = ("query.unreadable", "The rows of the store cannot be read now.")
    FOLLOW_NOT_KEPT = ("follow.not_kept", "The state before the batch is no longer kept.")
    TRIAL_FAILED = ("trial.failed", "The process of the trial ended without an answer.")
