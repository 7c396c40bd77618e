"""How a run's events become the numbers that are shown."""

from typing import Any, cast

from runner.control.jobs.job_status import describe_loss
from runner.spark.events import ProgressEvent
from runner.watch.live.numbers import Numbers, find_changes
from runner.watch.live.positions import HeldBy, TopicPosition
from runner.watch.live.snapshot import find_recent, make_point
from runner.watch.live.tables import (
    describe_lost,
    describe_state,
    make_node_row,
    write_details,
    write_jobs_table,
    write_line,
)

START = 1_000_000
HELD_BY: HeldBy = {
    "partition": 0,
    "producer_id": 4,
    "transactional_id": "orders-1",
    "since": 86_400_000,
    "timeout_ms": 60_000,
}
STATE: Any = {
    "status": "running",
    "desired": "running",
    "problem": None,
    "failure": None,
    "last_failure": None,
    "is_stale": False,
    "numbers": None,
    "lost_executors": [],
    "is_blocked": False,
    "failed_runs": 0,
    "start_after": None,
}


def progress(batch: int, at: int, records: int = 100, offsets: list[int] | None = None, **more: Any) -> ProgressEvent:
    counts = {"in": records, "out": records - 1, "dropped": 1, "errors": 0}
    event = {
        "type": "progress",
        "batch": batch,
        "started_at": at - 100,
        "committed_at": at,
        "duration_ms": 100,
        "phases": {},
        "latency_ms": 150,
        "records_in": records,
        "nodes": {"late": counts},
        "sources": {"flights": offsets or [batch * records, 0]},
        "state": {"rows": 5, "bytes": 500},
        "dead_letters": 2,
        **more,
    }
    return cast(ProgressEvent, event)


def numbers() -> Numbers:
    return Numbers(["flights", "late"], ["flights"], START)


def test_counters_of_a_run_add_up_over_its_batches() -> None:
    shown = numbers()

    for batch in range(3):
        shown.note_progress(progress(batch, START + 1_000 * batch), START + 1_000 * batch)

    found = shown.to_json(START + 2_000)
    late = found["nodes"]["late"]
    assert [late[name] for name in ("in", "out", "dropped", "errors")] == [300, 297, 3, 0]
    assert found["nodes"]["flights"]["in"] == 0
    assert (found["records_in"], found["dead_letters"], found["latency_ms"]) == (300, 6, 150)
    assert found["state"] == {"rows": 5, "bytes": 500}


def test_the_latency_of_a_slow_batch_is_forgotten_once_the_job_is_idle() -> None:
    """A job that has read everything made an alert of its last batch, however long ago that was."""
    shown, minute = numbers(), 60_000

    def find_latency(end: int, at: int) -> float | None:
        shown.reach({"flights": [end, 0]}, {"flights": [end, 0]}, START + at)
        return shown.to_json(START + at)["latency_ms"]

    shown.note_progress(progress(0, START, latency_ms=180_000, offsets=[100, 0]), START)

    assert find_latency(101, at=2 * minute) == 180_000  # the next batch is as slow
    assert find_latency(100, at=2 * minute) is None
    assert find_latency(101, at=2 * minute + 1) is None


def test_the_size_of_the_state_is_unknown_before_the_first_batch_of_a_run() -> None:
    """Stores that were kept may hold anything by then."""
    shown = numbers()
    assert shown.to_json(START)["state"] is None
    point = make_point(shown.to_json(START))
    assert (point["state_rows"], point["state_bytes"]) == (None, None)

    shown.note_progress(progress(0, START), START)

    assert make_point(shown.to_json(START))["state_bytes"] == 500


def test_what_leaves_a_node_has_a_rate_of_its_own() -> None:
    shown = numbers()
    kept = {"late": {"in": 100, "out": 25, "dropped": 0, "errors": 0}}

    for batch in range(30):
        shown.note_progress(progress(batch, START + 1_000 * batch, nodes=kept), START + 1_000 * batch)

    late = shown.to_json(START + 29_000)["nodes"]["late"]
    assert 95 <= late["rate"] <= 105
    assert 23 <= late["out_rate"] <= 27


def test_a_node_shows_what_its_stores_hold() -> None:
    shown = numbers()
    assert shown.to_json(START)["nodes"]["late"]["state"] is None

    shown.note_progress(progress(1, START, stores={"late": {"rows": 4, "bytes": 90}}), START)

    found = shown.to_json(START)["nodes"]
    assert found["late"]["state"] == {"rows": 4, "bytes": 90}
    assert found["flights"]["state"] is None


def working(busy_ms: dict[str, int]) -> Numbers:
    """A run of two workers that commits a batch every second."""
    shown = numbers()
    for batch in range(30):
        event = progress(batch, START + 1_000 * batch, busy_ms=busy_ms, workers=2)
        shown.note_progress(event, START + 1_000 * batch)
    return shown


def test_the_node_that_takes_most_of_the_workers_time_is_the_slowest() -> None:
    found = working({"flights": 300, "late": 900}).to_json(START + 29_000)

    assert 0.14 <= found["nodes"]["flights"]["busy"] <= 0.16
    assert 0.43 <= found["nodes"]["late"]["busy"] <= 0.47
    assert found["slowest"] == "late"


def test_none_is_the_slowest_of_nodes_that_have_little_to_do() -> None:
    assert numbers().to_json(START)["slowest"] is None
    assert working({"late": 80}).to_json(START + 29_000)["slowest"] is None


def test_none_is_the_slowest_once_nothing_moves() -> None:
    shown = working({"late": 900})

    assert shown.to_json(START + 29_000)["slowest"] == "late"
    assert shown.to_json(START + 60_000)["slowest"] is None
    assert shown.to_json(START + 60_000)["nodes"]["late"]["busy"] == 0


def test_inside_a_long_batch_the_rate_of_the_last_one_stands() -> None:
    shown = numbers()
    for batch in range(3):
        at = START + 20_000 * batch
        shown.note_progress(progress(batch, at, records=20_000, started_at=at - 20_000), at)

    shown.note_beat(15_000, START + 55_000)

    found = shown.to_json(START + 40_000 + 15_000)
    assert 950 <= found["rate"] <= 1_050
    assert found["batch"]["in_batch_ms"] == 15_000


def test_lag_is_what_the_topic_holds_beyond_what_was_read() -> None:
    shown = numbers()
    assert shown.to_json(START)["sources"]["flights"]["total_lag"] is None
    assert shown.to_json(START)["lag"] is None

    shown.note_progress(progress(1, START, offsets=[70, 30]), START)
    shown.reach({"flights": [100, 30]}, {"flights": [100, 30]}, START)

    found = shown.to_json(START)["sources"]["flights"]
    assert (found["offsets"], found["ends"], found["lag"], found["total_lag"]) == ([70, 30], [100, 30], [30, 0], 30)
    assert shown.to_json(START)["lag"] == 30


def test_records_behind_an_open_transaction_are_no_lag_and_are_told_apart() -> None:
    shown = numbers()
    shown.note_progress(progress(1, START, offsets=[70, 30]), START)

    for second in range(8):
        shown.reach({"flights": [70, 30 + second]}, {"flights": [570, 32 + second]}, START + 1_000 * second)

    found = shown.to_json(START + 7_000)["sources"]["flights"]
    assert (found["lag"], found["waiting"], found["total_waiting"]) == ([0, 7], [500, 2], 502)
    assert found["waiting_s"] == 7  # of partition 0; that of partition 1 moves on
    assert (shown.to_json(START + 7_000)["waiting"], shown.to_json(START + 7_000)["held_up"]) == (502, 502)
    assert shown.to_json(START + 4_000)["held_up"] == 0  # any producer's transaction is open for a moment
    position = shown.positions["flights"]
    assert (position.find_held_partition(START + 4_000), position.find_held_partition(START + 7_000)) == (None, 0)
    position.held_by = HELD_BY
    told = shown.to_json(START + 7_000)
    assert told["sources"]["flights"]["held_by"] == HELD_BY
    state = STATE | {"numbers": told}
    assert (
        describe_state(state)
        == "502 records wait behind an open transaction of producer orders-1 since 1970-01-02 00:00:00 UTC"
    )
    position.held_by = HELD_BY | {"transactional_id": None}
    assert describe_state(state | {"numbers": shown.to_json(START + 7_000)}).endswith(
        "; Kafka does not end it by itself"
    )

    shown.reach({"flights": [570, 40]}, {"flights": [570, 40]}, START + 8_000)
    assert shown.to_json(START + 8_000)["sources"]["flights"]["held_by"] is None
    found = shown.to_json(START + 8_000)["sources"]["flights"]
    assert (found["total_lag"], found["total_waiting"], found["waiting_s"]) == (510, 0, None)


def test_a_topic_that_gets_more_partitions_keeps_its_lag() -> None:
    shown = numbers()
    shown.note_progress(progress(1, START, offsets=[6]), START)

    shown.reach({"flights": [6, 4, 4]}, {"flights": [6, 4, 4]}, START)
    assert shown.to_json(START)["sources"]["flights"]["lag"] == [0, 4, 4]

    shown.note_progress(progress(2, START, offsets=[6, 4, 3]), START)
    assert shown.to_json(START)["sources"]["flights"]["lag"] == [0, 0, 1]


def test_a_lag_that_is_not_known_is_null_and_no_zero() -> None:
    shown = Numbers(["late"], ["flights", "airlines"], START)
    shown.note_progress(progress(1, START, offsets=[6, 4, 4], sources={"flights": [6, 4, 4], "airlines": [1]}), START)
    shown.reach({"flights": [6], "airlines": [1]}, {"flights": [6], "airlines": [1]}, START)

    found = shown.to_json(START)

    assert (found["sources"]["flights"]["total_lag"], found["sources"]["airlines"]["total_lag"]) == (None, 0)
    assert (found["lag"], make_point(found)["lag"]) == (None, None)


def test_a_lag_is_unknown_once_kafka_has_not_answered_for_long() -> None:
    shown = numbers()
    shown.note_progress(progress(1, START, offsets=[70, 30]), START)
    shown.reach({"flights": [100, 30]}, {"flights": [120, 30]}, START)

    found = shown.to_json(START + 16_000)["sources"]["flights"]

    assert [found[name] for name in ("total_lag", "lag_s", "trend", "total_waiting", "waiting_s")] == [None] * 5


def test_only_what_changed_is_sent_again() -> None:
    shown = numbers()
    before = shown.to_json(START)

    shown.note_progress(progress(0, START), START)
    changed = find_changes(before, shown.to_json(START))

    assert set(changed["nodes"]) == {"late"}
    assert "at" not in changed
    assert find_changes(None, before) == before


def test_drops_are_counted_by_reason_and_show_the_last_records() -> None:
    shown = numbers()
    assert shown.to_json(START)["nodes"]["late"]["dropped_by"] == {}

    for offset in (1, 2):
        sample = {"topic": "flights", "partition": 0, "offset": offset, "timestamp": 5, "key": "a"}
        drops = {"late": {"late": {"count": 4, "samples": [sample]}, "null key": {"count": 1, "samples": []}}}
        shown.note_progress(progress(offset, START, drops=drops), START)

    late = shown.to_json(START)["nodes"]["late"]
    assert late["dropped_by"] == {"late": 8, "null key": 2}
    assert [sample["offset"] for sample in late["dropped_samples"]["late"]] == [2]


def test_numbers_that_were_told_do_not_change_afterwards() -> None:
    shown = numbers()
    before = shown.to_json(START)

    shown.note_progress(progress(1, START, drops={"late": {"late": {"count": 4, "samples": []}}}), START)

    assert "late" in find_changes(before, shown.to_json(START))["nodes"]


def test_the_numbers_of_a_node_balance_over_its_batches() -> None:
    shown = numbers()
    page = {"no_result": {"predicate": 3}, "extra": 2, "waiting": 1, "dead_letters": 1}
    counts = {"in": 10, "out": 6, "dropped": 1, "errors": 1}

    for batch in range(2):
        shown.note_progress(
            progress(batch, START + batch, nodes={"late": counts}, outcomes={"late": page}), START + batch
        )
    before = shown.to_json(START)["nodes"]["late"]
    shown.note_progress(progress(2, START + 2, nodes={"late": counts}, outcomes={"late": page}), START + 2)

    late = shown.to_json(START + 2)["nodes"]["late"]
    assert before["no_result"] == {"predicate": 6}
    assert (late["no_result"], late["extra"], late["waiting"], late["dead_letters"]) == ({"predicate": 9}, 6, 3, 3)
    assert late["in"] + late["extra"] == sum(late[name] for name in ("out", "dropped", "errors", "waiting")) + 9
    assert make_node_row("late", late)[1:-1] == ("30", "6", "18", "9", "3", "3", "3")


def test_a_job_that_does_not_run_has_no_rate_and_latency() -> None:
    shown = numbers()
    shown.note_progress(progress(0, START), START)
    running = STATE | {"numbers": shown.to_json(START)}
    stopped = running | {"status": "stopped", "desired": "stopped", "is_stale": True}

    _, *rows = write_jobs_table([("orders", 3, running), ("orders", 3, stopped)]).split("\n")

    assert rows[0].split()[3:] == ["100", "-", "150", "ms", "5"]
    assert rows[1].split()[3:] == ["-", "-", "-", "5"]
    assert "       - records/s" in write_line(stopped)
    assert "latency        -" in write_line(stopped)


def test_a_failure_is_told_with_its_next_step_on_a_line_of_its_own() -> None:
    failure = {"code": "spark.no_executor", "message": "No executor came\nwithin 60 s.", "hint": "Start a worker."}
    failed = STATE | {"status": "failed", "failure": failure}
    again = STATE | {"status": "starting", "last_failure": failure}
    blocked = failed | {"problem": failure | {"hint": "Deploy it again."}}
    stopped = failed | {"status": "stopped", "desired": "stopped"}

    rows = [("orders", 3, failed), ("flights", 12, stopped), ("late", 1, blocked), ("early", 1, again)]
    head, *lines = write_jobs_table(rows).split("\n")

    assert [text.split()[0] for text in lines] == ["orders", "Start", "flights", "late", "Deploy", "early", "Start"]
    assert [lines[1], lines[4], lines[6]] == ["  Start a worker.", "  Deploy it again.", "  Start a worker."]
    for row in (lines[0], lines[3], lines[5]):
        assert row[head.index("note") :] == "No executor came within 60 s."
    assert write_line(failed).endswith("No executor came within 60 s.\n  Start a worker.")
    assert "\n" not in write_line(stopped)


def test_a_job_that_fails_again_and_again_says_whether_and_when_it_is_tried_again() -> None:
    failure = {"code": "run.failed", "message": "It broke.", "hint": "Look for it."}
    again = STATE | {"status": "starting", "last_failure": failure, "failed_runs": 3}
    again |= {"start_after": "2026-11-30T18:05:40.100000+00:00"}
    given_up = {"given_up": "Batch 3 failed 3 times for the same reason."}
    blocked = STATE | {"status": "failed", "is_blocked": True, "problem": failure | given_up, "failed_runs": 3}

    assert write_line(again).endswith("\n  Look for it. 3 runs failed in a row. The next one starts at 18:05:40 UTC.")
    assert write_line(blocked).endswith(
        "\n  Look for it. Streamwright does not retry. Batch 3 failed 3 times for the same reason. Fix the cause, then "
        "restart or deploy the job."
    )


def test_a_lost_executor_is_told_once_it_is_gone_and_again_with_its_cost() -> None:
    lost = {"executor": "10.0.0.7:4100", "host": "10.0.0.7", "at": START, "reason": "worker lost", "hint": ""}
    open_one: Any = lost | {"batch": 1_200, "again": True, "took_ms": None, "cost_ms": None}
    done_one: Any = open_one | {"took_ms": 14_200, "cost_ms": 900}
    gone = STATE | {"lost_executors": [describe_loss(open_one)]}
    done = STATE | {"lost_executors": [describe_loss(done_one)]}
    went = "1970-01-01 00:16:40 UTC: Host 10.0.0.7 lost an executor: worker lost."

    assert describe_lost(gone, STATE) == [f"{went} Spark is running batch 1,200 again."]
    assert describe_lost(done, gone) == [
        f"{went} Spark ran batch 1,200 again. It took 14.2 s, 900 ms longer than usual."
    ]
    assert describe_lost(done, done) == []
    assert write_details(done).endswith(describe_lost(done)[0])


def test_a_lost_executor_says_what_happens_next() -> None:
    lost = {"executor": "10.0.0.7:4100", "host": "10.0.0.7", "at": START, "reason": "killed.", "hint": "Add memory."}
    between: Any = lost | {"batch": None, "again": False, "took_ms": None, "cost_ms": None}
    built: Any = between | {"batch": 7, "took_ms": 14_200}

    assert describe_loss(between)["title"] == "Host 10.0.0.7 lost an executor: killed."
    assert describe_loss(between)["text"] == "The next batch builds its state again. Add memory."
    assert describe_loss(built)["text"] == "Batch 7 built its state again. It took 14.2 s. Add memory."


def test_an_executor_is_lost_once_and_recently_for_ten_minutes() -> None:
    shown = Numbers(["late"], ["orders"], START)
    shown.note_lost("10.0.0.2:4001", START)
    shown.note_lost("10.0.0.2:4001", START)
    shown.note_lost("10.0.0.3:4002", START + 60_000)

    def counts(minutes: int) -> tuple[int, int]:
        numbers = shown.to_json(START + minutes * 60_000)
        return numbers["lost_executor_count"], numbers["recently_lost"]

    assert [counts(minutes) for minutes in (1, 10, 11)] == [(2, 2), (2, 1), (2, 0)]


def test_memory_is_that_of_all_hosts() -> None:
    shown = Numbers(["late"], ["orders"], START)
    shown.executors = {"10.0.0.2": 200, "10.0.0.3": 300}
    assert shown.to_json(START)["memory"] is None

    shown.memory = 400

    assert (shown.to_json(START)["memory"], shown.to_json(START)["executors"]) == (900, shown.executors)


def test_a_clock_that_is_set_changes_no_rate() -> None:
    """The times of batches are of the host's clock, which is set back by an hour; `now` is not."""
    shown = numbers()
    for batch in range(20):
        now = START + 1_000 * (batch + 1)
        at = now if batch < 10 else now - 3_600_000
        shown.note_progress(progress(batch, at, records=50), now)

    seen = shown.to_json(START + 20_000, at=START + 20_000 - 3_600_000)

    assert 45 <= seen["rate"] <= 55
    assert seen["at"] == START + 20_000 - 3_600_000
    assert seen["batch"]["interval_ms"] == 1_000


def test_a_chart_of_the_last_hour_leaves_out_times_to_come() -> None:
    """The clock was set forward by an hour and back, and then back by a minute."""
    at = [START, START + 3_600_000, START + 2_000, START - 58_000]
    points: Any = [{"at": each} for each in at]

    assert [point["at"] for point in find_recent(points, START + 4_000)] == [START - 58_000, START, START + 2_000]


def test_records_that_are_read_again_are_counted_until_results_are_written() -> None:
    position = TopicPosition((), (10, 4))
    assert position.count_rereads() == 0

    position.advance([3, 5, 0])
    assert position.count_rereads() == 7

    position.advance([10, 5, 0])
    assert position.count_rereads() == 0
