"""Codes for refused requests and failed runs. Programs and the page compare them, and stored failures keep them."""

from __future__ import annotations

from enum import StrEnum


class RefusalCode(StrEnum):
    """What kind of refusal or failure it is. `meaning` says it in general, the message with names and numbers."""

    meaning: str

    def __new__(cls, code: str, meaning: str = "") -> RefusalCode:
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    @classmethod
    def _missing_(cls, value: object) -> RefusalCode:
        """Another version of the product may have stored or sent the code."""
        return cls.UNKNOWN

    UNKNOWN = ("unknown", "Another version of Streamwright gave the code, and this one does not know it.")

    # any request
    REFUSED = ("refused", "The server cannot execute the request as it is.")
    NOT_SIGNED_IN = ("not_signed_in", "The request has no session and no token.")
    FORBIDDEN = ("forbidden", "The request is not from a page of this server.")
    NOT_FOUND = ("not_found", "There is no such address, or nothing has this name or id.")
    NOT_ALLOWED = ("not_allowed", "The address does not accept this method.")
    CONFLICT = ("conflict", "The resource is not in the state that the request needs.")
    FAILED = ("failed", "The server failed. Its log has the cause.")
    ADDRESS_REFUSED = ("address.refused", "The server makes no request to this address.")
    REQUEST_MALFORMED = ("request.malformed", "The body or the query does not fit the schema. `places` says where.")
    REQUEST_MEDIA_TYPE = ("request.media_type", "The API takes JSON only.")
    REQUEST_NOT_JSON = ("request.not_json", "The body is not valid JSON.")
    REQUEST_TOO_MUCH = ("request.too_much", "The body is too long, or nested too deep.")
    REQUEST_TOO_SLOW = ("request.too_slow", "The body did not arrive in time.")
    REQUEST_UNWRITABLE = ("request.unwritable", "The body has values that cannot be stored.")

    # rights of users
    RIGHTS_MISSING = ("rights.missing", "The user's role in the project does not allow it.")
    RIGHTS_UNKNOWN = ("rights.unknown", "No route says who may call the address.")
    QUOTA_EXCEEDED = ("quota.exceeded", "The request exceeds a limit of the server.")
    CODE_NOT_PERMITTED = ("code.not_permitted", "The user may not run Python.")
    TOKEN_UNKNOWN = ("token.unknown", "There is no such token, or it has expired.")
    PASSWORD_REFUSED = ("password.refused", "The old password is wrong, or the new one is easy to guess.")
    LOGIN_TOO_MANY = ("login.too_many", "There were too many tries to sign in.")
    LOGIN_UNAVAILABLE = ("login.unavailable", "Redis, which counts tries to sign in, does not answer.")
    PROVIDER_REFUSED = ("provider.refused", "The identity provider's user may not sign in here.")
    PROVIDER_UNREACHABLE = ("provider.unreachable", "The identity provider gave no valid OpenID Connect answer.")
    METRICS_OFF = ("metrics.off", "No token for the metrics is set.")
    METRICS_NOT_PERMITTED = ("metrics.not_permitted", "The token for the metrics is missing or wrong.")
    VIEWERS_TOO_MANY = ("viewers.too_many", "Too many viewers follow topics or logs.")

    # topologies and their test cases
    GRAPH_MALFORMED = ("graph.malformed", "The JSON is not a graph.")
    CHECK_TOO_COSTLY = ("check.too_costly", "The check of the graph takes too much time or memory.")
    TOPOLOGY_HAS_ISSUES = ("topology.has_issues", "The graph has issues. `issues` lists them.")
    TOPOLOGY_LOOPS = ("topology.loops", "Records would return to a sub-topology that they have left.")
    DESCRIPTION_MALFORMED = ("description.malformed", "The text is not a description that Kafka Streams prints.")
    CASE_TOO_MANY = ("case.too_many", "The topology would have too many test cases, or too long ones.")
    CASE_TOO_MUCH_LEFT = ("case.too_much_left", "The test case gives more records than can be compared.")
    CASE_NOT_TRIED = ("case.not_tried", "The records of the test case cannot be tried.")
    TRIAL_BAD_LINE = ("trial.bad_line", "A line is not a record.")
    TRIAL_BUSY = ("trial.busy", "Too many trials are waiting for their turn.")
    TRIAL_FAILED = ("trial.failed", "The process of the trial ended without an answer.")
    TRIAL_NOT_ENCODED = ("trial.not_encoded", "A record of the trial does not fit the format of its topic.")

    # Kafka, its topics and records
    KAFKA_UNREACHABLE = ("kafka.unreachable", "Kafka does not answer.")
    KAFKA_NOT_ALLOWED = ("kafka.not_allowed", "Kafka does not allow the cluster's user to do this.")
    KAFKA_ACL_MISSING = ("kafka.acl_missing", "The user of the cluster lacks rights that the job needs.")
    KAFKA_WRITE_FAILED = ("kafka.write_failed", "Kafka did not accept the results of a batch.")
    TOPIC_MISSING = ("topic.missing", "A topic does not exist.")
    TOPIC_INTERNAL = ("topic.internal", "Only Kafka or Streamwright may write to the topic.")
    TOPIC_NOT_CHANGED = ("topic.not_changed", "Kafka did not accept the change to the topic.")
    TOPIC_RECREATED = ("topic.recreated", "A topic was deleted and created again since the job began to read it.")
    TOPIC_SHRUNK = ("topic.shrunk", "A topic has fewer partitions than before.")
    OFFSETS_LOST = ("offsets.lost", "Kafka deleted records before the job read them.")
    RECORD_FAILED = ("record.failed", "A record failed, and the job's settings say that the run then fails.")
    RECORD_NOT_BASE64 = ("record.not_base64", "The text is not base64.")
    RECORD_NOT_ENCODED = ("record.not_encoded", "The text does not fit the format of the key or the value.")
    RECORD_NOT_PRODUCED = ("record.not_produced", "Kafka did not accept the record.")
    RECORD_UNDELIVERABLE = ("record.undeliverable", "A node could not write a record to its topic.")
    RECORDS_REFUSED = ("records.refused", "The broker refused too many records of a batch.")
    LOAD_BAD_ROW = ("load.bad_row", "A row of the file cannot be loaded.")

    # schema registries
    REGISTRY_BAD_CONNECTION = ("registry.bad_connection", "The settings cannot connect to a schema registry.")
    REGISTRY_MISSING = ("registry.missing", "The cluster has no schema registry.")
    REGISTRY_UNREACHABLE = ("registry.unreachable", "The schema registry does not answer.")
    REGISTRY_NOT_ALLOWED = ("registry.not_allowed", "The schema registry does not allow its user to do this.")
    REGISTRY_REFUSED = ("registry.refused", "The schema registry did not accept the request.")
    SCHEMA_BAD = ("schema.bad", "The text is no schema of its kind.")
    SCHEMA_UNKNOWN = ("schema.unknown", "A record is written with a schema that the run does not know yet.")
    SCHEMA_MISSING = ("schema.missing", "The schema registry has no such subject, version or schema.")

    # clusters and hosts
    CLUSTER_BAD_CONNECTION = ("cluster.bad_connection", "The settings cannot connect to any broker.")
    CLUSTER_SETTING_NOT_ALLOWED = ("cluster.setting_not_allowed", "A cluster may not have this setting.")
    CLUSTER_SECRET_LOST = ("cluster.secret_lost", "The server has no key to read a secret of the cluster.")
    AGENT_MISSING = ("agent.missing", "No host has an agent that could take the run.")
    AGENT_LEFT = ("agent.left", "The agent stopped, and the run did not end in time.")
    HOST_AWAY = ("host.away", "The host with the job's checkpoint has no agent.")
    HOST_LOST = ("host.lost", "The host of the run no longer has an agent.")
    HOST_OUTDATED = ("host.outdated", "The host has another version of Streamwright.")
    SPARK_BAD_CLUSTER = ("spark.bad_cluster", "The settings do not describe a Spark cluster.")
    SPARK_UNFIT = ("spark.unfit", "The Spark cluster cannot execute a run.")
    SPARK_NO_SHARED_FOLDER = ("spark.no_shared_folder", "The Spark cluster has no checkpoint folder for all hosts.")
    SPARK_NO_IMAGE = ("spark.no_image", "The Spark cluster does not name the image of its executors.")
    SPARK_NO_EXECUTOR = ("spark.no_executor", "The Spark cluster started no executor in time.")
    SPARK_UNREACHABLE = ("spark.unreachable", "The Spark master does not answer.")
    SPARK_REFUSED = ("spark.refused", "The Spark master does not accept the run.")
    SPARK_VERSION = ("spark.version", "A host of the Spark cluster has another version of Spark.")
    SPARK_PYTHON = ("spark.python", "A worker host lacks the Python that the run needs.")
    SPARK_PACKAGES = ("spark.packages", "A worker host could not import the packages of Streamwright.")
    SPARK_EXECUTOR_MEMORY = ("spark.executor_memory", "An executor was killed because it used too much memory.")
    SPARK_WORKER_DIED = ("spark.worker_died", "A Python worker ended early.")

    # jobs and their deploys
    JOB_BAD_SETTINGS = ("job.bad_settings", "A setting of the job is unknown or out of its range.")
    JOB_STILL_RUNS = ("job.still_runs", "The job is not stopped.")
    DEPLOY_STATE_WOULD_BE_LOST = ("deploy.state_would_be_lost", "The new version cannot keep all state.")
    DEPLOY_BATCH_IN_PART = ("deploy.batch_in_part", "Only the version that began a batch can end it.")
    DEPLOY_OFFSETS_LOST = ("deploy.offsets_lost", "Kafka deleted records that the job has not read.")
    DEPLOY_SCHEMAS_REFUSED = ("deploy.schemas_refused", "The schema registry does not accept the schemas of a sink.")
    DEPLOY_CHECKPOINT_DAMAGED = ("deploy.checkpoint_damaged", "The job's checkpoint is damaged.")
    EPOCH_UNCLEAN = ("epoch.unclean", "State and results of the last run do not end at the same batch.")
    PLAN_INVALID = ("plan.invalid", "The plan of the run cannot be read.")

    # runs, by how they fail
    RUN_FAILED = ("run.failed", "The run failed. Its message and its log have the cause.")
    RUN_DISK_BROKEN = ("run.disk_broken", "A disk cannot be read or written.")
    RUN_DISK_FULL = ("run.disk_full", "A disk is full.")
    RUN_OUT_OF_MEMORY = ("run.out_of_memory", "The memory of the run is full.")
    RUN_MEMORY_LIMIT = ("run.memory_limit", "The run took more memory than its limit.")
    RUN_FENCED = ("run.fenced", "A newer run of the job is writing.")
    RUN_KILLED = ("run.killed", "A user killed the run.")
    RUN_LEASE_LOST = ("run.lease_lost", "The run could not renew its lease.")
    RUN_NOT_TAKEN = ("run.not_taken", "The run's supervisor ended before it took the run.")
    RUN_PROCESS_DIED = ("run.process_died", "The process of the run ended without a message.")
    RUN_SILENT = ("run.silent", "The run reported nothing for too long.")
    RUN_STUCK = ("run.stuck", "A batch took much longer than those before it.")
    CODE_FAILED = ("code.failed", "Python of a node failed outside of any record.")
    CODE_NOT_ALLOWED = ("code.not_allowed", "The process does not run Python of users.")
    SUPPRESS_BUFFER_FULL = ("suppress.buffer_full", "The buffer of a suppress exceeds its limit.")

    # checkpoints, markers and state
    CHECKPOINT_BEYOND_REPAIR = ("checkpoint.beyond_repair", "The damaged checkpoint cannot be repaired.")
    CHECKPOINT_DAMAGED = ("checkpoint.damaged", "A checkpoint file has changed since it was written.")
    CHECKPOINT_NOT_MOVED = ("checkpoint.not_moved", "The checkpoint could not be copied to its new place.")
    CHECKPOINT_OLDER = ("checkpoint.older", "The checkpoint is older than the results in Kafka.")
    CHECKPOINT_TAKEN = ("checkpoint.taken", "The checkpoint folder belongs to another product.")
    CHECKPOINT_UNREACHABLE = ("checkpoint.unreachable", "The file system of the checkpoint does not answer.")
    CHECKPOINT_UNREADABLE = ("checkpoint.unreadable", "The checkpoint cannot be read.")
    CHECKPOINT_UNWRITTEN = ("checkpoint.unwritten", "Spark did not record the end of a batch in time.")
    MARKER_BEHIND = ("marker.behind", "Kafka holds fewer results than the checkpoint says.")
    MARKER_MISMATCH = ("marker.mismatch", "Kafka holds a batch with other offsets or settings.")
    MARKER_MISSING = ("marker.missing", "Kafka has no marker, though the checkpoint has batches.")
    MARKER_OTHER_QUERY = ("marker.other_query", "Another checkpoint wrote the last results.")
    MARKER_UNREADABLE = ("marker.unreadable", "The marker in Kafka cannot be read.")
    STATE_CONTENDED = ("state.contended", "Another run uses the same state.")
    STATE_UNKNOWN_CODEC = ("state.unknown_codec", "Another version wrote the state in an unknown format.")

    # data that users watch
    QUERY_NO_ANSWER = ("query.no_answer", "The run did not answer in time.")
    QUERY_REFUSED = ("query.refused", "The store does not support this query.")
    QUERY_UNREADABLE = ("query.unreadable", "The rows of the store cannot be read now.")
    FOLLOW_NOT_KEPT = ("follow.not_kept", "The state before the batch is no longer kept.")
    ALERTS_BAD_ADDRESS = ("alerts.bad_address", "A webhook may not go to this address.")
    ALERTS_BAD_CHANNEL = ("alerts.bad_channel", "The settings are not enough to send messages.")
    ALERTS_BAD_RULE = ("alerts.bad_rule", "The rule does not fit its kind of alert.")
    ALERTS_MAIL_OFF = ("alerts.mail_off", "No mail server is set.")
