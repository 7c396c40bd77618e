"""Why nothing comes out of a node: asked of a real run over HTTP and on the command line, and in trials."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from confluent_kafka import Producer
from django.core.management import call_command

from .conftest import ORDER, AgentProcess, Stage, edge, eventually, node

TIME = 1_700_000_000_000


def drawn(stage: Stage) -> dict[str, Any]:
    """Orders are counted when a minute closes, filtered by what none satisfies, and joined with prices of others."""
    source = {"key_type": {"kind": "string"}, "value_type": ORDER}
    return {
        "nodes": [
            node("orders", "stream", topic=stage.orders, **source),
            node("prices", "table", topic=f"{stage.name}-prices", **source),
            node("grouped", "group_by_key"),
            node("minutes", "windowed_by", type="tumbling", size_ms=60_000, grace_ms=5_000, emit="on_close"),
            node("counted", "count"),
            node("updates", "to_stream"),
            node("counts", "to", topic=f"{stage.name}-counts"),
            node("large", "filter", predicate="id > 100"),
            node("larges", "to", topic=f"{stage.name}-larges"),
            node("priced", "join", value="right.id"),
            node("prices-out", "to", topic=f"{stage.name}-priced"),
        ],
        "edges": [
            edge("orders", "grouped"),
            edge("grouped", "minutes", "grouped"),
            edge("minutes", "counted", "grouped"),
            edge("counted", "updates", "table"),
            edge("updates", "counts"),
            edge("orders", "large", "records"),
            edge("large", "larges"),
            edge("orders", "priced", "left"),
            edge("prices", "priced", "right"),
            edge("priced", "prices-out"),
        ],
    }


def produce(stage: Stage, topic: str, key: str, at: int) -> None:
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    producer.produce(topic, b'{"id": 1}', key=key.encode(), timestamp=at)
    producer.flush()


def why(stage: Stage, of: str, expect: int = 200) -> dict[str, Any]:
    answer = stage.client.get(f"/api/jobs/{stage.job().id}/why/{of}")
    assert answer.status_code == expect, answer.content
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.spark
@pytest.mark.soak
@pytest.mark.slow
def test_a_real_run_answers_from_its_numbers_and_its_state(
    stage: Stage, spark_agent: AgentProcess, reconcile: Any
) -> None:
    stage.cluster.create(f"{stage.name}-prices", 1)
    produce(stage, f"{stage.name}-prices", "ADA", TIME)
    produce(stage, stage.orders, "ada", TIME)
    stage.deploy(stage.topology(drawn(stage)))
    before = why(stage, "counts")
    reconcile(stage)
    eventually(lambda: why(stage, "larges")["code"] == "filtered", "the filter that nothing passes")

    window, partner, unknown = why(stage, "counts"), why(stage, "prices-out"), why(stage, "nobody", 404)
    printed = StringIO()
    call_command("why", stage.name, "larges", by="ada", stdout=printed)
    produce(stage, stage.orders, "ada", TIME + 65_000)
    eventually(lambda: why(stage, "counts")["text"].startswith("1 record came out of"), "the window that closed")
    stage.client.post(f"/api/jobs/{stage.job().id}/stop")
    stage.await_status("stopped")

    assert before["code"] == "starting"
    assert (window["code"], window["node"]) == ("window_open", "counted")
    assert (
        "its window is open until stream time 2023-11-14T22:14:05Z; stream time is 2023-11-14T22:13:20Z"
        in (window["text"])
    )
    assert (partner["code"], partner["node"]) == ("no_partner", "priced")
    assert 'on the left ada of 2023-11-14T22:13:20Z, on the right "ADA" of 2023-11-14T22:13:20Z' in partner["text"]
    assert unknown["hint"] == "Deploy the draft, or try the node."
    assert printed.getvalue().startswith("At large, before larges:\n1 record arrived at `large` since the run began.")
    assert why(stage, "counts")["text"] == "The job is stopped, so no records are processed."


def test_a_trial_is_asked_without_a_job(stage: Stage) -> None:
    produce(stage, stage.orders, "ada", TIME)
    body = {"graph": drawn(stage), "node": "larges"}

    answer = stage.client.post("/api/trials/why", body, "application/json")
    made_up = stage.client.post(
        "/api/trials/why",
        body | {"lines": f'{{"topic": "{stage.orders}", "key": "a", "value": {{"id": 101}}}}'},
        "application/json",
    )

    assert (answer.json()["code"], answer.json()["node"]) == ("filtered", "large")
    assert made_up.json()["text"] == "Records do come out of `larges`: 1 record in the trial."
