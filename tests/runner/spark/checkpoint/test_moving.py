"""Copies of checkpoints that a run makes before it reads them."""

from pathlib import Path

import pytest

from runner.plan import Move, Plan
from runner.spark.checkpoint import moving
from runner.spark.failures import RunFailed


def move(tmp_path: Path) -> Move:
    return Move(source=str(tmp_path / "old"), target=str(tmp_path / "new"), token="one")


def test_a_source_that_is_not_there_replaces_nothing(tmp_path: Path) -> None:
    offsets = tmp_path / "new" / "offsets"
    offsets.mkdir(parents=True)
    (offsets / "0").write_text("of a home folder that was moved by hand")

    moving.make([move(tmp_path)])

    assert (offsets / "0").exists()
    assert not moving.is_made(move(tmp_path))


def test_metadata_of_stores_names_the_new_place_and_loses_its_checksums(tmp_path: Path) -> None:
    folder = Path("state", "0", "_metadata", "v2")
    (tmp_path / "old" / folder).mkdir(parents=True)
    for number in range(8):
        schema = f'{{"path":"{tmp_path}/old/state/0/_stateSchema/default/{number}"}}'
        (tmp_path / "old" / folder / str(number)).write_text(schema)
        (tmp_path / "old" / folder / f".{number}.crc").write_bytes(b"of the old place")

    moving.make([move(tmp_path)])

    found = {each.name: each.read_text() for each in (tmp_path / "new" / folder).iterdir()}
    assert found == {str(n): f'{{"path":"file://{tmp_path}/new/state/0/_stateSchema/default/{n}"}}' for n in range(8)}


def test_a_copy_that_is_complete_is_not_made_again(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / moving.TOKEN_FILE).write_text("one")
    (tmp_path / "new" / "metadata").write_text("newer than its source")

    moving.make([move(tmp_path)])

    assert (tmp_path / "new" / "metadata").exists()


def test_two_addresses_of_one_folder_lose_nothing(tmp_path: Path) -> None:
    (tmp_path / "old" / "offsets").mkdir(parents=True)
    (tmp_path / "old" / "offsets" / "0").write_text("kept")
    (tmp_path / "new").symlink_to(tmp_path / "old")

    moving.make([move(tmp_path)])
    moving.remove_sources([move(tmp_path)])

    assert (tmp_path / "old" / "offsets" / "0").read_text() == "kept"
    assert moving.is_made(move(tmp_path))


def test_a_source_goes_once_the_job_went_on_at_its_copy(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    (tmp_path / "new" / moving.TOKEN_FILE).write_text("one")

    moving.remove_sources([move(tmp_path)])

    assert [each.name for each in tmp_path.iterdir()] == ["new"]
    assert [each.name for each in (tmp_path / "new").iterdir()] == [moving.TOKEN_FILE]


def test_a_source_whose_copy_was_not_made_stays(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()

    moving.remove_sources([move(tmp_path)])

    assert (tmp_path / "old").exists()


def test_a_job_whose_source_was_not_there_goes_on_where_it_has_written(tmp_path: Path) -> None:
    """Nothing had run at the old place, or somebody moved the folder by hand. A later move begins at the new one."""
    moving.make([move(tmp_path)])
    assert moving.take_back_moves(make_plan(tmp_path)).checkpoint == str(tmp_path / "old")
    (tmp_path / "new").mkdir()

    moving.remove_sources([move(tmp_path)])

    assert moving.take_back_moves(make_plan(tmp_path)).checkpoint == str(tmp_path / "new")


def make_plan(tmp_path: Path) -> Plan:
    return Plan.model_construct(checkpoint=str(tmp_path / "new"), seed=None, moves=[move(tmp_path)])


def test_a_copy_that_is_not_possible_says_why_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "file").touch()
    wanted = Move(source=str(tmp_path / "old"), target=str(tmp_path / "file" / "new"), token="one")

    with pytest.raises(RunFailed) as found:
        moving.make([wanted])

    assert found.value.message == (
        f"The checkpoint could not be copied from `{wanted.source}` to `{wanted.target}`. "
        f"`{wanted.target}` cannot be used: not a directory."
    )
