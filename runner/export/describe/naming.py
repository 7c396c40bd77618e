"""Kind of a step with a name from the user: its neighbours decide, and then the words of its name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from designer.topology.ports import KGroupedStream, KGroupedTable, KTable, PortType
from designer.values.schemas import WindowKind
from runner.export.describe import kinds
from runner.export.describe.kinds import OPERATORS, SHUFFLE
from runner.export.describe.steps import DescribedSteps

STATELESS = (
    "KSTREAM-FLATMAPVALUES",
    "KSTREAM-FLATMAP",
    "KSTREAM-FILTER",
    "KSTREAM-KEY-SELECT",
    "KSTREAM-PEEK",
    "KSTREAM-PROCESSVALUES",
    "KSTREAM-PROCESSOR",
    "KSTREAM-MAPVALUES",
)
COUNTS = {"count", "counts", "counter", "counting"}
SUFFIX = re.compile("-(cogroup-merge|merge|result)$")
"""Kafka Streams' suffixes to the user's name for the last step of a join or cogroup."""
WINDOWS: dict[str, WindowKind] = {
    "session": "session",
    "sessions": "session",
    "sliding": "sliding",
    "hopping": "hopping",
}
WINDOWS |= {"window": "tumbling", "windows": "tumbling", "windowed": "tumbling", "tumbling": "tumbling"}


# Most programs name their steps, so a table of prefixes alone would draw little. A note on a wrong guess costs less
# than a refused import.
def find_kind_around(
    steps: DescribedSteps, name: str, arriving: PortType | None, owners: dict[str, str]
) -> tuple[str, bool]:
    """The kind of a step that gets a stream, a table or a group of either. Also whether it is the only possible one."""
    stores, after = steps.stores(name), steps.after[name]
    wants = {steps.wants_table(each) for each in after}
    match = kinds.OWN_STORE.fullmatch(stores[0]) if stores else None
    if match and match[1] in OPERATORS and owners.get(stores[0], name) == name:
        return match[1], True
    if len(steps.before[name]) > 1:  # in the DSL only a merge; in the Processor API any processor
        return ("KSTREAM-PROCESSOR" if stores else "KSTREAM-MERGE"), not steps.is_processor_api
    if arriving is KGroupedTable:
        return choose_by_words(name, "KTABLE-REDUCE", "KTABLE-AGGREGATE"), False
    if arriving is KTable:
        if steps.tables.intersection(after):
            return "KTABLE-SELECT", True
        if False in wants:
            return "KTABLE-TOSTREAM", True
        if f"{name}-store" in stores:
            return "KTABLE-SUPPRESS", True
        return choose_by_words(name, "KTABLE-TOSTREAM", "KTABLE-FILTER", "KTABLE-SUPPRESS", "KTABLE-MAPVALUES"), False
    if stores:
        return _with_stores(steps, name, arriving, wants, owners)
    shuffles = [each for each in after if steps.kind(each) == SHUFFLE]
    if shuffles:
        if steps.topic(shuffles[0]) == f"{name}-repartition":
            return "KSTREAM-KEY-SELECT", True
        return choose_by_words(name, "KSTREAM-FLATMAP", "KSTREAM-PROCESSOR", "KSTREAM-MAP", "KSTREAM-KEY-SELECT"), False
    if True in wants:
        return "KSTREAM-TOTABLE", True
    if not after:
        return choose_by_words(name, "KSTREAM-PRINTER", "KSTREAM-PEEK", "KSTREAM-PROCESSOR", "KSTREAM-FOREACH"), False
    if "join" in steps.words_of(name) and kinds.GLOBAL in steps.kinds.values():
        return _join(steps, name), False
    return choose_by_words(name, *STATELESS), False


def holds_table(steps: DescribedSteps, name: str) -> bool:
    """Whether the store of a step with a user's name holds its table: a later step reads it, or only looks it up."""
    if name in steps.kinds or not steps.stores(name):
        return False
    if not steps.after[name]:
        return not steps.looked_up.isdisjoint(steps.stores(name))
    return any(steps.wants_table(each) for each in steps.after[name])


def _with_stores(
    steps: DescribedSteps, name: str, arriving: PortType | None, wants: set[bool | None], owners: dict[str, str]
) -> tuple[str, bool]:
    """A join reads the stores of tables. An aggregate has its own, like a table, and a processor may have one."""
    stores = steps.stores(name)
    if all(owners.get(store, name) != name for store in stores):
        return _join(steps, name), False
    if False in wants:
        return choose_by_words(name, "KSTREAM-PROCESSVALUES", "KSTREAM-PROCESSOR"), False
    before = steps.before[name][0]
    if (
        arriving is KGroupedStream
        or steps.kind(before) == SHUFFLE
        or holds_table(steps, name)
        or steps.words_of(name) & (COUNTS | {"aggregate", "reduce", "sum", "total", "totals"})
    ):
        return choose_by_words(name, "KSTREAM-REDUCE", "KSTREAM-TOTABLE", "KSTREAM-AGGREGATE"), False
    return choose_by_words(name, "KSTREAM-PROCESSVALUES", "KSTREAM-PROCESSOR"), False


def _join(steps: DescribedSteps, name: str) -> str:
    return "KSTREAM-LEFTJOIN" if "left" in steps.words_of(name) else "KSTREAM-JOIN"


def choose_by_words(name: str, *fitting: str) -> str:
    """The first operator that the name contains (`my-filter`), else the last."""
    plain = re.sub("[^a-z]", "", name.lower())
    return next((kind for kind in fitting if OPERATORS[kind].replace("_", "") in plain), fitting[-1])


def name_branches(split: str, branches: Iterable[str]) -> dict[str, str]:
    """The branches of a split, with its output for each.

    Those that Kafka Streams numbers come in the order in which it tries them, which is not the order of the text.
    """
    ports = {each: _name_branch(each.removeprefix(split)) for each in branches}

    def place(branch: str) -> int:
        number = ports[branch].removeprefix("branch")
        return int(number) if number.isdecimal() else len(ports)

    return {each: ports[each] for each in sorted(ports, key=place)}


def _name_branch(name: str) -> str:
    """The output of a split from Kafka Streams' suffix of its name: 0 is the default one."""
    plain = name.strip("-_. ").replace(".", "-") or name
    if plain.isdecimal():
        return "default" if plain == "0" else f"branch{plain}"
    return plain
