"""Talks to a Kafka cluster, for runs and for the web. It imports confluent-kafka, but not Django, Spark or the engine.

Begin with `cluster.py`: it answers what jobs ask about topics. A refusal of Kafka raises an exception of `refusals.py`.

- `settings`: the connection settings that users may set, and which ones are secret.
- `reader`, `reading`: records of a topic as bytes, and the offsets of a time.
- `inquiries`, `applications`, `wire`: questions that confluent-kafka cannot ask.
- `acls`, `administering`: ACLs and topics, for administrators of a cluster.
- `values`: the plain answers.
"""

from runner.kafka.applications import describe_topology
from runner.kafka.cluster import KafkaCluster
from runner.kafka.inquiries import (
    OpenTransaction,
    find_certificate_ends,
    find_transactional_ids,
    list_group_states,
    measure_topics,
    open_transaction,
)
from runner.kafka.reader import Place, TopicReader, read_records_at
from runner.kafka.refusals import (
    AUTHORIZATION_ERRORS,
    BadConnection,
    KafkaUnreachable,
    NotAllowed,
    SettingNotAllowed,
    TopicMissing,
)
from runner.kafka.settings import OAUTHBEARER, SECRETS, SETTINGS, check_allowed
from runner.kafka.values import Brokers, CommittedOffset, Message, Topic, read_cleanup, read_limit
from runner.kafka.wire import BrokerError

__all__ = [
    "AUTHORIZATION_ERRORS",
    "OAUTHBEARER",
    "SECRETS",
    "SETTINGS",
    "BadConnection",
    "BrokerError",
    "Brokers",
    "CommittedOffset",
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
    "check_allowed",
    "describe_topology",
    "find_certificate_ends",
    "find_transactional_ids",
    "list_group_states",
    "measure_topics",
    "open_transaction",
    "read_cleanup",
    "read_limit",
    "read_records_at",
]
