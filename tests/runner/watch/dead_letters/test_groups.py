"""Dead letters that failed for one reason are one group, whatever values the reason names."""

from __future__ import annotations

import pytest

from runner.watch.dead_letters.groups import hide_values


@pytest.mark.parametrize(
    ("reason", "hidden"),
    [
        ("Field `amount` is 1.005; decimal(14,2) has 2 digits.", "Field `amount` is …; decimal(…) has … digits."),
        ("ValueError: order T2000017 (line 12 of the code)", "ValueError: order … (line … of the code)"),
        ("KeyError: '123e4567'; 123e4567-e89b-12d3-a456-426614174000", "KeyError: …; …"),
        ("No rate at 2026-11-30T14:13:05.250Z", "No rate at …"),
        ("order-17 is no int64 in base64", "order-… is no int64 in base64"),
    ],
)
def test_a_reason_hides_values_and_keeps_words(reason: str, hidden: str) -> None:
    assert hide_values(reason) == hidden
