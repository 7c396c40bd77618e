"""What a job takes of the disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runner.control.jobs.disk import measure

from .conftest import Stage


def test_a_job_says_where_its_checkpoint_and_state_lie_and_what_they_take(
    stage: Stage, host: str, reconcile: Any
) -> None:
    job = stage.deploy(stage.topology())
    before = stage.client.get(f"/api/jobs/{job['id']}/disk").json()
    reconcile(stage)
    plan = stage.run().read_plan()
    commits = Path(plan.checkpoint) / "commits"
    commits.mkdir(parents=True)
    (commits / "0").write_bytes(b"x" * 100_000)

    told = stage.client.get(f"/api/jobs/{job['id']}/disk").json()

    assert before == {"checkpoint": None, "state": None}
    assert told["checkpoint"]["path"] == plan.checkpoint
    assert 100_000 <= told["checkpoint"]["bytes"] < 200_000
    assert told["state"] == {"path": plan.state_dir, "bytes": None, "is_whole": True}, "nothing is there yet"


def test_holes_of_a_file_take_no_disk(tmp_path: Path) -> None:
    with (tmp_path / "map").open("wb") as file:
        file.truncate(1_000_000_000)

    assert measure(str(tmp_path)).bytes == 0


def test_a_huge_folder_is_measured_in_part_and_says_so(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / str(number)).write_bytes(b"x" * 10_000)

    some, whole = measure(str(tmp_path), most=3), measure(str(tmp_path), most=5)

    assert (some.is_whole, whole.is_whole) == (False, True)
    assert some.bytes and whole.bytes and some.bytes < whole.bytes


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "large").write_bytes(b"x" * 1_000_000)
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "link").symlink_to(tmp_path / "far")

    assert (measure(str(tmp_path / "near")).bytes or 0) < 100_000
