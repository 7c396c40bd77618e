"""What the page draws operators by."""

from __future__ import annotations

import re

import pytest

from designer.topology.catalogue import Operator, Words, get_catalogue


@pytest.mark.parametrize("operator", get_catalogue().values())
def test_a_summary_says_what_fields_hold(operator: type[Operator]) -> None:
    for said in operator.summary:
        named = {said} if isinstance(said, str) else {*re.findall(r"\{(\w+)\}", said.text), *said.when}
        assert named <= operator.model_fields.keys()


@pytest.mark.parametrize("config", [{"type": "calendar", "count": 1}, {"type": "session"}])
def test_windows_are_said_by_their_type(config: dict[str, str | int]) -> None:
    summary = get_catalogue()["windowed_by"].summary

    assert config in [said.when for said in summary if isinstance(said, Words)]


@pytest.mark.parametrize("operator", get_catalogue().values())
def test_records_are_looked_up_in_an_input(operator: type[Operator]) -> None:
    assert {operator.looked_up_input} <= {None, *operator.get_declared_inputs()}
