"""Which tables keep a store and which send old values, asked of as Kafka Streams' KTableImpl asks."""

from __future__ import annotations

from designer.topology.catalogue import Flows
from designer.values.schemas import INTEGER, STRING, Side
from runner.engine.planning.tables import Contents, NodeTables, OwnStore, TableKind, TablePlan

HELD = Contents("is not rebuilt.", "it is gone.")


def source(*, materialized: bool = False) -> TablePlan:
    return TablePlan(TableKind.SOURCE, is_materialized=materialized)


def derived(parent: TablePlan, *, materialized: bool = False) -> TablePlan:
    return TablePlan(TableKind.DERIVED, parent=parent, is_materialized=materialized)


def joined(left: TablePlan, right: TablePlan, *, materialized: bool = False) -> TablePlan:
    return TablePlan(TableKind.JOINED, parent=left, other=right, is_materialized=materialized)


def node(**arriving: TablePlan) -> NodeTables:
    return NodeTables("it", Flows(), arriving, {}, set(), {})


def test_a_table_of_a_topic_has_a_store_once_its_rows_are_looked_up():
    table = source()

    table.read()

    assert table.is_materialized


def test_rows_are_looked_up_where_they_are_kept():
    left, right = source(), source()
    table = derived(joined(left, right))

    table.read()

    assert (left.is_materialized, right.is_materialized, table.is_materialized) == (True, True, False)


def test_a_table_with_a_store_is_looked_up_itself():
    parent = source()

    derived(parent, materialized=True).read()

    assert not parent.is_materialized


def test_old_values_are_sent_by_what_has_a_store():
    with_store, without = source(materialized=True), source()

    assert [each.ask_old_values(is_forced=False) for each in (with_store, without)] == [True, False]
    assert (with_store.sends_old_values, without.sends_old_values) == (True, False)
    assert not without.is_materialized


def test_old_values_that_must_be_sent_make_a_store():
    table = source()

    assert table.ask_old_values(is_forced=True)
    assert (table.sends_old_values, table.is_materialized) == (True, True)


def test_a_table_without_a_store_asks_the_one_it_is_computed_from():
    parent, other = source(), source(materialized=True)

    assert not derived(parent).ask_old_values(is_forced=False)
    assert derived(other).ask_old_values(is_forced=False)
    assert derived(parent).ask_old_values(is_forced=True)
    assert (parent.sends_old_values, other.sends_old_values, parent.is_materialized) == (True, True, True)


def test_a_table_with_a_store_asks_nobody():
    parent = source()
    table = derived(parent, materialized=True)

    assert table.ask_old_values(is_forced=False)
    assert (table.sends_old_values, parent.sends_old_values, parent.is_materialized) == (True, False, False)


def test_a_join_makes_both_sides_send_old_values():
    left, right = source(), source()

    assert joined(left, right).ask_old_values(is_forced=False)
    assert [(each.sends_old_values, each.is_materialized) for each in (left, right)] == [(True, True)] * 2


def test_a_table_that_sends_old_values_is_not_asked_again():
    parent = source()
    table = derived(parent)
    table.sends_old_values = True

    assert table.ask_old_values(is_forced=True)
    assert not parent.is_materialized


def test_a_filter_sends_old_values_if_its_table_had_a_store_before():
    before, after = derived(source(materialized=True)), derived(source())

    before.ask_old_values_of_parent()
    after.ask_old_values_of_parent()

    assert (before.sends_old_values, after.sends_old_values) == (True, False)


def test_old_values_may_be_wrong_behind_a_suppress_and_a_join_of_a_table_with_itself():
    table, suppressed = source(), TablePlan(TableKind.DERIVED, parent=source(), skips_updates=True)

    assert derived(suppressed).may_err_on_old_values()
    assert joined(table, suppressed).may_err_on_old_values()
    assert derived(joined(table, derived(table))).may_err_on_old_values()
    assert not joined(table, derived(source())).may_err_on_old_values()
    assert not table.may_err_on_old_values()


def test_a_table_of_a_topic_has_a_store_from_the_start_if_named_versioned_or_mortal():
    given = []
    for named, history_ms, ttl_ms in ((False, None, None), (True, None, None), (False, 5, None), (False, None, 9)):
        tables = node()
        tables.source(is_named=named, history_ms=history_ms, ttl_ms=ttl_ms)
        given.append(tables.tables["it"])

    assert [each.is_materialized for each in given] == [False, True, True, True]
    assert [(each.is_versioned, each.history_ms, each.ttl_ms) for each in given[1:]] == [
        *((False, None, None), (True, 5, None), (False, None, 9))
    ]
    assert {each.kind for each in given} == {TableKind.SOURCE}


def test_aggregates_and_global_tables_have_a_store():
    counts, names = node(), node()

    counts.aggregate(ttl_ms=7)
    names.global_source()

    assert counts.tables == {"it": TablePlan(TableKind.AGGREGATE, is_materialized=True, ttl_ms=7)}
    assert names.tables == {"it": TablePlan(TableKind.GLOBAL, is_materialized=True)}


def test_a_derived_table_is_versioned_like_its_parent_unless_it_has_a_name():
    parent = TablePlan(TableKind.SOURCE, is_materialized=True, history_ms=5)
    bare, named = node(records=parent), node(records=parent)

    assert bare.derive_table("records", is_named=False) is bare.tables["it"]
    assert named.derive_table("records", is_named=True) is named.tables["it"]
    assert bare.tables["it"] == TablePlan(TableKind.DERIVED, parent=parent, history_ms=5)
    assert named.tables["it"] == TablePlan(TableKind.DERIVED, parent=parent, is_materialized=True)


def test_a_join_looks_both_sides_up_and_hears_old_values_of_the_outer_one():
    for left_outer, right_outer in ((False, False), (True, False), (False, True), (True, True)):
        left, right = source(), source()
        tables = node(left=left, right=right)

        tables.join_tables(is_named=left_outer, is_left_outer=left_outer, is_right_outer=right_outer)

        assert tables.tables["it"] == joined(left, right, materialized=left_outer)
        assert (left.is_materialized, right.is_materialized) == (True, True)
        assert (left.sends_old_values, right.sends_old_values) == (left_outer, right_outer)


def test_what_is_looked_up_is_noted_with_its_port():
    table = source()
    tables = node(right=table)

    tables.look_up("right")

    assert (tables.looked_up, table.is_materialized) == ({("it", "right")}, True)


def test_stores_of_a_node_s_own_are_kept_in_order():
    tables, key, value = node(), Side("string", STRING), Side("long", INTEGER)

    tables.keep("left", key, value, HELD)
    tables.keep("right", value, key, HELD)

    assert tables.own_stores == {"it": [OwnStore("left", key, value, HELD), OwnStore("right", value, key, HELD)]}


def test_a_table_is_asked_once_however_many_joins_lead_to_it():
    table = source()
    for _ in range(100):
        table = joined(table, derived(table))

    table.read()

    assert table.ask_old_values(is_forced=True)
    assert table.may_err_on_old_values()
    assert not joined(table, source()).joins_itself()
