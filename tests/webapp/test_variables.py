"""The environment: one place reads it, and what is wrong in it is said by name."""

import ast
from pathlib import Path

import pytest

from webapp.variables import Variables, variables

ROOT = Path(__file__).parents[2]
WITHOUT_DJANGO = {
    "designer/user_code.py",
    "runner/control/clusters/spark.py",
    "runner/control/environment.py",
    "runner/control/hosts/child.py",
    "runner/spark/executor.py",
    "runner/spark/failpoints.py",
    "runner/watch/trials/forks.py",
}
"""What runs in a child process, or makes its environment."""
BEFORE_SETTINGS = {f"webapp/{file}.py" for file in ("__main__", "asgi", "celery", "docs/hooks", "settings")}


def test_variables_have_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMWRIGHT_MAX_SLOTS", "8")
    monkeypatch.setenv("ALLOWED_HOSTS", "streams.example.com, localhost")
    monkeypatch.setenv("HTTPS", "1")

    read = variables()

    assert (read.quotas["MAX_SLOTS"], read.allowed_hosts, read.https) == (8, ["streams.example.com", "localhost"], True)


def test_an_empty_variable_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMWRIGHT_MAX_SLOTS", "")

    assert variables().max_slots == 0


def test_what_is_wrong_is_said_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMWRIGHT_MAX_SLOTS", "many")
    monkeypatch.setenv("HTTPS", "maybe")

    with pytest.raises(SystemExit) as ended:
        variables()

    assert "STREAMWRIGHT_MAX_SLOTS is 'many'" in str(ended.value)
    assert "HTTPS is 'maybe'" in str(ended.value)


def test_addresses_are_written_as_those_of_a_registered_spark_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_MASTER", "local[2]")
    monkeypatch.setenv("SPARK_CHECKPOINTS", "s3a://jobs/streamwright")
    monkeypatch.setenv("STREAMWRIGHT_CHECKPOINTS", "jobs")

    with pytest.raises(SystemExit) as ended:
        variables()

    folder, master, cluster_folder = str(ended.value).splitlines()[1:]
    assert master.startswith("SPARK_MASTER is 'local[2]': `local[2]` is not the address of a Spark master. Write ")
    assert "`s3a://jobs/streamwright` is on `s3a://`, where checkpoints cannot lie. Name a folder on" in cluster_folder
    assert "`jobs` is not a folder that all hosts can see." in folder


def test_every_variable_is_described() -> None:
    assert all(field.validation_alias and field.description for field in Variables.model_fields.values())


def test_nothing_else_of_the_server_reads_the_environment() -> None:
    files = (file for room in ("designer", "runner", "webapp") for file in (ROOT / room).rglob("*.py"))
    reads = {str(file.relative_to(ROOT)) for file in files if _reads_environment(file)}
    rest = {name for name in reads if not name.startswith(("webapp/local/", "runner/spark/session/"))}

    assert rest <= WITHOUT_DJANGO | BEFORE_SETTINGS


def _reads_environment(file: Path) -> bool:
    names = (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Attribute))
    return any(name.attr in {"environ", "getenv"} for name in names)
