"""Codes of refusals and failures: each room lists its own, each of them is raised, and designer knows no other."""

from __future__ import annotations

import re

import pytest
from pydantic import TypeAdapter

from designer.refusal_codes import CODES, DesignerCode, RefusalCode, read_code
from runner.spark.codes import RunCode
from webapp.api import api
from webapp.local.places import ROOT

ELSEWHERE = frozenset({"designer/messages.py", "webapp/docs/reference.py"})
"""The list of issues, some of which have the code of a refusal, and an example of an answer."""


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    paths = (path for room in ("designer", "runner", "webapp") for path in (ROOT / room).rglob("*.py"))
    files = {str(path.relative_to(ROOT)): path.read_text() for path in paths}
    return {file: text for file, text in files.items() if file not in ELSEWHERE}


def test_each_code_is_raised_somewhere(sources: dict[str, str]) -> None:
    used = {(enum, name) for text in sources.values() for enum, name in re.findall(r"\b(\w+Code)\.([A-Z0-9_]+)", text)}
    listed = {(type(code).__name__, code.name) for code in CODES.values()}

    assert listed - used == set()


def test_the_schema_of_the_api_has_the_codes_of_all_rooms() -> None:
    listed = api.get_openapi_schema()["components"]["schemas"]["RefusalCode"]["enum"]

    assert listed == sorted(CODES)
    assert {type(code).__module__.split(".")[0] for code in CODES.values()} == {"designer", "runner", "webapp"}


def test_a_code_of_another_version_is_read_as_unknown() -> None:
    cause = TypeAdapter(RefusalCode)

    assert cause.validate_python("run.abducted") is DesignerCode.UNKNOWN
    assert cause.validate_python("run.stuck") is read_code("run.stuck")
    assert cause.validate_json(cause.dump_json(RunCode.RUN_FENCED)) is RunCode.RUN_FENCED


def test_a_code_is_listed_once() -> None:
    with pytest.raises(TypeError, match=r"`run\.fenced` is listed twice"):
        RefusalCode("AgainCode", {"RUN_FENCED": ("run.fenced", "Again.")})  # type: ignore[arg-type]
