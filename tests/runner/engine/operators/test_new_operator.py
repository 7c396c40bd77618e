"""A new operator costs one file: the example of docs/how-to/operator.md works as it stands there."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from designer import catalogue, described
from designer.schemas import INTEGER
from tests.runner.drawing import Drawing
from tests.runner.engine.operators.test_help import (
    test_the_file_of_an_operator_names_the_class_of_kafka_streams_or_the_kip as names_its_source,
)

PAGE = Path(__file__).parents[4] / "docs/how-to/operator.md"
NAME = "runner.engine.operators.every_nth"


@pytest.fixture
def every_nth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts the operator of the example into the catalogue, until the test ends."""
    example = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert example is not None
    file = tmp_path / "every_nth.py"
    file.write_text(example[1])
    spec = spec_from_file_location(NAME, file)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setattr(catalogue, "_catalogue", dict(catalogue.catalogue()))
    monkeypatch.setitem(sys.modules, NAME, module)
    spec.loader.exec_module(module)


@pytest.mark.usefixtures("every_nth")
def test_the_example_keeps_every_nth_record_and_counts_the_others():
    drawing = Drawing().stream("orders", INTEGER).add("third", "every_nth", {"n": 3}, stream="orders")
    driver = drawing.to("out", "third").driver()

    for number in range(7):
        driver.pipe("orders", key="a", value=number)

    assert driver.read("out") == [("a", 2), ("a", 5)]
    assert driver.counters()["third"] == {"in": 7, "out": 2, "dropped": 0, "errors": 0}
    assert driver.books()["third"]["no_result"] == {"not the n-th": 5}


@pytest.mark.usefixtures("every_nth")
def test_the_page_learns_of_the_example_from_the_catalogue():
    (shown,) = (each for each in described.operators() if each["name"] == "every_nth")

    assert shown["family"] == "stateless"
    assert shown["form"]["required"] == ["n"]
    assert [port["name"] for port in shown["inputs"]] == ["stream"]


@pytest.mark.usefixtures("every_nth")
def test_the_example_passes_the_check_of_every_operator():
    names_its_source("every_nth")
