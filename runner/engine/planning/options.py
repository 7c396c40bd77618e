"""Options of tasks that the topology does not contain."""

from __future__ import annotations

from dataclasses import dataclass

from designer.topology.catalogue import Policy

__all__ = ["Options", "Policy"]


@dataclass(frozen=True, slots=True)
class Options:
    """`cache`: a table forwards the last value of each key when it is flushed, and not each update.

    `deserialization`, `processing` and `production` hold for nodes whose `on_error` is empty.
    """

    cache: bool = True
    deserialization: Policy = "dead_letter"
    processing: Policy = "dead_letter"
    production: Policy = "dead_letter"
