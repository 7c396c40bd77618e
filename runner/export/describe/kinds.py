"""The kind of a step, from its name in Kafka Streams: `KSTREAM-FILTER-0000000003` is a `KSTREAM-FILTER`.

If the user chose the name, its ending decides for the parts of joins and cogroups. For the rest see `naming`.
"""

from __future__ import annotations

import re

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.topology.catalogue import get_catalogue
from designer.topology.ports import KGroupedTable, KStream, KTable, PortType

SOURCE, SINK, SHUFFLE, GLOBAL, BRANCH_STEP = "source", "sink", "shuffle", "global", "branch"
GROUP_STEP, WINDOW_STEP, COUNT_STEP, COGROUP_STEP = "grouped", "windowed", "counted", "cogrouped"
"""Steps without a prefix in Kafka Streams. `step_prefixes` of an operator has them too."""

GENERATED_NAME = re.compile(r"(K(?:STREAM|TABLE)-[A-Z-]+|COGROUPKSTREAM-[A-Z]+)-\d{10}")
"""`prefix-number`. A split's branches have another number."""
OWN_STORE = re.compile(r"(.+)-STATE-STORE-\d{10}|(K(?:STREAM|TABLE)-[A-Z]+-\d{10})-store")
"""A store without a name from the user."""

OPERATORS = {step: name for name, operator in get_catalogue().items() for step in operator.step_prefixes}
"""Each step and its operator, as the operators declare it."""

AGGREGATES = {"KSTREAM-AGGREGATE", "KSTREAM-REDUCE", "KTABLE-AGGREGATE", "KTABLE-REDUCE", "COGROUPKSTREAM-AGGREGATE"}
TABLE_SOURCES = {"KTABLE-SOURCE", GLOBAL}
LOOKUPS = {"KSTREAM-JOIN", "KSTREAM-LEFTJOIN"}
"""Joins of a stream with a table."""
HOLD_TABLES = {kind for kind in OPERATORS if kind.startswith("KTABLE")} | {
    "KSTREAM-AGGREGATE",
    "KSTREAM-REDUCE",
    "KSTREAM-TOTABLE",
    "COGROUPKSTREAM-MERGE",
}
MAY_COUNT = {"KSTREAM-AGGREGATE", "KTABLE-AGGREGATE"}
INNER, LEFT_OUTER, OUTER = "KSTREAM-JOIN", "KSTREAM-OUTEROTHER", "KSTREAM-OUTERTHIS"
REGROUPED_PREFIX = "KTABLE-SELECT"
STREAM_SIDES = {"KSTREAM-JOINTHIS", "KSTREAM-JOINOTHER", "KSTREAM-OUTERTHIS", "KSTREAM-OUTEROTHER"}
TABLE_SIDES = {"KTABLE-JOINTHIS", "KTABLE-JOINOTHER"}
FOREIGN = "KTABLE-FK-JOIN-SUBSCRIPTION"
REGISTRATION, ANSWER = f"{FOREIGN}-REGISTRATION", f"{FOREIGN}-RESPONSE-RESOLVER-PROCESSOR"
FOREIGN_TOPIC, BRANCH = f"{FOREIGN}-TOPIC", "KSTREAM-BRANCH"
FOREIGN_PARTS = {FOREIGN_TOPIC, REGISTRATION, ANSWER, f"{FOREIGN}-PROCESSOR"}
JOIN_PARTS = {
    "KSTREAM-MERGE": STREAM_SIDES | {"KSTREAM-WINDOWED"},
    "KTABLE-MERGE": TABLE_SIDES,
    "KTABLE-FK-JOIN-OUTPUT": FOREIGN_PARTS,
}
"""Steps before the last one of a join that are drawn with it."""
LOOK_UP = LOOKUPS | TABLE_SIDES | FOREIGN_PARTS
LEFT = {"KSTREAM-JOINTHIS", "KSTREAM-OUTERTHIS", "KTABLE-JOINTHIS", REGISTRATION}
PARTS = frozenset().union(*JOIN_PARTS.values(), {"COGROUPKSTREAM-AGGREGATE", BRANCH_STEP})

ENDINGS = {
    "-this-windowed": "KSTREAM-WINDOWED",
    "-other-windowed": "KSTREAM-WINDOWED",
    "-outer-this-join": "KSTREAM-OUTERTHIS",
    "-outer-other-join": "KSTREAM-OUTEROTHER",
    "-this-join": "KSTREAM-JOINTHIS",
    "-other-join": "KSTREAM-JOINOTHER",
    "-join-this": "KTABLE-JOINTHIS",
    "-join-other": "KTABLE-JOINOTHER",
    "-subscription-registration-processor": REGISTRATION,
    "-subscription-receive": f"{FOREIGN}-PROCESSOR",
    "-subscription-join-foreign": f"{FOREIGN}-PROCESSOR",
    "-foreign-join-subscription": f"{FOREIGN}-PROCESSOR",
    "-subscription-response-resolver": ANSWER,
    "-cogroup-merge": "COGROUPKSTREAM-MERGE",
}
"""Endings of the parts of a join or cogroup with a name from the user (Named, StreamJoined, TableJoined)."""


def find_kind(name: str) -> str | None:
    """The prefix of a generated name, or the kind for the ending of a chosen one. None: any kind is possible."""
    if match := GENERATED_NAME.match(name):
        return match[1]
    if re.search(r"-cogroup-agg-\d+$", name):
        return "COGROUPKSTREAM-AGGREGATE"
    return next((kind for ending, kind in ENDINGS.items() if name.endswith(ending)), None)


def is_table(kind: str) -> bool:
    """Whether a step of that kind takes a KTable."""
    return kind.startswith("KTABLE-") and kind not in ("KTABLE-SOURCE", "KTABLE-AGGREGATE", "KTABLE-REDUCE")


def find_output_type(kind: str) -> PortType:
    """Whether its output is a KStream or a KTable, or a grouped one."""
    if kind == REGROUPED_PREFIX:
        return KGroupedTable
    return KTable if kind in HOLD_TABLES and kind != "KTABLE-TOSTREAM" else KStream


def is_named_by_user(store: str) -> bool:
    return OWN_STORE.fullmatch(store) is None
