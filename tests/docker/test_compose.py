"""The compose file describes the same parts as `make run`; no engine is needed to see that."""

import base64
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pyspark
import pytest
import yaml

from tests.cluster.standalone import MASTER, WORKER
from webapp.variables import Variables

DOCKER = Path(__file__).parents[2] / "docker"
OURS = {"web", "worker", "beat", "agent"}


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    parsed = yaml.safe_load((DOCKER / "compose.yml").read_text())
    found: dict[str, Any] = parsed["services"]
    return found


def test_every_part_is_a_service(services: dict[str, Any]):
    always = {name for name, service in services.items() if "profiles" not in service}

    assert OURS | {"postgres", "redis", "kafka", "migrate"} == always


def test_a_profile_adds_a_spark_cluster_that_sees_the_checkpoints(services: dict[str, Any]):
    added = {name: service for name, service in services.items() if service.get("profiles") == ["spark"]}
    started = {name: service["command"][1] for name, service in added.items()}

    assert started == {"spark-master": MASTER, "spark-worker": WORKER}
    assert added["spark-worker"]["deploy"] == {"replicas": 2}
    assert added["spark-worker"]["volumes"] == services["agent"]["volumes"] == ["data:/data"]
    assert services["agent"]["environment"]["SPARK_CHECKPOINTS"] == "${SPARK_CHECKPOINTS:-/data/checkpoints}"
    assert "spark://spark-master:7077" in added["spark-worker"]["command"]
    assert Path(pyspark.__file__).with_name("bin").joinpath("spark-class").exists()


@pytest.mark.parametrize("name", ["postgres", "redis", "kafka", "web", "worker", "beat"])
def test_services_others_wait_for_say_whether_they_are_healthy(services: dict[str, Any], name: str):
    check = services[name]["healthcheck"]

    assert check["test"][0] in ("CMD", "CMD-SHELL")
    assert check["interval"]
    assert check["retries"]


def test_the_broker_works_as_a_single_node(services: dict[str, Any]):
    environment = services["kafka"]["environment"]

    assert services["kafka"]["image"] == "apache/kafka:4.4.0"
    assert environment["KAFKA_PROCESS_ROLES"] == "broker,controller"
    for name, value in environment.items():
        if name.endswith(("REPLICATION_FACTOR", "MIN_ISR", "MIN_INSYNC_REPLICAS")):
            assert value == 1, name
    assert {"KAFKA_DEFAULT_REPLICATION_FACTOR", "KAFKA_MIN_INSYNC_REPLICAS"} <= set(environment)
    assert environment["KAFKA_NUM_PARTITIONS"] == 3
    assert len(base64.urlsafe_b64decode(environment["CLUSTER_ID"] + "==")) == 16
    assert environment["KAFKA_LOG_RETENTION_MS"] == -1
    assert environment["KAFKA_OFFSETS_RETENTION_MINUTES"] > 366 * 1_440


def test_the_broker_has_a_listener_for_containers_and_one_for_the_host(services: dict[str, Any]):
    advertised = services["kafka"]["environment"]["KAFKA_ADVERTISED_LISTENERS"]

    assert advertised == "CONTAINERS://kafka:9092,HOST://localhost:9094"
    assert services["web"]["environment"]["KAFKA_BOOTSTRAP_SERVERS"] == "kafka:9092"


@pytest.mark.parametrize("name", sorted(OURS))
def test_our_services_get_every_variable_of_an_administrator(services: dict[str, Any], name: str):
    known = {str(field.validation_alias) for field in Variables.model_fields.values()}
    of_make_run = {"PORT", "REGISTRY"}
    of_the_container = {"STREAMWRIGHT_HOST", "STREAMWRIGHT_PAGES"}
    of_libraries = {
        *("OPENLINEAGE_API_KEY", "AWS_REGION", "AWS_ENDPOINT_URL_S3"),
        *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"),
    }

    assert set(services[name]["environment"]) == (known | of_libraries) - of_make_run - of_the_container


@pytest.mark.parametrize("name", sorted(OURS))
def test_our_services_start_after_the_parts_and_the_tables(services: dict[str, Any], name: str):
    after = {part: wait["condition"] for part, wait in services[name]["depends_on"].items()}

    assert after == {
        "migrate": "service_completed_successfully",
        "redis": "service_healthy",
        "kafka": "service_healthy",
    }


@pytest.mark.parametrize("page", ["docker/compose.yml", "README.md"])
def test_who_starts_the_services_is_told_how_to_sign_in(page: str):
    told = re.search(r"docker compose -f (\S+) exec (\w+) python manage.py (\w+)", (DOCKER.parent / page).read_text())

    assert told
    assert (told[1], told[2]) == ("docker/compose.yml", "web")
    assert (DOCKER.parent / "webapp" / "management" / "commands" / f"{told[3]}.py").exists()


def test_no_password_stands_in_the_file():
    values = re.findall(r"PASSWORD: (.+)", (DOCKER / "compose.yml").read_text())

    assert values
    assert all(value.startswith("${") for value in values)


def test_the_dockerfile_copies_only_what_exists():
    root = DOCKER.parent
    sources = re.findall(r"^COPY (?!--from)(.+) \S+$", (DOCKER / "Dockerfile").read_text(), re.M)

    for source in " ".join(sources).split():
        assert (root / source).exists(), source


def compose() -> list[str]:
    """The command of docker compose; empty if there is none, then the tests above read the file instead."""
    docker = shutil.which("docker")
    found = docker and subprocess.run([docker, "compose", "version"], capture_output=True).returncode == 0
    return [docker, "compose"] if docker and found else []


if COMPOSE := compose():

    def test_docker_itself_accepts_the_compose_file():
        done = subprocess.run(
            [*COMPOSE, "-f", str(DOCKER / "compose.yml"), "config", "--quiet"],
            env={**os.environ, "POSTGRES_PASSWORD": "a", "REDIS_PASSWORD": "b"},
            capture_output=True,
            text=True,
        )

        assert done.returncode == 0, done.stderr


def test_runs_find_sparks_jars_where_the_image_puts_them():
    image = (DOCKER / "Dockerfile").read_text()
    filled = re.search(r"-m local\.jars (\S+)", image)

    assert filled
    assert f"ENV STREAMWRIGHT_JARS={filled[1]}/jars/spark\n" in image
