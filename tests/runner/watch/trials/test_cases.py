"""Test cases of a topology over HTTP and on the command line, on real Postgres. Kafka is away: none needs it."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from designer.projects import cases as kept
from designer.values.schemas import INTEGER, struct
from tests.people import person
from tests.runner.graph_builder import GraphBuilder

pytestmark = pytest.mark.django_db
JSON = "application/json"
ORDER = struct(amount=INTEGER)
RECORDS = """{"topic": "orders", "key": "a", "value": {"amount": 5}, "timestamp": 1000}
{"topic": "orders", "key": "b", "value": {"amount": 4}}
{"topic": "orders", "key": "a", "value": {"amount": 7}, "timestamp": 2000}"""
GIVEN = """{"topic": "totals", "key": "a", "value": {"total":5}, "timestamp": 1000}
{"topic": "totals", "key": "b", "value": {"total":4}, "timestamp": 1000}
{"topic": "totals", "key": "a", "value": {"total":12}, "timestamp": 2000}"""


def adding(expression: str = "amount", **source: Any) -> Any:
    """orders → the sum of each key → totals."""
    builder = GraphBuilder().stream("orders", ORDER, **source).add("grouped", "group_by_key", stream="orders")
    functions = [{"name": "total", "function": "sum", "expression": expression}]
    builder.add("added", "aggregate", {"functions": functions}, grouped="grouped").updates_to("totals", "added")
    return builder.graph.to_json()


class Desk:
    """Someone signed in, and a topology."""

    def __init__(self, name: str) -> None:
        self.client = Client()
        self.client.force_login(person(name))
        self.topology = 0

    def ask(self, method: str, path: str = "", body: Any = None, expect: int = 200) -> Any:
        at = f"/api/topologies/{self.topology}{path}"
        answer = self.client.generic(method, at, json.dumps(body or {}), content_type=JSON)
        assert answer.status_code == expect, answer.content
        return answer.json() if answer.content else None

    def keep(self, name: str = "sums", records: str = RECORDS, expect: int = 201, **more: Any) -> Any:
        return self.ask("POST", "/cases", {"name": name, "records": records, **more}, expect)

    def run(self, expect: int = 200, **wanted: Any) -> Any:
        return self.ask("POST", "/cases/run", wanted, expect)


@pytest.fixture
def desk(settings: Any) -> Desk:
    settings.KAFKA_BOOTSTRAP_SERVERS = "127.0.0.1:1"
    desk = Desk("ada")
    made = desk.client.post("/api/topologies", {"name": "Totals", "graph": adding()}, JSON)
    desk.topology = made.json()["id"]
    return desk


def test_what_leaves_the_topology_now_is_kept_and_passes(desk: Desk) -> None:
    case = desk.keep()

    assert case["expected"] == GIVEN
    assert case["updated_by"] == "ada"
    assert desk.ask("GET", "/cases") == [case]
    assert desk.run() == [
        {
            "case": case["id"],
            "name": "sums",
            "verdict": "passed",
            "why": "",
            "difference": None,
            "given": None,
        },
    ]


def test_a_graph_that_gives_something_else_fails_and_says_where(desk: Desk) -> None:
    desk.keep()

    (verdict,) = desk.run(graph=adding("amount * 2"))

    first = GIVEN.splitlines()[0]
    assert verdict["verdict"] == "failed"
    assert verdict["difference"] == {"expected": first, "given": first.replace("5", "10"), "at": "value.total"}
    assert len(verdict["given"].splitlines()) == 3
    assert desk.run()[0]["verdict"] == "passed"


def test_each_case_begins_with_empty_state(desk: Desk) -> None:
    desk.keep("one")
    desk.keep("two", expected=GIVEN)

    assert [each["verdict"] for each in desk.run()] == ["passed", "passed"]


def test_what_it_gives_now_can_be_taken_as_expected(desk: Desk) -> None:
    case = desk.keep()
    (failed,) = desk.run(graph=adding("amount * 2"))

    desk.ask("PATCH", f"/cases/{case['id']}", {"revision": 1, "expected": failed["given"]})

    assert desk.run(graph=adding("amount * 2"))[0]["verdict"] == "passed"
    assert desk.run()[0]["verdict"] == "failed"


def test_cases_are_renamed_and_deleted(desk: Desk) -> None:
    case = desk.keep()
    desk.keep("other")

    renamed = desk.ask("PATCH", f"/cases/{case['id']}", {"revision": 1, "name": " more sums "})
    taken = desk.ask("PATCH", f"/cases/{case['id']}", {"revision": 2, "name": "other"}, 409)
    desk.ask("DELETE", f"/cases/{case['id']}", expect=204)
    gone = desk.ask("DELETE", f"/cases/{case['id']}", expect=404)

    assert (renamed["name"], renamed["revision"], renamed["records"]) == ("more sums", 2, RECORDS)
    assert taken["message"] == "Test case `other` already exists."
    assert gone["code"] == "not_found"
    assert [each["name"] for each in desk.ask("GET", "/cases")] == ["other"]


def test_two_people_do_not_lose_each_others_changes(desk: Desk) -> None:
    case = desk.keep()
    bob = Desk("bob")
    bob.topology = desk.topology
    bob.ask("PATCH", f"/cases/{case['id']}", {"revision": 1, "name": "bob's"})

    refused = desk.ask("PATCH", f"/cases/{case['id']}", {"revision": 1, "records": ""}, 409)

    assert refused["message"] == "bob changed the test case `bob's` in the meantime."
    assert desk.ask("GET", "/cases")[0]["records"] == RECORDS


def test_a_record_that_fails_is_expected_as_a_dead_letter(desk: Desk) -> None:
    failing = RECORDS.replace('"amount": 4', '"amount": "much"')

    case = desk.keep(records=failing)

    letter = json.loads(case["expected"].splitlines()[1])
    assert (letter["dead_letter"], letter["record"]) == ("orders", 2)
    assert "cannot be decoded" in letter["reason"]
    assert desk.run()[0]["verdict"] == "passed"


def test_a_record_that_became_a_dead_letter_says_where_and_why_on_the_command_line(desk: Desk) -> None:
    desk.keep(records=RECORDS.split("\n")[0].replace("5", '"much"'), expected=GIVEN.split("\n")[0])

    code, printed = said("totals")

    assert code == 1
    assert '  got      {"dead_letter": "orders", "record": 1, "reason": "The value cannot be decoded.' in printed


def test_a_node_whose_policy_is_to_fail_fails_the_case(desk: Desk) -> None:
    graph = GraphBuilder().stream("orders", ORDER)
    graph.add("parts", "map_values", {"value": "100 / amount", "on_error": "fail"}, records="orders")
    drawn = graph.to("totals", "parts").graph.to_json()
    records = '{"topic": "orders", "key": "a", "value": {"amount": 0}}'

    refused = desk.keep(records=records, graph=drawn, expect=422)
    desk.keep(records=records, expected="")
    (verdict,) = desk.run(graph=drawn)

    assert refused["code"] == "case.not_tried"
    assert verdict["verdict"] == "failed"
    assert "parts" in verdict["why"]


def test_a_graph_with_issues_tries_none(desk: Desk) -> None:
    desk.keep()

    refused = desk.run(graph=adding("amuont"), expect=422)

    assert refused["code"] == "topology.has_issues"


def test_records_that_do_not_fit_any_more_are_said_to_be_impossible(desk: Desk) -> None:
    desk.keep(records='{"topic": "orders", "key": "a", "value": null}')
    drawn = adding()
    drawn["nodes"][0]["config"]["key_type"] = {"kind": "integer"}
    drawn["nodes"][0]["config"]["key_format"] = "long"

    (verdict,) = desk.run(graph=drawn)

    assert verdict["verdict"] == "impossible"
    assert verdict["why"].startswith("The key of record 1 does not fit `orders`")


def test_python_is_tried_only_for_those_who_may_run_it(desk: Desk, monkeypatch: Any) -> None:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    desk.keep(expected='{"topic": "totals", "key": "a", "value": 1}', records=RECORDS.split("\n")[0])
    own = "class Own(Processor):\n    def process(self, record):\n        self.context.forward(record.with_value(1))\n"
    coded = {"code": own, "key_type": {"kind": "string"}, "value_type": {"kind": "integer"}}
    drawn = GraphBuilder().stream("orders", ORDER).add("own", "process", coded, stream="orders").to("totals", "own")
    graph = drawn.graph.to_json()

    refused = desk.run(graph=graph, expect=403)
    call_command("allow_code", "ada")

    assert refused["code"] == "code.not_permitted"
    assert [each["verdict"] for each in desk.run(graph=graph)] == ["passed"]


def test_the_topics_of_a_pattern_are_those_of_the_records(desk: Desk) -> None:
    drawn = adding(topic=None, pattern="orders-.*")
    records = RECORDS.replace('"orders"', '"orders-east"')

    case = desk.keep(records=records, graph=drawn)

    assert case["expected"] == GIVEN
    assert desk.keep("none", records="", graph=drawn)["expected"] == ""


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ({"name": " "}, 400, "1 to 100 characters"),
        ({"name": "x" * 101}, 400, "1 to 100 characters"),
        ({"records": "{"}, 422, "Line 1 is not valid JSON"),
        ({"expected": '{"key": 1}'}, 422, "Line 1 names no `topic`"),
        ({"records": "\n".join([RECORDS] * 400)}, 422, "1,200 records; at most 1,000 can be tried"),
        ({"expected": "x\x00"}, 422, ""),
        ({"name": "x\x00", "expected": ""}, 422, "NUL"),
    ],
)
def test_what_cannot_be_kept_is_refused(desk: Desk, body: dict[str, Any], status: int, why: str) -> None:
    assert why in desk.keep(**({"name": "sums"} | body), expect=status)["message"]
    assert desk.ask("GET", "/cases") == []


def test_there_may_be_so_many_and_so_long(desk: Desk, monkeypatch: Any) -> None:
    monkeypatch.setattr(kept, "MAX_CASES", 2)
    monkeypatch.setattr(kept, "MAX_BYTES", 1_000)
    desk.keep("one")
    long = desk.keep("long", expected=GIVEN + " " * 1_000, expect=422)
    desk.keep("two", expected="")
    many = desk.keep("three", expected="", expect=422)

    assert long["message"].startswith("The test cases of the topology would take 1,")
    assert many["message"] == "The topology already has 2 test cases, the maximum."


def test_they_travel_with_the_topology_and_survive_versions(desk: Desk) -> None:
    case = desk.keep(records=RECORDS.replace('"a"', '"a\u2028"').replace("7", "9007199254740993"))
    desk.ask("POST", "/versions", {}, 201)
    exported = desk.ask("GET", "/export")

    imported = desk.client.post("/api/topologies/import", exported, JSON).json()
    desk.topology = imported["id"]

    (copy,) = desk.ask("GET", "/cases")
    assert (copy["name"], copy["records"], copy["expected"]) == (case["name"], case["records"], case["expected"])
    assert desk.run()[0]["verdict"] == "passed"
    assert exported["cases"][0]["records"] == case["records"].split("\n")


@pytest.mark.parametrize(
    "cases",
    [
        7,
        [7],
        [{"name": "a"}],
        [{"name": "a", "records": "", "expected": []}],
        [{"name": "", "records": [], "expected": []}],
    ],
)
def test_an_export_whose_cases_are_none_is_refused(desk: Desk, cases: Any) -> None:
    exported = desk.ask("GET", "/export") | {"cases": cases}

    answer = desk.client.post("/api/topologies/import", exported, JSON)

    assert answer.status_code in (400, 422), answer.content
    assert len(desk.client.get("/api/topologies").json()) == 1


def test_the_command_tries_them_and_ends_with_1_where_one_fails(desk: Desk, tmp_path: Path) -> None:
    desk.keep()
    file = tmp_path / "totals.json"
    exported = desk.ask("GET", "/export")
    file.write_text(json.dumps(exported))

    assert said("totals") == (0, "1 passed, 0 failed\n")
    assert said(str(file)) == (0, "1 passed, 0 failed\n")

    file.write_text(json.dumps(exported | {"graph": adding("amount + 1")}))
    code, words = said(str(file))
    first = GIVEN.splitlines()[0]
    assert code == 1
    assert words.splitlines() == [
        "sums:",
        f"  expected {first}",
        f"  got      {first.replace('5', '6')}",
        "  differs at value.total",
        "0 passed, 1 failed",
    ]


def test_the_command_says_the_issues_of_a_graph(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "totals.json"
    file.write_text(json.dumps(desk.ask("GET", "/export") | {"graph": adding("amuont")}))

    with pytest.raises(CommandError, match="amuont"):
        said(str(file))


def said(topology: str) -> tuple[int, str]:
    out, code = StringIO(), 0
    try:
        call_command("try", topology, stdout=out)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return code, out.getvalue()
