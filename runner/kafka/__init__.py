"""How a Kafka cluster is spoken to, with confluent-kafka and without Django."""

from runner.kafka.cluster import KafkaCluster
from runner.kafka.inquiries import OpenTransaction, certificate_ends, open_transaction, sizes
from runner.kafka.reader import Place, TopicReader, records_at
from runner.kafka.refusals import (
    NOT_ALLOWED,
    BadConnection,
    KafkaUnreachable,
    NotAllowed,
    SettingNotAllowed,
    TopicMissing,
)
from runner.kafka.settings import OAUTHBEARER, SECRETS, SETTINGS, check_allowed
from runner.kafka.values import Brokers, Committed, Message, Topic
from runner.kafka.wire import BrokerError

__all__ = [
    "NOT_ALLOWED",
    "OAUTHBEARER",
    "SECRETS",
    "SETTINGS",
    "BadConnection",
    "BrokerError",
    "Brokers",
    "Committed",
    "KafkaCluster",
    "KafkaUnreachable",
    "Message",
    "NotAllowed",
    "OpenTransaction",
    "Place",
    "SettingNotAllowed",
    "Topic",
    "TopicMissing",
    "TopicReader",
    "certificate_ends",
    "check_allowed",
    "open_transaction",
    "records_at",
    "sizes",
]
