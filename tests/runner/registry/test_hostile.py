"""Registries that answer with what no honest one does: a server of the test that speaks their API."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from designer.refusals import Refusal
from designer.values.schemas import SchemaText
from runner.outgoing import AddressRefused
from runner.plan import JobSettings, Plan
from runner.registry import Registry, RegistryRefused, RegistryUnreachable, SchemaUnusable
from runner.spark import schemas as schemas_of_run
from runner.spark.schemas import Schemas, Waiting
from runner.spark.source.unknown import SchemaPlace
from runner.watch.topics.subjects import list_versions
from tests.patience import wait_until


class Hostile:
    """Answers each path with its JSON, and notes which ones were asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.text = ""
        """The answer to all requests."""
        self.otherwise: Any = None
        """The answer to requests that `answers` does not name."""
        self.asked: list[str] = []
        self.redirect: str | None = None
        self.status = 200
        self.port = 0

    def refer(self, name: str, *others: str, text: str = "{}") -> dict[str, Any]:
        references = [{"name": other, "subject": other, "version": 1} for other in others]
        return {"subject": name, "version": 1, "id": 1, "schema": text, "references": references}

    def add(self, name: str, *others: str, text: str = "{}") -> None:
        self.answers[f"/subjects/{name}/versions/1"] = self.refer(name, *others, text=text)

    @property
    def registry(self) -> Registry:
        return Registry(f"http://127.0.0.1:{self.port}", {}, is_internal=True)


@pytest.fixture
def hostile() -> Iterator[Hostile]:
    told = Hostile()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.asked.append(self.path)
            answer = told.text or json.dumps(told.answers.get(self.path.partition("?")[0], told.otherwise))
            body = answer.encode()
            self.send_response(told.status if told.redirect is None else 307)
            if told.redirect is not None:
                self.send_header("Location", told.redirect)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.port = server.server_port
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield told
    server.shutdown()
    server.server_close()


def test_a_schema_that_refers_to_itself_is_refused(hostile: Hostile):
    hostile.answers["/schemas/ids/1"] = hostile.refer("a", "a")
    hostile.add("a", "a")

    with pytest.raises(SchemaUnusable, match="refers to itself: a → a"):
        hostile.registry.schema(1)
    assert len(hostile.asked) == 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_registry_that_cannot_serve_a_request_is_told_apart_from_one_that_does_not_answer(
    hostile: Hostile, status: int
):
    hostile.status = status
    hostile.answers["/schemas/ids/1"] = {"error_code": 50001, "message": "Error in the backend data store"}

    with pytest.raises(RegistryUnreachable, match=rf"cannot serve the request now: it answered {status}, Error in"):
        hostile.registry.schema(1)


def test_descriptors_are_asked_for_where_records_are_read(hostile: Hostile):
    hostile.answers["/schemas/ids/1"] = {"schema": "message A {}", "schemaType": "PROTOBUF"}
    assert hostile.registry.schema(1, is_compiled=True).text == "message A {}"  # it knows no format

    hostile.answers["/schemas/ids/1"] = {"schema": "CgphLnByb3Rv", "schemaType": "PROTOBUF"}
    assert hostile.registry.schema(1, is_compiled=True).text == "CgphLnByb3Rv"
    assert hostile.asked == ["/schemas/ids/1", "/schemas/ids/1?format=serialized"] * 2


def test_a_long_circle_is_refused(hostile: Hostile):
    hostile.answers["/schemas/ids/1"] = hostile.refer("s", "n0")
    for number in range(50):
        hostile.add(f"n{number}", f"n{(number + 1) % 50}")

    with pytest.raises(SchemaUnusable, match="refers to itself"):
        hostile.registry.schema(1)


def test_schemas_that_refer_to_each_other_in_all_ways_are_asked_for_once(hostile: Hostile):
    hostile.answers["/schemas/ids/1"] = hostile.refer("s", *(f"n{each}" for each in range(20)))
    for number in range(20):
        hostile.add(f"n{number}", *(f"n{each}" for each in range(number)))

    assert len(hostile.registry.schema(1).references) == 20
    assert len(hostile.asked) == 21


def test_too_many_references_are_refused(hostile: Hostile):
    hostile.answers["/schemas/ids/1"] = hostile.refer("s", *(f"n{each}" for each in range(300)))
    for number in range(300):
        hostile.add(f"n{number}")

    with pytest.raises(SchemaUnusable, match="more than 200 others"):
        hostile.registry.schema(1)


def test_a_schema_of_ten_megabytes_is_refused(hostile: Hostile):
    hostile.answers["/schemas/ids/1"] = hostile.refer("s", text="x" * 9_000_000)
    hostile.answers["/schemas/ids/2"] = hostile.refer("s", text="x" * 11_000_000)

    with pytest.raises(SchemaUnusable, match="more than 1,000,000 characters"):
        hostile.registry.schema(1)
    with pytest.raises(RegistryUnreachable, match="longer than"):
        hostile.registry.schema(2)


def test_references_are_measured_together(hostile: Hostile):
    hostile.answers["/schemas/ids/1"] = hostile.refer("s", *(f"n{each}" for each in range(100)))
    for number in range(100):
        hostile.add(f"n{number}", text="x" * 400_000)

    with pytest.raises(SchemaUnusable, match="more than 1,000,000 characters"):
        hostile.registry.schema(1)
    assert len(hostile.asked) < 8


def test_ten_thousand_subjects_are_listed(hostile: Hostile):
    hostile.answers["/subjects"] = [f"orders-{number}-value" for number in range(10_000)]

    assert len(hostile.registry.subjects()) == 10_000


@pytest.mark.parametrize("address", ["http://169.254.169.254/latest/meta-data", "http://127.0.0.1:1/"])
def test_a_redirect_is_never_followed(hostile: Hostile, address: str):
    hostile.redirect = address

    with pytest.raises((RegistryRefused, AddressRefused)):
        hostile.registry.schema(1)
    assert len(hostile.asked) == 1


@pytest.mark.parametrize("answer", [None, [], {"schema": 7}, {"id": "x"}, "text", {"schema": None, "references": 3}])
def test_an_answer_of_another_shape_is_a_refusal(hostile: Hostile, answer: Any):
    hostile.answers["/subjects/a/versions/latest"] = answer

    with pytest.raises(RegistryRefused):
        hostile.registry.version("a")


def make_plan(hostile: Hostile, source: dict[str, Any], checkpoint: Path) -> Plan:
    return Plan(
        shared_shuffles=True,
        application_id="orders",
        epoch=1,
        generation=1,
        graph={"nodes": [{"id": "orders", "operator": "stream", "config": source}], "edges": []},
        schemas={},
        tasks=[1],
        slots=1,
        settings=JobSettings.model_validate({}),
        kafka={},
        topics={},
        marker_topic="marker",
        checkpoint=str(checkpoint),
        state_dir="",
        registry=hostile.registry.to_settings(),
    )


def test_a_run_fetches_the_subject_that_the_registry_associates_with_a_topic(hostile: Hostile, tmp_path: Path):
    text = '{"type": "record", "name": "Order", "fields": []}'
    source = {"topic": "orders", "value_schema": text, "schema_registry": True, "subject_strategy": "associated"}
    hostile.answers["/associations/resources/-/orders"] = [{"subject": "shop-orders"}]
    hostile.answers["/subjects/shop-orders/versions"] = [1]
    hostile.answers["/subjects/shop-orders/versions/1"] = hostile.refer("shop-orders", text=text)
    schemas = Schemas(make_plan(hostile, source, tmp_path), lambda waiting: None)

    schemas.fetch_subjects()

    assert [each.text for each in schemas.known.values()] == [text]
    assert [path for path in hostile.asked if "orders-value" in path] == []


def test_a_run_asks_on_after_a_schema_could_not_be_kept(
    hostile: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(schemas_of_run, "ASK_SECONDS", 0.05)
    hostile.answers["/schemas/ids/7"] = {"schema": '{"type": "record", "name": "Order", "fields": []}'}
    source = {"topic": "orders", "value_format": "json", "schema_registry": True}
    schemas = Schemas(make_plan(hostile, source, tmp_path), lambda waiting: None)
    schemas.waiting = [Waiting(SchemaPlace("orders", 0, 3, 7), "The registry is away.", 0)]
    (tmp_path / "schemas").write_text("no folder")

    asking = threading.Thread(target=schemas._ask_on, daemon=True)
    asking.start()
    wait_until(lambda: len(hostile.asked) > 1 or not asking.is_alive())
    (tmp_path / "schemas").unlink()

    assert schemas.is_due.wait(20)
    assert schemas.waiting == []


TEXT = SchemaText("AVRO", '"int"')
ODD: Any = [[], [[]], "text", 7, {}, {"id": "x"}, {"id": 1e999}, {"schema": 5, "id": 1, "version": 1e999}, ["text"]]


@pytest.mark.parametrize("answer", ODD, ids=str)
@pytest.mark.parametrize(
    "ask",
    [
        lambda registry: registry.check(),
        lambda registry: registry.versions("a"),
        lambda registry: registry.version("a"),
        lambda registry: registry.list_references("a", 1),
        lambda registry: registry.schema(1),
        lambda registry: registry.find_guid(1),
        lambda registry: registry.find_id("g"),
        lambda registry: registry.find_places(1),
        lambda registry: registry.find("a", TEXT),
        lambda registry: registry.judge("a", TEXT),
        lambda registry: registry.register("a", TEXT),
        lambda registry: registry.find_level("a"),
        lambda registry: registry.find_associated("t", "value"),
    ],
    ids=lambda ask: ask.__code__.co_names[0],
)
def test_an_answer_of_another_form_is_refused_and_no_error(
    ask: Callable[[Registry], object], answer: Any, hostile: Hostile
):
    hostile.otherwise = answer

    with suppress(Refusal):  # or it is an answer of an older registry
        ask(hostile.registry)


def test_an_answer_that_nests_too_deep_is_refused(hostile: Hostile):
    hostile.text = "[" * 100_000

    with pytest.raises(RegistryRefused, match="did not answer as a schema registry does"):
        hostile.registry.version("a")


def test_versions_with_very_many_lines_are_not_compared_line_by_line(hostile: Hostile):
    texts = [json.dumps([f"{number * number % 101}" for number in range(50_000 + more)]) for more in (0, 1)]
    hostile.answers["/subjects/a/versions"] = [1, 2]
    for number, text in enumerate(texts, 1):
        hostile.answers[f"/subjects/a/versions/{number}"] = hostile.refer("a", text=text) | {"version": number}

    newest, _ = list_versions(hostile.registry, "a")

    assert newest.diff == ["@@ Texts of more than 3,000 lines are not compared line by line. @@"]
