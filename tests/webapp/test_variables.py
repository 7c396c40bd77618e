"""The environment: one place reads it, and what is wrong in it is said by name."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from webapp.variables import Variables, read_variables

ROOT = Path(__file__).parents[2]
READ = {
    # before anything is installed
    "webapp/local/places.py": {"STREAMWRIGHT_HOME", "XDG_DATA_HOME"},
    "webapp/local/java.py": {"JAVA_HOME"},
    "webapp/local/chromium.py": {"CHROMIUM"},
    # all variables, for commands beside `make run`, and what it left for the settings
    "webapp/variables.py": {"name"},
    "webapp/local/environment.py": {"LOADED_FLAG", "name"},
    # a command for another machine's server, which has no settings here
    "webapp/__main__.py": {"STREAMWRIGHT_TOKEN"},
    "webapp/management/commands/mcp.py": {"STREAMWRIGHT_TOKEN"},
    # in a run, in its executors, and in their Python workers: no Django is there
    "runner/spark/variables.py": {
        *("STREAMWRIGHT_HOME", "STREAMWRIGHT_JARS", "JAVA_HOME", "FAILPOINT"),
        *("SPARK_LOCAL_DIRS", "SPARK_LOCAL_IP", "AWS_ENDPOINT_URL_S3", "AWS_REGION"),
    },
    "runner/spark/session/fork_client/sitecustomize.py": {"ADDRESS"},
    "runner/kernel/__init__.py": {"SWITCH"},
    "designer/topology/user_code.py": {"ALLOW"},
    # a child of a test
    "runner/control/hosts/child.py": {"CHILD_COMMAND"},
    # to put something before it
    "webapp/local/crate.py": {"PATH"},
    "webapp/local/install.py": {"PATH"},
    "runner/spark/session/session.py": {"PATH", "PYTHONPATH"},
}
"""File -> the variables that it reads beside the fields of `Variables`, by name or by the constant for the name."""
PASSED_ON = {
    *(f"webapp/local/{file}.py" for file in ("chromium", "environment", "npm", "steps", "up")),
    *(f"webapp/{file}.py" for file in ("celery", "settings")),
    "runner/control/environment.py",
    *(f"runner/spark/session/{file}.py" for file in ("cluster", "executor_pod", "fork_server", "session")),
    "runner/spark/session/fork_client/sitecustomize.py",
}
"""The files that give an environment to the processes they start."""


def test_variables_have_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMWRIGHT_MAX_SLOTS", "8")
    monkeypatch.setenv("ALLOWED_HOSTS", "streams.example.com, localhost")
    monkeypatch.setenv("HTTPS", "1")

    read = read_variables()

    assert (read.quotas["MAX_SLOTS"], read.allowed_hosts, read.https) == (8, ["streams.example.com", "localhost"], True)


def test_an_empty_variable_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMWRIGHT_MAX_SLOTS", "")

    assert read_variables().max_slots == 0


def test_what_is_wrong_is_said_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMWRIGHT_MAX_SLOTS", "many")
    monkeypatch.setenv("HTTPS", "maybe")

    with pytest.raises(SystemExit) as ended:
        read_variables()

    assert "STREAMWRIGHT_MAX_SLOTS is 'many': Write a whole number." in str(ended.value)
    assert "HTTPS is 'maybe': Write 1 or 0." in str(ended.value)


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        (
            "SCHEMA_REGISTRY_URL",
            "registry:8081",
            "This is not an address of HTTP. Write it like https://schemas.example.com:8081.",
        ),
        (
            "DATABASE_URL",
            "mysql://db/streamwright",
            "This is not an address of Postgres. Write it like postgres://user:password@host:5432/streamwright.",
        ),
        ("REDIS_URL", "http://redis", "This is not an address of Redis. Write it like redis://host:6379/0."),
        (
            "DATABASE_URL",
            "postgres://me@db:none/x",
            "Its host or port cannot be read. Write it like postgres://user:password@host:5432/streamwright, with %23, "
            "%2F and %40 for #, / and @ in the password.",
        ),
        (
            "STREAMWRIGHT_ADDRESS",
            "streams.example.com",
            "This is not an address of HTTP. Write it like https://streams.example.com.",
        ),
        (
            "OIDC_ISSUER",
            "id.example.com",
            "This is not an address of HTTP. Write it like https://id.example.com/realms/team.",
        ),
        (
            "OPENLINEAGE_URL",
            "marquez:5000",
            "This is not an address of HTTP. Write it like https://marquez.example.com.",
        ),
        ("OPENLINEAGE_CONFIG", "/nowhere/lineage.yml", "There is no such file."),
        ("CSRF_TRUSTED_ORIGINS", "x.org", "This is not an address of HTTP. Write it like https://x.org."),
        (
            "ALLOWED_HOSTS",
            "https://streams.example.com",
            "This is not the name of a host. Write it without scheme and port, like streams.example.com.",
        ),
        (
            "ALLOWED_HOSTS",
            "localhost:8000",
            "This is not the name of a host. Write it without scheme and port, like streams.example.com.",
        ),
        ("TRUSTED_PROXIES", "ingress", "`ingress` is not an IP address or network. Write it like 10.0.0.0/8."),
        (
            "STREAMWRIGHT_PREFIX",
            "team a/",
            "Write up to 64 letters a-z, digits, `.`, `_` and `-`, like team-a-.",
        ),
        ("STREAMWRIGHT_KERNEL", "0", "It should be 'on' or 'off'."),
        ("LOG_LEVEL", "LOUD", "It should be 'DEBUG', 'INFO', 'WARNING', 'ERROR' or 'CRITICAL'."),
        ("PORT", "80000", "It should be less than 65536."),
        ("PORT", "web", "Write a whole number."),
    ],
)
def test_what_to_write_instead_is_said(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(variable, value)

    with pytest.raises(SystemExit) as ended:
        read_variables()

    assert str(ended.value).splitlines()[1:] == [f"{variable} is {value!r}: {sentence}"]


def test_values_that_servers_take_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "streams.example.com, .example.com, [::1], *")
    monkeypatch.setenv("CSRF_TRUSTED_ORIGINS", "https://*.example.com, http://localhost:5173")
    monkeypatch.setenv("TRUSTED_PROXIES", "10.0.0.0/8, 127.0.0.1, ::1, *")
    monkeypatch.setenv("LOG_LEVEL", "debug")

    read = read_variables()

    assert read.allowed_hosts == ["streams.example.com", ".example.com", "[::1]", "*"]
    assert read.log_level == "DEBUG"


def test_secrets_in_wrong_values_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://ann:of@ann#s@db/streamwright")
    monkeypatch.setenv("REDIS_URL", "redis://:of/ann@redis:6379/0")
    monkeypatch.setenv("STREAMWRIGHT_METRICS_TOKEN", "of-ann")

    with pytest.raises(SystemExit) as ended:
        read_variables()

    lines = str(ended.value).splitlines()
    assert [line.partition(": ")[0] for line in lines[1:]] == [
        "DATABASE_URL is 'mysql://ann:...@db/streamwright'",
        "REDIS_URL is 'redis://:...@redis:6379/0'",
        "STREAMWRIGHT_METRICS_TOKEN",
    ]
    assert "of-ann" not in lines[3]


def test_an_empty_secret_key_is_said_at_the_start(tmp_path: Path) -> None:
    (key := tmp_path / "secret-key").touch()
    command = [sys.executable, str(ROOT / "manage.py"), "up"]

    ended = subprocess.run(command, env={**os.environ, "SECRET_KEY_FILE": str(key)}, capture_output=True, text=True)

    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [
        f"Streamwright cannot start: the secret key {key} is empty. Put back your copy of it. If no cluster has a "
        "password yet, remove the file, and the next start makes a new one."
    ]


def test_a_home_that_cannot_be_made_is_said_at_the_start() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SECRET_KEY")}
    command = [sys.executable, str(ROOT / "manage.py"), "up"]

    ended = subprocess.run(
        command, env={**environment, "STREAMWRIGHT_HOME": "/proc/none"}, capture_output=True, text=True
    )

    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [
        "Streamwright cannot start: the secret key /proc/none/secret-key can be neither read nor made (No such file or "
        "directory). Make room for it, or let STREAMWRIGHT_HOME name another place."
    ]


def test_addresses_are_written_as_those_of_a_registered_spark_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_MASTER", "local[2]")
    monkeypatch.setenv("SPARK_CHECKPOINTS", "gs://jobs/streamwright")
    monkeypatch.setenv("STREAMWRIGHT_CHECKPOINTS", "jobs")

    with pytest.raises(SystemExit) as ended:
        read_variables()

    folder, master, cluster_folder = str(ended.value).splitlines()[1:]
    assert master.startswith("SPARK_MASTER is 'local[2]': `local[2]` is not the address of a Spark master. Write ")
    assert "`gs://jobs/streamwright` is on `gs://`, which cannot hold checkpoints. Name a folder on" in cluster_folder
    assert "`jobs` is not a folder that all hosts can see." in folder


def test_a_spark_master_without_a_folder_for_checkpoints_is_said_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_MASTER", "spark://master:7077")

    with pytest.raises(SystemExit) as ended:
        read_variables()

    assert str(ended.value).splitlines()[1] == (
        "SPARK_MASTER is set without SPARK_CHECKPOINTS. Name a folder for checkpoints that all hosts of the "
        "Spark cluster see, such as hdfs://namenode:9000/streamwright."
    )
    monkeypatch.setenv("STREAMWRIGHT_CHECKPOINTS", "/shared/streamwright")
    assert read_variables().spark_master == "spark://master:7077"


def test_every_variable_is_described() -> None:
    assert all(field.validation_alias and field.description for field in Variables.model_fields.values())


def test_nothing_else_reads_the_environment_or_passes_it_on() -> None:
    files = [file for room in ("designer", "runner", "webapp") for file in (ROOT / room).rglob("*.py")]
    used = {str(file.relative_to(ROOT)): uses(file.read_text()) for file in files}

    assert {file: read for file, (read, _) in used.items() if read} == READ
    assert {file for file, (_, passed_on) in used.items() if passed_on} == PASSED_ON


def test_a_variable_that_is_read_is_told_from_an_environment_that_is_passed_on() -> None:
    assert uses("os.environ['A'], os.environ.get(B, ''), 'C' in os.environ") == (set("ABC"), False)
    assert uses("os.environ['A'] = 'b'") == uses("run(env={**os.environ})") == uses("getenv('A')") == (set(), True)


def uses(source: str) -> tuple[set[str], bool]:
    """The variables that a source reads, and whether it does anything else with the environment."""
    if not re.search("environ|getenv", source):
        return set(), False
    read: list[str] = []
    all_uses = 0
    for node in ast.walk(ast.parse(source)):
        match node:
            case (
                ast.Call(ast.Attribute(ast.Attribute(ast.Name("os"), "environ"), "get"), [name, *_])
                | ast.Subscript(ast.Attribute(ast.Name("os"), "environ"), name, ast.Load())
                | ast.Compare(name, [ast.In() | ast.NotIn()], [ast.Attribute(ast.Name("os"), "environ")])
            ):
                read.append(str(name.value) if isinstance(name, ast.Constant) else ast.unparse(name))
            case ast.Attribute(ast.Name("os"), "environ" | "getenv") | ast.Name("environ" | "getenv"):
                all_uses += 1
    return set(read), all_uses > len(read)
