"""What a topic survives, by its replication and settings; and of the topics of a job, asked of a real broker."""

import pytest

from runner.control.jobs.plans.durability import KAFKAS_OWN, Durability, check_durability

from .conftest import Stage


def of(replication: int, least: int = 2, unclean: str = "false") -> Durability:
    return Durability.of(
        "orders", replication, {"min.insync.replicas": str(least), "unclean.leader.election.enable": unclean}
    )


def test_three_replicas_of_which_two_acknowledge_survive_a_broker() -> None:
    found = of(3)

    assert found.is_durable
    assert found.why == "Each record is on 2 brokers before Kafka confirms it."


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (of(1, 1), "lost if its broker's disk is lost"),
        (of(1, 2), "no record can be written to it"),
        (of(3, 1), "on only one broker"),
        (of(2, 2), "no record can be written while one of its brokers is down"),
        (of(3, 2, "true"), "may become leader, and the records it lacks are lost"),
    ],
)
def test_all_else_depends_on_one_broker_and_says_why(found: Durability, why: str) -> None:
    assert not found.is_durable
    assert why in found.why


def test_a_preview_tells_of_the_topics_that_are_there_and_of_kafkas_own(stage: Stage) -> None:
    wanted = {"topology": stage.topology(stage.counting()).id}
    found = stage.client.post("/api/jobs/preview-deploy", wanted, "application/json").json()["durability"]

    told = {each["topic"]: each for each in found}
    assert stage.orders in told
    assert told.keys() <= {stage.orders, *KAFKAS_OWN}
    assert told[stage.orders]["replication"] == 1
    assert not told[stage.orders]["is_durable"]


def test_a_topic_that_is_not_there_is_left_out(stage: Stage) -> None:
    assert "nowhere" not in {each.topic for each in check_durability(["nowhere"], stage.cluster)}
