"""Codes of refusals by a Kafka cluster."""

from designer.refusal_codes import RefusalCode


class KafkaCode(RefusalCode):
    """Codes of refusals by a Kafka cluster."""

    KAFKA_UNREACHABLE = ("kafka.unreachable", "Kafka does not answer.")
    KAFKA_NOT_ALLOWED = ("kafka.not_allowed", "Kafka does not allow the cluster's user to do this.")
    TOPIC_MISSING = ("topic.missing", "A topic does not exist.")
    TOPIC_NOT_CHANGED = ("topic.not_changed", "Kafka did not accept the change to the topic.")
    CLUSTER_BAD_CONNECTION = ("cluster.bad_connection", "The settings cannot connect to any broker.")
    CLUSTER_SETTING_NOT_ALLOWED = ("cluster.setting_not_allowed", "A cluster may not have this setting.")
