"""Calls to Kafka that come back late, never, or with an error."""

from __future__ import annotations

from threading import Event

import pytest
from confluent_kafka import KafkaError, KafkaException

from runner.spark.sink.patience import call_within


def test_an_answer_in_time_is_given():
    assert call_within(60, lambda: "here") == "here"


def test_an_error_is_that_of_the_call():
    with pytest.raises(ZeroDivisionError):
        call_within(60, lambda: 1 // 0)


def test_a_call_that_never_comes_back_is_left_behind():
    never = Event()
    with pytest.raises(KafkaException) as caught:
        call_within(0.05, never.wait)
    assert caught.value.args[0].code() == KafkaError._TIMED_OUT
    never.set()
