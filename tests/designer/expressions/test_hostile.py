"""No one gets out: every text of the corpus is refused with a clear message, quickly, and nothing is touched."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from designer.expressions import ExpressionError, check, parse
from designer.expressions.functions import FUNCTIONS, Function
from tests.designer.expressions.hostile import corpus
from tests.designer.expressions.sample import SCOPE, UNKNOWN, compute

CORPUS = list(corpus())
QUIET = {"object.__getattr__", "sys._getframe", "code.__new__", "marshal.loads"}
_touched: list[str] = []
_watching = 0


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _watching == threading.get_ident() and event not in QUIET:
        _touched.append(event)


sys.addaudithook(_watch)


@contextmanager
def watched() -> Iterator[list[str]]:
    """What this thread makes Python report to audit hooks: files, sockets, processes, imports, compile, exec."""
    global _watching
    _touched.clear()
    _watching = threading.get_ident()
    try:
        yield _touched
    finally:
        _watching = 0


def test_the_corpus_is_large() -> None:
    assert len(CORPUS) >= 1_800


@pytest.mark.parametrize("scope", [SCOPE, UNKNOWN], ids=["typed", "unknown"])
def test_every_hostile_text_is_refused_and_nothing_is_touched(scope: Any) -> None:
    accepted: list[str] = []
    unclear: list[str] = []
    with watched() as touched:
        for text in CORPUS:
            try:
                check(text, scope)
                accepted.append(text)
            except ExpressionError as error:
                unclear += [] if error.issue.hint and 0 < len(error.issue.message) < 1_000 else [text]

    assert touched == []
    assert unclear == []
    assert accepted == [text for text in accepted if scope is UNKNOWN and text in HARMLESS.split()]


HARMLESS = """
NaN Infinity inf nan self this user session_user rownum rowid current_user tags['a']
"""
"""Where nothing is known of the record, these are but names of its fields."""


def test_members_of_a_map_are_its_keys_whatever_they_are_called() -> None:
    for name in ("__class__", "__globals__", "items"):
        assert compute(f"prices.{name}") is None
        assert compute(f"prices['{name}']", {"prices": {name: 2.5}}) == 2.5


def test_a_check_takes_less_than_20_ms() -> None:
    slow = {text[:80]: seconds for text in CORPUS if (seconds := min(refusal_seconds(text) for _ in range(3))) >= 0.020}

    assert slow == {}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_call_inside_itself_is_checked_once_a_level(function: Function) -> None:
    """A check of two for each level takes hours for 30 levels."""
    for place in range(len(function.parameters)):
        inner = "carrier"
        for _ in range(15):
            arguments = [argument_for(function, index) for index in range(max(function.fewest, place + 1))]
            arguments[place] = arguments[place].replace("carrier", inner)
            inner = f"{function.name}({', '.join(arguments)})"
        # the least of three: a busy machine slows one of them
        assert min(check_seconds(inner) for _ in range(3)) < 0.2


def check_seconds(text: str) -> float:
    """The processor time of a check, whatever it finds."""
    parse.cache_clear()
    start = time.thread_time()
    with suppress(ExpressionError):
        check(text, UNKNOWN)
    return time.thread_time() - start


def argument_for(function: Function, index: int) -> str:
    parameter = function.parameter(index)
    names = ("x", "y") if function.name in ("aggregate", "reduce", "zip_with", "array_sort") else ("x",)
    if parameter.kind == "lambda":
        return f"({', '.join(names if parameter.name != 'finish' else names[:1])}) -> carrier"
    return "0" if parameter.name == "start" else "carrier"


def refusal_seconds(text: str) -> float:
    parse.cache_clear()
    start = time.thread_time()
    with pytest.raises(ExpressionError):
        check(text, SCOPE)
    return time.thread_time() - start
