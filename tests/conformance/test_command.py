"""`manage.py conformance`: what it prints and how it ends."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from runner.conformance.cases import read_cases

STATELESS = Path(__file__).parent / "cases" / "random_stateless_s1.json"
CASE = next(case for case in read_cases(STATELESS) if case["expected"])


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
