"""A checkpoint in a bucket: which of two writers wins, what a kill leaves, and what is said of an unfit bucket."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import psutil
import pytest
from py4j.protocol import Py4JJavaError
from pyspark import SparkContext
from pyspark.sql import SparkSession

from runner.plan import Executors
from runner.spark.checkpoint import hadoop, whole
from runner.spark.checkpoint.hadoop import HadoopPath, add_settings, copy, get_file, measure_size, remove_tree
from runner.spark.private import get_gateway, get_pid_of_java
from runner.spark.probe.probe import Probe
from runner.spark.probe.probing import _try_checkpoint
from runner.spark.session import class_archive
from runner.spark.session.s3 import CHECKPOINT_FILES
from runner.spark.session.session import start_session, use_session
from runner.spark.variables import get_jars
from tests.cluster.s3 import S3, STRANGER, s3
from tests.runner.spark.runs import World, counting, started

from ..test_ahead import EarlyChild
from ..test_child import restart, updates, visit

pytestmark = [pytest.mark.spark, pytest.mark.slow]
CLUSTER = Executors(name="blue", master="spark://127.0.0.1:7077")
ROUNDS = 10
PLACES = ["before-produce@1", "before-commit@1", "after-commit@1", "ahead@2"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3]:
    with s3(tmp_path_factory.mktemp("s3")) as found:
        yield found


@pytest.fixture(scope="module")
def host(store: S3) -> Iterator[None]:
    """This process reaches the store, with its own JVM or with that of Spark."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in store.make_environment().items():
            patch.setenv(name, value)
        patch.setattr("runner.spark.checkpoint.hadoop._find_settings", lambda uri: {})
        hadoop._start_own_java.cache_clear()
        yield
        hadoop._start_own_java.cache_clear()


@pytest.fixture(scope="module")
def session(
    host: None, store: S3, kafka_servers: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparkSession]:
    """A session that started ahead, as that of a run whose checkpoint is in a bucket."""
    made = World(kafka_servers, tmp_path_factory.mktemp("session"))
    topic = made.topic("any")
    end_java()
    plan = made.plan(counting(topic, topic), [topic])
    spark = start_session(plan, may_use_s3=True)
    yield use_session(spark, plan.model_copy(update={"checkpoint": f"{store.uri}/jobs/session"}))
    spark.stop()


def end_java() -> None:
    """Lets the next session start a JVM: one that runs has its jars from the session before."""
    if (gateway := SparkContext._gateway) is not None:
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait()
        SparkContext._gateway = SparkContext._jvm = None


def test_its_session_starts_from_the_archive_of_classes(session: SparkSession):
    files = {each.path for each in psutil.Process(get_pid_of_java(session)).memory_maps()}

    assert str(class_archive.choose_place(get_jars())) in files


def open_batch(spark: SparkSession, address: str) -> Any:
    """The file of a batch, as Spark opens it to record the batch's offsets."""
    gateway, settings = get_gateway(spark), spark.sparkContext._jsc.hadoopConfiguration()
    path = gateway.jvm.org.apache.hadoop.fs.Path(address)
    kinds, values = (gateway.new_array(kind, 2) for kind in (gateway.jvm.java.lang.Class, gateway.jvm.java.lang.Object))
    for number, value in enumerate((path, settings)):
        kinds[number], values[number] = value.getClass(), value
    files = gateway.jvm.org.apache.spark.util.Utils.classForName(CHECKPOINT_FILES, True, False)
    return files.getConstructor(kinds).newInstance(values).createAtomic(path, False)


def close_batch(start: Barrier, output: Any) -> str:
    """Writes it down at the same moment as another run; why it is refused."""
    start.wait()
    try:
        output.close()
    except Py4JJavaError as error:
        output.cancel()
        return str(error.java_exception.getClass().getSimpleName())
    return ""


def test_of_two_runs_that_plan_the_same_batch_one_is_refused(store: S3, session: SparkSession):
    for batch in range(ROUNDS):
        address, start = f"{store.uri}/race/offsets/{batch}", Barrier(2)
        outputs = [open_batch(session, address) for _ in range(2)]
        for run, output in enumerate(outputs):
            output.write(f"run {run}".encode())

        with ThreadPoolExecutor(2) as pool:
            refusals = list(pool.map(partial(close_batch, start), outputs))

        assert sorted(refusals) == ["", "FileAlreadyExistsException"]
        assert get_file(address).read_bytes() == f"run {refusals.index('')}".encode()


def test_a_file_that_is_replaced_is_there_at_each_moment(store: S3, session: SparkSession):
    file, over = get_file(f"{store.uri}/jobs/runs/1"), Event()
    contents = {f"{number}".encode() * 1_000 for number in range(ROUNDS)}
    whole.write(file, min(contents))

    def read() -> set[bytes]:
        found = {file.read_bytes()}
        while not over.is_set():
            found.add(file.read_bytes())
        return found

    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit(read)
        try:
            for content in contents:
                whole.write(file, content)
        finally:
            over.set()

        assert reader.result() <= contents
    assert [path.name for path in file.parent.glob("*")] == ["1"]


def test_folders_of_a_bucket_are_as_others(store: S3, session: SparkSession, tmp_path: Path):
    for name in ("offsets/0", "state/0/1/1.changelog"):
        (tmp_path / "job" / name).parent.mkdir(parents=True)
        (tmp_path / "job" / name).write_bytes(b"content")

    copy(tmp_path / "job", folder := get_file(f"{store.uri}/copies/job"))

    assert isinstance(folder, HadoopPath)
    assert (folder.is_dir(), (folder / "offsets" / "0").is_dir(), (folder / "none").is_dir()) == (True, False, False)
    assert [path.name for path in folder.glob("state/*/*/*")] == ["1.changelog"]
    assert (measure_size(folder), list((folder / "none").glob("*"))) == (14, [])
    with pytest.raises(OSError, match="the folder is not empty"):
        folder.rmdir()
    remove_tree(folder)
    assert not folder.exists()


def test_a_probe_says_what_is_wrong_with_a_bucket(store: S3, session: SparkSession):
    store.make_bucket("others", STRANGER)
    add_settings(
        {
            "fs.s3a.attempts.maximum": "1",
            "fs.s3a.bucket.silent.aws.credentials.provider": "software.amazon.awssdk.auth.credentials"
            ".ContainerCredentialsProvider",
        }
    )

    def probe(root: str) -> str:
        return _try_checkpoint(session, Probe(executors=CLUSTER, slots=2, checkpoint_root=root, product="t", kafka={}))

    assert probe(f"{store.uri}/fine") == ""
    assert probe(f"{store.uri}/fine") == ""
    missing, secret, silent = (probe(f"s3a://{bucket}/jobs") for bucket in ("missing", "others", "silent"))
    assert missing.startswith(
        "s3a://missing/jobs cannot be written or read: The bucket of the checkpoint does not exist."
    )
    assert missing.endswith("Create the bucket, or correct the checkpoint folder.")
    assert "S3 does not let host `" in secret
    assert "Status Code: 403" in secret
    assert secret.endswith("Give its credentials the permissions that docs/how-to/spark-cluster.md lists.")
    assert "has no credentials for S3." in silent
    assert silent.endswith("Give each host a role, a profile or AWS variables, as docs/how-to/spark-cluster.md says.")


@pytest.mark.soak
@pytest.mark.parametrize("place", PLACES)
def test_a_killed_run_loses_and_repeats_nothing(store: S3, host: None, world: World, tmp_path: Path, place: str):
    orders, counts = world.topic("orders", 2), world.topic("counts", 1)
    checkpoint = f"{store.uri}/{world.tag}/epoch-1"
    plan = world.plan(counting(orders, counts), [orders], records_per_batch=100)
    plan = plan.model_copy(update={"checkpoint": checkpoint})
    world.produce(orders, [visit(n) for n in range(500)])
    (file := tmp_path / "failpoint").write_text(place)
    with started(plan, STREAMWRIGHT_FAILPOINT=str(file), **store.make_environment()) as child:
        assert child.died() == -9, child.tail()

    world.produce(orders, [visit(n) for n in range(50)])
    with started(restart(plan), **store.make_environment()) as child:
        child.wait_for_offsets(orders, 550)
        assert child.stop() == 0, child.tail()

    assert updates(world, counts) == {f"c{n}": list(range(1, 12)) for n in range(50)}


class EarlyChildForS3(EarlyChild):
    may_use_s3 = True


@pytest.mark.soak
def test_a_child_that_is_started_ahead_takes_a_plan_in_a_bucket(store: S3, host: None, world: World):
    orders, counts = world.topic("orders", 2), world.topic("counts", 1)
    plan = world.plan(counting(orders, counts), [orders])
    plan = plan.model_copy(update={"checkpoint": f"{store.uri}/{world.tag}/epoch-1"})
    world.produce(orders, [visit(n) for n in range(100)])

    child = EarlyChildForS3(plan, **store.make_environment())
    try:
        child.wait_for_offsets(orders, 100)
        assert child.stop() == 0, child.tail()
    finally:
        child.end()

    assert get_file(f"{plan.checkpoint}/commits/0").exists()
