"""An answer as lines of text, for commands on the server and remote ones: without Django."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def describe_answer(answer: Mapping[str, Any], node: str) -> str:
    """The node where records stay if it is not the requested one, why, other facts, and the next step."""
    at = [] if answer["node"] == node else [f"At {answer['node']}, before {node}:"]
    return "\n".join([*at, answer["text"], *answer["also"], *([answer["hint"]] if answer["hint"] else [])])
