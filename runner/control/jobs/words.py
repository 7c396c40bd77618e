"""Answers as lines of text, for commands on the server and from afar: without Django."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def align(rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines of text, with their cells below each other."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def describe_preview(preview: Mapping[str, Any]) -> str:
    """What a deploy would do, a line for each topic it creates, each store, and each choice."""
    lines = [f"Job {preview['application_id']} " + ("would be new." if preview["job"] is None else "would change.")]
    lines += [preview[words] for words in ("room", "damaged", "question") if preview[words]]
    lines += [f"Creates topic {name}" for name in preview["creates"]]
    lines += [
        f"State of {each['node']}: {each['fate'].replace('_', ' ')}. {each['why']}".rstrip()
        for each in preview["state"]
    ]
    lines += [f"Choice {each['on_state']}: {each['help']}" for each in preview["choices"]]
    return "\n".join(lines)
