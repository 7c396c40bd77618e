"""Sample data: cycles of records keep every application of the gallery busy."""

from __future__ import annotations

import pytest

from designer.topology.user_code import ALLOW
from runner.demo.gallery import read_gallery
from runner.demo.gallery.cycles import YEARS_MS, list_cycle_records, list_topics
from runner.demo.samples.playing import CYCLE_SECONDS, encode
from runner.engine.code import user_code
from runner.engine.driver import Driver
from tests.gallery.answering import graph_of

NOW = 1_795_862_000_000
"""2026-11-28, in ms."""
CYCLES = 12
WAITS_FOR_THE_CLOCK = {"e22-arrival-sessions-on-close"}
"""Its sessions end by the clock of the host."""


@pytest.fixture
def trusted_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOW, "1")
    monkeypatch.setattr(user_code, "_is_trusted", True)


@pytest.mark.parametrize("application", read_gallery())
def test_every_application_gives_results_from_its_sample_data_again_and_again(application: str, trusted_code: None):
    now = [NOW]
    driver = Driver(graph_of(application), wall_clock=lambda: now[0])
    counts = []
    for cycle in range(CYCLES):
        now[0] += int(CYCLE_SECONDS * 1_000)
        for record in list_cycle_records(application, cycle, NOW):
            driver.pipe_bytes(record.topic, encode(record.key), encode(record.value), record.timestamp)
        counts.append(len(list(driver.rows())))

    if application in WAITS_FOR_THE_CLOCK:
        assert not any(counts)
    else:
        assert any(counts[:2]) and any(counts[CYCLES // 2 :])


def test_times_inside_values_move_with_the_records():
    first, second = (list_cycle_records("e01-click-analytics", cycle, NOW) for cycle in (0, 1))

    moved = second[0].timestamp - first[0].timestamp
    assert moved > 0
    assert second[0].value["timestamp"] - first[0].value["timestamp"] == moved // 1_000
    assert second[0].value["user"] == first[0].value["user"]
    (iso, *_), (later, *_) = (list_cycle_records("e28-windowed-revenue-on-close", cycle, NOW) for cycle in (0, 1))
    assert iso.value["order_time"] != later.value["order_time"]


def test_ids_change_every_ten_cycles_in_keys_and_values():
    first, same, other = (list_cycle_records("e12-order-counter", cycle, NOW)[0] for cycle in (0, 9, 10))

    assert first.value == same.value
    assert (first.value["order_id"], other.value["order_id"]) == ("o1", "o101")


def test_no_record_is_of_the_future():
    last = [records for cycle in range(10_000) if (records := list_cycle_records("e13-order-summary", cycle, NOW))][-1]

    assert NOW - 10 * 86_400_000 < max(each.timestamp for each in last) <= NOW
    assert min(each.timestamp for each in list_cycle_records("e13-order-summary", 0, NOW)) <= NOW - YEARS_MS


def test_all_topics_of_an_application_are_listed():
    assert list_topics("e36-word-count") == ["text-lines", "word-counts"]
