"""The probe of a Spark cluster, on hosts of their own.

`make test` probes pods (test_session_kubernetes.py), and has a run on these hosts.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runner.plan import Executors
from runner.spark.probe import Probe, Seen
from tests.cluster.conftest import Cluster
from tests.cluster.standalone import SECRET

pytestmark = [pytest.mark.cluster, pytest.mark.soak]


def probed(cluster: Cluster, root: str, kafka: str, python: str = "") -> Seen:
    executors = Executors(name="tests", master=cluster.spark.master, memory_mb=512, python=python, secret=SECRET)
    wanted = Probe(executors=executors, checkpoint_root=root, product="tests", kafka={"bootstrap.servers": kafka})
    done = subprocess.run(
        [sys.executable, "-m", "runner.spark.probing"],
        input=wanted.model_dump_json(),
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    assert done.stdout, done.stderr
    return Seen.model_validate_json(done.stdout.strip().rpartition("\n")[2])


def test_a_fit_cluster_names_its_hosts(cluster: Cluster) -> None:
    seen = probed(cluster, f"{cluster.files.uri}/jobs", cluster.kafka)

    assert (seen.problem, seen.checkpoint) == ("", "")
    assert [host.host for host in seen.hosts] == [host.address for host in cluster.spark.network.hosts]
    assert {host.kafka for host in seen.hosts} == {""}


def test_hosts_that_share_no_folder_and_reach_no_broker_are_named(cluster: Cluster, tmp_path: Path) -> None:
    seen = probed(cluster, str(tmp_path), "127.0.0.1:9")

    assert seen.problem == ""
    assert str(tmp_path) in seen.checkpoint
    assert all("127.0.0.1:9" in host.kafka for host in seen.hosts)
    assert len(seen.hosts) == 2


def test_hosts_without_that_python_are_told_of(cluster: Cluster) -> None:
    seen = probed(cluster, f"{cluster.files.uri}/jobs", cluster.kafka, python="python3-absent")

    assert seen.problem.startswith("A worker host lacks the Python that the run needs, or has another version.")
