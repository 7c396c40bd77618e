"""Answers as lines of text, for commands on the server and remote ones: without Django."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def align(rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines of text with aligned cells."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def describe_preview(preview: Mapping[str, Any]) -> str:
    """The effects of a deploy: one line per topic to create, per store, and per choice."""
    lines = [f"Job {preview['application_id']} " + ("would be new." if preview["job"] is None else "would change.")]
    lines += [preview[words] for words in ("room", "damaged", "question") if preview[words]]
    lines += [f"Creates topic {name}" for name in preview["creates"]]
    lines += [
        f"State of {each['node']}: {each['effect'].replace('_', ' ')}. {each['why']}".rstrip()
        for each in preview["state"]
    ]
    lines += [f"Choice {each['on_state']}: {each['help']}" for each in preview["choices"]]
    return "\n".join(lines)
