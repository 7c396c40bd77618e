"""Names of users' things are one line of visible characters, whatever the thing and the way to name it."""

from __future__ import annotations

import pytest

from designer.names import check_line, check_name
from designer.refusals import Refusal

HIDDEN = {
    "a line feed": "a\nb",
    "a carriage return": "a\rb",
    "a null": "a\0b",
    "a tab": "a\tb",
    "an escape of terminals": "a\x1b[31mb",
    "a control character of Latin 1": "a\x85b",
    "a line separator": "a\u2028b",
    "a right-to-left override": "a\u202eb",
    "an isolate": "a\u2066b",
    "a left-to-right mark": "a\u200eb",
    "a space without width": "a\u200bb",
    "half a surrogate": "a\ud800b",
}
"""A name with each kind of character that a name may not have."""


@pytest.mark.parametrize("name", HIDDEN.values(), ids=HIDDEN.keys())
def test_hidden_characters_are_refused_with_their_place(name: str) -> None:
    with pytest.raises(Refusal, match=rf"Character 2 is U\+{ord(name[1]):04X}"):
        check_name(name, "channel", 100)


@pytest.mark.parametrize("name", ["Orders", "注文", "طلبات", "می‌خواهم", "👩‍🔧 on call", "Größe: 5 %", "a" * 100])
def test_names_of_all_languages_are_accepted(name: str) -> None:
    assert check_name(f" {name} ", "channel", 100) == name


@pytest.mark.parametrize("name", ["", " ", "a" * 101, None, 5])
def test_a_name_has_a_length(name: object) -> None:
    with pytest.raises(Refusal, match="A channel's name has 1 to 100 characters"):
        check_name(name, "channel", 100)


def test_a_line_may_be_empty() -> None:
    assert check_line(" ", "The reason") == ""
