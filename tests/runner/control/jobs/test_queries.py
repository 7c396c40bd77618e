"""The tables of jobs over HTTP: real runs, asked while they go on, stopped, killed and started again."""

import json
from typing import Any

import pytest
from confluent_kafka import Producer
from django.contrib.auth.models import Permission

from runner.watch.queries import mailbox
from runner.watch.queries.mailbox import Mailbox, NoAnswer, ask, of_run

from .conftest import AgentProcess, Stage, edge, eventually, node

STORE = "orders-by-customer"
CODE = """class Seen(Processor):
    def process(self, record):
        self.context.store("seen").put(record.key, 1)
"""


def order(stage: Stage, *customers: str) -> None:
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    for customer in customers:
        producer.produce(stage.orders, b'{"id": 1}', key=customer.encode())
    producer.flush()


def counting(stage: Stage) -> dict[str, Any]:
    drawn = stage.counting()
    return drawn | {
        "nodes": [node("counted", "count", store=STORE) if n["id"] == "counted" else n for n in drawn["nodes"]]
    }


def read(stage: Stage, expect: int = 200, **query: Any) -> dict[str, Any]:
    answer = stage.client.get(f"/api/jobs/{stage.job().id}/tables/{STORE}", query)
    assert answer.status_code == expect, answer.content
    found: dict[str, Any] = answer.json()
    return found


def rows(stage: Stage) -> dict[str, Any]:
    return {row["key"]: row["value"] for row in read(stage)["rows"]}


@pytest.mark.spark
@pytest.mark.soak
@pytest.mark.slow
def test_a_table_is_asked_and_its_records_are_followed_while_its_job_runs_and_after_a_kill(
    stage: Stage, spark_agent: AgentProcess, reconcile: Any
) -> None:
    order(stage, "ada", "eve", "ada")
    stage.deploy(stage.topology(counting(stage)))
    assert read(stage, 409)["hint"] == "Start the job, then try again."
    reconcile(stage)
    assert read(stage) == {"status": "restoring", "restoring": {"ready": 0, "of": None}, "rows": [], "next": None}
    eventually(lambda: rows(stage) == {"ada": 2, "eve": 1}, "three orders counted")

    tables = stage.client.get(f"/api/jobs/{stage.job().id}/tables").json()
    first = read(stage, limit=1)
    second = read(stage, limit=1, cursor=first["next"], as_text=True)
    unknown = stage.client.get(f"/api/jobs/{stage.job().id}/tables/orders")
    malformed = read(stage, 422, limit=0)
    follow_the_fourth(stage)
    killed = stage.run().id
    stage.client.post(f"/api/jobs/{stage.job().id}/kill-run")
    eventually(lambda: stage.run().id != killed and stage.status() == "running", "the next run")
    eventually(lambda: rows(stage) == {"ada": 3, "eve": 1}, "the same rows, though no record came")

    (table,) = tables
    assert table.items() >= {"store": STORE, "node": "counted", "key_type": "string"}.items()
    assert (table["windows"], table["is_versioned"], table["is_of_code"]) == (None, False, False)
    assert [(row["key"], row["value"]) for row in first["rows"] + second["rows"]] == [("ada", 2), ('"eve"', "1")]
    assert second["next"] is None
    assert (unknown.status_code, unknown.json()["code"]) == (422, "query.refused")
    assert malformed["code"] == "request.malformed"
    stage.client.post(f"/api/jobs/{stage.job().id}/stop")
    stage.await_status("stopped")
    assert read(stage, 409)["message"] == f"{stage.name} is not running, so its tables cannot be queried."


def test_a_job_that_never_ran_has_no_tables(stage: Stage) -> None:
    stage.deploy(stage.topology(counting(stage)))

    assert stage.client.get(f"/api/jobs/{stage.job().id}/tables").json() == []


def test_a_store_of_code_is_listed_under_the_name_by_which_it_is_asked(
    stage: Stage, host: str, reconcile: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    stage.user.user_permissions.add(Permission.objects.get(codename="run_code"))
    drawn = stage.counting()
    seen = node("seen-before", "process", code=CODE, stores=[{"name": "seen"}])
    drawn["nodes"].append(seen)
    drawn["edges"].append(edge("orders", "seen-before"))
    stage.deploy(stage.topology(drawn))
    reconcile(stage)

    listed = stage.client.get(f"/api/jobs/{stage.job().id}/tables").json()

    assert {each["store"]: each["is_of_code"] for each in listed} == {"counted": False, "seen": True}


def test_answers_come_to_those_who_asked(redis_url: str) -> None:
    asked: list[dict[str, Any]] = []

    def hand_over(question: dict[str, Any]) -> None:
        asked.append(question)
        box.post({"id": question["id"], "page": {"rows": [question["store"]], "next": None}})

    box = Mailbox(of_run(7), hand_over)
    try:
        found = [ask(of_run(7), {"store": name, "query": {}})["page"]["rows"] for name in ("a", "b")]
    finally:
        box.close()

    assert found == [["a"], ["b"]]
    assert [json.dumps(question["query"]) for question in asked] == ["{}", "{}"]


def test_a_silent_run_is_named(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "SECONDS", 1)

    with pytest.raises(NoAnswer, match="The run gave no answer for 1 seconds"):
        ask(of_run(8), {"store": "a", "query": {}})


def follow_the_fourth(stage: Stage) -> None:
    """One more order: the row it changes, the order itself, and what it writes."""
    order(stage, "ada")
    eventually(lambda: rows(stage) == {"ada": 3, "eve": 1}, "the fourth")

    table = way(stage, row={"store": STORE, "key": '"ada"'})
    origin = table["origin"]
    record = way(stage, record=origin)
    newest = way(stage, node="counted")
    unreached = way(stage, 404, node="elsewhere")
    written = way(stage, record={"topic": f"{stage.name}-counts", "partition": origin["partition"], "offset": 0})
    unknown = way(stage, 404, row={"store": STORE, "key": '"bob"'})
    early = way(stage, 404, record=origin | {"offset": 1_000})
    neither = way(stage, 422)

    (counted,) = [step for step in record["steps"] if step["node"] == "counted"]
    assert [(row["before"]["value"], row["after"]["value"]) for row in counted["rows"]] == [("2", "3")]
    assert (table["steps"][table["at"]]["node"], table["records"]) == ("counted", 1)
    assert table["since"] <= record["time"]
    assert written["steps"][written["at"]]["node"] == "counts"
    assert (newest["origin"], newest["steps"][newest["at"]]["node"]) == (origin, "counted")
    assert unreached["message"] == "No record of the newest batches reached this node."
    assert unknown["message"] == "The batch that last changed this row is no longer known."
    assert early["message"] == "The job has not read this record yet."
    assert neither["code"] == "request.malformed"
    output = {"node": "counted", "port": "result", "record": counted["outputs"][0]}
    body = {"record": origin, "output": output}
    made = stage.client.post(f"/api/jobs/{stage.job().id}/inputs", body, "application/json").json()
    assert [each["origin"] for each in made["inputs"]] == [origin]


def way(stage: Stage, expect: int = 200, **wanted: Any) -> dict[str, Any]:
    answer = stage.client.post(f"/api/jobs/{stage.job().id}/follow", wanted, "application/json")
    assert answer.status_code == expect, answer.content
    found: dict[str, Any] = answer.json()
    return found
