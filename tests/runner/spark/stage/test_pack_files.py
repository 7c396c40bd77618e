"""Large packs of a run on one host go through files, each of which one process uses at a time."""

from __future__ import annotations

import resource
from pathlib import Path

import pyarrow as pa
import pytest

from runner.spark.stage import pack_files
from runner.spark.stage.rows import RECORD, pack_records, unpack_records


def records(count: int, value: bytes = b"x" * 100) -> pa.RecordBatch:
    """Records with numbered keys."""
    rows = [
        {"target": 0, "task": 0, "origin": 0, "seq": n, "timestamp": n, "key": b"%d" % n, "value": value, "input": 0}
        for n in range(count)
    ]
    return pa.RecordBatch.from_pylist(rows, schema=RECORD)


def list_files(folder: Path) -> list[str]:
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


def test_a_large_pack_is_the_name_of_a_file_and_a_small_one_holds_its_records(tmp_path: Path):
    large, small = records(1_000), records(3)

    packs = [pack_records(each, tmp_path) for each in (large, small)]

    assert packs[0].startswith(pack_files.MARK) and len(packs[0]) < 300
    assert not packs[1].startswith(pack_files.MARK)
    assert unpack_records(packs).equals(pa.concat_batches([large, small]))


def test_a_file_that_was_read_is_written_over_by_the_next_pack(tmp_path: Path):
    longer, shorter = records(2_000, b"long" * 50), records(1_000)

    assert unpack_records([pack_records(longer, tmp_path)]).equals(longer)
    size = sum(each.stat().st_size for each in tmp_path.rglob("*") if each.is_file())
    pack = pack_records(shorter, tmp_path)

    assert len(list_files(tmp_path)) == 1
    assert unpack_records([pack]).equals(shorter)
    assert sum(each.stat().st_size for each in tmp_path.rglob("*") if each.is_file()) == size


def test_packs_that_wait_have_files_of_their_own(tmp_path: Path):
    waiting = [records(1_000, b"%03d" % number * 30) for number in range(5)]

    packs = [pack_records(each, tmp_path) for each in waiting]

    assert len(list_files(tmp_path)) == 5
    for pack, expected in zip(packs, waiting, strict=True):
        assert unpack_records([pack]).equals(expected)


def test_a_pack_is_read_once(tmp_path: Path):
    pack = pack_records(records(1_000), tmp_path)
    unpack_records([pack])

    with pytest.raises(FileNotFoundError):
        unpack_records([pack])


@pytest.mark.parametrize(("limit", "value"), [("MOST_FREE", 2), ("MOST_FREE_BYTES", 400_000)])
def test_only_some_free_files_are_kept(limit: str, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pack_files, limit, value)
    packs = [pack_records(records(1_000), tmp_path) for _ in range(5)]

    unpack_records(packs)

    assert len(list_files(tmp_path)) == 2


def test_a_pack_holds_its_records_if_no_file_can_be_written(tmp_path: Path):
    (tmp_path / "full").write_text("no folder")

    pack = pack_records(records(1_000), tmp_path / "full")

    assert not pack.startswith(pack_files.MARK)
    assert unpack_records([pack]).equals(records(1_000))


def test_workers_of_a_run_have_their_files_beside_sparks_and_other_processes_have_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    assert pack_files.find_folder() is None

    monkeypatch.setenv("SPARK_LOCAL_DIRS", f"{tmp_path},/other")
    assert pack_files.find_folder() == tmp_path / "packs"


def test_files_of_packs_that_nobody_will_read_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "blockmgr-1" / "packs"
    pack_records(records(1_000), folder)
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))

    pack_files.clear()

    assert list_files(tmp_path) == []
    assert unpack_records([pack_records(records(1_000), folder)]).equals(records(1_000))


def test_the_file_of_a_very_large_pack_is_compressed(tmp_path: Path):
    large = records(3_000, b"x" * 2_000)

    pack = pack_records(large, tmp_path)

    assert sum((tmp_path / each).stat().st_size for each in list_files(tmp_path)) < large.nbytes / 10
    assert unpack_records([pack]).equals(large)


def test_a_disk_that_takes_only_a_part_of_a_file_loses_no_record(tmp_path: Path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        pack = pack_records(records(1_000), tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert not pack.startswith(pack_files.MARK)
    assert list_files(tmp_path) == []
    assert unpack_records([pack]).equals(records(1_000))
