"""Lives of jobs whose checkpoint is in a bucket or on HDFS, or whose state is with executors of a Spark cluster.

They are proved, cut over and taken back, their past is opened, and what they have sent is corrected, with their state.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cluster.hdfs import hdfs
from tests.cluster.s3 import s3
from tests.proof.conftest import started
from tests.proof.correcting import correct, list_batches
from tests.proof.life import Life
from tests.proof.product import Product
from tests.soak.lives import register, spark_cluster

pytestmark = [pytest.mark.proof, pytest.mark.soak]


@contextmanager
def in_bucket(folder: Path) -> Iterator[Life]:
    with s3(folder) as store:
        variables = {"STREAMWRIGHT_CHECKPOINTS": f"{store.uri}/lives", **store.make_environment()}
        with started(variables) as product:
            yield Life(product, "in a bucket")


@contextmanager
def on_hdfs(folder: Path) -> Iterator[Life]:
    folder.mkdir()
    with (
        hdfs(folder, "127.0.0.1") as files,
        started({"STREAMWRIGHT_CHECKPOINTS": f"{files.uri}/lives"}) as product,
    ):
        yield Life(product, "on HDFS")


@contextmanager
def on_spark(folder: Path) -> Iterator[Life]:
    folder.mkdir()
    with spark_cluster(folder) as master, started() as product:
        life = Life(product, "on Spark", [register(product, "roots", master, folder)])
        (life.spark,) = life.clusters
        yield life


@pytest.fixture(params=[in_bucket, on_hdfs, on_spark])
def life(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Life]:
    with request.param(tmp_path / "root") as life:
        life.begin()
        yield life
        life.close()


def test_a_version_takes_over_and_goes_back_and_the_past_opens(life: Life) -> None:
    read_past(life.product, life.job)
    life.take("cut-over")
    read_past(life.product, life.job)
    life.take("back")
    read_past(life.product, life.job)


def test_results_and_state_are_corrected_although_the_run_dies(life: Life) -> None:
    correct(life, "planned")


def read_past(product: Product, job: int) -> None:
    """Open the newest kept batch with records: what a node did in it, and a table as of it."""
    # slots of a cluster write their results before their batch is committed
    (*_, number) = product.wait(
        lambda: [each["number"] for each in list_batches(product, job) if each["records"]], "a batch to be kept"
    )
    batch = product.get(f"/jobs/{job}/batches/{number}")
    rows = product.get(f"/jobs/{job}/batches/{number}/tables/counts")["rows"]

    assert 0 < batch["nodes"]["kept"]["in"] <= batch["records"]
    assert rows
