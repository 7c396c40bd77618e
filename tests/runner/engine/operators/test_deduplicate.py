"""deduplicate."""

import pytest

from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

EVENT = struct(id=STRING)


@pytest.fixture(params=[True, False], ids=["one life", "recreated tasks"])
def driver(request):
    def made(**config):
        builder = GraphBuilder().stream("events", EVENT)
        builder.add("once", "deduplicate", {"within_ms": 100} | config, stream="events")
        return builder.to("out", "once").driver(is_one_life=request.param)

    return made


def passed(driver, *records):
    for key, id_, timestamp in records:
        driver.pipe("events", key=key, value={"id": id_}, timestamp=timestamp)
    return [(record.key, record.value["id"], record.timestamp) for record in driver.records("out")]


def test_the_first_of_a_key_passes_and_its_repeats_do_not(driver):
    once = driver()

    assert passed(once, ("a", "1", 0), ("a", "2", 50), ("b", "1", 60)) == [("a", "1", 0), ("b", "1", 60)]
    assert once.counters()["once"] == {"in": 3, "out": 2, "dropped": 0, "errors": 0}


def test_after_the_time_the_next_one_is_a_first_again(driver):
    assert passed(driver(), ("a", "1", 0), ("a", "2", 99), ("a", "3", 100), ("a", "4", 150)) == [
        ("a", "1", 0),
        ("a", "3", 100),
    ]


def test_repeats_do_not_make_the_memory_last_longer(driver):
    assert passed(driver(), ("a", "1", 0), ("a", "2", 90), ("a", "3", 110)) == [("a", "1", 0), ("a", "3", 110)]


def test_stream_time_moves_by_records_of_other_keys(driver):
    assert passed(driver(), ("a", "1", 0), ("b", "2", 100), ("a", "3", 10))[-1] == ("a", "3", 10)


def test_a_record_within_the_time_but_before_the_first_is_a_repeat(driver):
    assert passed(driver(), ("a", "1", 150), ("a", "2", 51)) == [("a", "1", 150)]


def test_a_record_older_than_the_time_passes_and_is_not_remembered(driver):
    assert passed(driver(), ("a", "1", 500), ("a", "2", 400), ("a", "3", 400)) == [
        ("a", "1", 500),
        ("a", "2", 400),
        ("a", "3", 400),
    ]


def test_an_expression_may_say_what_repeats_have_in_common(driver):
    assert passed(driver(by="id"), ("a", "1", 0), ("a", "2", 1), ("a", "1", 2)) == [("a", "1", 0), ("a", "2", 1)]


def test_numbers_that_are_equal_as_keys_are_equal_for_repeats():
    builder = GraphBuilder().stream("events", struct(id=struct()))
    driver = (
        builder.add("once", "deduplicate", {"by": "id", "within_ms": 100}, stream="events").to("out", "once").driver()
    )

    for number in (b"14.7", b"14.70", b"1.47e1", b"15", b"15.0", b"0.99999999999999999", b"0.999999999999999990"):
        driver.pipe_bytes("events", b"a", b'{"id":{"n":[%s]}}' % number)

    assert [str(value["id"]["n"][0]) for _, value in driver.read("out")] == [
        "14.7",
        "15",
        "15.0",
        "0.99999999999999999",
    ]


def test_a_null_key_is_dropped_and_counted(driver):
    once = driver()

    assert passed(once, (None, "1", 0)) == []
    assert once.dropped_records == 1


def test_a_record_for_which_the_expression_is_null_passes(driver):
    assert passed(driver(by="id"), ("a", None, 0), ("a", None, 1)) == [("a", None, 0), ("a", None, 1)]


def test_repeats_of_one_batch_are_found_and_what_is_over_is_forgotten():
    builder = GraphBuilder().stream("events", EVENT).add("once", "deduplicate", {"within_ms": 100}, stream="events")
    driver = builder.to("out", "once").driver()

    with driver.batch():
        for timestamp in (0, 10, 200, 210):
            driver.pipe("events", key="a", value={"id": "1"}, timestamp=timestamp)
    driver.pipe("events", key="b", value={"id": "1"}, timestamp=1_000)

    assert [record.timestamp for record in driver.records("out")] == [0, 200, 1_000]
    assert sum(b"a" in key[4:] for key in driver.state.values) == 0


def test_repeats_of_a_changed_key_meet_in_the_task_of_that_key():
    builder = GraphBuilder().stream("events", struct(id=STRING, n=INTEGER))
    builder.add("by-id", "select_key", {"key": "id"}, stream="events")
    builder.add("once", "deduplicate", {"within_ms": 100}, stream="by-id")

    assert len(builder.to("out", "once").driver().layout.sub_topologies) == 2
