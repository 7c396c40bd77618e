"""Codes of refusals about clusters, hosts and jobs."""

from designer.refusal_codes import RefusalCode


class ControlCode(RefusalCode):
    """Codes of refusals about clusters, hosts and jobs."""

    QUOTA_EXCEEDED = ("quota.exceeded", "The request exceeds a limit of the server.")
    KAFKA_ACL_MISSING = ("kafka.acl_missing", "The user of the cluster lacks rights that the job needs.")
    TOPIC_INTERNAL = ("topic.internal", "Only Kafka or Streamwright may write to the topic.")
    LOAD_BAD_ROW = ("load.bad_row", "A row of the file cannot be loaded.")
    CLUSTER_SECRET_LOST = ("cluster.secret_lost", "The server has no key to read a secret of the cluster.")
    AGENT_MISSING = ("agent.missing", "No host has an agent that could take the run.")
    AGENT_LEFT = ("agent.left", "The agent stopped, and the run did not end in time.")
    HOST_AWAY = ("host.away", "The host with the job's checkpoint has no agent.")
    HOST_LOST = ("host.lost", "The host of the run no longer has an agent.")
    HOST_OUTDATED = ("host.outdated", "The host has another version of Streamwright.")
    SPARK_BAD_CLUSTER = ("spark.bad_cluster", "The settings do not describe a Spark cluster.")
    SPARK_UNFIT = ("spark.unfit", "The Spark cluster cannot execute a run.")
    SPARK_NO_SHARED_FOLDER = ("spark.no_shared_folder", "The Spark cluster has no checkpoint folder for all hosts.")
    JOB_BAD_SETTINGS = ("job.bad_settings", "A setting of the job is unknown or out of its range.")
    JOB_STILL_RUNS = ("job.still_runs", "The job is not stopped.")
    DEPLOY_STATE_WOULD_BE_LOST = ("deploy.state_would_be_lost", "The new version cannot keep all state.")
    DEPLOY_BATCH_IN_PART = ("deploy.batch_in_part", "Only the version that began a batch can end it.")
    DEPLOY_OFFSETS_LOST = ("deploy.offsets_lost", "Kafka deleted records that the job has not read.")
    DEPLOY_SCHEMAS_REFUSED = ("deploy.schemas_refused", "The schema registry does not accept the schemas of a sink.")
    DEPLOY_CHECKPOINT_DAMAGED = ("deploy.checkpoint_damaged", "The job's checkpoint is damaged.")
    EPOCH_UNCLEAN = ("epoch.unclean", "State and results of the last run do not end at the same batch.")
    RUN_MEMORY_LIMIT = ("run.memory_limit", "The run took more memory than its limit.")
    RUN_KILLED = ("run.killed", "A user killed the run.")
    RUN_NOT_TAKEN = ("run.not_taken", "The run's supervisor ended before it took the run.")
    RUN_PROCESS_DIED = ("run.process_died", "The process of the run ended without a message.")
    RUN_SILENT = ("run.silent", "The run reported nothing for too long.")
    RUN_STUCK = ("run.stuck", "A batch took much longer than those before it.")
    CHECKPOINT_BEYOND_REPAIR = ("checkpoint.beyond_repair", "The damaged checkpoint cannot be repaired.")
