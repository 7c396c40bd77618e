import pytest

from runner.spark.failures import RunFailed
from runner.spark.sink.marker import Decision, Marker, decide, decide_slot, refuse_other

WRITTEN = Marker(batch=7, query_id="q", generation=2, fingerprint="abc")


def test_the_first_batch_of_a_query_is_written():
    assert decide(None, 0, "q", "abc") is Decision.WRITE


def test_the_batch_after_the_marker_is_written():
    assert decide(WRITTEN, 8, "q", "def") is Decision.WRITE


def test_a_batch_that_is_written_already_is_only_drained():
    assert decide(WRITTEN, 7, "q", "abc") is Decision.DRAIN
    assert decide(WRITTEN, 6, "q", "older") is Decision.DRAIN


@pytest.mark.parametrize(
    ("marker", "batch", "query", "fingerprint", "code"),
    [
        (WRITTEN, 7, "q", "other offsets", "marker.mismatch"),
        (WRITTEN, 8, "another checkpoint", "def", "marker.other_query"),
        (WRITTEN, 9, "q", "def", "marker.behind"),
        (None, 3, "q", "def", "marker.missing"),
    ],
)
def test_where_writing_and_not_writing_are_both_wrong_the_run_refuses(marker, batch, query, fingerprint, code):
    with pytest.raises(RunFailed) as refusal:
        decide(marker, batch, query, fingerprint)

    assert refusal.value.code == code
    assert not refusal.value.retriable


@pytest.mark.parametrize(
    ("marker", "planned", "committed", "code"),
    [(WRITTEN, 6, 6, "checkpoint.older"), (WRITTEN, 9, 9, "marker.behind"), (None, 1, 1, "marker.behind")],
)
def test_a_checkpoint_of_another_life_than_the_marker_is_refused(marker, planned, committed, code):
    with pytest.raises(RunFailed) as refusal:
        refuse_other(marker, planned, committed)

    assert refusal.value.code == code


def test_a_checkpoint_may_be_the_batch_ahead_that_was_on_its_way():
    refuse_other(WRITTEN, plan_batch=9, commit_batch=8)
    refuse_other(WRITTEN, plan_batch=7, commit_batch=6)
    refuse_other(None, plan_batch=0, commit_batch=0)
    refuse_other(None, plan_batch=None, commit_batch=None)


def test_a_slot_may_have_written_nothing_for_long():
    assert decide_slot(None, 40, "q", "abc") is Decision.WRITE
    assert decide_slot(WRITTEN, 40, "q", "abc") is Decision.WRITE


def test_a_slot_skips_what_it_has_written():
    assert decide_slot(WRITTEN, 7, "q", "abc") is Decision.DRAIN


@pytest.mark.parametrize(
    ("query", "fingerprint", "code"),
    [("q", "other settings", "marker.mismatch"), ("another checkpoint", "abc", "marker.other_query")],
)
def test_a_slot_refuses_a_batch_that_became_another(query: str, fingerprint: str, code: str):
    with pytest.raises(RunFailed) as refusal:
        decide_slot(WRITTEN, 7, query, fingerprint)

    assert refusal.value.code == code


def test_the_marker_is_short_enough_for_a_broker():
    longest = Marker(2**62, "q" * 36, 2**31, "f" * 64)

    assert len(longest.offset("markers").metadata or "") in range(1, 4_096)
