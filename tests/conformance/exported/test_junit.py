"""The test cases of an exported project are JUnit tests: they pass, and fail where what leaves is another."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from designer.values.schemas import INTEGER, struct
from runner.export.java.project import make_java_project
from runner.export.java.testing import KeptCase
from tests import java
from tests.java import class_path, fetched, javac
from tests.runner.graph_builder import GraphBuilder

pytestmark = pytest.mark.services
RECORDS = """{"topic": "orders", "key": "a", "value": {"amount": 5}, "timestamp": 1000}
{"topic": "orders", "key": "b", "value": {"amount": 4}}
{"topic": "orders", "key": "a", "value": {"amount": 7}, "timestamp": 2000}"""
EXPECTED = """{"topic": "totals", "key": "b", "value": {"total": 4}}
{"topic": "totals", "key": "a", "value": {"total": 5}, "timestamp": 1000}
{"topic": "totals", "key": "a", "value": {"total": 12}, "timestamp": 2000}
{"topic": "seconds", "key": {"end": 2000, "key": "b", "start": 1000}, "value": 1}
{"topic": "seconds", "key": {"key": "a", "start": 1000, "end": 2000}, "value": 1}
{"topic": "seconds", "key": {"key": "a", "start": 2000, "end": 3000}, "value": 1}"""


def sums() -> GraphBuilder:
    """orders → the sum of each key → totals, and how many each second → seconds."""
    builder = GraphBuilder().stream("orders", struct(amount=INTEGER)).add("grouped", "group_by_key", stream="orders")
    functions = [{"name": "total", "function": "sum", "expression": "amount"}]
    builder.add("added", "aggregate", {"functions": functions}, grouped="grouped").updates_to("totals", "added")
    builder.add("each", "windowed_by", {"type": "tumbling", "size_ms": 1_000}, grouped="grouped")
    return builder.add("counted", "count", grouped="each").updates_to("seconds", "counted")


def verdicts(folder: Path, *cases: KeptCase) -> dict[str, bool]:
    """Which cases pass as tests of the project, by their names."""
    for path, content in make_java_project("Sums", "sums", sums().graph, {}, cases).files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    path = os.pathsep.join([*map(str, fetched("junit")), class_path()])
    sources = list(map(str, folder.rglob("*.java")))
    command = [str(javac()), "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d", str(folder / "out"), "-cp", path]
    subprocess.run([*command, *sources], check=True, capture_output=True)
    path = os.pathsep.join([str(folder / "out"), str(folder / "src/test/resources"), path])
    console = ["org.junit.platform.console.ConsoleLauncher", "execute", "-c", "streamwright.SumsTest"]
    options = ["--details=tree", "--details-theme=ascii", "--disable-ansi-colors", "--disable-banner"]
    done = java.run(["-cp", path, *console, *options])
    found = {case.name: re.search(re.escape(case.name) + r" \[(OK|X)\]", done.stdout) for case in cases}
    return {name: verdict[1] == "OK" for name, verdict in found.items() if verdict}


def test_a_test_case_passes_and_one_that_expects_another_value_fails(tmp_path: Path):
    wrong = EXPECTED.replace('"total": 12', '"total": 13')
    lacking = EXPECTED.rpartition("\n")[0]

    found = verdicts(
        tmp_path,
        KeptCase('right, "whatever" the name', RECORDS, EXPECTED),
        KeptCase("wrong", RECORDS, wrong),
        KeptCase("one more", RECORDS, lacking),
    )

    assert found == {'right, "whatever" the name': True, "wrong": False, "one more": False}
