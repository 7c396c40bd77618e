"""The kept past of a job over HTTP: real topics, state and manifests, with batches executed as the run does."""

from __future__ import annotations

from typing import Any

import pytest
from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from django.test import Client

from designer.projects.models import Topology
from runner.control.jobs.models import Run
from runner.spark.replay import read_inputs
from runner.watch.past.kept import KeptPast
from tests.runner.watch.proving.test_prove import Runner, redraw, runner, topology
from webapp.accounts.models import User

__all__ = ["runner", "topology"]


def get(client: Client, path: str, status: int = 200) -> Any:
    answer = client.get(path)
    assert answer.status_code == status, answer.content
    return answer.json()


def why(client: Client, runner: Runner, number: int, key: str, **more: Any) -> dict[str, Any]:
    body = {"row": {"store": "sums", "key": key}, **more}
    answer = client.post(f"/api/jobs/{runner.job.id}/batches/{number}/why", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    said: dict[str, Any] = answer.json()
    return said


def test_kept_batches_are_listed_with_both_ends(runner: Runner, client: Client) -> None:
    path = f"/api/jobs/{runner.job.id}/batches"
    every = get(client, path)
    some = get(client, f"{path}?limit=2")
    newest = get(client, f"{path}?since={every['batches'][3]['time']}")

    assert [(each["number"], each["records"], each["version"]) for each in every["batches"]] == [
        (0, 1, 1), (1, 2, 1), (2, 1, 1), (3, 2, 1),
    ]  # fmt: skip
    assert every["tables_since"] == every["records_since"] == every["batches"][0]["time"]
    assert ([each["number"] for each in some["batches"]], some["count"]) == ([0, 3], 4)
    assert [each["number"] for each in newest["batches"]] == [3]


def test_nodes_edges_and_tables_are_those_of_the_batch(runner: Runner, client: Client) -> None:
    path = f"/api/jobs/{runner.job.id}/batches"
    then = get(client, f"{path}/1?node=large&port=result")
    sums = [get(client, f"{path}/{number}/tables/sums")["rows"] for number in range(4)]
    ann = get(client, f"{path}/2/tables/sums?key=ann")["rows"]
    (table,) = get(client, f"{path}/2/tables")

    assert {node: then["nodes"][node]["in"] for node in ("orders", "large", "sums")} == dict.fromkeys(
        ("orders", "large", "sums"), 2
    )
    assert [(each["key"], each["origin"]["offset"]) for each in then["left"]] == [('"bob"', 2), ('"ann"', 1)]
    assert [{row["key"]: row["value"] for row in rows} for rows in sums] == [
        {'"ann"': "5"},
        {'"ann"': "6", '"bob"': "20"},
        {'"ann"': "8", '"bob"': "20"},
        {'"ann"': "8", '"bob"': "23", '"eve"': "30"},
    ]
    assert ([row["value"] for row in ann], table["store"]) == (["8"], "sums")


def test_the_lag_of_a_batch_is_what_it_left_unread(runner: Runner, client: Client) -> None:
    path = f"/api/jobs/{runner.job.id}/batches"
    runner.run_records(4, {runner.topic: [("ann", {"amount": 1})]}, unread={runner.topic: 7})
    runner.run_records(5, {runner.topic: [("ann", {"amount": 1})]}, unread={})

    assert [get(client, f"{path}/{number}")["unread"] for number in (3, 4, 5)] == [
        None, {runner.topic: 7}, {runner.topic: 0},
    ]  # fmt: skip


def test_a_value_is_explained_back_to_the_first_record(runner: Runner, client: Client) -> None:
    said = why(client, runner, 3, '"ann"')
    older = why(client, runner, 3, '"ann"', before=said["changes"][0]["time"])

    assert [(each["batch"], each["before"] and each["before"]["value"], each["after"]["value"])
            for each in said["changes"]] == [(2, "6", "8"), (1, "5", "6"), (0, None, "5")]  # fmt: skip
    assert [each["record"]["value"] for each in said["changes"]] == ['{"amount":2}', '{"amount":1}', '{"amount":5}']
    assert (said["end"], said["older"]) == ("began", None)
    assert [each["batch"] for each in older["changes"]] == [1, 0]


def explain(client: Client, runner: Runner, record: dict[str, Any], status: int = 200, **more: Any) -> Any:
    path = f"/api/jobs/{runner.job.id}/why-record"
    answer = client.post(path, {"record": record, **more}, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_record_of_a_result_topic_leads_to_the_records_that_made_it(runner: Runner, client: Client) -> None:
    runner.run_records(4, {runner.topic: [("ann", {"amount": amount}) for amount in (1, 28, 3)]})
    results = f"{runner.topic}-sums"
    producer = Producer({"bootstrap.servers": runner.program.plan.kafka["bootstrap.servers"]})
    producer.produce(results, b"37", b"ann", partition=0, timestamp=find_time(runner, 7))
    producer.produce(results, b"1000", b"ann", partition=0)
    producer.flush()
    made = explain(client, runner, {"topic": results, "partition": 0, "offset": 0})
    said = why(client, runner, made["batch"], '"ann"', until=made["origin"])
    of_input = explain(client, runner, made["origin"])
    on_edge = explain(client, runner, made["origin"], batch=4, node="large")
    foreign = explain(client, runner, {"topic": results, "partition": 0, "offset": 1}, 404)

    assert (made["batch"], made["origin"]["offset"], made["record"]["value"]) == (4, 7, '{"amount":28}')
    assert [(row["store"], row["key"], row["before"]["value"], row["after"]["value"]) for row in made["rows"]] == [
        ("sums", '"ann"', "9", "37")
    ]
    assert [(each["batch"], each["after"]["value"]) for each in said["changes"]] == [
        (4, "37"), (4, "9"), (2, "8"), (1, "6"), (0, "5"),
    ]  # fmt: skip
    assert (of_input["batch"], of_input["rows"]) == (4, made["rows"])
    assert (on_edge["batch"], on_edge["rows"]) == (4, [])  # no node up to there has a store
    assert "None of the newest batches" in foreign["message"]


def find_time(runner: Runner, offset: int) -> int:
    """The time of an order, which its sum gets (ms)."""
    manifest = runner.log.read()[-1]
    ((_, inputs),) = read_inputs(runner.program, [manifest])
    ((_, _, records),) = inputs.arrivals
    time: int = records.timestamps[records.offsets.index(offset)]
    return time


def test_what_is_no_longer_kept_is_said_plainly(runner: Runner, client: Client) -> None:
    path, servers = f"/api/jobs/{runner.job.id}/batches", runner.program.plan.kafka["bootstrap.servers"]
    admin, place = AdminClient({"bootstrap.servers": servers}), TopicPartition(runner.topic, 0, 3)
    admin.delete_records([place])[place].result()
    listed = get(client, path)
    gone = get(client, f"{path}/1", 404)
    table = get(client, f"{path}/1/tables/sums")["rows"]
    said = why(client, runner, 3, '"ann"')
    for file in runner.program.host_directory.rglob("history.*"):
        file.unlink()
    without_state = get(client, f"{path}/1/tables/sums", 404)
    unknown = get(client, f"{path}/9", 404)

    assert listed["tables_since"] == listed["batches"][0]["time"]
    assert listed["records_since"] == listed["batches"][2]["time"]
    assert "cannot be read again" in gone["message"]
    assert {row["key"]: row["value"] for row in table} == {'"ann"': "6", '"bob"': "20"}
    assert ([each["batch"] for each in said["changes"]], said["end"]) == ([2], "no_records")
    assert (without_state["code"], unknown["message"]) == (
        "follow.not_kept",
        f"Batch 9 of {runner.job.name} is not kept.",
    )
    assert get(client, path)["tables_since"] is None


@pytest.mark.django_db(transaction=True)
def test_a_job_that_did_not_run_has_no_past(job: Any, client: Client) -> None:
    assert "did not run yet" in get(client, f"/api/jobs/{job.id}/batches", 409)["message"]


def test_a_batch_is_stepped_through_with_its_version_and_with_the_draft(
    runner: Runner, topology: Topology, user: User, client: Client
) -> None:
    redraw(topology, user, add="agg + value.amount * 10", least=1)
    path = f"/api/jobs/{runner.job.id}/batches/1/step"
    first, second, draft = (
        client.post(path, body, content_type="application/json").json()
        for body in (
            {},
            {"record": {"topic": runner.topic, "partition": 0, "offset": 2}},
            {"record": {"topic": runner.topic, "partition": 0, "offset": 2}, "through": "draft"},
        )
    )

    assert [(each["key"], each["origin"]["offset"]) for each in first["inputs"]] == [('"ann"', 1), ('"bob"', 2)]
    assert (first["origin"]["offset"], find_sum(first)) == (1, ("5", "6"))
    assert (find_sum(second), find_sum(draft)) == ((None, "20"), (None, "200"))
    lost = client.post(path, {"through": "draft"}, content_type="application/json").json()
    assert [each["node"] for each in lost["steps"]][-1] == "large"


def test_a_condition_is_searched_backwards_through_kept_batches(
    runner: Runner, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.watch.past.searching.MAX_SEARCHED", 3)
    path = f"/api/jobs/{runner.job.id}/batches"

    def search(number: int, condition: str, **more: Any) -> dict[str, Any]:
        body = {"node": "sums", "port": "result", "condition": condition, **more}
        said: dict[str, Any] = client.post(f"{path}/{number}/search", body, content_type="application/json").json()
        return said

    newest = search(3, "value > 6")
    older = search(3, "value > 6", before=newest["older"])
    first = search(3, "key = 'ann' AND value = 5")
    nothing = search(2, "value > 1000")
    monkeypatch.setattr("runner.watch.past.searching.MAX_SEARCHED", 20_000)
    all_of_them = search(3, "true")
    wrong = search(3, "value > 'a'")

    assert [(hit["batch"], hit["record"]["key"], hit["record"]["value"]) for hit in newest["hits"]] == [
        (3, '"eve"', "30"), (3, '"bob"', "23"), (2, '"ann"', "8"),
    ]  # fmt: skip
    assert [(hit["batch"], hit["origin"]["offset"]) for hit in older["hits"]] == [(1, 2)]
    assert ([hit["batch"] for hit in first["hits"]], first["older"]) == ([0], None)
    assert (all_of_them["count"], len(all_of_them["hits"])) == (6, 6)
    assert (nothing["hits"], nothing["searched"], nothing["older"]) == ([], 3, None)
    assert nothing["since"] == get(client, path)["records_since"]
    assert (wrong["code"], wrong["message"].startswith("The condition is not right: ")) == ("query.refused", True)


def find_sum(way: dict[str, Any]) -> tuple[str | None, str]:
    """The row of the sums before and after a record."""
    (row,) = (row for step in way["steps"] if step["node"] == "sums" for row in step["rows"])
    return row["before"] and row["before"]["value"], row["after"]["value"]


def test_a_batch_of_a_run_that_was_forgotten_has_the_plan_of_its_request(runner: Runner) -> None:
    run = runner.job.find_last_run()
    assert run is not None
    plan, manifest = run.plan, runner.log.read()[-1]
    Run.objects.filter(id=run.id).update(plan={}, status="failed")
    for generation, divisor, status in ((3, 4, "failed"), (4, 1, "running")):
        run.pk, run.generation, run.status = None, generation, status
        run.plan = plan | {"batch_divisor": divisor}
        run.save()

    past = KeptPast.of(runner.job)
    batches = [past.with_plan(manifest._replace(facts={"generation": each})) for each in (1, 2, 3, 4, 0)]

    assert [each.plan.batch_divisor for each in batches] == [4, 4, 4, 1, 1]
