"""Port types: the interfaces of the Kafka Streams DSL, by their own names."""

from __future__ import annotations

from enum import StrEnum


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


class Input:
    """A handle an edge may end in: the port types it takes."""

    def __init__(self, *takes: PortType) -> None:
        self.takes = takes


class Output:
    """A handle edges start from: a port type, or `like` the input of that name."""

    def __init__(self, gives: PortType | None = None, *, like: str | None = None) -> None:
        if (gives is None) == (like is None):
            raise TypeError("An output gives one port type or is like one input.")
        self.gives = gives
        self.like = like
