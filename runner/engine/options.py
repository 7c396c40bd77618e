"""How tasks run, beyond what the topology says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Policy = Literal["fail", "skip", "dead_letter"]


@dataclass(frozen=True, slots=True)
class Options:
    """`cache`: a table forwards the last value of each key when it is flushed, not each update.

    `functions` replaces what expressions would compute, by `<node>.<field>`, for tests whose functions no expression
    can say: the callable takes the same arguments; `<node>.aggregator` is an `Aggregator`.
    """

    cache: bool = True
    deserialization: Policy = "dead_letter"
    processing: Policy = "dead_letter"
    functions: tuple[tuple[str, Callable[..., Any]], ...] = ()
