"""The worked example of each operator gives what it says."""

import json
from typing import Any

import pytest

import runner.engine.operators  # noqa: F401 - fills the catalogue
from designer.topology.catalogue import get_catalogue
from designer.topology.graph import Graph
from runner.engine.code import user_code
from tests.docs.examples import EXAMPLES, steps

KEPT: dict[str, dict[str, Any]] = json.loads(EXAMPLES.read_text())


def test_each_operator_has_one():
    assert sorted(KEPT) == sorted(get_catalogue()), "`python -m tests.docs.examples` writes them"


@pytest.mark.parametrize("operator", KEPT)
def test_an_example_gives_the_records_that_it_shows(operator: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(user_code, "_is_trusted", True)
    shown = KEPT[operator]["steps"]

    assert (
        json.loads(json.dumps(steps(Graph.from_json(KEPT[operator]["graph"]), [step["in"] for step in shown]))) == shown
    )
