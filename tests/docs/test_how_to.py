"""How-to pages name what the code has."""

import copy
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from designer.topology.differences import compare
from designer.topology.graph import Graph
from runner.engine.code import user_code
from runner.export.describe.skeleton import draw_skeleton
from runner.watch.alerts.kinds import KINDS
from runner.watch.alerts.sending import sign
from tests.docs.pages import ROOT
from tests.runner.graph_builder import GraphBuilder

HOOK = re.compile(r"^@runtime_checkable\nclass (\w+)\(Protocol", re.MULTILINE)


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text()


def first_cells(text: str) -> list[str]:
    """The first cell of each row of the tables in a text."""
    return [line.strip("| ").split(" | ")[0] for line in text.splitlines() if line.startswith("| ")]


def test_the_page_on_operators_names_each_hook():
    (line,) = re.findall(r"^- The hooks are protocols: .*", page("how-to/operator"), re.MULTILINE)
    files: list[Path] = [*(ROOT / "designer/topology").rglob("*.py"), *(ROOT / "runner/engine").rglob("*.py")]

    assert set(re.findall(r"`(\w+)`", line)) == {hook for file in files for hook in HOOK.findall(file.read_text())}


def test_the_page_on_alerts_lists_each_rule():
    rules = first_cells(page("how-to/alerts").split("## Rules")[1].split("\n## ")[0])

    assert rules == ["rule", *(kind.title for kind in KINDS.values())]


def test_the_page_on_reviews_shows_what_versions_of_the_sample_differ_in():
    before = json.loads((ROOT / "runner/demo/samples/flight_delays.json").read_text())["graph"]
    after = copy.deepcopy(before)
    (late,) = (node for node in after["nodes"] if node["id"] == "late")
    late["config"]["predicate"] = "dep_delay > 30"
    after["nodes"].append({"id": "alerts", "operator": "to", "config": {"topic": "alerts"}})
    edge = {"source": "late", "source_port": "result", "target": "alerts", "target_port": "stream"}
    after["edges"].append(edge)
    (shown,) = re.findall(r"^```\n(.*?)\n```", page("how-to/review"), re.DOTALL | re.MULTILINE)

    assert compare(Graph.from_json(before), Graph.from_json(after)).text() == shown


def test_the_page_on_the_guard_has_the_words_of_the_guard():
    section = page("how-to/guard").split("## What it says")[1].split("\n## ")[0]
    said = [words for cell in first_cells(section) for words in re.findall(r"\*(.+?)\*", cell)]
    guard = (ROOT / "runner/watch/topics/guard.py").read_text()

    assert len(said) > 5
    assert [words for words in said if any(part.strip() not in guard for part in re.split("`.+?`", words))] == []


def test_the_receiver_on_the_page_on_alerts_knows_what_we_sign():
    (code,) = re.findall(r"```python\n(.*?)```", page("how-to/alerts"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    header = sign("key", int(time.time()), b"{}")

    assert names["is_genuine"]("key", header, b"{}")
    assert not names["is_genuine"]("key", header, b"[]")
    assert not names["is_genuine"]("key", sign("key", int(time.time()) - 301, b"{}"), b"{}")


def test_the_code_on_the_page_about_other_servers_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    monkeypatch.setattr(user_code, "_is_trusted", True)
    (code,) = re.findall(r"```python\n(.*?)```", page("how-to/ask-servers"), re.DOTALL)
    here = code.replace("https://prices.example", "http://127.0.0.1:9")  # nobody answers there
    prices = GraphBuilder().stream("orders").add("priced", "process", {"code": here}, stream="orders")
    driver = prices.to("prices", "priced").driver(wall_clock=lambda: 0)

    driver.pipe("orders", key="a", value={"currency": "EUR"})

    assert here != code
    assert driver.read("prices") == [("a", {"currency": "EUR", "price": None})]


def test_the_description_on_the_page_about_kafka_streams_is_drawn_as_it_says():
    text = page("how-to/kafka-streams")
    windows = {"KSTREAM-AGGREGATE-0000000003": "none"}
    graph, notes, _ = draw_skeleton(re.findall(r"```text\n(.*?)```", text, re.DOTALL)[0], windows)
    table = text.split("joined by edges:")[1].split("\n## ")[0]

    assert notes == ()
    assert first_cells(table) == ["node", *(f"`{node.id}`" for node in graph.nodes)]
    assert all(f"| `{node.id}` | `{node.operator}` |" in table for node in graph.nodes)


def test_the_tutorial_names_buttons_and_tabs_of_the_page():
    sources = "".join(file.read_text() for file in sorted((ROOT / "frontend/src").rglob("*.ts*")))
    words = set(re.findall(r"\*\*(.+?)\*\*", page("tutorial")))
    labels = {"Topic", "Key"}  # the catalogue gives these

    assert {"New topology", "Deploy", "Records"} <= words
    assert [word for word in sorted(words - labels) if not re.search(rf'[">]\s*{word}\s*["<]', sources)] == []
