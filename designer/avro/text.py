"""The JSON of a schema's text. Java's Avro takes comments in it, and so do files that have a licence at their top."""

from __future__ import annotations

import json
import re
from typing import Any

COMMENT = re.compile(r'("(?:\\.|[^"\\])*+(?:"|\\?\Z)|/\*(?:(?!\*/).)*+\Z)|/\*.*?\*/|//[^\n]*', re.DOTALL)
"""A comment, or in a group what is none: a text, and what begins as one or the other and never ends."""


def load(text: str) -> Any:
    """The JSON of a text without its comments. Raises ValueError: json.JSONDecodeError with the place in the text.

    >>> load('/* ours */ {"type": "fixed", "name": "A", "size": 8, "doc": "not // one"} // end')["doc"]
    'not // one'
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:  # other ValueErrors are of numbers
        return json.loads(COMMENT.sub(lambda found: found[1] or re.sub(r"[^\n]", " ", found[0]), text))
