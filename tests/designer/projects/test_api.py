"""Topologies, drafts and versions through the HTTP API, on a real Postgres."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from designer.projects.models import Topology, Version
from designer.topology.graph import Graph
from runner.demo.samples import FLIGHT_DELAYS, get_sample
from tests.designer.graphs import drawn, node, orders
from tests.people import person
from webapp.accounts.models import User

pytestmark = pytest.mark.django_db
JSON = "application/json"

SMALL = drawn("orders > out", orders=orders(), out=node("to", topic="copies")).to_json()
WRONG = drawn(
    "orders > big > out", orders=orders(), big=node("filter", predicate="amout > 1"), out=node("to", topic="x")
)


@pytest.fixture
def browser() -> Client:
    """Someone signed in."""
    client = Client()
    client.force_login(person("ada"))
    return client


@pytest.fixture
def topology(browser: Client) -> Any:
    made = browser.post("/api/topologies", {"name": "Copies", "graph": SMALL}, JSON)
    assert made.status_code == 201, made.content
    return made.json()


def test_the_catalogue_tells_all_that_is_shown_of_an_operator(browser: Client) -> None:
    listed = browser.get("/api/operators").json()

    shown = {operator["name"]: operator for operator in listed["operators"]}
    assert shown["filter"]["help"].startswith("Keep the records for which the predicate is true.")
    assert shown["filter"]["inputs"] == [
        {"name": "records", "takes": ["KStream", "KTable"], "is_many": False, "each": None}
    ]
    assert shown["filter"]["outputs"] == [{"name": "result", "cases": [], "like": "records", "each": None}]
    assert {"gives": "KTable", "when": {"left": "KTable", "right": "KTable"}} in shown["join"]["outputs"][0]["cases"]
    assert shown["filter"]["form"]["properties"]["predicate"]["format"] == "expression"
    assert shown["aggregate"]["expressions"] == [
        *("functions.*.expression", "functions.*.order_by"),
        *("init", "add", "subtract", "merge"),
    ]
    assert shown["join"]["expressions"] == ["value", "fields.*.expression", "key", "foreign_key"]


def test_the_catalogue_says_why_an_edge_is_refused(browser: Client) -> None:
    refused = browser.get("/api/operators").json()["refused"]

    reason = next(each for each in refused if (each["gives"], each["operator"]) == ("KTable", "group_by_key"))
    assert reason["hint"] == "Put to_stream between them."


def test_a_new_topology_has_a_draft_and_no_version(browser: Client, topology: Any) -> None:
    draft = browser.get(f"/api/topologies/{topology['id']}/draft").json()

    assert (topology["name"], topology["slug"], topology["owner"], topology["newest_version"]) == (
        "Copies",
        "copies",
        "ada",
        None,
    )
    assert (draft["revision"], draft["graph"], draft["updated_by"]) == (1, SMALL, "ada")


def test_two_topologies_of_one_name_have_slugs_of_their_own(browser: Client, topology: Any) -> None:
    second = browser.post("/api/topologies", {"name": "Copies"}, JSON).json()

    assert second["slug"] == "copies-2"
    assert [each["id"] for each in browser.get("/api/topologies").json()] == [topology["id"], second["id"]]


def test_the_slug_follows_a_new_name(browser: Client, topology: Any) -> None:
    renamed = browser.patch(f"/api/topologies/{topology['id']}", {"name": " Doubles "}, JSON).json()

    assert (renamed["name"], renamed["slug"]) == ("Doubles", "doubles")


def test_a_bare_name_that_hides_a_field_is_explained(browser: Client) -> None:
    fields = [{"name": "key", "type": {"kind": "string"}}, {"name": "id", "type": {"kind": "string"}}]
    config = {"topic": "orders", "key_type": {"kind": "string"}, "value_type": {"kind": "struct", "fields": fields}}
    source = {"id": "orders", "operator": "stream", "config": config}
    edge = {"source": "orders", "source_port": "result", "target": "kept", "target_port": "records"}
    graph = {"nodes": [source, {"id": "kept", "operator": "filter", "config": {}}], "edges": [edge]}
    asked = {"graph": graph, "node": "kept", "field": "predicate"}

    hidden, plain = (
        browser.post("/api/expressions/check", {**asked, "text": text}, JSON).json()["note"]
        for text in ("key = id", "value.key = id")
    )

    assert (hidden, plain) == ("`key` is the record's key. Write `value.key` for the field.", "")


@pytest.mark.parametrize("name", ["", "   ", "x" * 101])
def test_a_name_has_characters(browser: Client, topology: Any, name: str) -> None:
    answer = browser.patch(f"/api/topologies/{topology['id']}", {"name": name}, JSON)

    assert answer.status_code == 400
    assert answer.json()["message"] == "A topology's name has 1 to 100 characters."


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ('{"name": "a\\u0000b"}', "request.unwritable"),
        ('{"name": "\\ud800"}', "request.unwritable"),
        ('{"name": "a", "note": NaN}', "request.not_json"),
        ('{"name": ', "request.not_json"),
        ('{"name": 1' + "0" * 5_000 + "}", "request.not_json"),
        ("[" * 100_000, "request.too_much"),
        ("[" * 70 + "]" * 70, "request.too_much"),
        ("[]", "request.malformed"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused_as_anything_is(browser: Client, body: str, code: str) -> None:
    answer = browser.post("/api/topologies", body, JSON)

    assert (answer.status_code // 100, answer.json()["code"]) == (4, code)
    assert answer.json()["message"]


@pytest.mark.parametrize(
    ("path", "unknown"),
    [
        ("/api/topologies?nmae=x", ["nmae"]),
        ("/api/alerts?has_ended=true&has_endde=1&also=2", ["has_endde", "also"]),
        ("/api/audit?what=deploys&of=orders", ["of"]),
        ("/api/alerts?has_ended=true", []),
        ("/api/audit?by=ada&before=7", []),
    ],
)
def test_a_parameter_that_nobody_reads_is_refused_by_its_name(browser: Client, path: str, unknown: list[str]) -> None:
    User.objects.update(is_superuser=True)  # the audit is for product administrators

    answer = browser.get(path)

    assert answer.status_code == (422 if unknown else 200)
    if unknown:
        assert answer.json() == {
            "code": "request.malformed",
            "message": f"{unknown[0]}: the request has no parameter of this name.",
            "hint": "See /api/openapi.json for what is expected.",
            "places": [{"at": name, "message": "the request has no parameter of this name"} for name in unknown],
        }


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("get", "/api/nothing", 404), ("put", "/api/topologies", 405), ("get", f"/api/topologies/{10**30}", 404)],
)
def test_an_address_that_is_none_is_refused_as_anything_is(
    browser: Client, method: str, path: str, status: int
) -> None:
    answer = getattr(browser, method)(path)

    assert (answer.status_code, set(answer.json())) == (status, {"code", "message", "hint"})


def test_a_stranger_and_a_page_of_somebody_else_are_refused_as_anybody_is(browser: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies

    answers = [Client().get("/api/topologies"), strict.post("/api/topologies", {"name": "x"}, JSON)]

    assert [answer.status_code for answer in answers] == [401, 403]
    assert all(answer.json()["message"] and answer.json()["hint"] for answer in answers)


def test_the_openapi_says_that_each_operation_may_be_refused(browser: Client) -> None:
    paths = browser.get("/api/openapi.json").json()["paths"]

    operations = [operation for path in paths.values() for operation in path.values()]
    assert operations
    assert all({"4XX", "503"} <= set(operation["responses"]) for operation in operations)


def test_a_deleted_topology_is_gone_with_its_versions(browser: Client, topology: Any) -> None:
    browser.post(f"/api/topologies/{topology['id']}/versions", {}, JSON)

    assert browser.delete(f"/api/topologies/{topology['id']}").status_code == 204

    assert not Version.objects.exists()
    assert browser.get(f"/api/topologies/{topology['id']}").status_code == 404


def test_saving_a_draft_counts_its_revision_up(browser: Client, topology: Any) -> None:
    graph = WRONG.to_json()

    saved = browser.put(f"/api/topologies/{topology['id']}/draft", {"revision": 1, "graph": graph}, JSON).json()

    assert (saved["revision"], saved["graph"]) == (2, graph)


def test_saving_what_is_there_already_changes_nothing(browser: Client, topology: Any) -> None:
    saved = browser.put(f"/api/topologies/{topology['id']}/draft", {"revision": 1, "graph": SMALL}, JSON).json()

    assert saved["revision"] == 1


def test_two_editors_never_overwrite_each_other(browser: Client, topology: Any) -> None:
    path = f"/api/topologies/{topology['id']}/draft"
    theirs, yours = WRONG.to_json(), Graph().to_json()
    browser.put(path, {"revision": 1, "graph": theirs}, JSON)

    answer = browser.put(path, {"revision": 1, "graph": yours}, JSON)

    assert answer.status_code == 409
    conflict = answer.json()
    assert (conflict["base"], conflict["yours"], conflict["theirs"]) == (SMALL, yours, theirs)
    assert (conflict["code"], conflict["revision"]) == ("conflict", 2)
    assert conflict["message"] == "ada saved revision 2 of this draft; your changes started from 1."
    assert browser.get(path).json()["graph"] == theirs


def test_a_version_holds_the_draft_as_it_was(browser: Client, topology: Any) -> None:
    version = browser.post(f"/api/topologies/{topology['id']}/versions", {"note": "first"}, JSON).json()
    browser.put(f"/api/topologies/{topology['id']}/draft", {"revision": 1, "graph": WRONG.to_json()}, JSON)

    kept = browser.get(f"/api/versions/{version['id']}").json()

    assert (kept["number"], kept["note"], kept["graph"], kept["created_by"]) == (1, "first", SMALL, "ada")
    assert browser.get(f"/api/topologies/{topology['id']}/draft").json()["based_on"] == 1
    assert browser.get(f"/api/topologies/{topology['id']}").json()["newest_version"] == 1


def test_an_unchanged_draft_is_the_version_it_was_saved_as(browser: Client, topology: Any) -> None:
    path = f"/api/topologies/{topology['id']}/versions"
    first = browser.post(path, {}, JSON).json()

    again = browser.post(path, {}, JSON).json()

    assert again["id"] == first["id"]
    assert [each["number"] for each in browser.get(path).json()] == [1]


def test_a_version_is_saved_of_the_draft_that_was_seen(browser: Client, topology: Any) -> None:
    browser.put(f"/api/topologies/{topology['id']}/draft", {"revision": 1, "graph": WRONG.to_json()}, JSON)

    answer = browser.post(f"/api/topologies/{topology['id']}/versions", {"revision": 1}, JSON)

    assert answer.status_code == 409


def test_a_version_never_changes(browser: Client, topology: Any) -> None:
    browser.post(f"/api/topologies/{topology['id']}/versions", {}, JSON)
    version = Version.objects.get()
    version.note = "rewritten"

    with pytest.raises(TypeError, match="versions never change"):
        version.save()


def test_what_is_exported_can_be_imported(browser: Client, topology: Any) -> None:
    exported = browser.get(f"/api/topologies/{topology['id']}/export").json()

    imported = browser.post("/api/topologies/import", exported, JSON).json()

    assert exported == {"streamwright": 1, "name": "Copies", "graph": SMALL, "schemas": {}}
    assert browser.get(f"/api/topologies/{imported['id']}/export").json() == exported
    assert imported["id"] != topology["id"]


def test_the_sample_can_be_imported_and_checked(browser: Client) -> None:
    imported = browser.post("/api/topologies/import", get_sample(FLIGHT_DELAYS), JSON).json()
    draft = browser.get(f"/api/topologies/{imported['id']}/draft").json()

    checked = browser.post("/api/check", {"graph": draft["graph"]}, JSON).json()

    assert checked["issues"] == []
    delays = checked["nodes"]["delays"]["outputs"]["result"]
    assert delays["type"] == "KTable"
    assert checked["schemas"][delays["carries"]]["window"] == {
        "kind": "tumbling",
        "size_ms": 3_600_000,
        "grace_ms": 86_400_000,
        "advance_ms": 0,
        "start_ms": 0,
        "calendar": None,
        "emit": "on_update",
        "idle_ms": None,
        "retention_ms": None,
        "store_type": "persistent",
    }
    assert checked["nodes"]["with-airline"]["inputs"]["right"]["type"] == "GlobalKTable"
    assert [(edge["source"], edge["target"]) for edge in checked["shuffles"]] == [("by-origin", "grouped")]


def test_a_check_says_what_is_wrong_and_where(browser: Client) -> None:
    checked = browser.post("/api/check", {"graph": WRONG.to_json()}, JSON).json()

    (issue,) = checked["issues"]
    assert (issue["node"], issue["field"], issue["span"]) == ("big", "predicate", [0, 5])
    assert checked["nodes"]["big"]["outputs"]["result"] == {"type": "KStream", "carries": None}


def test_an_expression_is_checked_while_it_is_typed(browser: Client) -> None:
    asked = {"graph": WRONG.to_json(), "node": "big", "field": "predicate"}

    right = browser.post("/api/expressions/check", {**asked, "text": "amount > 1"}, JSON).json()
    wrong = browser.post("/api/expressions/check", {**asked, "text": "amount >"}, JSON).json()

    assert (right["type"], right["error"]) == ({"kind": "boolean"}, None)
    assert right["spread"] == "value"
    assert {"name": "country", "type": {"kind": "string"}} in right["names"]["value"]["fields"]
    assert wrong["type"] is None
    assert wrong["error"]["message"]


def test_an_expression_whose_type_is_too_large_is_wrong(browser: Client) -> None:
    struct = "named_struct('a', value, 'b', value)"
    steps = {f"n{number}": node("map_values", value=struct) for number in range(9)}
    graph = drawn(" > ".join(("orders", *steps)), orders=orders(), **steps).to_json()
    asked = {"graph": graph, "node": "n8", "field": "value", "text": f"named_struct('a', {struct}, 'b', {struct})"}

    answer = browser.post("/api/expressions/check", asked, JSON)

    assert answer.json()["error"]["message"] == "The result has too many fields to be passed on."
    assert len(answer.content) < 1_000_000


def test_a_graph_that_explodes_is_kept_opened_and_checked_like_any(browser: Client) -> None:
    steps = {f"n{number}": node("map_values", value="named_struct('a', value, 'b', value)") for number in range(26)}
    graph = drawn(" > ".join(("orders", *steps, "out")), orders=orders(), **steps, out=node("to", topic="x")).to_json()
    exported = {"streamwright": 1, "name": "Bomb", "graph": graph, "schemas": {}}
    imported = browser.post("/api/topologies/import", exported, JSON).json()
    at = f"/api/topologies/{imported['id']}"

    checked = browser.post("/api/check", {"graph": browser.get(f"{at}/draft").json()["graph"]}, JSON)

    assert [issue["code"] for issue in checked.json()["issues"]] == ["type.too_large"]
    assert len(checked.content) < 1_000_000
    assert browser.get(f"{at}/export").json()["graph"] == graph
    assert browser.get(f"{at}/program").status_code == 200


@pytest.mark.parametrize(("node_id", "field", "status"), [("nobody", "predicate", 404), ("big", "topic", 400)])
def test_an_expression_belongs_to_a_field(browser: Client, node_id: str, field: str, status: int) -> None:
    asked = {"graph": WRONG.to_json(), "node": node_id, "field": field, "text": "1"}

    assert browser.post("/api/expressions/check", asked, JSON).status_code == status


def test_every_function_is_offered_with_its_signature(browser: Client) -> None:
    functions = {each["name"]: each for each in browser.get("/api/expressions/functions").json()}

    assert functions["abs"]["signature"] == "abs(number: number) -> number"
    assert functions["cast"]["help"].startswith("Converts a value to BOOLEAN")


def test_a_malformed_graph_is_refused_with_the_place(browser: Client) -> None:
    answer = browser.post("/api/topologies", {"name": "x", "graph": {"nodes": [{"id": "A"}]}}, JSON)

    assert answer.status_code == 422
    assert answer.json()["code"] == "graph.malformed"
    assert not Topology.objects.exists()


def test_a_graph_nested_too_deeply_is_refused(browser: Client) -> None:
    config: Any = {}
    for _ in range(40):
        config = {"x": config}
    graph = {"nodes": [{"id": "a", "operator": "filter", "config": config}], "edges": []}

    answer = browser.post("/api/check", {"graph": graph}, JSON)

    assert answer.status_code == 413
    assert answer.json()["message"] == "The JSON is nested deeper than 32 levels."


def test_a_body_over_a_megabyte_is_refused(browser: Client) -> None:
    answer = browser.post("/api/check", {"graph": {"nodes": [], "edges": [], "x": "x" * 1_100_000}}, JSON)

    assert answer.status_code in (400, 413)


def test_an_expression_of_a_source_sees_the_types_it_declares(browser: Client) -> None:
    fields = [{"name": "placed", "type": {"kind": "string"}}]
    config = {"topic": "orders", "timestamp_from": "field", "value_type": {"kind": "struct", "fields": fields}}
    graph = {"nodes": [{"id": "orders", "operator": "stream", "config": config}], "edges": []}
    asked = {"graph": graph, "node": "orders", "field": "timestamp_field", "text": "placed"}

    answer = browser.post("/api/expressions/check", asked, JSON).json()

    assert answer["error"] is None
    assert "placed" in [field["name"] for field in answer["names"]["value"]["fields"]]
