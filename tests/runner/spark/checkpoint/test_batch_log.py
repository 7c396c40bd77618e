"""Manifests of batches on their way from the host to the checkpoint."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from runner.plan import Plan, TopicFacts
from runner.spark.checkpoint import batch_log
from runner.spark.checkpoint.batch_log import AnswerLog, BatchLog, Pin

NOW = int(time.time() * 1_000)


def append(log: BatchLog, *batches: int, at: int = NOW) -> None:
    for number in batches:
        end = {"time": at + number, "streams": {"orders": [number + 1]}}
        log.append(number, end, {"checksum": f"sum {number}"})


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "checkpoint" / "manifests"


@pytest.fixture
def log(tmp_path: Path, kept: Path) -> BatchLog:
    return BatchLog(tmp_path / "host", kept)


def numbers(log: BatchLog, since: int = 0) -> list[int]:
    return [each.number for each in log.read_kept(since)]


def test_manifests_go_beside_the_checkpoint_once(log: BatchLog, kept: Path) -> None:
    append(log, 0, 1, 2)
    log.keep()
    log.keep()
    append(log, 3)
    log.keep()

    assert [path.name.split("-")[:2] for path in sorted(kept.iterdir())] == [["0", "2"], ["3", "3"]]
    assert numbers(log) == [0, 1, 2, 3]
    assert [each.facts["checksum"] for each in log.read_kept()] == ["sum 0", "sum 1", "sum 2", "sum 3"]


@pytest.mark.parametrize(
    ("start", "begins"), [([7], {"orders": [7]}), ([-2], {"orders": [0]}), ([-1], None)], ids=["exact", "first", "last"]
)
def test_the_first_batch_begins_where_its_plan_says(
    log: BatchLog, start: list[int], begins: dict[str, list[int]] | None
) -> None:
    topics = {"orders": TopicFacts(id="1", partitions=1, start=start)}
    append(log, 0, 1)
    log.keep()

    log.first = Plan.model_construct(topics=topics).find_first_offsets()

    assert [each.start for each in log.read()] == [begins, {"orders": [1]}]
    assert [each.start for each in log.read_kept()] == [begins, {"orders": [1]}]


def test_a_pinned_batch_stays_with_the_one_before_it(log: BatchLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """However old they are. Others go."""
    for number in (0, 1, 2, 3):
        append(log, number)
        log.keep()
    for number in (2, 3):
        log.pin(Pin(number, NOW + number, NOW, "ada", "the first wrong one"))
    unpinned = (log.unpin(3), log.unpin(3))
    monkeypatch.setattr(batch_log, "KEPT_DAYS", -1)  # all are too old
    log.keep()
    log.file.unlink()  # only what is beside the checkpoint counts

    assert (unpinned, [pin.batch for pin in log.read_pins()]) == ((True, False), [2])
    assert numbers(log) == [1, 2]
    assert log.read_kept()[-1].start == {"orders": [2]}
    log.unpin(2)
    log.keep()
    assert numbers(log) == []


def test_another_host_reads_what_is_beside_the_checkpoint(log: BatchLog, kept: Path, tmp_path: Path) -> None:
    append(log, 0, 1)
    log.keep()
    append(log, 2)  # the host is lost before this one is kept
    there = BatchLog(tmp_path / "other host", kept)
    append(there, 3, 4)
    there.keep()

    assert numbers(there) == [0, 1, 3, 4]
    (gap,) = [each for each in there.read_kept() if each.number == 3]
    assert gap.start is None, "where it began is not known"


def test_the_next_run_on_a_host_keeps_what_a_killed_one_left_there(log: BatchLog, kept: Path, tmp_path: Path) -> None:
    append(log, 0, 1)
    log.keep()
    append(log, 2, 3)  # killed before it keeps them
    again = BatchLog(tmp_path / "host", kept)
    append(again, 4)
    again.keep()

    assert sorted(path.name.split("-")[0] for path in kept.iterdir()) == ["0", "2"]
    assert numbers(again) == [0, 1, 2, 3, 4]


def test_a_batch_that_was_executed_again_has_its_newest_manifest(log: BatchLog) -> None:
    append(log, 0, 1)
    log.append(1, {"time": NOW + 9, "streams": {"orders": [9]}}, {"checksum": "again"})
    log.keep()

    assert [(each.number, each.facts["checksum"], each.end["orders"]) for each in log.read_kept()][1:] == [
        (1, "again", [9])
    ]


def test_too_old_and_too_many_files_are_removed(log: BatchLog, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(log, 0, at=NOW - 8 * 86_400_000)
    log.keep()
    append(log, 1)
    log.keep()
    log.keep()
    assert numbers(BatchLog(kept / "nothing", kept)) == [1]

    monkeypatch.setattr(batch_log, "KEPT_BYTES", 0)
    log.keep()
    assert list(kept.iterdir()) == []


def test_only_files_with_newer_batches_are_read(log: BatchLog, kept: Path) -> None:
    append(log, 0, 1)
    log.keep()
    append(log, 2, 3)
    log.keep()
    (first,) = [path for path in kept.iterdir() if path.name.startswith("0-")]
    first.write_bytes(b"not to be read")

    assert numbers(log, since=NOW + 2) == [2, 3]


def test_lines_are_due_after_minutes_or_when_they_are_many(log: BatchLog, monkeypatch: pytest.MonkeyPatch) -> None:
    append(log, 0)
    found = [log.is_due]
    monkeypatch.setattr(log, "max_bytes", 100)
    found.append(log.is_due)
    log.keep()
    found.append(log.is_due)
    monkeypatch.setattr(batch_log, "KEEP_SECONDS", 0.0)
    found.append(log.is_due)

    assert found == [False, True, False, True]


def test_lines_of_older_versions_and_half_lines_are_read_as_far_as_they_go(log: BatchLog) -> None:
    append(log, 1)
    with log.file.open("ab") as file:
        file.write(b'[2,{"time":1,"streams":{"orders":[4]}}]\n[3,{"ti')

    assert [(each.number, dict(each.facts)) for each in log.read()] == [(1, {"checksum": "sum 1"}), (2, {})]
    assert [each.number for each in log.read(since=2)] == [2]


def test_old_batches_are_found_and_listed_without_reading_all_of_them(
    log: BatchLog, kept: Path, tmp_path: Path
) -> None:
    for first in range(0, 40, 10):
        append(log, *range(first, first + 10))
        log.keep()
    append(log, 40, 41)
    log.keep()
    there = BatchLog(tmp_path / "other host", kept)

    def before(at: int, most: int) -> list[int]:
        return [each.number for each in there.read_before(NOW + at, most)]

    assert [before(41, 3), before(25, 4), before(9, 99), before(-1, 9)] == [
        [39, 40, 41],
        [22, 23, 24, 25],
        [*range(10)],
        [],
    ]
    assert [(found and found.number, found and found.start) for found in map(there.find, (0, 10, 39, 99))] == [
        (0, None),
        (10, {"orders": [10]}),
        (39, {"orders": [39]}),
        (None, None),
    ]
    few, count = there.read_spread(0, 8)
    assert (count, len(few), all(each.start for each in few)) == (42, 4, True)
    assert (there.find_first(), log.find_first(), log.find(5)) == (0, 0, there.find(5))
    assert [each.number for each in log.read_spread(NOW + 40, 9)[0]] == [40, 41]
    assert [each.number for each in log.read_before(NOW + 3, 2)] == [2, 3]


def test_batches_before_a_host_was_started_again_are_known_as_those_after_it(
    log: BatchLog, kept: Path, tmp_path: Path
) -> None:
    append(log, *range(10))
    log.keep()
    again = BatchLog(tmp_path / "the next boot", kept)
    append(again, 10, 11)

    found = again.find(10)
    assert found is not None and found.start == {"orders": [10]}
    assert [each.number for each in again.read_before(NOW + 11, 4)] == [8, 9, 10, 11]
    assert [each.number for each in again.read_before(NOW + 9, 2)] == [8, 9]
    assert all(each.start for each in again.read_before(NOW + 11, 4))
    again.keep()
    assert [each.number for each in again.read_before(NOW + 11, 4)] == [8, 9, 10, 11]


@pytest.mark.parametrize("left", [0, 20])
def test_a_damaged_file_hides_only_its_own_batches(log: BatchLog, kept: Path, tmp_path: Path, left: int) -> None:
    for first in range(0, 9, 3):
        append(log, *range(first, first + 3))
        log.keep()
    (second,) = kept.glob("3-*")
    second.write_bytes(second.read_bytes()[:left])
    there = BatchLog(tmp_path / "other host", kept)

    assert numbers(there) == [0, 1, 2, 6, 7, 8]
    assert there.find(4) is None
    assert [each.number for each in there.read_before(NOW + 99, 9)] == [0, 1, 2, 6, 7, 8]


ANSWER = ["asking", 0, "orders", 0, 7, "ask('EUR')", ["WzFd"]]


def test_answers_go_beside_the_checkpoint_with_the_manifests(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path / "host", tmp_path / "checkpoint")
    for batch in (3, 5, 8):
        log.append(batch, NOW, [[*ANSWER[:4], batch, *ANSWER[5:]]])
    log.keep_lines([])
    log.append(9, NOW, [ANSWER])
    there = AnswerLog(tmp_path / "other host", tmp_path / "checkpoint")

    assert {batch: found[0][4] for batch, found in log.read({4, 5, 8, 9}).items()} == {5: 5, 8: 8, 9: 7}
    assert there.read({5, 9}) == {5: [[*ANSWER[:4], 5, *ANSWER[5:]]]}
    assert log.read(set()) == there.read({100}) == {}


def test_too_many_answers_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = AnswerLog(tmp_path / "host")
    monkeypatch.setattr(log, "max_bytes", 10)
    log.append(1, NOW, [ANSWER])
    log.append(2, NOW, [[*ANSWER[:6], ["WzFd", "WzFd"]]])

    assert list(log.read({1, 2})) == [1]


def test_the_answers_of_old_batches_go_and_those_of_pinned_ones_stay(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path / "host", tmp_path / "checkpoint")
    long_ago = NOW - 8 * 86_400_000
    for batch, at in ((1, long_ago), (3, long_ago), (5, NOW), (6, NOW)):
        log.append(batch, at, [ANSWER])
        log.keep_lines([3])
    there = AnswerLog(tmp_path / "other host", tmp_path / "checkpoint")

    assert sorted(there.read({1, 3, 5, 6})) == [3, 5, 6]


@pytest.mark.parametrize("torn", [b"[7,", b"[7," + b"1" * 200_000], ids=["short", "long"])
def test_a_line_that_a_killed_process_left_in_half_is_not_joined_with_the_next(tmp_path: Path, torn: bytes) -> None:
    before = AnswerLog(tmp_path)
    before.append(6, NOW, [ANSWER])
    with before.file.open("ab") as file:
        file.write(torn)

    after = AnswerLog(tmp_path)
    after.append(7, NOW, [ANSWER])

    assert after.read({6, 7}) == {6: [ANSWER], 7: [ANSWER]}
