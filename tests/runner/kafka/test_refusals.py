"""What Kafka's errors mean for a run: some end by themselves, and a run is then tried again."""

from __future__ import annotations

import pytest
from confluent_kafka import KafkaError

from runner.control.jobs.restart_policy import OUTAGES
from runner.kafka.refusals import NO_LEADER, KafkaUnreachable, make_refusal
from runner.spark.failures import of_refusal


@pytest.mark.parametrize(
    "code",
    [
        KafkaError.OFFSET_NOT_AVAILABLE,
        KafkaError.NOT_LEADER_FOR_PARTITION,
        KafkaError.REPLICA_NOT_AVAILABLE,
        KafkaError.KAFKA_STORAGE_ERROR,
        KafkaError.NOT_ENOUGH_REPLICAS,
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
        KafkaError.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        KafkaError.NOT_CONTROLLER,
        KafkaError.NETWORK_EXCEPTION,
        KafkaError.REQUEST_TIMED_OUT,
        KafkaError.THROTTLING_QUOTA_EXCEEDED,
    ],
)
def test_errors_while_a_broker_restarts_end_no_job(code: int) -> None:
    refusal = make_refusal(KafkaError(code), [], "a:9092,b:9092", "local")

    assert isinstance(refusal, KafkaUnreachable)
    assert refusal.message.startswith("Kafka at a:9092,b:9092 cannot do this at the moment: ")
    assert of_refusal(refusal).retriable
    assert refusal.code in OUTAGES


@pytest.mark.parametrize("code", [KafkaError._TRANSPORT, KafkaError._DESTROY])
def test_a_broker_that_stops_under_a_request_does_not_answer(code: int) -> None:
    refusal = make_refusal(KafkaError(code), [], "a:9092", "local")

    assert isinstance(refusal, KafkaUnreachable)
    assert refusal.message == "Kafka does not answer at a:9092."


def test_offsets_are_asked_for_again_until_a_new_leader_knows_them() -> None:
    assert KafkaError.OFFSET_NOT_AVAILABLE in NO_LEADER


def test_an_error_that_stays_is_not_tried_again() -> None:
    refusal = make_refusal(KafkaError(KafkaError.INVALID_PARTITIONS), [], "a:9092", "local")

    assert not isinstance(refusal, KafkaUnreachable)
    assert not of_refusal(refusal).retriable
