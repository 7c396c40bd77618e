"""Reasons why Kafka cannot be reached, and the meanings of its errors."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from concurrent.futures import Future
from typing import Any, TypeVar

from confluent_kafka import KafkaError, KafkaException

from designer.refusals import Refusal
from runner.kafka.codes import KafkaCode

T = TypeVar("T")
NO_LEADER = frozenset(
    {KafkaError.NOT_LEADER_FOR_PARTITION, KafkaError.LEADER_NOT_AVAILABLE, KafkaError._NOENT}
    | {KafkaError.FENCED_LEADER_EPOCH, KafkaError.UNKNOWN_LEADER_EPOCH}
    | {KafkaError.OFFSET_NOT_AVAILABLE, KafkaError.REPLICA_NOT_AVAILABLE, KafkaError.KAFKA_STORAGE_ERROR}
)
"""Errors of a partition while its leader changes: the old one has gone, or the new one is not ready."""
NO_COORDINATOR = frozenset(
    {KafkaError.COORDINATOR_NOT_AVAILABLE, KafkaError.NOT_COORDINATOR, KafkaError.COORDINATOR_LOAD_IN_PROGRESS}
)
AUTHORIZATION_ERRORS = frozenset(
    {KafkaError.TOPIC_AUTHORIZATION_FAILED, KafkaError.GROUP_AUTHORIZATION_FAILED}
    | {KafkaError.CLUSTER_AUTHORIZATION_FAILED, KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED}
)
BUSY = (
    NO_LEADER
    | NO_COORDINATOR
    | frozenset(
        {KafkaError.NETWORK_EXCEPTION, KafkaError.BROKER_NOT_AVAILABLE, KafkaError.LISTENER_NOT_FOUND}
        | {KafkaError.NOT_ENOUGH_REPLICAS, KafkaError.NOT_ENOUGH_REPLICAS_AFTER_APPEND, KafkaError.NOT_CONTROLLER}
        | {KafkaError.ELIGIBLE_LEADERS_NOT_AVAILABLE, KafkaError.PREFERRED_LEADER_NOT_AVAILABLE}
        | {KafkaError.UNSTABLE_OFFSET_COMMIT, KafkaError.CONCURRENT_TRANSACTIONS}
        | {KafkaError.THROTTLING_QUOTA_EXCEEDED, KafkaError.REBALANCE_IN_PROGRESS, KafkaError.REQUEST_TIMED_OUT}
    )
)
"""Errors that end by themselves, as after a broker has stopped (the RetriableExceptions of Kafka's protocol).

The two of topics that brokers do not know are not here: such a topic may be gone for good.
"""
SILENCE = frozenset(
    {KafkaError._TRANSPORT, KafkaError._TIMED_OUT, KafkaError._ALL_BROKERS_DOWN, KafkaError._RESOLVE}
    | {KafkaError._TIMED_OUT_QUEUE, KafkaError._AUTHENTICATION}
    | {KafkaError._DESTROY}  # the broker went away under the request
)


class KafkaUnreachable(Refusal):
    """No broker of the cluster answered in time."""

    code = KafkaCode.KAFKA_UNREACHABLE
    status = 503


class TopicMissing(Refusal):
    """A required topic does not exist."""

    code = KafkaCode.TOPIC_MISSING
    status = 422


class NotAllowed(Refusal):
    """The cluster's user may not do this."""

    code = KafkaCode.KAFKA_NOT_ALLOWED
    status = 403

    def __init__(self, words: str, hint: str = "Give the user the right to read and write the job's topics.") -> None:
        super().__init__(f"Kafka denied access to this cluster's user: {words}.", hint)


class SettingNotAllowed(Refusal):
    code = KafkaCode.CLUSTER_SETTING_NOT_ALLOWED
    status = 422


class BadConnection(Refusal):
    """Settings of a connection that cannot work with any broker, such as an invalid certificate."""

    code = KafkaCode.CLUSTER_BAD_CONNECTION
    status = 422


def make_bad_connection(error: KafkaError, name: str) -> BadConnection:
    """librdkafka's objection to the settings of cluster `name`, without its codes."""
    reason = re.sub(r"^Failed to create admin client: |error:\w+:\w+ routines::", "", error.str()).rstrip(".")
    return BadConnection(f"The settings of cluster `{name}` cannot be used: {reason}.", "Correct them.")


def make_refusal(error: KafkaError, errors: Iterable[KafkaError], servers: str, name: str) -> Refusal:
    """A request to cluster `name` was refused with this error. `errors`: librdkafka's messages, newest last."""
    if error.code() in SILENCE:
        return _make_unreachable(errors, servers, name)
    if error.code() in BUSY:
        return KafkaUnreachable(
            f"Kafka at {servers} cannot do this at the moment: {error.str().rstrip('.')}.",
            "Check that all its brokers run. Then try again. A run is started again automatically.",
        )
    if error.code() in AUTHORIZATION_ERRORS:
        return NotAllowed(error.str())
    return Refusal(f"Kafka at {servers} refused: {error.str().rstrip('.')}.", "See the broker's log for the reason.")


def _make_unreachable(errors: Iterable[KafkaError], servers: str, name: str) -> KafkaUnreachable:
    """No one answers. If librdkafka heard why a broker refuses, the refusal gives that reason."""
    reasons = [reason for error in errors if (reason := _find_reason(error))]
    if not reasons:
        return KafkaUnreachable(
            f"Kafka does not answer at {servers}.",
            f"Start Kafka there, or correct the address or the security protocol of cluster `{name}`.",
        )
    return KafkaUnreachable(
        f"Streamwright cannot connect to Kafka at {servers}: {reasons[-1]}.",
        f"Correct the address, the security protocol, the user or the certificates of cluster `{name}`.",
    )


def _find_reason(error: KafkaError) -> str | None:
    """Why a broker and this client do not agree, without librdkafka's names and times. None if the broker is silent."""
    text = error.str()
    if error.code() not in (KafkaError._AUTHENTICATION, KafkaError._SSL, KafkaError._RESOLVE) and "SSL" not in text:
        return None
    return re.sub(r"^\S+: | \(after .*$", "", text).strip().rstrip(".:")


def allow_error(future: Future[T], code: int) -> T | None:
    """The result of an answer, or None if it is the expected error."""
    try:
        return future.result()
    except KafkaException as error:
        if error.args[0].code() == code:
            return None
        raise


def is_denied(future: Future[T], *codes: int) -> bool:
    """True if the answer says that the user may not. Raises other errors unless they have one of the `codes`."""
    try:
        future.result()
    except KafkaException as error:
        code = error.args[0].code()
        if code not in AUTHORIZATION_ERRORS and code not in codes:
            raise
        return code in AUTHORIZATION_ERRORS
    return False


def get_allowed(future: Future[Any], unknown: Collection[int]) -> frozenset[str] | None:
    """The operations that a description allows, such as `DescribeConfigs`. None after one of the errors `unknown`."""
    try:
        operations = future.result().authorized_operations
    except KafkaException as error:
        if error.args[0].code() in AUTHORIZATION_ERRORS:
            return frozenset()
        if error.args[0].code() in unknown:
            return None
        raise
    return frozenset(each.name.title().replace("_", "") for each in operations)
