"""Speaks to a Kafka cluster, for runs and for the web. It imports confluent-kafka, and no Django, Spark or engine.

Begin with `cluster.py`: it answers what jobs ask about topics. What Kafka refuses is raised as one of `refusals.py`.

- `settings`: what users may set of a connection, and what of it is secret.
- `reader`, `reading`: records of a topic as bytes, and the offsets of a time.
- `inquiries`, `wire`: questions that confluent-kafka cannot ask.
- `acls`, `administering`: what administrators of a cluster see and change.
- `values`: the plain answers.
"""

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
