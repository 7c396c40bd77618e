"""Codes of refusals and failures: each stands in one list, and each of them is raised."""

from __future__ import annotations

import re

import pytest
from pydantic import TypeAdapter

from designer.refusal_codes import DesignerCode, RefusalCode
from runner.control.codes import ControlCode
from webapp.local.places import ROOT

ELSEWHERE = frozenset({"designer/refusal_codes.py", "designer/messages.py", "webapp/docs/reference.py"})
"""The list itself, that of issues, some of which have the code of a refusal, and an example of an answer."""


@pytest.fixture(scope="module")
def source() -> str:
    paths = (path for room in ("designer", "runner", "webapp") for path in (ROOT / room).rglob("*.py"))
    return "\n".join(path.read_text() for path in paths if str(path.relative_to(ROOT)) not in ELSEWHERE)


def test_each_code_is_raised_somewhere(source: str) -> None:
    used = set(re.findall(r"\bRefusalCode\.([A-Z0-9_]+)", source))

    assert RefusalCode.__members__.keys() - used == {"UNKNOWN"}


def test_a_code_of_another_version_is_read_as_unknown() -> None:
    cause = TypeAdapter(RefusalCode)

    assert cause.validate_python("run.abducted") is DesignerCode.UNKNOWN
    assert cause.validate_python("run.stuck") is ControlCode.RUN_STUCK
