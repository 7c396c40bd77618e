"""Copies of checkpoints that a run makes before it reads them."""

from pathlib import Path

from runner.plan import Move
from runner.spark import moving


def move(tmp_path: Path) -> Move:
    return Move(source=str(tmp_path / "old"), target=str(tmp_path / "new"), token="one")


def test_a_source_that_is_not_there_replaces_nothing(tmp_path: Path) -> None:
    offsets = tmp_path / "new" / "offsets"
    offsets.mkdir(parents=True)
    (offsets / "0").write_text("of a home folder that was moved by hand")

    moving.make([move(tmp_path)])

    assert (offsets / "0").exists()
    assert not moving.is_made(move(tmp_path))


def test_a_copy_that_is_complete_is_not_made_again(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / moving.MADE).write_text("one")
    (tmp_path / "new" / "metadata").write_text("newer than its source")

    moving.make([move(tmp_path)])

    assert (tmp_path / "new" / "metadata").exists()
