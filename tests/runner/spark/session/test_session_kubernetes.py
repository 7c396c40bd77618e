"""Executors as pods: the template of ours, and what Spark makes of it."""

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from runner.plan import Executors
from runner.spark.failures import RunFailed
from runner.spark.probe.probe import Probe, Seen
from runner.spark.session import kubernetes as ours
from runner.spark.session.executor_pod import copy_log, make_command
from tests.runner.spark.session.kubernetes_api import kubernetes, validate

IMAGE = {ours.IMAGE: "registry.example.com/streamwright:1"}


def executors(master: str = "k8s://https://10.0.0.1:6443", **settings: str) -> Executors:
    return Executors(name="pods", master=master, memory_mb=512, settings=IMAGE | settings)


@pytest.mark.parametrize("with_secret", [False, True])
def test_kubernetes_accepts_the_pod_template(with_secret: bool) -> None:
    validate({**ours.make_pod_template(has_secret=with_secret)} | _with_image(with_secret))


def _with_image(with_secret: bool) -> dict[str, object]:
    """A template names no image: Spark adds it."""
    spec = ours.make_pod_template(has_secret=with_secret)["spec"]
    return {"spec": {**spec, "containers": [{**each, "image": "any"} for each in spec["containers"]]}}


def test_a_run_asks_for_as_many_executors_as_its_slots_need(tmp_path: Path) -> None:
    settings = ours.make_kubernetes_settings(executors(**{ours.NAMESPACE: "streams"}), 3, tmp_path)

    assert settings["spark.executor.instances"] == "3"
    assert settings[ours.NAMESPACE] == "streams"
    assert Path(settings["spark.kubernetes.executor.podTemplateFile"]).exists()


def test_a_cluster_without_an_image_is_named(tmp_path: Path) -> None:
    wanted = executors().model_copy(update={"settings": {}})

    with pytest.raises(RunFailed, match="`pods` does not say which image its executors have") as failed:
        ours.make_kubernetes_settings(wanted, 1, tmp_path)

    assert (failed.value.code, failed.value.retriable) == ("spark.no_image", False)


def test_java_gets_its_options_in_their_order() -> None:
    options = {f"SPARK_JAVA_OPT_{number}": f"-Da={number}" for number in (10, 2, 0)}
    told = dict.fromkeys(
        ["SPARK_EXECUTOR_MEMORY", "SPARK_DRIVER_URL", "SPARK_EXECUTOR_ID", "SPARK_EXECUTOR_CORES"], "1"
    ) | dict.fromkeys(
        ["SPARK_APPLICATION_ID", "SPARK_EXECUTOR_POD_IP", "SPARK_RESOURCE_PROFILE_ID", "SPARK_EXECUTOR_POD_NAME"], "1"
    )

    assert make_command(told | options)[:4] == ["java", "-Da=0", "-Da=2", "-Da=10"]
    assert "-Dspark.master=k8s://driver" in make_command(told)  # else Spark does not read the file of its secret


def test_a_log_that_is_full_begins_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    container = BytesIO()

    copy_log(BytesIO(b"one\ntwo\nthree\n"), container, most=8)

    assert (Path("stderr").read_bytes(), container.getvalue()) == (b"three\n", b"one\ntwo\nthree\n")


@pytest.mark.soak
@pytest.mark.spark
def test_spark_asks_for_pods_only_and_their_executors_carry_out_a_job(tmp_path: Path, kafka_servers: str) -> None:
    (root := tmp_path / "root").mkdir()
    with kubernetes(tmp_path) as (master, pods):
        wanted = Probe(
            executors=executors(master),
            slots=2,
            checkpoint_root=str(root),
            product="tests",
            kafka={"local": {"bootstrap.servers": kafka_servers}, "away": {"bootstrap.servers": "127.0.0.1:9"}},
        )
        done = subprocess.run(
            [sys.executable, "-m", "runner.spark.probe.probing"],
            input=wanted.model_dump_json(),
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": "0", "STREAMWRIGHT_HOME": str(tmp_path / "home")},
        )
        names = [pod["metadata"]["name"] for pod in pods.created]
        kept = [(tmp_path / name / "stderr").read_text() for name in names]
        logs = [pods.log(name) for name in names]

    assert done.stdout, done.stderr
    seen = Seen.model_validate_json(done.stdout.strip().rpartition("\n")[2])
    assert (seen.problem, seen.checkpoint, [list(host.kafka) for host in seen.hosts]) == ("", "", [["away"]]), logs
    assert all(of_run and of_pod.startswith(of_run) for of_run, of_pod in zip(kept, logs, strict=True)), logs
    assert seen.hosts[0].kafka["away"].startswith("Kafka does not answer at 127.0.0.1:9.")
    assert (
        {"create pods", "watch pods", "deletecollection pods"} <= pods.calls <= {f"{each} pods" for each in ours.RIGHTS}
    )
    for pod in pods.created:
        assert pod["spec"]["serviceAccountName"] == ours.SERVICE_ACCOUNT
        assert pod["spec"]["containers"][0]["image"] == IMAGE[ours.IMAGE]
