"""What a start forgets of a checkpoint that knows of batches which were never written."""

from hashlib import sha256
from pathlib import Path

import pytest

from runner.spark.checkpoint.checkpoint import Checkpoint


@pytest.fixture
def checkpoint(tmp_path: Path) -> Checkpoint:
    """Batches 0 to 3 are planned, 0 to 2 committed; a task of batch 3 had saved its state."""
    for folder, newest in (("offsets", 3), ("commits", 2)):
        (tmp_path / folder).mkdir()
        for batch in range(newest + 1):
            (tmp_path / folder / str(batch)).touch()
            (tmp_path / folder / f".{batch}.crc").touch()
    store = tmp_path / "state" / "0" / "1"
    (store / "SSTs").mkdir(parents=True)
    for name in ("1.changelog", "2.changelog", "3.changelog", ".3.changelog.crc", "3.zip", "4.zip", "_metadata"):
        (store / name).touch()
    return Checkpoint(str(tmp_path))


def names(checkpoint: Checkpoint, folder: str) -> set[str]:
    return {path.name for path in (checkpoint.folder / folder).iterdir()}


def test_batches_that_were_not_written_are_forgotten_with_their_state(checkpoint: Checkpoint):
    checkpoint.take_back(1)

    assert names(checkpoint, "commits") == names(checkpoint, "offsets") == {"0", ".0.crc", "1", ".1.crc"}
    assert names(checkpoint, "state/0/1") == {"1.changelog", "2.changelog", "_metadata", "SSTs"}


def test_without_a_written_batch_nothing_is_known(checkpoint: Checkpoint):
    (checkpoint.folder / "commits" / ".3.f00.tmp").write_bytes(b"")
    (checkpoint.folder / "metadata").write_bytes(b'{"id":')

    checkpoint.take_back(None)

    assert (checkpoint.find_last_planned(), checkpoint.find_last_committed()) == (None, None)
    assert list(checkpoint.folder.iterdir()) == []


def test_a_checkpoint_that_knows_only_what_was_written_stays(checkpoint: Checkpoint):
    checkpoint.take_back(3)

    assert (checkpoint.find_last_planned(), checkpoint.find_last_committed()) == (3, 2)
    assert "4.zip" in names(checkpoint, "state/0/1")


def test_one_that_no_query_has_used_is_left_alone(tmp_path: Path):
    Checkpoint(str(tmp_path / "none")).take_back(None)

    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("written", [None, 1])
def test_the_plan_of_a_batch_that_slots_have_begun_is_kept(checkpoint: Checkpoint, written: int | None):
    checkpoint.take_back(written, keeps_next=True)

    following = 0 if written is None else written + 1
    assert (checkpoint.find_last_planned(), checkpoint.find_last_committed()) == (following, written)
    state = {"_metadata", "SSTs"} | ({"1.changelog", "2.changelog"} if written else set())
    assert names(checkpoint, "state/0/1") == state


def test_a_repair_that_ends_early_leaves_no_plan_without_the_fingerprint_of_the_last(checkpoint: Checkpoint):
    plan = b'v1\n{"batchTimestampMs":1}\n{"time":1,"streams":{"orders":[7]}}'
    for batch in (1, 2):
        (checkpoint.folder / "offsets" / str(batch)).write_bytes(plan)
    (checkpoint.folder / "offsets" / "3").unlink()

    with pytest.raises(FileNotFoundError):
        checkpoint.carry_out_again(0, 3, "that of the marker")

    assert names(checkpoint, "again") >= {"1", "2"}
    assert checkpoint.fingerprint(2) == sha256(plan).hexdigest()
