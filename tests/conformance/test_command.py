"""`manage.py conformance`: what it prints and how it ends."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.conformance.kept import FAMILIES

CASE = next(case for case in FAMILIES["random_stateless_s1"] if case["expected"])


def run(*words: Any) -> str:
    said = StringIO()
    call_command("conformance", *map(str, words), stdout=said)
    return said.getvalue()


def fails(*words: Any) -> str:
    said = StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("conformance", *map(str, words), stdout=said)
    return said.getvalue()


def changed(**fields: Any) -> dict[str, Any]:
    return {**CASE, **fields}


def test_cases_that_agree_are_counted(tmp_path: Path):
    file = tmp_path / "cases.jsonl"
    file.write_text(f"{json.dumps(CASE)}\n{json.dumps([CASE])}\n{json.dumps({'family': 'x', 'cases': [CASE]})}")

    said = run(file)

    assert said == "3 passed, 0 failed\n"


@pytest.mark.parametrize("options", [(), ("--batches", "one"), ("--batches", "random"), ("--level", "final")])
def test_every_way_of_asking_the_driver_gives_the_same(options: tuple[str, ...], tmp_path: Path):
    file = tmp_path / "case.json"
    file.write_text(json.dumps(CASE))

    said = run(file, *options)

    assert said.splitlines()[-1] == "1 passed, 0 failed"


def test_the_first_difference_is_shown_with_its_record(tmp_path: Path):
    steps = [[{**each, "value": "other"} for each in step] for step in CASE["expected_by_step"]]
    file = tmp_path / "case.json"
    file.write_text(json.dumps(changed(expected_by_step=steps)))

    said = fails(file).splitlines()

    assert said[0] == CASE["name"]
    assert '"topic": "in0"' in said[1]
    assert '"other"' in said[2]
    assert said[-1] == "0 passed, 1 failed"


def test_a_case_that_is_refused_fails_with_the_reason(tmp_path: Path):
    file = tmp_path / "case.json"
    file.write_text(json.dumps(changed(topology=[*CASE["topology"], {"id": "z", "op": "teleport", "from": "s0"}])))

    said = fails(file)

    assert "There is no step teleport here." in said


@pytest.mark.parametrize(
    ("topology", "reason"),
    [
        ([{"id": "g", "op": "group_by_key", "from": "nowhere"}], "Step g: 'nowhere' is missing or unknown."),
        ([{"id": "f", "op": "filter"}], "Step f: 'from' is missing or unknown."),
    ],
)
def test_a_step_that_is_not_whole_is_named_with_what_it_lacks(topology: Any, reason: str, tmp_path: Path):
    file = tmp_path / "case.json"
    file.write_text(json.dumps(changed(topology=topology)))

    assert reason in fails(file)


def test_a_case_without_a_name_is_called_by_its_place(tmp_path: Path):
    nameless = {name: held for name, held in changed(expected_by_step=[]).items() if name != "name"}
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([CASE, nameless]))

    assert fails(file).splitlines()[0] == "case 2 of cases.json"


def test_what_is_left_out_of_a_record_is_null(tmp_path: Path):
    keyless = {
        "name": "keyless",
        "topology": [{"id": "i", "op": "stream", "topic": "in"}, {"id": "o", "op": "to", "from": "i", "topic": "out"}],
        "inputs": [{"topic": "in", "value": "a", "timestamp": 1}],
        "expected": [{"topic": "out", "value": "a", "timestamp": 1, "window": None}],
        "dropped_records": None,
    }
    file = tmp_path / "case.json"
    file.write_text("\ufeff" + json.dumps(keyless))

    assert run(file) == "1 passed, 0 failed\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "There is no case in the files."),
        ("[]", "There is no case in the files."),
        ("{", "holds no cases"),
        ('[5, "a"]', "case 1 of cases.json is not an object with a `topology`."),
    ],
)
def test_files_without_cases_are_no_success(text: str, reason: str, tmp_path: Path):
    file = tmp_path / "cases.json"
    file.write_text(text)

    with pytest.raises(CommandError, match=re.escape(reason)):
        run(file)


def test_a_case_that_expects_nothing_said_fails(tmp_path: Path):
    silent = {name: held for name, held in CASE.items() if not name.startswith("expected")}
    file = tmp_path / "case.json"
    file.write_text(json.dumps(silent))

    assert "it has neither `expected` nor `expected_by_step`." in fails(file)
