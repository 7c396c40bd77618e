"""What the websockets send is what `runner.watch.messages` describes."""

from typing import Any

import orjson
import pytest
from pydantic import ValidationError

from runner.control.jobs.job_status import JobStatus
from runner.watch.live.messages import BatchNumbers, Point, RunNumbers
from runner.watch.live.snapshot import make_point
from runner.watch.messages import MESSAGES, make_schemas
from runner.watch.sockets.messages import Refused
from runner.watch.sockets.tailing import FULL
from runner.watch.topics.dead_letters import DeadLetter, with_dead_letter
from tests.runner.watch.described import assert_described
from tests.runner.watch.live.test_dead_letters import buried
from tests.runner.watch.live.test_numbers import START, numbers, progress

DROPPED = {"topic": "flights", "partition": 0, "offset": 7, "timestamp": START, "key": "AA"}
BUSY: dict[str, Any] = {
    "drops": {"late": {"null key": {"count": 1, "samples": [DROPPED]}}},
    "outcomes": {"late": {"no_result": {"not late": 3}, "extra": 1, "waiting": 2, "dead_letters": 0}},
    "stores": {"late": {"rows": 5, "bytes": 500}},
    "nodes": {"late": {"in": 9, "out": 1, "dropped": 1, "errors": 0, "no_match": 1, "closed_idle": 1}},
}


def sent(*, batches: int) -> RunNumbers:
    """The numbers of a run as they are sent, once so many batches were committed."""
    told = numbers()
    for batch in range(batches):
        at = START + 1_000 * batch
        told.note_progress(progress(batch, at, **BUSY), at)
        told.reach({"flights": [900, 40]}, {"flights": [950, 40]}, at)
    shown: RunNumbers = orjson.loads(orjson.dumps(told.to_json(START + 1_000 * batches)))
    return shown


def test_numbers_before_the_first_batch_are_described() -> None:
    assert_described(sent(batches=0), by=RunNumbers)


def test_numbers_of_a_run_at_work_are_described() -> None:
    shown = sent(batches=12)  # a trend takes ten seconds

    assert shown["sources"]["flights"]["trend"] is not None
    assert shown["nodes"]["late"]["dropped_samples"] == {"null key": [DROPPED]}
    assert_described(shown, by=RunNumbers)


def test_points_of_the_history_are_described() -> None:
    assert_described(make_point(sent(batches=1)), by=Point)


def test_dead_letters_are_described() -> None:
    failed = buried({"exception": "CastFailed", "node": "late", "partition": "1"})

    assert_described(with_dead_letter(failed).model_dump(), by=DeadLetter)


def test_a_refusal_of_a_tail_is_described() -> None:
    assert_described(FULL, by=Refused)


def test_a_member_that_nobody_described_is_found() -> None:
    with pytest.raises(AssertionError):
        assert_described({"number": None, "in_batch_ms": 0, "mood": "good"}, by=BatchNumbers)
    with pytest.raises(ValidationError):
        assert_described({"status": "asleep"}, by=JobStatus)


def test_the_page_gets_a_schema_of_each_message() -> None:
    named = make_schemas()

    assert MESSAGES.keys() <= named.keys()
    assert named["ChangedNumbers"]["properties"] == named["RunNumbers"]["properties"]
    assert "required" not in named["ChangedNumbers"]
