"""What a run says when Kafka does not commit its batch."""

from __future__ import annotations

from confluent_kafka import KafkaError, KafkaException

from runner.spark.sink.writing import make_not_written


def test_topics_that_are_gone_are_named() -> None:
    words = (
        "Failed to commit offsets to transaction on broker kafka:9092/1: "
        "planes((null))[0](Broker: Unknown topic or partition), planes((null))[1](Broker: Unknown topic or partition) "
        "(after 11ms)"
    )

    failure = make_not_written(7, KafkaException(KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART, words)))

    assert failure.message == "Batch 7 could not be written: Kafka no longer has `planes`."
    assert failure.hint.startswith("Create the topic again")


def test_other_refusals_keep_the_words_of_kafka() -> None:
    failure = make_not_written(7, KafkaException(KafkaError(KafkaError._TIMED_OUT, "Local: Timed out")))

    assert failure.message == "Batch 7 could not be written: Local: Timed out."
