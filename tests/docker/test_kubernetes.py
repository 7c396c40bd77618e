"""The Kubernetes manifests: valid, consistent with each other, and about what the image and the code really have."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from runner.control.clusters.spark import SETTINGS as ALLOWED
from runner.spark.session import kubernetes as pods
from tests.runner.spark.session.kubernetes_api import validate
from webapp.variables import Variables

DOCKER = Path(__file__).parents[2] / "docker"
FOLDER = DOCKER / "kubernetes"
GUIDE = DOCKER.parent / "docs" / "how-to" / "kubernetes.md"
Json = dict[str, Any]


def read() -> list[Json]:
    found: list[Json] = []
    for name in yaml.safe_load((FOLDER / "kustomization.yaml").read_text())["resources"]:
        for document in yaml.safe_load_all((FOLDER / name).read_text()):
            found += document["items"] if document["kind"] == "List" else [document]
    return found


MANIFESTS = read()
WORKLOADS = {each["metadata"]["name"]: each for each in MANIFESTS if "template" in each.get("spec", {})}
SPECS = {name: each["spec"]["template"]["spec"] for name, each in WORKLOADS.items()}
SETTINGS = next(each["data"] for each in MANIFESTS if each["kind"] == "ConfigMap")
OURS = sorted(set(SPECS) - {"streamwright-migrate"})


def named(kind: str) -> set[str]:
    return {each["metadata"]["name"] for each in MANIFESTS if each["kind"] == kind}


def labels() -> list[dict[str, str]]:
    return [pods.LABELS, *(each["spec"]["template"]["metadata"]["labels"] for each in WORKLOADS.values())]


def selected(selector: Json) -> list[str]:
    """The components whose pods a selector finds."""
    fits = [
        each
        for each in labels()
        if selector.get("matchLabels", {}).items() <= each.items()
        and all(each.get(rule["key"]) in rule["values"] for rule in selector.get("matchExpressions", []))
    ]
    return [each["app.kubernetes.io/component"] for each in fits]


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda each: f"{each['kind']}-{each['metadata']['name']}")
def test_kubernetes_accepts_it(manifest: Json) -> None:
    validate(manifest)


def test_what_kubernetes_does_not_know_is_refused() -> None:
    with pytest.raises(Exception, match="replica"):
        validate({**WORKLOADS["streamwright-web"], "spec": {**WORKLOADS["streamwright-web"]["spec"], "replica": 2}})


def test_each_service_of_the_compose_file_runs_with_the_same_command() -> None:
    compose = yaml.safe_load((DOCKER / "compose.yml").read_text())["services"]
    image = re.search(r"^CMD (\[.+?\])$", (DOCKER / "Dockerfile").read_text().replace("\\\n", ""), re.M)
    assert image
    wanted = {f"streamwright-{name}": compose[name]["command"] for name in ("migrate", "worker", "beat", "agent")}
    wanted["streamwright-web"] = yaml.safe_load(image[1])

    assert {name: spec["containers"][0]["command"] for name, spec in SPECS.items()} == wanted


def test_settings_are_variables_of_the_product() -> None:
    known = {str(field.validation_alias) for field in Variables.model_fields.values()}

    assert set(SETTINGS) <= known
    for name in SPECS:
        [_, secret] = SPECS[name]["containers"][0]["envFrom"]
        assert secret == {"secretRef": {"name": "streamwright-addresses"}}


@pytest.mark.parametrize("name", sorted(SPECS))
def test_paths_of_the_settings_are_mounted(name: str) -> None:
    mounts = {mount["mountPath"]: mount["name"] for mount in SPECS[name]["containers"][0]["volumeMounts"]}
    claims = WORKLOADS[name]["spec"].get("volumeClaimTemplates", [])
    volumes = {volume["name"]: volume for volume in SPECS[name]["volumes"]}

    assert mounts[str(Path(SETTINGS["SECRET_KEY_FILE"]).parent)] == "key"
    assert mounts[SETTINGS["STREAMWRIGHT_CHECKPOINTS"]] == "checkpoints"
    assert mounts[SETTINGS["STREAMWRIGHT_HOME"]] == "data"
    assert set(mounts.values()) == set(volumes) | {claim["metadata"]["name"] for claim in claims}
    assert volumes["checkpoints"]["persistentVolumeClaim"]["claimName"] in named("PersistentVolumeClaim")


def test_agents_and_executors_mount_the_secret_of_spark_at_the_same_place() -> None:
    agent = SPECS["streamwright-agent"]
    template = pods.make_pod_template(has_secret=True)["spec"]

    for spec in (agent, template):
        [volume] = [each for each in spec["volumes"] if each.get("secret", {}).get("secretName") == pods.SECRET]
        [mount] = [each for each in spec["containers"][0]["volumeMounts"] if each["name"] == volume["name"]]
        assert mount["mountPath"] == str(pods.SECRET_FILE.parent)


def test_agents_may_do_with_pods_what_spark_does_and_nothing_else() -> None:
    [role] = [each for each in MANIFESTS if each["kind"] == "Role"]
    [binding] = [each for each in MANIFESTS if each["kind"] == "RoleBinding"]

    assert role["rules"] == [{"apiGroups": [""], "resources": ["pods"], "verbs": list(pods.RIGHTS)}]
    assert binding["roleRef"]["name"] == role["metadata"]["name"]
    assert [each["name"] for each in binding["subjects"]] == [SPECS["streamwright-agent"]["serviceAccountName"]]
    assert named("ServiceAccount") == {SPECS["streamwright-agent"]["serviceAccountName"], pods.SERVICE_ACCOUNT}


def test_nothing_but_an_agent_gets_a_token_of_kubernetes() -> None:
    given = {name for name, spec in SPECS.items() if spec["automountServiceAccountToken"]}

    assert given == {"streamwright-agent"}


def test_pods_run_as_the_user_of_the_image_and_without_rights() -> None:
    assert f"useradd --uid {pods.USER} " in (DOCKER / "Dockerfile").read_text()
    for spec in (*SPECS.values(), pods.make_pod_template(has_secret=False)["spec"]):
        assert spec["securityContext"]["runAsUser"] == spec["securityContext"]["fsGroup"] == pods.USER
        for container in (*spec.get("initContainers", []), *spec["containers"]):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
            }


@pytest.mark.parametrize("name", OURS)
def test_services_wait_for_the_tables(name: str) -> None:
    assert [each["command"] for each in SPECS[name]["initContainers"]] == [
        ["python", "manage.py", "migrate", "--check"]
    ]


def test_selectors_find_the_pods_they_mean() -> None:
    for each in WORKLOADS.values():
        if each["kind"] != "Job":
            assert len(selected(each["spec"]["selector"])) == 1
    found = {
        (each["kind"], each["metadata"]["name"]): selected(
            each["spec"].get("podSelector") or each["spec"]["selector"]
            if each["kind"] != "Service"
            else {"matchLabels": each["spec"]["selector"]}
        )
        for each in MANIFESTS
        if each["kind"] in ("Service", "PodDisruptionBudget", "NetworkPolicy")
    }

    assert found == {
        ("Service", "streamwright-web"): ["web"],
        ("Service", "streamwright-agent"): ["agent"],
        ("PodDisruptionBudget", "streamwright-web"): ["web"],
        ("PodDisruptionBudget", "streamwright-agent"): ["agent"],
        ("NetworkPolicy", "streamwright"): ["executor", "migrate", "web", "worker", "beat", "agent"],
        ("NetworkPolicy", "streamwright-web"): ["web"],
        ("NetworkPolicy", "streamwright-runs"): ["executor", "agent"],
    }


def test_probes_use_a_host_name_that_is_allowed() -> None:
    [container] = SPECS["streamwright-web"]["containers"]
    [host] = container["readinessProbe"]["httpGet"]["httpHeaders"]

    assert host["value"] in SETTINGS["ALLOWED_HOSTS"].split(",")
    assert container["ports"][0] == {"name": "http", "containerPort": 8000}


def test_no_secret_stands_in_the_files_and_the_guide_makes_each_that_they_name() -> None:
    volumes = [volume for spec in SPECS.values() for volume in spec["volumes"]]
    wanted = {volume["secret"]["secretName"] for volume in volumes if "secret" in volume}
    wanted |= {each["spec"]["tls"][0]["secretName"] for each in MANIFESTS if each["kind"] == "Ingress"}
    made = re.findall(r"create secret (?:generic|tls) (\S+)", GUIDE.read_text())

    assert not named("Secret")
    assert sorted(made) == sorted(wanted | {"streamwright-addresses"})


def test_the_guide_fills_secrets_with_what_is_read_of_them() -> None:
    commands = GUIDE.read_text().replace("\\\n", "")
    made = re.findall(r"create secret generic (\S+)(.+)", commands)
    given = {name: re.findall(r"--from-\w+=([^\s=]+)=", rest) for name, rest in made}

    assert given == {
        "streamwright-addresses": ["DATABASE_URL", "REDIS_URL"],
        "streamwright-key": [Path(SETTINGS["SECRET_KEY_FILE"]).name],
        pods.SECRET: [pods.SECRET_FILE.name],
    }


def test_the_guide_registers_executors_with_settings_that_are_allowed() -> None:
    given = dict(re.findall(r"^(spark\.\S+)=(\S+)$", GUIDE.read_text(), re.M))

    assert all(ALLOWED.fullmatch(name) for name in given)
    assert pods.IMAGE in given
    assert {"streamwright-checkpoints", SETTINGS["STREAMWRIGHT_CHECKPOINTS"]} < set(given.values())


def test_checkpoints_on_hdfs_need_no_claim_once_the_lines_are_gone_that_the_guide_names() -> None:
    lines = (FOLDER / "services.yaml").read_text().splitlines()
    kept = [line for line in lines if "checkpoints" not in line]
    left = yaml.safe_load("\n".join(kept))["items"]

    assert len(lines) - len(kept) == 4
    assert "the four lines that name `checkpoints`" in GUIDE.read_text()
    for each in left:
        validate(each)
    specs = [each["spec"]["template"]["spec"] for each in left if "template" in each["spec"]]
    claimed = {claim["metadata"]["name"] for each in left for claim in each["spec"].get("volumeClaimTemplates", [])}
    for spec in specs:
        mounted = {mount["name"] for mount in spec["containers"][0]["volumeMounts"]}
        assert mounted - claimed == {volume["name"] for volume in spec["volumes"]} - claimed


KUBECTL = shutil.which("kubectl") or ""

if KUBECTL:

    def test_kustomize_itself_builds_them() -> None:
        done = subprocess.run([KUBECTL, "kustomize", str(FOLDER)], capture_output=True, text=True)

        assert done.returncode == 0, done.stderr
        built = list(yaml.safe_load_all(done.stdout))
        assert len(built) == len(MANIFESTS)
        assert {each["metadata"]["namespace"] for each in built} == {"streamwright"}
