"""Previews use the connections of earlier ones, unless these failed."""

import threading
import weakref

import pytest

from designer.refusals import HasIssues
from runner.kafka import KafkaCluster, TopicMissing
from runner.watch.trials.connections import MAX_IDLE, Connections
from tests.patience import wait_until


def cluster(servers: str = "broker:9092", password: str = "secret") -> KafkaCluster:
    return KafkaCluster(servers, {"sasl.password": password})


def test_the_next_preview_has_the_connection_of_the_last_one():
    connections, first = Connections(), cluster()
    with connections.borrow(first) as lent:
        assert lent is first
    with connections.borrow(cluster()) as lent:
        assert lent is first


def test_two_previews_at_once_have_two():
    connections = Connections()
    with connections.borrow(cluster()) as first, connections.borrow(cluster()) as second:
        assert first is not second


@pytest.mark.parametrize("other", [cluster("other:9092"), cluster(password="new")])
def test_other_settings_have_another_one(other: KafkaCluster):
    connections = Connections()
    with connections.borrow(cluster()):
        pass
    with connections.borrow(other) as lent:
        assert lent is other


@pytest.mark.parametrize(("refusal", "stays"), [(HasIssues("One issue.", []), True), (TopicMissing("Gone."), False)])
def test_a_connection_whose_question_failed_is_not_used_again(refusal: Exception, stays: bool):
    connections, first = Connections(), cluster()
    with pytest.raises(type(refusal)), connections.borrow(first):
        raise refusal
    with connections.borrow(cluster()) as lent:
        assert (lent is first) is stays


def test_a_few_stay_open():
    connections = Connections()
    for number in range(MAX_IDLE + 1):
        with connections.borrow(cluster(f"broker-{number}:9092")):
            pass
    first, second = cluster("broker-0:9092"), cluster("broker-1:9092")
    with connections.borrow(first) as lent, connections.borrow(second) as also:
        assert lent is first
        assert also is not second


def test_the_one_used_last_is_used_next_so_that_the_others_close():
    connections = Connections()
    with connections.borrow(cluster()) as first, connections.borrow(cluster()):
        pass
    with connections.borrow(cluster()) as lent:
        assert lent is first


def test_unused_ones_close():
    connections = Connections(idle_seconds=0.05)
    with connections.borrow(cluster()) as lent, connections.borrow(cluster("other:9092")) as also:
        references = weakref.ref(lent), weakref.ref(also)
    del lent, also
    wait_until(lambda: [each() for each in references] == [None, None])


def test_many_previews_wait_in_one_thread_until_the_connection_closes():
    connections, before = Connections(), threading.active_count()
    for _ in range(20):
        with connections.borrow(cluster()):
            pass
    assert threading.active_count() <= before + 1
