"""Port types: the interfaces of the Kafka Streams DSL, by their own names."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple


class PortType(StrEnum):
    """What flows over an edge. An edge joins an output to an input that takes its type."""

    KSTREAM = "KStream"
    KTABLE = "KTable"
    GLOBAL_KTABLE = "GlobalKTable"
    KGROUPED_STREAM = "KGroupedStream"
    KGROUPED_TABLE = "KGroupedTable"
    COGROUPED_KSTREAM = "CogroupedKStream"
    TIME_WINDOWED_KSTREAM = "TimeWindowedKStream"
    SESSION_WINDOWED_KSTREAM = "SessionWindowedKStream"
    TIME_WINDOWED_COGROUPED_KSTREAM = "TimeWindowedCogroupedKStream"
    SESSION_WINDOWED_COGROUPED_KSTREAM = "SessionWindowedCogroupedKStream"


KStream = PortType.KSTREAM
KTable = PortType.KTABLE
GlobalKTable = PortType.GLOBAL_KTABLE
KGroupedStream = PortType.KGROUPED_STREAM
KGroupedTable = PortType.KGROUPED_TABLE
CogroupedKStream = PortType.COGROUPED_KSTREAM
TimeWindowedKStream = PortType.TIME_WINDOWED_KSTREAM
SessionWindowedKStream = PortType.SESSION_WINDOWED_KSTREAM
TimeWindowedCogroupedKStream = PortType.TIME_WINDOWED_COGROUPED_KSTREAM
SessionWindowedCogroupedKStream = PortType.SESSION_WINDOWED_COGROUPED_KSTREAM

GROUPS = frozenset(PortType) - {KStream, KTable, GlobalKTable}
"""Records that wait for an aggregation: nothing else reads them."""
COGROUPS = frozenset({CogroupedKStream, TimeWindowedCogroupedKStream, SessionWindowedCogroupedKStream})
"""Several streams of groups that wait for one aggregation."""


class Input:
    """The end of edges: the port types it takes, from one edge, or from several if `is_many`.

    With `each` it means one port per row of that list in the node's config, with the row's `name`.
    """

    def __init__(self, *takes: PortType, is_many: bool = False, each: str | None = None) -> None:
        self.takes = takes
        self.is_many = is_many
        self.each = each


class OutputCase(NamedTuple):
    """The type of an output `when` input ports take those types and fields of the config have those values."""

    gives: PortType
    when: Mapping[str, str]


def make_case(gives: PortType, **when: str) -> OutputCase:
    return OutputCase(gives, when)


class Output:
    """The start of edges. It gives a port type, the first whose case holds, or is `like` an input.

    With `each` it means one port per row of that list in the node's config, with the row's `name`.
    """

    def __init__(self, *gives: PortType | OutputCase, like: str | None = None, each: str | None = None) -> None:
        if bool(gives) == (like is not None):
            raise TypeError("An output gives one port type, or one of several by cases, or is like one input.")
        self.cases = tuple(
            type_or_case if isinstance(type_or_case, OutputCase) else OutputCase(type_or_case, {})
            for type_or_case in gives
        )
        self.like = like
        self.each = each

    def type(self, config: Mapping[str, Any], arriving: Mapping[str, PortType]) -> PortType | None:
        """Its type, as far as the known facts of the node determine it."""
        if self.like is not None:
            return arriving.get(self.like)
        facts = {**config, **arriving}
        holds = (
            each.gives for each in self.cases if all(facts.get(name) == value for name, value in each.when.items())
        )
        return next(holds, None)
