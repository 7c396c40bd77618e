"""An answer as lines of text, for commands on the server and from afar: without Django."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def describe_answer(answer: Mapping[str, Any], node: str) -> str:
    """Where the records stay if that is not the requested node, why, what else there is, and what to do."""
    at = [] if answer["node"] == node else [f"At {answer['node']}, before {node}:"]
    return "\n".join([*at, answer["text"], *answer["also"], *([answer["hint"]] if answer["hint"] else [])])
