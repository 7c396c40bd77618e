"""Names that users give to their things: topologies, jobs, test cases, channels, groups and tokens.

A name is one line of visible characters, because it appears in mail subjects, logs, terminals and sentences.
"""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from designer.refusals import Refusal

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of control characters, escapes, bidi marks, halves of surrogates, and breaks of lines."""
JOINERS = frozenset("\u200c\u200d")
"""Persian and emoji need these two, though they are of the category Cf."""


def check_name(name: Any, of: str, max_length: int) -> str:
    """Return a name without spaces around it. Raises Refusal.

    Example: `check_name(" on call ", "channel", 100)` returns "on call".
    """
    if not isinstance(name, str) or not 0 < len(name.strip()) <= max_length:
        raise Refusal(f"A {of}'s name has 1 to {max_length} characters.", "Choose a shorter name that is not empty.")
    return check_line(name, f"A {of}'s name")


def check_line(text: str, subject: str) -> str:
    """Return a text without spaces around it. Raises Refusal if it is not one line of visible characters."""
    text = text.strip()
    hidden = next(filter(is_hidden, text), None)
    if hidden is not None:
        name = unicodedata.name(hidden, "a control character")
        raise Refusal(
            f"{subject} is one line of visible characters. Character {text.index(hidden) + 1} is "
            f"U+{ord(hidden):04X}, {name.lower()}.",
            "Remove it.",
        )
    return text


def as_one_line(text: str) -> str:
    r"""The text with a space for each break and without other hidden characters.

    >>> as_one_line("Job a\r\nBcc: x\u202e")
    'Job a Bcc: x'
    """
    return " ".join("".join(each for each in text if each.isspace() or not is_hidden(each)).split())


def show_hidden(text: str) -> str:
    r"""The text with an escape for each hidden character, except for breaks of lines and tabs.

    A terminal obeys what is hidden, and shows texts of records and of other servers.

    >>> print(show_hidden("\x1b[2Jgone"))
    \u001b[2Jgone
    """
    return "".join(json.dumps(each)[1:-1] if is_hidden(each) and each not in "\n\t" else each for each in text)


def is_hidden(character: str) -> bool:
    return character not in JOINERS and unicodedata.category(character) in HIDDEN
