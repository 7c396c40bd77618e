"""Trying a graph on the newest records of its topics, over HTTP, with real Kafka."""

from __future__ import annotations

import time
from typing import Any

import pytest
from confluent_kafka import Producer
from django.contrib.auth.models import Permission

from designer.projects.models import Grant
from designer.projects.roles import Role
from runner.watch.trials import services

from .conftest import Stage, edge, node


def written(stage: Stage, *orders: tuple[bytes | None, bytes | None], to: str | None = None) -> None:
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    for at, (key, value) in enumerate(orders, 1_000):
        producer.produce(to or stage.orders, value, key, partition=0, timestamp=at, headers=[("trace", b"x")])
    producer.flush()


def tried(stage: Stage, graph: dict[str, Any], of: str, expect: int = 200, **more: Any) -> dict[str, Any]:
    answer = stage.client.post("/api/trials", {"graph": graph, "node": of, **more}, "application/json")
    assert answer.status_code == expect, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_a_node_gives_what_it_would_give_and_says_of_which_record(stage: Stage) -> None:
    written(stage, (b"a", b'{"id": 1}'), (b"b", b'{"id": 2}'), (b"a", b'{"id": 3}'))

    answer = tried(stage, stage.counting(), "counted")

    assert answer["read"] == {stage.orders: 3}
    assert answer["outputs"]["result"]["count"] == 3
    assert answer["outputs"]["result"]["records"][-1] == {
        "key": '"a"',
        "key_length": None,
        "window": None,
        "value": "2",
        "value_length": None,
        "timestamp": 1_002,
        "origin": {"topic": stage.orders, "partition": 0, "offset": 2},
    }
    assert answer["counters"]["orders"]["in"] == 3


def test_nothing_is_made_or_written(stage: Stage) -> None:
    written(stage, (b"a", b'{"id": 1}'))
    before = {topic.name for topic in stage.cluster.topics()}

    answer = tried(stage, stage.counting(), "updates")

    assert answer["outputs"]["result"]["count"] == 1
    assert {topic.name for topic in stage.cluster.topics()} == before


def test_what_is_behind_the_node_or_beside_it_may_be_unfinished(stage: Stage) -> None:
    written(stage, (b"a", b'{"id": 1}'))
    graph = stage.counting()
    graph["edges"] = graph["edges"][:2]
    graph["nodes"].append(node("wrong", "filter", predicate="no_such_field > "))

    assert tried(stage, graph, "counted")["outputs"]["result"]["count"] == 1
    graph["edges"].append(edge("orders", "wrong", "records"))
    refusal = tried(stage, graph, "wrong", expect=422)

    assert refusal["code"] == "topology.has_issues"
    assert {issue["node"] for issue in refusal["issues"]} == {"wrong"}


def test_what_cannot_be_read_is_said_with_its_place(stage: Stage) -> None:
    written(stage, (b"a", b"{"), (b"a", b'{"id": 1}'))

    (failed,) = tried(stage, stage.counting(), "orders")["failed"]

    assert failed["node"] == "orders"
    assert failed["origin"]["offset"] == 0


def test_a_topic_that_is_not_there_and_a_node_that_is_not_there_are_refused(stage: Stage) -> None:
    missing = tried(stage, stage.counting(topic=f"{stage.name}-none"), "counted", expect=422)
    nobody = tried(stage, stage.counting(), "nobody", expect=404)

    assert (missing["code"], missing["node"]) == ("topic.missing", "orders")
    assert nobody["code"] == "not_found"


def coded(stage: Stage, code: str) -> dict[str, Any]:
    graph = stage.counting()
    graph["nodes"].append(node("own", "process", code=code, key_type={"kind": "string"}, value_type={"kind": "any"}))
    graph["edges"].append(edge("orders", "own"))
    return graph


def test_python_runs_only_for_those_who_may_run_it_and_holds_no_secret(stage: Stage, monkeypatch: Any) -> None:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    monkeypatch.setenv("DATABASE_URL", "postgres://secret")
    written(stage, (b"a", b'{"id": 1}'))
    telling = (
        "import os\n\n\nclass Own(Processor):\n    def process(self, record):\n"
        '        self.context.forward(record.with_value("DATABASE_URL" in os.environ))\n'
    )
    graph = coded(stage, telling)

    assert tried(stage, graph, "own", expect=403)["code"] == "code.not_permitted"
    stage.user.user_permissions.add(Permission.objects.get(codename="run_code"))

    (record,) = tried(stage, graph, "own")["outputs"]["result"]["records"]
    assert record["value"] == "false"


@pytest.mark.parametrize("topic", ["__consumer_offsets", "streamwright-markers"])
def test_no_trial_reads_what_tells_of_all_projects(topic: str, stage: Stage) -> None:
    graph = {
        "nodes": [node("s", "stream", topic=topic, key_type={"kind": "bytes"}, value_type={"kind": "bytes"})],
        "edges": [],
    }
    stage.user.is_superuser = False
    stage.user.save()
    Grant.objects.filter(user=stage.user).update(role=Role.EDITOR)

    refusal = tried(stage, graph, "s", expect=403)

    assert refusal["message"] == f"`{topic}` is an internal topic with facts of all projects."


def test_a_trial_without_end_is_ended(stage: Stage, monkeypatch: Any) -> None:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    monkeypatch.setattr(services, "SECONDS", 3.0)
    stage.user.user_permissions.add(Permission.objects.get(codename="run_code"))
    written(stage, (b"a", b'{"id": 1}'))
    endless = "class Own(Processor):\n    def process(self, record):\n        while True:\n            pass\n"

    begun = time.monotonic()
    refusal = tried(stage, coded(stage, endless), "own", expect=422)

    assert refusal["code"] == "trial.failed"
    assert time.monotonic() - begun < 30


def test_made_up_records_are_tried_in_their_order(stage: Stage) -> None:
    lines = "\n\n".join(
        [
            f'{{"topic": "{stage.orders}", "key": "a", "value": {{"id": 1}}, "timestamp": 5}}',
            '{"topic": "of-somebody-else", "key": "b"}',
            f'{{"topic": "{stage.orders}", "key": "a", "value": {{"id": 9007199254740993}}}}',
            f'{{"topic": "{stage.orders}", "value": {{"id": 3}}}}',
        ]
    )

    answer = tried(stage, stage.counting(), "counted", lines=lines)

    assert answer["read"] == {stage.orders: 3}
    records = answer["outputs"]["result"]["records"]
    assert [(each["value"], each["timestamp"], each["origin"]["offset"]) for each in records] == [
        ("1", 5, 0),
        ("2", 5, 2),
    ]
    assert answer["dropped"] == {"counted": {"null key": 1}}
    assert [each["value"] for each in answer["sources"]] == ['{"id":1}', '{"id":9007199254740993}', '{"id":3}']


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "is not valid JSON"),
        ("[]", "is not a JSON object"),
        ('{"key": 1}', "names no `topic`"),
        ('{"topic": "a", "time": 1}', "has `time`. Known: topic, key, value, timestamp"),
        ('{"topic": "a", "timestamp": "now"}', "has a `timestamp` that is not a whole number"),
        ('{"topic": "a"}\n' * 1_001, "1,002 records; at most 1,000 can be tried"),
    ],
)
def test_a_line_that_is_no_record_is_refused_with_its_number(stage: Stage, line: str, why: str) -> None:
    refusal = tried(stage, stage.counting(), "counted", lines=f'{{"topic": "a"}}\n{line}', expect=422)

    assert refusal["code"] == "trial.bad_line"
    assert why in refusal["message"]
    assert "records" in why or refusal["message"].startswith("Line 2 ")


def test_a_record_is_followed_over_the_whole_graph_and_its_output_names_its_inputs(stage: Stage) -> None:
    written(stage, (b"a", b'{"id": 1}'), (b"b", b'{"id": 2}'), (b"a", b'{"id": 3}'))
    body = {"graph": stage.counting(), "topic": stage.orders, "partition": 0, "offset": 2}

    way = stage.client.post("/api/trials/follow", body, "application/json").json()["steps"]
    (counted,) = [step for step in way if step["node"] == "counted"]
    output = {"node": "counted", "port": "result", "record": counted["outputs"][0]}
    made = stage.client.post("/api/trials/inputs", body | {"output": output}, "application/json").json()
    gone = stage.client.post("/api/trials/follow", body | {"offset": 7}, "application/json")
    unread = stage.client.post("/api/trials/follow", body | {"topic": "other"}, "application/json")

    assert [step["node"] for step in way] == ["orders", "grouped", "counted", "updates", "counts"]
    assert counted["rows"][0].items() >= {"before": {"value": "1", "timestamp": 1_000}, "key": '"a"'}.items()
    assert [each["origin"]["offset"] for each in counted["met"]] == [0]
    assert [(each["origin"]["offset"], each["key"], each["value"]) for each in made["inputs"]] == [
        (2, '"a"', '{"id":3}'),
        (0, '"a"', '{"id":1}'),
    ]
    assert made["unsure"] == []
    assert (gone.status_code, gone.json()["hint"]) == (404, "Follow a newer record.")
    assert unread.json()["message"] == "No node of the topology reads or writes `other`."


def test_a_record_of_an_output_topic_is_followed_from_the_input_that_it_came_of(stage: Stage) -> None:
    written(stage, (b"a", b'{"id": 1}'), (b"b", b'{"id": 2}'), (b"a", b'{"id": 3}'))
    counts = f"{stage.name}-counts"
    stage.cluster.create(counts, 1)
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    for count in (2, 9):
        producer.produce(counts, count.to_bytes(8), b"a", partition=0, timestamp=1_002)
    producer.flush()
    body = {"graph": stage.counting(), "topic": counts, "partition": 0}

    found = stage.client.post("/api/trials/follow", body | {"offset": 0}, "application/json").json()
    other = stage.client.post("/api/trials/follow", body | {"offset": 1}, "application/json")

    assert found["origin"] == {"topic": stage.orders, "partition": 0, "offset": 2}
    assert found["steps"][found["at"]]["node"] == "counts"
    assert (other.status_code, other.json()["hint"]) == (
        404,
        "A trial takes the newest records. Follow a newer one, or follow it in the running job.",
    )


def test_a_record_older_than_the_newest_is_fetched_to_follow_it(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "OF_STREAMS", 2)
    written(stage, *[(b"a", f'{{"id": {number}}}'.encode()) for number in range(6)])
    body = {"graph": stage.counting(), "topic": stage.orders, "partition": 0, "offset": 3}

    way = stage.client.post("/api/trials/follow", body, "application/json").json()["steps"]

    (counted,) = [step for step in way if step["node"] == "counted"]
    assert counted["outputs"][0]["value"] == "3"


def test_a_made_up_record_is_followed_by_its_line(stage: Stage) -> None:
    lines = f'{{"topic": "other"}}\n{{"topic": "{stage.orders}", "key": "a", "value": {{"id": 1}}}}'
    body = {"graph": stage.counting(), "topic": stage.orders, "partition": 0, "offset": 1, "lines": lines}

    way = stage.client.post("/api/trials/follow", body, "application/json").json()["steps"]

    assert way[0]["record"]["value"] == '{"id":1}'


def test_windows_of_the_newest_records_are_found(stage: Stage) -> None:
    graph = stage.counting()
    graph["nodes"].append(node("windowed", "windowed_by", type="tumbling", size_ms=2, grace_ms=1, emit="on_close"))
    graph["edges"].append(edge("grouped", "windowed", "grouped"))
    at = [1_000, 1_001, 1_003, 1_009, 1_002]
    lines = "\n".join(
        f'{{"topic": "{stage.orders}", "key": "a", "value": {{"id": 1}}, "timestamp": {time}}}' for time in at
    )

    answer = stage.client.post(
        "/api/trials/windows", {"graph": graph, "node": "windowed", "lines": lines}, "application/json"
    )

    assert answer.json() == {
        "windows": [
            {"start": 1_000, "end": 1_002, "times": [1_000, 1_001]},
            {"start": 1_002, "end": 1_004, "times": [1_003]},
            {"start": 1_008, "end": 1_010, "times": [1_009]},
        ],
        "grace_ms": 1,
        "late": 1,
    }


def test_sessions_that_meet_are_one_window(stage: Stage) -> None:
    graph = stage.counting()
    graph["nodes"].append(node("windowed", "windowed_by", type="session", gap_ms=5, grace_ms=100))
    graph["edges"].append(edge("grouped", "windowed", "grouped"))
    lines = "\n".join(
        f'{{"topic": "{stage.orders}", "key": "a", "value": {{"id": 1}}, "timestamp": {at}}}' for at in (10, 18, 14)
    )

    answer = stage.client.post(
        "/api/trials/windows", {"graph": graph, "node": "windowed", "lines": lines}, "application/json"
    )

    assert [(each["start"], each["end"]) for each in answer.json()["windows"]] == [(10, 18)]


def test_a_node_that_makes_no_windows_is_refused(stage: Stage) -> None:
    body = {"graph": stage.counting(), "node": "grouped"}

    answer = stage.client.post("/api/trials/windows", body, "application/json")

    assert answer.status_code == 404
    assert "`grouped` makes no windows" in answer.json()["message"]


def estimated(stage: Stage, graph: dict[str, Any], *orders: tuple[bytes, int]) -> dict[str, Any]:
    """The estimate for a graph and orders, each a key and a time in seconds since 1970."""
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    for key, at in orders:
        producer.produce(stage.orders, b'{"id": 1}', key, partition=0, timestamp=at * 1_000)
    producer.flush()
    answer = stage.client.post("/api/trials/state", {"topology": stage.topology(graph).id}, "application/json")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_state_of_keys_that_repeat_stays_and_that_of_new_keys_grows(stage: Stage) -> None:
    now = int(time.time())
    seconds = range(now - 300, now - 200)

    few = estimated(stage, stage.counting(), *((b"%d" % (at % 10), at) for at in seconds))["stores"]
    many = estimated(stage, stage.counting(), *((b"key-%d" % at, at + 100) for at in seconds))

    assert [(store["node"], store["rows"], store["tried_rows"]) for store in few] == [("counted", 10, 10)]
    (store,) = many["stores"]
    assert (many["records"], many["records_per_day"]) == (200, 86_400)
    assert store["tried_rows"] == 110
    assert store["rows"] > 40_000
    assert store["bytes"] > 20 * store["rows"]
    assert many["restore_s"] == pytest.approx(store["rows"] / 100_000, abs=0.1)


def test_old_records_do_not_tell_how_many_come_in_a_day(stage: Stage) -> None:
    answer = estimated(stage, stage.counting(), *((b"key-%d" % at, at) for at in range(1_000, 1_100)))

    assert (answer["records"], answer["records_per_day"], answer["topics_of_old_records"]) == (100, 0, [stage.orders])
    assert [store["rows"] for store in answer["stores"]] == [100]


def test_state_of_windows_is_that_of_their_retention(stage: Stage) -> None:
    graph = stage.counting()
    graph["nodes"].append(node("minutes", "windowed_by", size_ms=60_000))
    grouped, counted = (each["id"] for each in graph["nodes"] if each["operator"] in ("group_by_key", "count"))
    graph["edges"] = [each for each in graph["edges"] if each["target"] != counted]
    graph["edges"] += [edge(grouped, "minutes", "grouped"), edge("minutes", counted, "grouped")]

    (store,) = estimated(stage, graph, *((b"key-%d" % at, at) for at in range(1_000, 1_100)))["stores"]

    assert 10 <= store["rows"] <= 120


def test_without_records_nothing_is_expected(stage: Stage) -> None:
    answer = estimated(stage, stage.counting())

    assert (answer["records"], answer["restore_s"]) == (0, 0)
    assert [(store["rows"], store["bytes"]) for store in answer["stores"]] == [(0, 0)]
