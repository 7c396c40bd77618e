"""Waiting until tables are loaded."""

from pathlib import Path

from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.source.loading import Loading
from tests.runner.spark.checkpoints import put

ENDS = {"names": [20]}


class Counted(Checkpoint):
    """Counts how often it is asked for the last batch."""

    looks = 0

    def find_last_committed(self) -> int | None:
        self.looks += 1
        return super().find_last_committed()


def test_the_checkpoint_is_asked_only_after_a_batch_was_written(tmp_path: Path):
    checkpoint = Counted(str(tmp_path))
    loading = Loading(checkpoint, {"names": [0]}, ENDS)

    assert not any(loading.has_loaded(None) for _ in range(50))
    assert checkpoint.looks == 0

    commit(tmp_path, 0, [10])
    assert not any(loading.has_loaded(0) for _ in range(50))
    assert checkpoint.looks <= 2


def test_it_is_done_once_spark_has_committed_the_batch_that_reads_to_the_end(tmp_path: Path):
    loading = Loading(Checkpoint(str(tmp_path)), {"names": [0]}, ENDS)
    commit(tmp_path, 0, [10])
    assert not loading.has_loaded(1)

    commit(tmp_path, 1, [20])

    assert loading.has_loaded(1)


def commit(folder: Path, batch: int, ends: list[int]) -> None:
    planned = b'v1\n{}\n{"time": 1, "first": {"names": %s}}' % str(ends).encode()
    put(folder / "offsets" / str(batch), planned)
    put(folder / "commits" / str(batch), b"v1\n{}")
