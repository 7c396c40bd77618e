"""A checkpoint in a bucket, on hosts of their own: the jars travel to executors, and tasks die as they write."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from runner.plan import Executors
from runner.spark.probe.probe import Probe, Seen
from tests.cluster.conftest import Cluster
from tests.cluster.s3 import S3, s3
from tests.cluster.standalone import SECRET
from tests.cluster.test_runs import by_city, let_a_task_die, topics, visit, with_failpoints
from tests.runner.spark.runs import World, shops, started

pytestmark = [pytest.mark.cluster, pytest.mark.soak]


@pytest.fixture(scope="module")
def store(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3]:
    with s3(tmp_path_factory.mktemp("s3"), cluster.spark.network.address) as found:
        yield found


def give_credentials(executors: Executors, store: S3) -> Executors:
    """Executors with the variables that a worker's own environment would give them."""
    variables = {f"spark.executorEnv.{name}": value for name, value in store.make_environment().items()}
    return executors.model_copy(update={"settings": executors.settings | variables})


def test_the_probe_of_a_cluster_names_the_host_that_lacks_credentials(cluster: Cluster, store: S3) -> None:
    def probe(executors: Executors, folder: str) -> Seen:
        order = Probe(executors=executors, slots=4, checkpoint_root=f"{store.uri}/{folder}", product="tests", kafka={})
        process = subprocess.run(
            [sys.executable, "-m", "runner.spark.probe.probing"],
            input=order.model_dump_json(),
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": "0"} | store.make_environment(),
        )
        return Seen.model_validate_json(process.stdout.strip().rpartition("\n")[2])

    without = Executors(name="tests", master=cluster.spark.master, memory_mb=512, secret=SECRET)
    fit = probe(give_credentials(without, store), "fit")
    (fault,) = probe(without, "unfit").find_faults()

    assert fit.find_faults() == []
    assert any(f"Host `{host.address}` has no credentials for S3." in fault for host in cluster.spark.network.hosts)


@pytest.mark.parametrize("place", ["slot-before-commit", "slot-after-commit"])
def test_a_task_that_dies_as_it_writes_loses_and_repeats_nothing(
    world: World, cluster: Cluster, store: S3, place: str
) -> None:
    orders, names, counts = topics(world)
    plan = world.plan(shops(orders, names, counts), [orders, names], records_per_batch=100)
    plan = with_failpoints(cluster.on_spark(plan, checkpoint=f"{store.uri}/{world.tag}/epoch-1"))
    assert plan.executors is not None
    plan = plan.model_copy(update={"executors": give_credentials(plan.executors, store)})
    world.produce(orders, [visit(n) for n in range(100)])

    with started(plan, **store.make_environment()) as child:
        let_a_task_die(child, world, cluster, orders, place)

    assert by_city(world, counts) == {f"city {n}": list(range(1, 101)) for n in range(5)}
