"""A few of the graphs that `make soak` makes by the thousand."""

from __future__ import annotations

import pytest

from tests.soak.graphs import FAMILIES, MAX_ANSWER, checked


@pytest.mark.parametrize("number", range(len(FAMILIES)))
def test_a_hostile_graph_is_checked_or_refused_in_few_words(number: int) -> None:
    found = checked("suite", number)

    assert found.characters <= MAX_ANSWER
    assert found.refusal in ("", "check.too_costly", "request.too_much")
