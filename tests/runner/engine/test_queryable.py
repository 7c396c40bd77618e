"""What the stores of tables answer to those who ask from outside: by key, range, window, version, and in pages."""

from typing import Any

import pytest

from designer.values import exact_json
from designer.values.schemas import ANY, DOUBLE, INTEGER, STRING, decimal
from runner.engine import queryable as queryable_module
from runner.engine.driver import Driver
from runner.engine.queryable import Page, Query, QueryRefused, answer, find_queryable
from tests.runner.graph_builder import GraphBuilder

MINUTE = 60_000


def ask(store: str, *drivers: Driver, **question: Any) -> Page:
    """The answer of a store whose tasks are those of the drivers."""
    laid = drivers[0].layout
    parts = [(0, driver.state) for driver in drivers]
    return answer(laid, find_queryable(laid)[store], parts, Query(**question))


def rows(page: Page) -> list[tuple[Any, ...]]:
    """Key, then start and end of its window if it has one, value and time of each row."""
    return [(row["key"], *(row["window"] or {}).values(), row["value"], row["timestamp"]) for row in page.rows]


def table(**config: Any) -> Driver:
    driver = GraphBuilder().table("people", store="people-store", **config).updates_to("out", "people").driver()
    for at, (key, age) in enumerate([("bob", 30), ("alice", 25), ("carol", 41), ("alice", 26), ("carol", None)]):
        driver.pipe("people", key=key, value=age, timestamp=at)
    return driver


def counts(windows: dict[str, Any]) -> Driver:
    builder = GraphBuilder().stream("orders").add("grouped", "group_by_key", stream="orders")
    builder.add("windowed", "windowed_by", windows, grouped="grouped")
    builder.add("counts", "count", {"store": "counts-store"}, grouped="windowed")
    driver = builder.updates_to("out", "counts").driver()
    for key, minute in [("a", 0), ("b", 0), ("b", 1), ("a", 3), ("a", 3)]:
        driver.pipe("orders", key=key, value="x", timestamp=minute * MINUTE)
    return driver


def test_a_row_is_found_by_its_key() -> None:
    driver = table()

    assert rows(ask("people-store", driver, key="alice")) == [("alice", 26, 3)]
    assert rows(ask("people-store", driver, key="carol")) == []


def test_numbers_that_json_cannot_hold_are_shown_as_texts() -> None:
    builder = GraphBuilder().stream("readings", DOUBLE).add("grouped", "group_by_key", stream="readings")
    builder.add("logs", "aggregate", {"init": "map()", "add": "map_put(agg, 'huge', value * 1e308)"}, grouped="grouped")
    driver = builder.updates_to("out", "logs").driver()
    driver.pipe("readings", key="a", value=-10.0, timestamp=1)

    assert rows(ask("logs", driver, key="a")) == [("a", {"huge": "-Infinity"}, 1)]


@pytest.mark.parametrize("key", ["1.1", "1.10", '"1.10"'])
def test_a_row_of_a_decimal_key_is_found_however_it_is_written_and_shown_with_its_digits(key: str) -> None:
    driver = GraphBuilder().table("prices", decimal(20, 2), key=decimal(20, 2), store="prices").driver()
    driver.pipe_bytes("prices", b"1.1", b"12345678901234567.80", 1)

    (row,) = ask("prices", driver, key=key).rows

    assert exact_json.dumps([row["key"], row["value"]]) == b"[1.10,12345678901234567.80]"


def test_all_rows_come_in_order_of_keys_whatever_task_holds_them_in_pages() -> None:
    one, other = table(), table()
    other.pipe("people", key="alan", value=7, timestamp=9)
    other.pipe("people", key="alice", value=None, timestamp=9)
    other.pipe("people", key="bob", value=None, timestamp=9)

    first = ask("people-store", one, other, limit=2)
    second = ask("people-store", one, other, limit=2, cursor=first.next)

    assert rows(first) == [("alan", 7, 9), ("alice", 26, 3)]
    assert rows(second) == [("bob", 30, 0)]
    assert second.next is None


def test_a_range_includes_both_its_ends() -> None:
    driver = table()
    driver.pipe("people", key="zoe", value=1)

    assert [row[0] for row in rows(ask("people-store", driver, first="alice", last="bob"))] == ["alice", "bob"]
    assert [row[0] for row in rows(ask("people-store", driver, first="b"))] == ["bob", "zoe"]


def test_rows_come_from_the_last_to_the_first_in_pages_too() -> None:
    one, other = table(), table()
    other.pipe("people", key="alan", value=7, timestamp=9)
    other.pipe("people", key="alice", value=None, timestamp=9)
    other.pipe("people", key="bob", value=None, timestamp=9)

    first = ask("people-store", one, other, limit=2, descending=True)
    second = ask("people-store", one, other, limit=2, descending=True, cursor=first.next)

    assert rows(first) == [("bob", 30, 0), ("alice", 26, 3)]
    assert rows(second) == [("alan", 7, 9)]
    assert second.next is None
    assert rows(ask("people-store", one, descending=True, first="b")) == [("bob", 30, 0)]


def test_a_page_ends_after_many_rows_that_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queryable_module, "MAX_SCAN_ROWS", 2)
    driver = counts({"type": "tumbling", "size_ms": MINUTE, "grace_ms": 10 * MINUTE})

    first = ask("counts-store", driver, first="b")
    second = ask("counts-store", driver, first="b", cursor=first.next)
    third = ask("counts-store", driver, first="c", cursor=first.next)

    assert [row[:2] for row in rows(first)] == [("b", 0)]
    assert ([row[:2] for row in rows(second)], second.next) == ([("b", MINUTE)], None)
    assert (rows(third), third.next) == ([], None)


def test_the_newest_windows_come_first() -> None:
    driver = counts({"type": "tumbling", "size_ms": MINUTE, "grace_ms": 10 * MINUTE})

    found = rows(ask("counts-store", driver, descending=True, limit=2))

    assert [row[:2] for row in found] == [("a", 3 * MINUTE), ("b", MINUTE)]
    assert [row[1] for row in rows(ask("counts-store", driver, key="a", descending=True))] == [3 * MINUTE, 0]
    assert [row[1] for row in rows(ask("counts-store", driver, key="a", descending=True, limit=1))] == [3 * MINUTE]


def test_a_versioned_table_answers_as_of_a_time() -> None:
    driver = table(history_ms=1_000)

    assert rows(ask("people-store", driver, key="alice", as_of=2)) == [("alice", 25, 1)]
    assert rows(ask("people-store", driver, key="alice")) == [("alice", 26, 3)]


@pytest.mark.parametrize(
    "windows",
    [
        {"type": "tumbling", "size_ms": MINUTE, "grace_ms": 10 * MINUTE},
        {"type": "hopping", "size_ms": MINUTE, "advance_ms": MINUTE, "grace_ms": 10 * MINUTE},
    ],
    ids=["tumbling", "hopping"],
)
def test_the_windows_of_a_key_and_of_all_keys(windows: dict[str, Any]) -> None:
    driver = counts(windows)

    assert rows(ask("counts-store", driver, key="a")) == [
        ("a", 0, MINUTE, 1, 0),
        ("a", 3 * MINUTE, 4 * MINUTE, 2, 3 * MINUTE),
    ]
    assert rows(ask("counts-store", driver, key="b", since=1)) == [("b", MINUTE, 2 * MINUTE, 1, MINUTE)]
    assert [row[:2] for row in rows(ask("counts-store", driver, until=MINUTE))] == [("a", 0), ("b", 0), ("b", MINUTE)]
    assert [row[:2] for row in rows(ask("counts-store", driver, first="b"))] == [("b", 0), ("b", MINUTE)]


@pytest.mark.parametrize("question", [{}, {"key": "a"}])
@pytest.mark.parametrize(
    "windows",
    [
        {"type": "tumbling", "size_ms": MINUTE},
        {"type": "sliding", "difference_ms": MINUTE},
        {"type": "session", "gap_ms": 1},
    ],
)
def test_the_last_time_of_64_bits_is_no_bound(windows: dict[str, Any], question: dict[str, Any]) -> None:
    driver = counts(windows | {"grace_ms": 10 * MINUTE})

    assert ask("counts-store", driver, until=2**63 - 1, **question) == ask("counts-store", driver, **question)
    assert ask("counts-store", driver, since=2**63 - 1, until=2**63 - 1, **question).rows == []


def test_sliding_windows_are_found_by_their_start() -> None:
    driver = counts({"type": "sliding", "difference_ms": MINUTE, "grace_ms": 10 * MINUTE})

    found = rows(ask("counts-store", driver, key="a"))

    assert found == [("a", 0, MINUTE, 1, 0), ("a", 2 * MINUTE, 3 * MINUTE, 2, 3 * MINUTE)]
    assert {row[0] for row in rows(ask("counts-store", driver))} == {"a", "b"}


def test_sessions_are_found_by_what_they_touch() -> None:
    driver = counts({"type": "session", "gap_ms": MINUTE, "grace_ms": 10 * MINUTE})

    assert rows(ask("counts-store", driver, key="b")) == [("b", 0, MINUTE, 2, MINUTE)]
    assert rows(ask("counts-store", driver, key="b", since=MINUTE // 2, until=MINUTE // 2)) == [
        ("b", 0, MINUTE, 2, MINUTE)
    ]
    assert rows(ask("counts-store", driver, key="a", since=1)) == [("a", 3 * MINUTE, 3 * MINUTE, 2, 3 * MINUTE)]
    assert [row[0] for row in rows(ask("counts-store", driver, until=0))] == ["a", "b"]


def test_windows_past_retention_are_not_found() -> None:
    driver = counts({"type": "tumbling", "size_ms": MINUTE, "grace_ms": 0, "retention_ms": 2 * MINUTE})

    assert [row[:2] for row in rows(ask("counts-store", driver))] == [("a", 3 * MINUTE)]
    assert rows(ask("counts-store", driver, key="b")) == []


def test_a_table_made_of_one_with_windows_is_found_by_key_and_start() -> None:
    builder = GraphBuilder().stream("orders").add("grouped", "group_by_key", stream="orders")
    builder.add("windowed", "windowed_by", {"type": "tumbling", "size_ms": MINUTE}, grouped="grouped")
    builder.add("counts", "count", grouped="windowed")
    builder.add("some", "filter", {"predicate": "value > 0", "store": "some-store"}, records="counts")
    driver = builder.updates_to("out", "some").driver()
    for key, minute in [("a", 0), ("ab", 0), ("a", 1), ("b", 1)]:
        driver.pipe("orders", key=key, value="x", timestamp=minute * MINUTE)

    assert [row[:2] for row in rows(ask("some-store", driver, key="a"))] == [("a", 0), ("a", MINUTE)]
    assert [row[:2] for row in rows(ask("some-store", driver, key="a", since=1))] == [("a", MINUTE)]
    assert [row[:2] for row in rows(ask("some-store", driver, last="ab", until=1))] == [("a", 0), ("ab", 0)]


def test_an_average_is_shown_as_the_table_shows_it() -> None:
    builder = GraphBuilder().stream("orders", INTEGER).add("grouped", "group_by_key", stream="orders")
    functions = [{"name": "mean", "function": "avg", "expression": "value"}, {"name": "n", "function": "count"}]
    builder.add("means", "aggregate", {"functions": functions, "store": "means-store"}, grouped="grouped")
    driver = builder.updates_to("out", "means").driver()
    driver.pipe("orders", key="a", value=1)
    driver.pipe("orders", key="a", value=2)

    (row,) = ask("means-store", driver, key="a").rows

    assert row["value"] == driver.read("out")[-1][1] == {"mean": 1.5, "n": 2}


def test_keys_are_read_by_their_type() -> None:
    driver = GraphBuilder().table("stock", key=INTEGER, store="stock-store").updates_to("out", "stock").driver()
    driver.pipe("stock", key=-3, value="low")

    assert rows(ask("stock-store", driver, key="-3")) == [(-3, "low", 0)]
    with pytest.raises(QueryRefused, match="'three' is not a key of this table"):
        ask("stock-store", driver, key="three")
    with pytest.raises(QueryRefused, match="is not a key of this table"):
        ask("stock-store", driver, key="1.5")


@pytest.mark.parametrize("windows", [{"type": "session", "gap_ms": 5}, {"type": "sliding", "difference_ms": 5}])
@pytest.mark.parametrize("bound", ["key", "first", "last"])
def test_null_is_no_key(windows: dict[str, Any], bound: str) -> None:
    builder = GraphBuilder().stream("orders", key=INTEGER).add("grouped", "group_by_key", stream="orders")
    builder.add("windowed", "windowed_by", windows, grouped="grouped").add("counts", "count", grouped="windowed")
    driver = builder.updates_to("out", "counts").driver()

    with pytest.raises(QueryRefused, match="'null' is not a key of this table: no row has the key null"):
        ask("counts", driver, **{bound: "null"})


def test_a_key_without_a_declared_type_may_be_json_or_plain_text() -> None:
    driver = (
        GraphBuilder()
        .table("stock", key=ANY, key_format="json", store="stock-store")
        .updates_to("out", "stock")
        .driver()
    )
    driver.pipe("stock", key="a", value=1)
    driver.pipe("stock", key={"id": 1}, value=2)

    assert rows(ask("stock-store", driver, key="a")) == [("a", 1, 0)]
    assert rows(ask("stock-store", driver, key='{"id": 1}')) == [({"id": 1}, 2, 0)]


def test_the_stores_of_tables_are_queryable_by_their_name_or_that_of_their_node() -> None:
    builder = GraphBuilder().table("named", store="named-store").stream("orders")
    builder.add("grouped", "group_by_key", stream="orders").add("counts", "count", grouped="grouped")
    builder.add("once", "deduplicate", {"within_ms": 1}, stream="orders").to("more", "once")
    builder.updates_to("out", "named").updates_to("numbers", "counts")

    assert list(find_queryable(builder.driver().layout)) == ["named-store", "counts"]


def test_what_is_no_cursor_or_has_no_versions_is_refused() -> None:
    driver = table(key=STRING)

    with pytest.raises(QueryRefused, match="`cursor` is not a place in this table"):
        ask("people-store", driver, cursor="a")
    with pytest.raises(QueryRefused, match="`people-store` keeps no versions"):
        ask("people-store", driver, key="alice", as_of=1)
