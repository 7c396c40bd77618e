"""What the stores of process answer to those who ask from outside."""

import textwrap
from typing import Any

import pytest

from runner.engine.code import user_code
from runner.engine.driver import Driver
from runner.engine.queryable import Page, Query, QueryRefused, answer, find_queryable
from tests.runner.graph_builder import GraphBuilder

MINUTE = 60_000
KEEPS: dict[str, Any] = {"retention_ms": 10 * MINUTE}


@pytest.fixture(autouse=True)
def python_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    monkeypatch.setattr(user_code, "_is_trusted", True)


def keeping(put: str, *records: tuple[str, Any, int], **store: Any) -> Driver:
    """A driver whose code has put each record, a key, value and minute, into its store `kept`."""
    code = f"""
        class Keeper(Processor):
            def init(self, context):
                self.kept = context.store("kept")

            def process(self, record):
                key, value, time = record.key, record.value, record.timestamp
                self.kept.{put}
    """
    config = {"code": textwrap.dedent(code), "stores": [{"name": "kept", "key_format": "string", **store}]}
    builder = GraphBuilder().stream("in").add("keeper", "process", config, stream="in").to("out", "keeper")
    driver = builder.driver(is_one_life=False)
    for key, value, minute in records:
        driver.pipe("in", key=key, value=value, timestamp=minute * MINUTE)
    return driver


def ask(*drivers: Driver, **question: Any) -> Page:
    """The answer of the store, whose tasks are those of the drivers."""
    laid = drivers[0].layout
    return answer(laid, find_queryable(laid)["kept"], [(0, driver.state) for driver in drivers], Query(**question))


def rows(page: Page) -> list[tuple[Any, ...]]:
    """Key, then start and end (in minutes) of its window if it has one, value and time (in minutes) of each row."""
    return [
        (
            row["key"],
            *((row["window"]["start"] / MINUTE, row["window"]["end"] / MINUTE) if row["window"] else ()),
            row["value"],
            None if row["timestamp"] is None else row["timestamp"] / MINUTE,
        )
        for row in page.rows
    ]


def test_keys_and_ranges_of_a_key_value_store() -> None:
    driver = keeping("put(key, value)", ("b", 1, 0), ("a", {"n": 2}, 1), ("c", 3, 2), ("b", None, 3), ("d", 4, 3))

    assert rows(ask(driver, key="a")) == [("a", {"n": 2}, None)]
    assert rows(ask(driver, key="b")) == []
    assert rows(ask(driver, first="b", last="c")) == [("c", 3, None)]
    assert rows(ask(driver, descending=True)) == [("d", 4, None), ("c", 3, None), ("a", {"n": 2}, None)]


def test_pages_go_through_all_tasks() -> None:
    one = keeping("put(key, value)", ("a", 1, 0), ("c", 3, 0))
    other = keeping("put(key, value)", ("b", 2, 0))

    first = ask(one, other, limit=2)

    assert rows(first) == [("a", 1, None), ("b", 2, None)]
    assert rows(ask(one, other, limit=2, cursor=first.next)) == [("c", 3, None)]


def test_values_with_a_time_of_their_own() -> None:
    driver = keeping("put(key, value, time)", ("a", 1, 5), kind="timestamped")

    assert rows(ask(driver, key="a")) == rows(ask(driver)) == [("a", 1, 5)]


def test_what_is_past_its_time_to_live_is_not_seen() -> None:
    driver = keeping("put(key, value)", ("a", 1, 0), ("b", 2, 3), ttl_ms=2 * MINUTE)

    assert rows(ask(driver)) == [("b", 2, None)]
    assert rows(ask(driver, key="a")) == []


def test_versions() -> None:
    driver = keeping("put(key, value, time)", ("a", 1, 0), ("a", 2, 5), ("b", 3, 5), kind="versioned", **KEEPS)

    assert rows(ask(driver)) == [("a", 2, 5), ("b", 3, 5)]
    assert rows(ask(driver, key="a")) == [("a", 2, 5)]
    assert rows(ask(driver, key="a", as_of=4 * MINUTE)) == [("a", 1, 0)]
    assert rows(ask(driver, key="b", as_of=4 * MINUTE)) == []


def test_only_a_versioned_store_is_asked_for_a_time() -> None:
    with pytest.raises(QueryRefused, match="The store `kept` keeps no versions"):
        ask(keeping("put(key, value)", ("a", 1, 0)), key="a", as_of=4)


WINDOWS = {"kind": "window", "size_ms": 2 * MINUTE, **KEEPS}


def test_windows_by_their_starts_then_keys() -> None:
    driver = keeping("put(key, value, time)", ("b", 1, 4), ("a", 2, 4), ("b", 3, 6), **WINDOWS)

    assert rows(ask(driver)) == [("a", 4, 6, 2, None), ("b", 4, 6, 1, None), ("b", 6, 8, 3, None)]
    assert rows(ask(driver, key="b", descending=True, limit=1)) == [("b", 6, 8, 3, None)]
    assert rows(ask(driver, key="b", until=5 * MINUTE)) == [("b", 4, 6, 1, None)]
    assert rows(ask(driver, first="b", since=4 * MINUTE, until=4 * MINUTE)) == [("b", 4, 6, 1, None)]


def test_windows_past_retention_are_not_seen() -> None:
    driver = keeping("put(key, value, time)", ("a", 1, 0), ("b", 2, 10), **WINDOWS)

    assert rows(ask(driver)) == [("b", 10, 12, 2, None)]
    assert rows(ask(driver, key="a")) == []


def test_windows_with_duplicates_show_every_value() -> None:
    driver = keeping("put(key, value, time)", ("a", 1, 4), ("b", 2, 4), ("a", 1, 4), duplicates=True, **WINDOWS)

    assert rows(ask(driver)) == [("a", 4, 6, 1, None), ("b", 4, 6, 2, None), ("a", 4, 6, 1, None)]
    assert rows(ask(driver, key="a")) == [("a", 4, 6, 1, None), ("a", 4, 6, 1, None)]


def test_sessions_by_their_ends_that_touch_the_times_asked_for() -> None:
    put = f"put(Windowed(key, time - value * {MINUTE}, time), value)"
    driver = keeping(put, ("a", 1, 5), ("b", 3, 6), ("a", 0, 9), kind="session", **KEEPS)

    assert rows(ask(driver)) == [("a", 4, 5, 1, None), ("b", 3, 6, 3, None), ("a", 9, 9, 0, None)]
    assert rows(ask(driver, until=3 * MINUTE)) == [("b", 3, 6, 3, None)]
    assert rows(ask(driver, key="a", since=6 * MINUTE)) == [("a", 9, 9, 0, None)]
    assert rows(ask(driver, key="a", until=8 * MINUTE)) == [("a", 4, 5, 1, None)]


def test_keys_are_given_as_their_format_says() -> None:
    driver = keeping("put(int(key), value)", ("10", 1, 0), ("9", 2, 0), key_format="long")

    assert rows(ask(driver)) == [(9, 2, None), (10, 1, None)]
    assert rows(ask(driver, key="10")) == [(10, 1, None)]
    with pytest.raises(QueryRefused, match="'x' is not a key of this table"):
        ask(driver, key="x")


def test_stores_that_share_a_name_stand_behind_their_nodes() -> None:
    code = "class Keeper(Processor):\n    def process(self, record): pass"
    config = {"code": code, "stores": [{"name": "kept"}, {"name": "other"}]}
    builder = (
        GraphBuilder()
        .stream("in")
        .add("one", "process", config, stream="in")
        .add("two", "process", config, stream="in")
    )
    laid = builder.to("out", "one").to("more", "two").driver().layout

    assert list(find_queryable(laid)) == ["one.kept", "one.other", "two.kept", "two.other"]
