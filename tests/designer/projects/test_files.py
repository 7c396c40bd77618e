"""Topologies as files for version control, and versions of them compared, by the commands that a team runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from designer.projects import services
from designer.projects.models import Topology
from tests.designer.graphs import drawn, node
from tests.people import person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def user() -> Any:
    return person("ada")


@pytest.fixture
def topology() -> Topology:
    graph = drawn(orders=node("stream", topic="orders"), large=node("filter", predicate="amount > 10")).to_json()
    made = services.create_topology(name="Large orders", by=None, graph=graph)
    services.create_version(topology=made, by=None, note="First")
    return made


AREA = {"x": 0.0, "y": -40.0, "width": 400.0, "height": 200.0}


def exported(folder: Path) -> dict[str, Any]:
    call_command("export", all=folder)
    found: dict[str, Any] = json.loads((folder / "large-orders.json").read_text())
    return found


def changed(folder: Path, predicate: str, **more: str) -> None:
    file = exported(folder)
    file["graph"]["nodes"][1]["config"]["predicate"] = predicate
    (folder / "large-orders.json").write_text(json.dumps(file | more))


def test_a_topology_always_gives_the_same_text(topology: Topology, tmp_path: Path) -> None:
    first = exported(tmp_path)
    text = (tmp_path / "large-orders.json").read_text()

    exported(tmp_path)

    assert (tmp_path / "large-orders.json").read_text() == text
    assert text.splitlines() == json.dumps(first, indent=2, sort_keys=True, ensure_ascii=False).splitlines()
    assert first["message"] == "First"
    assert all("position" not in each for each in first["graph"]["nodes"])
    assert first["positions"].keys() == {"orders", "large"}


def test_moving_a_node_changes_only_its_position(topology: Topology, tmp_path: Path) -> None:
    before = exported(tmp_path)
    graph = topology.draft.graph
    graph["nodes"][0]["position"] = {"x": 77, "y": 0}
    services.save_draft(topology=topology, graph=graph, revision=1, by=None)

    after = exported(tmp_path)

    assert after["positions"].pop("orders") != before["positions"].pop("orders")
    assert {**after, "message": "First"} == before


def test_what_was_exported_is_unchanged_when_it_is_imported(
    topology: Topology, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported(tmp_path)

    call_command("import", all=tmp_path)

    assert capsys.readouterr().out.endswith("large-orders.json: unchanged\n")
    assert [version.number for version in topology.versions.all()] == [1]


def test_a_changed_file_is_a_new_version_with_its_message(
    topology: Topology, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(tmp_path, "amount > 99", message="Only very large ones", name="Very large orders")

    call_command("import", all=tmp_path, message="from main")

    topology.refresh_from_db()
    newest = topology.versions.first()
    assert newest is not None
    assert capsys.readouterr().out.endswith("large-orders.json: version 2\n")
    assert (topology.name, newest.note) == ("Very large orders", "Only very large ones")
    assert topology.draft.graph["nodes"][0]["position"] == {"x": 0.0, "y": 0.0}

    call_command("diff", topology.slug, "1", "2")

    assert capsys.readouterr().out.splitlines() == [
        "~ large (filter)",
        '-   predicate: "amount > 10"',
        '+   predicate: "amount > 99"',
    ]


def test_a_file_that_only_moves_a_node_makes_no_version(topology: Topology, tmp_path: Path) -> None:
    file = exported(tmp_path)
    file["positions"]["large"] = {"x": 500, "y": 40}
    (tmp_path / "large-orders.json").write_text(json.dumps(file))

    call_command("import", all=tmp_path)

    assert topology.versions.count() == 1
    topology.draft.refresh_from_db()
    assert topology.draft.graph["nodes"][1]["position"] == {"x": 500, "y": 40}


def test_notes_and_colours_come_back_and_only_their_places_lie_apart(topology: Topology, tmp_path: Path) -> None:
    note = {"id": "#a", "kind": "frame", "text": "Large **orders**", "colour": "green", "position": AREA}
    graph = topology.draft.graph | {"notes": [note]}
    graph["nodes"][1]["colour"] = "red"
    services.save_draft(topology=topology, graph=graph, revision=1, by=None)

    file = exported(tmp_path)
    call_command("import", all=tmp_path, message="Say what it is for")

    assert file["positions"]["#a"] == AREA
    assert file["graph"]["notes"] == [{name: value for name, value in note.items() if name != "position"}]
    newest = topology.versions.first()
    assert newest is not None
    assert (newest.number, newest.graph) == (2, graph)


def test_a_new_file_is_a_new_topology(topology: Topology, tmp_path: Path) -> None:
    file = exported(tmp_path)
    (tmp_path / "small.json").write_text(json.dumps(file | {"name": "Small orders"}))

    call_command("import", str(tmp_path / "small.json"))

    made = Topology.objects.get(name="Small orders")
    assert [version.note for version in made.versions.all()] == ["First"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not valid JSON"),
        ('{"streamwright": 1, "graph": {"nodes": []}, "positions": []}', "`positions` is not an object"),
        ('{"streamwright": 1, "graph": {"nodes": []}, "message": 7}', "message has at most 500 characters"),
        ('{"streamwright": 1, "graph": {"nodes": []}, "colour": 7}', "The export has `colour`"),
    ],
)
def test_a_file_that_holds_no_topology_changes_nothing(
    topology: Topology, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "large-orders.json"
    file.write_text(text)

    with pytest.raises(CommandError, match=message):
        call_command("import", str(file))

    assert [version.number for version in topology.versions.all()] == [1]
    assert len(topology.draft.read_graph().nodes) == 2


def test_graphs_are_compared_over_http(topology: Topology, user: Any) -> None:
    browser = Client()
    browser.force_login(user)
    address = f"/api/topologies/{topology.id}/differences"
    services.save_draft(
        topology=topology, graph=drawn(orders=node("stream", topic="others")).to_json(), revision=1, by=None
    )

    found = browser.get(address, {"before": "1"}).json()
    refused = browser.get(address, {"before": "9"})

    assert [each["id"] for each in found["removed"]] == ["large"]
    assert found["changed"] == [
        {
            "node": "orders",
            "operator": "stream",
            "fields": [{"name": "topic", "before": "orders", "after": "others"}],
        }
    ]
    assert '+   topic: "others"' in found["text"]
    assert (refused.status_code, refused.json()["message"]) == (404, "`Large orders` has no version `9`.")
