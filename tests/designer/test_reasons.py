"""Reasons why nothing came of a record: the engine names each by its member, and numbers hold plain strings."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from designer.reasons import BY_TEXT, CURES, Reason
from runner.engine.tasks.processor import Processor

ENGINE = sorted((Path(__file__).parents[2] / "runner/engine").rglob("*.py"))
TAKERS = {"drop", "keep_row", "count_no_result"}
ATTRIBUTES = {"silence", "holding_reason"}


def find_literals(source: str) -> list[str]:
    """Strings given as a reason, to a call or to a class."""
    found: list[ast.expr] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=[reason, *_]) if name in TAKERS:
                found.append(reason)
            case ast.Call(func=ast.Name(id="partial"), args=[ast.Attribute(attr=name), reason, *_]) if name in TAKERS:
                found.append(reason)
            case ast.Assign(targets=[ast.Name(id=name)], value=reason) if name in ATTRIBUTES:
                found.append(reason)
    inner = (each for reason in found for each in ast.walk(reason))
    return [each.value for each in inner if isinstance(each, ast.Constant) and isinstance(each.value, str)]


@pytest.mark.parametrize(
    "source",
    [
        'self.drop("late", 5)',
        'self.drop("null key" if key is None else "null value")',
        'partial(processor.drop, "late")',
        'class Own(Processor):\n    silence = "predicate"',
    ],
)
def test_a_reason_that_is_no_member_is_found(source: str):
    assert find_literals(source)


def test_the_engine_names_every_reason_by_its_member():
    texts = [file.read_text() for file in ENGINE]

    assert [(file.name, words) for file, text in zip(ENGINE, texts, strict=True) for words in find_literals(text)] == []
    assert [reason.name for reason in Reason if not any(re.search(rf"\b{reason.name}\b", text) for text in texts)] == []


def test_counters_are_kept_by_plain_strings():
    processor = Processor()

    processor.drop(Reason.LATE)
    processor.count_no_result(Reason.EMPTY_LIST)
    processor.settle(0)

    counted = {**processor.reasons, **processor.without_result(3, 0)}
    assert counted == {"late": 1, "nothing to forward": 1, "empty list": 1}
    assert {type(words) for words in (*counted, *BY_TEXT, *CURES)} == {str}


def test_a_member_is_its_words():
    assert all(reason == reason.text == reason.value == f"{reason}" for reason in Reason)
