"""Dead letters over HTTP, against real Kafka: grouped, searched, tried against the draft, sent back."""

from __future__ import annotations

import os
from typing import Any

import pytest
from confluent_kafka import KafkaException, Producer
from django.core.management import CommandError, call_command
from django.test import Client

from designer.projects.models import Grant, Project
from designer.projects.roles import Role
from designer.projects.services import create_topology, create_version, save_draft
from runner.control.jobs.models import Job
from runner.watch.dead_letters import reading
from runner.watch.dead_letters.carrying import send_dead_letters
from runner.watch.dead_letters.marks import Mark, name_topic_of_marks
from runner.watch.dead_letters.models import Redrive
from runner.watch.dead_letters.redriver import RedriveOrder, Redriver, RefusedRecord
from tests.patience import PATIENCE_SECONDS, wait_until
from tests.people import person
from tests.runner.watch.dead_letters.conftest import dividing
from tests.runner.watch.dead_letters.stage import Stage
from webapp.accounts.models import User


def origin(stage: Stage, offset: int, partition: int = 0, **more: Any) -> dict[str, Any]:
    return {"topic": stage.source, "partition": partition, "offset": offset, "input": "true", **more}


def sent_back(stage: Stage, expect: int = 201, **asked: Any) -> dict[str, Any]:
    """A redrive that was executed, as the API tells it."""
    made = stage.post("redrives", expect, **asked)
    while send_dead_letters(made["id"]):
        pass
    found: list[dict[str, Any]] = stage.client.get(f"/api/jobs/{stage.job.id}/redrives").json()
    return next(each for each in found if each["id"] == made["id"])


def contents(stage: Stage) -> list[tuple[bytes | None, bytes | None]]:
    return [(each.key, each.value) for each in stage.records(stage.source)]


def test_letters_are_grouped_by_node_and_reason_over_time(stage: Stage) -> None:
    for number in range(3):
        reason = f"`amount` is '{number}x'; expected a number."
        stage.bury({"story": origin(stage, number, node="orders", message=reason, at=1_000 + number * 60_000)})
    stage.bury({"story": origin(stage, 9, at=1_000), "value": b'{"amount": 0}'})

    found = stage.get()

    assert (found["topic"], found["has_topic"], found["matched"], found["waiting"]) == (stage.letters, True, 4, 4)
    assert (found["read"]["letters"], found["read"]["is_all"]) == (4, True)
    first, second = found["groups"]
    assert (first["node"], first["reason"]) == ("orders", "`amount` is …; expected a number.")
    assert (first["count"], first["waiting"], first["first"], first["last"]) == (3, 3, 1_000, 121_000)
    assert (sum(first["counts"]), first["counts"][0], first["counts"][-1]) == (3, 1, 1)
    assert (second["node"], second["count"]) == ("shares", 1)
    assert second["samples"][0]["record"]["value"] == '{"amount": 0}'
    assert (first["again"], second["again"]) == ([], ["counted"])


def test_a_search_and_a_filter_choose_among_them_and_a_bound_is_told(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.bury(
        {"value": b"Paris", "story": origin(stage, 0)}, {"value": b"Rome", "story": origin(stage, 1, node="out")}
    )

    assert stage.get(search="PARIS")["matched"] == 1
    assert stage.get(node="out")["letters"][0]["record"]["value"] == "Rome"
    group = stage.get(node="out")["groups"][0]["id"]
    chosen = stage.get(group=group)
    assert (chosen["matched"], len(chosen["groups"])) == (1, 2)

    stage.bury(*({"partition": 1, "story": origin(stage, number)} for number in range(8)))
    monkeypatch.setattr(reading, "MAX_DEAD_LETTERS", 9)
    read = stage.get()["read"]
    assert (read["is_all"], read["letters"] < read["offsets"]) == (False, True)


def test_a_job_without_letters_says_so(stage: Stage) -> None:
    stage.cluster.delete(stage.letters)
    wait_until(lambda: not stage.cluster.find([stage.letters]))

    found = stage.get()

    assert (found["has_topic"], found["groups"], found["matched"]) == (False, [], 0)
    assert stage.post("redrives", 404)["code"] == "not_found"


def test_the_draft_says_which_letters_would_pass_now_and_why_others_fail(stage: Stage, user: User) -> None:
    stage.bury(
        {"value": b'{"amount": 0}', "story": origin(stage, 0)},
        {"value": b'{"amount": 5}', "story": origin(stage, 1)},
        {"value": b"{", "story": origin(stage, 2, node="orders")},
        {"story": {"topic": "elsewhere", "partition": 0, "offset": 0, "input": "true"}},
    )
    draft = stage.job.topology.draft
    repaired = dividing(stage.source, "100 / (amount + 1)")
    save_draft(topology=stage.job.topology, graph=repaired, revision=draft.revision, by=user)

    tried = stage.post("letters/try", 200)

    assert (tried["of"], tried["passing"]) == (4, 2)
    (failing,) = tried["failing"]
    assert (failing["node"], failing["reason"].startswith("The value cannot be decoded.")) == ("orders", True)
    (untried,) = tried["untried"]
    assert untried["why"] == "The job no longer reads `elsewhere`."
    assert stage.records(stage.source) == []


def test_a_letter_goes_back_as_it_was_to_its_partition_and_is_marked(stage: Stage) -> None:
    stage.bury(
        {
            "key": b"\xff",
            "value": None,
            "time": 77,
            "headers": [("trace", b"\xfe"), ("empty", None)],
            "story": origin(stage, 0, partition=3),
        }
    )

    done = sent_back(stage)

    (back,) = stage.records(stage.source)
    assert (back.key, back.value, back.timestamp, back.partition) == (b"\xff", None, 77, 3)
    assert back.headers == (("trace", b"\xfe"), ("empty", None))
    assert (done["status"], done["sent"], done["records"], done["by"]) == ("done", 1, 1, "ada")
    assert done["standing"] == done["status"]  # the name of 0.1.0
    (shown,) = stage.get()["letters"]
    assert (shown["mark"]["by"], shown["mark"]["to"], shown["mark"]["redrive"]) == ("ada", stage.source, done["id"])
    assert stage.post("redrives", 409)["message"] == "These dead letters were all sent back already."
    place = {"partition": shown["record"]["partition"], "offset": shown["record"]["offset"]}
    assert stage.post("redrives", 409, letters=[place])["message"] == "These dead letters were all sent back already."


def test_a_record_that_failed_at_two_nodes_goes_back_once(stage: Stage) -> None:
    stage.bury({"value": b"1", "story": origin(stage, 5)}, {"value": b"1", "story": origin(stage, 5, node="counted")})

    done = sent_back(stage, node="counted")

    assert contents(stage) == [(b"k", b"1")]
    found = stage.get()
    assert (done["records"], found["groups"][0]["waiting"], found["groups"][1]["waiting"]) == (1, 0, 0)
    assert (found["matched"], found["waiting"]) == (2, 0)


def test_what_nodes_made_of_a_record_stays_and_the_record_itself_is_read_again(stage: Stage) -> None:
    stage.feed([(b"a", b"original", 40), (b"b", b"other", 50)], partition=2)
    shuffled = {"topic": stage.source, "partition": 2, "offset": 0}
    stage.bury({"key": b"made", "value": b"made", "time": 99, "story": shuffled})
    stage.bury({"value": b"made", "story": shuffled | {"offset": 700}})

    done = sent_back(stage)

    assert contents(stage)[2:] == [(b"a", b"original")]
    assert stage.records(stage.source)[-1].timestamp == 40
    (refused,) = done["refused"]
    assert refused["why"].startswith(f"`{stage.source}` no longer holds its record")
    assert (done["status"], done["sent"]) == ("done", 1)


def test_a_letter_without_a_source_or_with_one_that_is_not_the_jobs_is_refused_with_the_reason(stage: Stage) -> None:
    stage.cluster.create(f"{stage.source}-foreign", 1)
    stage.bury({"story": {}}, {"story": origin(stage, 0) | {"topic": f"{stage.source}-foreign"}})

    done = sent_back(stage)

    assert sorted(each["why"] for each in done["refused"]) == [
        "No record of a topic led to it, so it has nowhere to go back to.",
        f"The job no longer reads `{stage.source}-foreign`.",
    ]
    assert stage.records(f"{stage.source}-foreign") == []


def test_what_kafka_does_not_take_is_told_and_the_others_go_back(stage: Stage) -> None:
    stage.cluster.delete(stage.source)
    stage.cluster.create(stage.source, 4, {"max.message.bytes": "300"})
    large = {"value": os.urandom(2_000), "story": origin(stage, 1)}
    stage.bury({"value": b"1", "story": origin(stage, 0)}, large, {"value": b"3", "story": origin(stage, 2)})

    done = sent_back(stage)

    assert {value for _, value in contents(stage)} == {b"1", b"3"}
    assert (done["sent"], len(done["refused"])) == (2, 1)
    assert "too large" in done["refused"][0]["why"].lower()


class WaitsAfterEach(Redriver):
    """Has the broker's answer to each record before it sends the next, as with many records in a transaction."""

    def _produce(self, producer: Producer, **record: Any) -> None:
        super()._produce(producer, **record)
        producer.flush(PATIENCE_SECONDS)


def test_what_kafka_does_not_take_is_found_though_more_records_follow_its_refusal(stage: Stage) -> None:
    stage.cluster.delete(stage.source)
    stage.cluster.create(stage.source, 4, {"max.message.bytes": "300"})
    large = {"value": os.urandom(2_000), "story": origin(stage, 0)}
    stage.bury(large, {"value": b"2", "story": origin(stage, 1)}, {"value": b"3", "story": origin(stage, 2)})
    redrive = Redrive.objects.get(id=stage.post("redrives", 201)["id"])
    redriver = WaitsAfterEach(stage.cluster, stage.cluster.topic(stage.letters), lambda _: True)
    refusals: list[RefusedRecord] = []

    mark: Mark = {"redrive": redrive.id, "by": "ada", "at": 0, "to": ""}
    is_done = redriver.carry_out(RedriveOrder(redrive.read_records(), None, mark), refusals, lambda _: True)

    assert is_done
    assert {value for _, value in contents(stage)} == {b"2", b"3"}
    assert ["too large" in each.why.lower() for each in refusals] == [True]


def test_an_edited_letter_goes_back_and_keeps_its_original_beside(stage: Stage) -> None:
    stage.bury({"key": b"a", "value": b'{"amount": 0}', "story": origin(stage, 0)})

    sent_back(stage, edited={"key": "a", "value": '{"amount": 1}'})

    assert contents(stage) == [(b"a", b'{"amount": 1}')]
    mark = stage.get()["letters"][0]["mark"]
    assert mark["original"] == {"key": "a", "value": '{"amount": 0}'}
    assert mark["edited"] == {"key": "a", "value": '{"amount": 1}'}


def test_nothing_goes_back_to_a_topic_that_a_job_of_another_project_reads_too(stage: Stage, user: User) -> None:
    """Who sends dead letters says in a header where their records go back to, and an edit says what."""
    other = Project.objects.create(name="other")
    topology = create_topology(name="theirs", by=user, graph=dividing(stage.source), project=other)
    foreign = Job.objects.get(id=stage.job.id)
    foreign.pk, foreign.name, foreign.application_id = None, "theirs", "theirs"
    foreign.topology, foreign.version = topology, create_version(topology=topology, by=user)
    foreign.save()
    stage.bury({"story": origin(stage, 0)})

    refused = [stage.post("redrives", 403), stage.post("redrives", 403, edited={"key": "k", "value": "1"})]

    assert {each["code"] for each in refused} == {"rights.missing"}
    assert "theirs" not in str(refused) and "other" not in str(refused)
    assert not Redrive.objects.exists() and stage.records(stage.source) == []
    Grant.objects.create(user=user, project=other, role=Role.OPERATOR)
    assert stage.post("redrives", 201)["records"] == 1


def test_only_one_letter_is_edited_and_bytes_must_be_base64(stage: Stage) -> None:
    stage.bury({"story": origin(stage, 0)}, {"story": origin(stage, 1)})

    assert stage.post("redrives", 400, edited={"key": None, "value": ""})["hint"] == "Choose one."
    (one, _) = stage.get()["letters"]
    place = {"partition": one["record"]["partition"], "offset": one["record"]["offset"]}
    refusal = stage.post("redrives", 422, letters=[place], edited={"key": None, "value": "base64:?"})
    assert refusal["code"] == "record.not_base64"


def test_a_second_redrive_of_the_topic_is_told_of_the_first_which_can_be_stopped(stage: Stage, user: User) -> None:
    stage.bury(*({"story": origin(stage, number)} for number in range(3)))
    first = stage.post("redrives", 201, rate=1)
    other = Client()
    other.force_login(person("bob"))

    answer = other.post(f"/api/jobs/{stage.job.id}/redrives", {}, "application/json")

    assert answer.status_code == 409
    assert answer.json()["message"].startswith(f"ada is sending 3 records of `{stage.letters}` back since ")
    while not stage.records(stage.source):
        assert send_dead_letters(first["id"], seconds=0.5)
    stopped = stage.post(f"redrives/{first['id']}/stop", 200)
    assert stopped["status"] == "stopped"
    assert not send_dead_letters(first["id"])
    sent = len(stage.records(stage.source))
    assert 0 < sent < 3
    assert sent_back(stage)["records"] == 3 - sent
    assert len(stage.records(stage.source)) == 3


def test_a_redriver_that_another_one_shut_out_sends_nothing_more(stage: Stage) -> None:
    stage.bury(*({"story": origin(stage, number)} for number in range(2)))
    redrive = Redrive.objects.get(id=stage.post("redrives", 201, rate=1)["id"])
    topic = stage.cluster.topic(stage.letters)
    older = Redriver(stage.cluster, topic, lambda _: True)
    taken_over: list[bool] = []

    def told(sent: int) -> bool:
        if sent == 1 and not taken_over:
            taken_over.append(send_dead_letters(redrive.id))
        return True

    mark: Mark = {"redrive": redrive.id, "by": "ada", "at": 0, "to": ""}
    with pytest.raises(KafkaException):
        older.carry_out(RedriveOrder(redrive.read_records(), 1.0, mark), [], told)

    assert len(stage.records(stage.source)) == 2


def test_letters_are_not_sent_twice_once_someone_deleted_the_marks(stage: Stage) -> None:
    stage.bury(*({"story": origin(stage, number)} for number in range(2)))
    done = sent_back(stage)
    marks = name_topic_of_marks(stage.letters)
    stage.cluster.delete(marks)
    wait_until(lambda: not stage.cluster.find([marks]))

    refused = stage.post("redrives", 409)
    Redrive.objects.filter(id=done["id"]).update(status="running", ended_at=None)
    send_dead_letters(done["id"])

    stopped = Redrive.objects.get(id=done["id"])
    assert "someone deleted the marks" in refused["message"]
    assert (stopped.status, "it would send records twice" in stopped.problem) == ("stopped", True)
    assert len(stage.records(stage.source)) == 2


def test_letters_of_a_topic_that_was_made_again_are_not_taken_for_the_old_ones(stage: Stage) -> None:
    stage.bury({"story": origin(stage, 0)})
    sent_back(stage)
    stage.cluster.delete(stage.letters)
    wait_until(lambda: not stage.cluster.find([stage.letters]))
    stage.cluster.create(stage.letters, 3)
    stage.bury({"value": b"new", "story": origin(stage, 1)})

    sent_back(stage)

    assert {value for _, value in contents(stage)} == {b"{}", b"new"}


def test_the_command_line_shows_letters_and_sends_them_back(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.bury(*({"story": origin(stage, number)} for number in range(2)), {"story": {"node": "orders"}})

    call_command("dead-letters", stage.job.name)
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    call_command("redrive", stage.job.name, "--by", "ada")
    told = capsys.readouterr().out.splitlines()

    assert shown[0] == ["NODE", "COUNT", "WAITING", "REASON"]
    assert shown[1][:3] == ["shares", "2", "2"]
    assert told[-1] == "2 of 3 sent"
    assert "No record of a topic led to it, so it has nowhere to go back to." in told[-2]
    assert len(stage.records(stage.source)) == 2


@pytest.mark.parametrize("rate", ["0", "-1", "0.001", "nan"])
def test_a_rate_that_a_worker_could_not_keep_is_refused(stage: Stage, rate: str) -> None:
    stage.bury({"story": origin(stage, 0)})

    with pytest.raises(CommandError, match="the lowest rate is"):
        call_command("redrive", stage.job.name, "--by", "ada", f"--rate={rate}")

    assert not stage.job.redrives.exists()


def test_a_redrive_stops_when_its_user_loses_the_role_and_another_one_sends_the_rest(stage: Stage, user: User) -> None:
    stage.bury(*({"story": origin(stage, number)} for number in range(3)))
    made = stage.post("redrives", 201, rate=1)
    grants = Grant.objects.filter(user=user)
    grants.update(role=Role.EDITOR)

    send_dead_letters(made["id"])

    stopped = Redrive.objects.get(id=made["id"])
    assert (stopped.status, stopped.problem) == ("stopped", "It ended, because ada may no longer do this.")
    assert stage.records(stage.source) == []
    grants.update(role=Role.OPERATOR)
    assert sent_back(stage)["sent"] == 3
