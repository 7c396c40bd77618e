"""File systems that the JVM of a run reaches."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from runner.spark.checkpoint.hadoop import add_settings, get_file

pytestmark = pytest.mark.spark


def test_a_session_reaches_a_file_system_with_settings_that_come_after_it(spark: SparkSession, tmp_path: Path) -> None:
    add_settings({"fs.viewfs.mounttable.late.link./jobs": tmp_path.as_uri()})

    get_file("viewfs://late/jobs/offsets").write_bytes(b"9")

    assert (tmp_path / "offsets").read_bytes() == b"9"
