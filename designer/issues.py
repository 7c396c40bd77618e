"""What is wrong with a drawing, as data: the topology is not right yet, and here is where and what to do."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fix:
    """One click that fixes an issue: put `replacement` where the field's text was."""

    label: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that keeps a topology from being deployed.

    `span` is the half-open range of characters inside the text of `field` that is meant.
    """

    code: str
    message: str
    hint: str
    node: str | None = None
    field: str | None = None
    span: tuple[int, int] | None = None
    fix: Fix | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
