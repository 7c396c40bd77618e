"""What a user reads of each store that a node keeps besides its table: why it is not rebuilt, and what it may lack."""

import sys
from typing import Any

import pytest

from designer.values.schemas import INTEGER, STRING, struct
from runner.control.jobs.plans.rebuild import NotTheSame, find_topics_behind
from runner.control.jobs.plans.recovery import describe_empty_start
from runner.engine.planning.tables import Contents
from tests.runner.control.jobs.test_rebuild import program
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=INTEGER, customer=STRING)
CODE = """
class Count(Processor):
    def init(self, context):
        context.schedule(1000, "stream_time", self.tell)

    def tell(self, now):
        pass

    def process(self, record):
        self.context.forward(record)
"""
WINDOW: dict[str, Any] = {"before_ms": 5, "after_ms": 5, "value": "left"}
SEVERAL_INPUTS = "`kept` depends on the order in which records of several inputs arrived."
RUNS_CODE = "`kept` runs code, which may give other results the second time."
WALL_CLOCK = "`kept` continues by the wall clock while no records come."
MORTAL = "`kept` deletes rows after a time, and Streamwright does not rebuild such rows."
ROWS = "a row is found only after its topic has a new record for it."
TIMES = "rows from before are not deleted when their time is over."


def orders() -> GraphBuilder:
    return GraphBuilder().stream("orders", ORDER)


def two_streams(**config: Any) -> GraphBuilder:
    return orders().stream("names", ORDER).add("kept", "left_join", WINDOW | config, left="orders", right="names")


def counted(hourly: bool = False, **config: Any) -> GraphBuilder:
    drawn = orders().add("grouped", "group_by_key", stream="orders")
    if hourly:
        drawn.add("hourly", "windowed_by", {"size_ms": 10, "emit": "on_close", "idle_ms": 5}, grouped="grouped")
    return drawn.add("kept", "count", config, grouped="hourly" if hourly else "grouped")


def with_grace() -> GraphBuilder:
    drawn = orders().table("names", ORDER, history_ms=9)
    return drawn.add("kept", "join", {"grace_ms": 3, "value": "left"}, left="orders", right="names")


def by_foreign_key(*, of_held_back: bool = False) -> GraphBuilder:
    drawn = GraphBuilder().table("customers", ORDER).table("bought", ORDER)
    if of_held_back:
        drawn.add("held", "suppress", {"until": "time_limit", "wait_ms": 5}, table="bought")
    config = {"foreign_key": "customer", "value": "left"}
    return drawn.add("kept", "join", config, left="held" if of_held_back else "bought", right="customers")


def held_back(**config: Any) -> GraphBuilder:
    drawn = GraphBuilder().table("rows", ORDER)
    return drawn.add("kept", "suppress", {"until": "time_limit", "wait_ms": 5} | config, table="rows")


def coded() -> GraphBuilder:
    stores = [{"name": "seen"}, {"name": "old", "kind": "versioned", "retention_ms": 5}]
    return orders().add("kept", "process_values", {"code": CODE, "stores": stores}, stream="orders")


CASES = {
    "table with a history": (
        GraphBuilder().table("kept", ORDER, history_ms=9),
        "`kept` keeps earlier values of its rows, which Streamwright does not rebuild.",
        {"kept": ROWS, "kept.history": "records that come late find no earlier values of rows."},
    ),
    "table with a time to live": (
        GraphBuilder().table("kept", ORDER, ttl_ms=9),
        MORTAL,
        {"kept": ROWS, "kept.by-time": TIMES},
    ),
    "aggregate with a time to live": (
        counted(ttl_ms=9),
        MORTAL,
        {"kept": "its results start from zero.", "kept.by-time": TIMES},
    ),
    "stream as a table with a time to live": (
        orders().add("kept", "to_table", {"ttl_ms": 9}, stream="orders"),
        MORTAL,
        {"kept": "a row is found only after an update of it.", "kept.by-time": TIMES},
    ),
    "windows with idle time": (
        counted(hourly=True),
        WALL_CLOCK,
        {"kept": "open windows lack their earlier records.", "kept.idle time": "its idle time begins again."},
    ),
    "deduplicate": (
        orders().add("kept", "deduplicate", {"within_ms": 5}, stream="orders"),
        "`kept` remembers records, and Streamwright does not rebuild what it remembers.",
        {"kept.seen": "repeats of records from before pass once more."},
    ),
    "streams": (
        two_streams(),
        SEVERAL_INPUTS,
        {
            "kept.left": "records find no partners from before.",
            "kept.right": "records find no partners from before.",
            "kept.unmatched": "records that waited for a partner and find none give no result.",
        },
    ),
    "stream and table with grace": (
        with_grace(),
        SEVERAL_INPUTS,
        {
            "names": ROWS,
            "names.history": "records that come late find no earlier values of rows.",
            "kept.waiting": "the records that wait in it are lost.",
        },
    ),
    "foreign key": (
        by_foreign_key(),
        SEVERAL_INPUTS,
        {
            "customers": ROWS,
            "bought": ROWS,
            "kept.subscriptions": "an update of a right row reaches only left rows that came since.",
        },
    ),
    "foreign key of a table that is held back": (
        by_foreign_key(of_held_back=True),
        SEVERAL_INPUTS,
        {
            "customers": ROWS,
            "bought": ROWS,
            "held.buffer": "the results that it holds back are lost.",
            "kept.subscriptions": "an update of a right row reaches only left rows that came since.",
            "kept.latest": "a left row may get a result of an earlier value.",
        },
    ),
    "suppress": (
        held_back(idle_ms=5),
        "`kept` holds results back, and Streamwright does not rebuild them.",
        {
            "rows": ROWS,
            "kept.buffer": "the results that it holds back are lost.",
            "kept.idle time": "its idle time begins again.",
        },
    ),
    "code": (
        coded(),
        RUNS_CODE,
        {
            "kept.seen": "its code finds no entries from before.",
            "kept.old/versions": "its code finds no entries from before.",
            "kept.punctuation times": "the schedules of its code begin again.",
        },
    ),
}


@pytest.mark.parametrize(("drawn", "why", "lacks"), CASES.values(), ids=CASES)
def test_each_store_says_why_it_is_not_rebuilt_and_what_it_lacks_after_an_empty_start(
    drawn: GraphBuilder, why: str, lacks: dict[str, str]
):
    layout = program(drawn.graph).layout

    own = [f"`kept` {store.contents.why_no_rebuild}" for store in layout.stores if store.contents is not None]

    assert why in own
    assert {store.name: describe_empty_start(store, layout) for store in layout.stores} == {
        name: f"If it starts empty, {lack}" for name, lack in lacks.items()
    }


@pytest.mark.parametrize(
    "name",
    ["table with a history", "table with a time to live", "deduplicate", "streams", "foreign key", "suppress", "code"],
)
def test_a_store_of_a_node_s_own_refuses_a_rebuild_with_its_own_reason(name: str):
    drawn, why, _ = CASES[name]
    graph = held_back().graph if name == "suppress" else drawn.graph

    with pytest.raises(NotTheSame) as refused:
        find_topics_behind(program(graph))

    assert str(refused.value) == why


def test_the_cases_hold_every_kind_of_contents():
    seen = {store.contents for drawn, *_ in CASES.values() for store in program(drawn.graph).layout.stores}
    modules = [module for name, module in sys.modules.items() if name.startswith("runner.engine.")]

    assert {each for module in modules for each in vars(module).values() if isinstance(each, Contents)} <= seen
