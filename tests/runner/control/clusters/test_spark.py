"""Spark clusters over HTTP: registering, changing and removing them."""

from typing import Any

import pytest
from django.test import Client

from runner.control.clusters.models import SparkCluster
from runner.spark.probe.probe import HostSeen, Seen

WANTED: dict[str, Any] = {
    "name": "blue",
    "master": "spark://blue:7077",
    "checkpoint_root": "hdfs://names:9000/jobs",
    "secret": "canary-of-hopper",
    "is_untested": True,
}


def post(client: Client, expect: int = 201, **changed: Any) -> dict[str, Any]:
    answer = client.post("/api/spark-clusters", WANTED | changed, "application/json")
    assert answer.status_code == expect, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_a_registered_cluster_is_listed_without_its_secret(client: Client) -> None:
    post(client)

    (found,) = client.get("/api/spark-clusters").json()["clusters"]
    assert (found["name"], found["master"], found["has_secret"]) == ("blue", "spark://blue:7077", True)
    assert "canary" not in str(found)
    kept = SparkCluster.objects.get(name="blue")
    assert "canary" not in str(kept.secrets)
    assert kept.executors().secret == "canary-of-hopper"


def test_a_secret_stays_until_another_is_given(client: Client) -> None:
    post(client)
    changed = {**WANTED, "secret": None, "executor_cores": 4}
    del changed["name"]

    assert client.put("/api/spark-clusters/blue", changed, "application/json").json()["executor_cores"] == 4
    assert SparkCluster.objects.get(name="blue").executors().secret == "canary-of-hopper"

    client.put("/api/spark-clusters/blue", {**changed, "secret": ""}, "application/json")
    assert SparkCluster.objects.get(name="blue").secrets == {}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"master": ""}, "The address of the master is missing."),
        ({"master": "yarn"}, "`yarn` is not the address of a Spark master."),
        ({"master": "local[2]"}, "`local[2]` is not the address of a Spark master."),
        (
            {"master": "k8s://https://10.0.0.1:6443"},
            "Spark would write this secret into the environment of each pod, where others can read it.",
        ),
        ({"master": "k8s://https://a/b"}, "`k8s://https://a/b` is not the address of a Spark master."),
        ({"checkpoint_root": "jobs"}, "`jobs` is not a folder that all hosts can see."),
        ({"checkpoint_root": "/"}, "`/` is not a folder that all hosts can see."),
        ({"checkpoint_root": "hdfs:///jobs"}, "`hdfs:///jobs` is not a folder that all hosts can see."),
        ({"checkpoint_root": "gs://jobs/x"}, "`gs://jobs/x` is on `gs://`, which cannot hold checkpoints."),
        ({"checkpoint_root": "s3://jobs/x"}, "`s3://jobs/x` is on `s3://`, which cannot hold checkpoints."),
        ({"checkpoint_root": "s3a:///jobs"}, "`s3a:///jobs` is not a folder that all hosts can see."),
        (
            {"config": {"spark.executor.extraJavaOptions": "-javaagent:x"}},
            "A Spark cluster may not set `spark.executor.extraJavaOptions`.",
        ),
        (
            {"config": {"spark.hadoop.fs.s3a.secret.key": "canary"}},
            "`spark.hadoop.fs.s3a.secret.key` would hold a secret in Spark's settings, where others can read it.",
        ),
        (
            {"config": {"spark.eventLog.enabled": "true"}},
            "A Spark cluster may not set `spark.eventLog.enabled`.",
        ),
    ],
)
def test_what_is_not_well_formed_is_refused(client: Client, changed: dict[str, Any], message: str) -> None:
    assert post(client, 422, **changed)["message"] == message


@pytest.mark.parametrize("root", ["hdfs://names:9000", "s3a://jobs/x", "s3a://jobs", "/mnt/jobs/", "file:///mnt/jobs"])
def test_checkpoints_may_lie_on_hdfs_in_a_bucket_and_in_a_shared_folder(client: Client, root: str) -> None:
    assert post(client, checkpoint_root=root)["checkpoint_root"] == root.rstrip("/")


def test_a_cluster_needs_a_folder_that_all_hosts_see(client: Client, settings: Any) -> None:
    assert post(client, 409, checkpoint_root="")["code"] == "spark.no_shared_folder"
    settings.CHECKPOINTS = "/mnt/jobs"

    assert post(client, checkpoint_root="")["checkpoint_root"] == "/mnt/jobs"


def test_the_executors_of_the_default_cluster_can_be_changed_but_not_its_folder(client: Client, settings: Any) -> None:
    settings.SPARK_MASTER, settings.CHECKPOINTS = "spark://blue:7077", "/mnt/jobs/"
    (listed,) = client.get("/api/spark-clusters").json()["clusters"]
    wanted = {"master": listed["master"], "is_untested": True, "executor_cores": 4}

    kept = wanted | {"checkpoint_root": listed["checkpoint_root"]}
    answer = client.put("/api/spark-clusters/default", kept, "application/json")
    assert (answer.status_code, answer.json().get("executor_cores")) == (200, 4)

    other = wanted | {"checkpoint_root": "/mnt/others"}
    assert client.put("/api/spark-clusters/default", other, "application/json").status_code == 409


@pytest.mark.parametrize(
    "name",
    [
        "fs.s3a.access.key",
        "fs.s3a.bucket.jobs.encryption.key",
        "fs.s3a.server-side-encryption.key",
        "fs.s3a.session.token",
        "fs.gs.auth.service.account.private.key",
        "fs.gs.encryption.key",
        "fs.azure.sas.jobs.account.blob.core.windows.net",
        "fs.azure.account.key.account.dfs.core.windows.net",
        "fs.azure.account.oauth2.client.secret",
        "fs.azure.encryption.encoded.client-provided-key",
        "fs.adl.oauth2.credential",
        "fs.swift.service.jobs.apikey",
        "fs.sftp.password",
    ],
)
def test_no_setting_may_hold_a_secret(client: Client, name: str) -> None:
    refused = post(client, 422, config={f"spark.hadoop.{name}": "canary"})

    assert refused["message"].startswith(f"`spark.hadoop.{name}` would hold a secret in Spark's settings")


def test_a_setting_may_say_where_secrets_lie(client: Client) -> None:
    settings = {
        "spark.hadoop.hadoop.security.credential.provider.path": "jceks://file/etc/keys.jceks",
        "spark.hadoop.fs.s3a.aws.credentials.provider": "software.amazon.awssdk.auth.credentials.WebIdentity",
        "spark.hadoop.fs.gs.auth.service.account.json.keyfile": "/etc/keys.json",
        "spark.hadoop.dfs.encryption.key.provider.uri": "kms://http@keys:9600/kms",
    }
    post(client, config=settings)

    assert SparkCluster.objects.get(name="blue").config == settings


def test_executors_may_be_pods_of_kubernetes(client: Client) -> None:
    image = {"spark.kubernetes.container.image": "registry.example.com/streamwright:1"}
    post(client, master="k8s://https://kubernetes.default.svc", secret="", config=image)

    executors = SparkCluster.objects.get(name="blue").executors()
    assert (executors.are_pods, executors.settings) == (True, image)


def test_a_name_is_given_once(client: Client) -> None:
    post(client)

    again = post(client, 409, is_untested=False, master="spark://127.0.0.1:9")
    assert again["message"] == "Spark cluster `blue` already exists.", "said before the test, which takes half a minute"


def test_a_cluster_that_does_not_answer_is_refused_when_tested(client: Client) -> None:
    refused = post(client, 409, is_untested=False, master="spark://127.0.0.1:9")

    assert refused["message"].startswith("The Spark cluster `blue` does not answer at spark://127.0.0.1:9.")
    assert not SparkCluster.objects.exists()


def test_who_may_not_change_clusters_may_not_add_one(anybody: Client) -> None:
    assert post(anybody, 403)["message"] == "Only a product administrator can do this."


def test_a_removed_cluster_is_gone(client: Client) -> None:
    post(client)

    assert client.delete("/api/spark-clusters/blue").status_code == 204
    assert client.get("/api/spark-clusters").json() == {"clusters": [], "default": ""}


def test_everything_a_test_found_wrong_is_said() -> None:
    from runner.control.clusters.spark import SparkUnfit, refuse_unfit

    silent = {"blue": "No broker answers."}
    hosts = [
        HostSeen(host=host, python="3.11.7", kafka=kafka)
        for host, kafka in (("one", {}), ("two", silent), ("three", silent | {"red": "No way."}))
    ]
    with pytest.raises(SparkUnfit) as refused:
        refuse_unfit(Seen(hosts=hosts, checkpoint="The hosts do not share /jobs."))

    assert refused.value.message == (
        "The hosts do not share /jobs. "
        "From hosts `two`, `three`, Kafka cluster `blue` cannot be used: No broker answers. "
        "From host `three`, Kafka cluster `red` cannot be used: No way."
    )
    refuse_unfit(Seen(hosts=hosts[:1]))
