"""The environment variables that an administrator may set: each with its type, default and meaning.

Django's settings read them here, and nothing else of the server reads the environment. What runs without Django reads
few, each in one place: the installer in `webapp/local`, a run in `runner/spark/variables.py`.

    >>> Variables().max_slots
    0
"""

from __future__ import annotations

import os
import re
import socket
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from designer.topology.user_code import ALLOW
from runner.control.clusters.addresses import check_master, check_root
from runner.kernel import SWITCH
from runner.outgoing import AddressRefused, split_url
from runner.registry.settings import EXAMPLE
from webapp.local.places import HOME, PAGES
from webapp.local.secret import without_password


def _split_text(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _split(text: object) -> object:
    return _split_text(text) if isinstance(text, str) else text


def _raise_letters(text: object) -> object:
    return text.upper() if isinstance(text, str) else text


def _check_http(example: str) -> AfterValidator:
    def check(url: str) -> str:
        try:
            split_url(url, example=example)
        except AddressRefused as refusal:
            raise ValueError(f"{refusal.message} {refusal.hint}") from refusal
        return url

    return AfterValidator(check)


def _check_scheme(*schemes: str, example: str) -> AfterValidator:
    def check(url: str) -> str:
        if url.partition(":")[0] not in schemes:
            raise ValueError(f"This is not an address of {schemes[0].capitalize()}. Write it like {example}.")
        try:
            urlsplit(url).port  # noqa: B018
        except ValueError:
            raise ValueError(
                f"Its host or port cannot be read. Write it like {example}, with %23, %2F and %40 for #, / and @ in "
                "the password."
            ) from None
        return url

    return AfterValidator(check)


def _check_host(name: str) -> str:
    if "/" in name or re.search(r":\d*$", name):
        raise ValueError("This is not the name of a host. Write it without scheme and port, like streams.example.com.")
    return name


def _check_networks(text: str) -> str:
    for each in _split_text(text):
        try:
            each == "*" or ip_network(each, strict=False)
        except ValueError:
            raise ValueError(f"`{each}` is not an IP address or network. Write it like 10.0.0.0/8.") from None
    return text


def _check_prefix(prefix: str) -> str:
    if not re.fullmatch(r"[a-zA-Z0-9._-]{0,64}", prefix):
        raise ValueError("Write up to 64 letters a-z, digits, `.`, `_` and `-`, like team-a-.")
    return prefix


def _check_file(path: str) -> str:
    if not Path(path).is_file():
        raise ValueError("There is no such file.")
    return path


TextList = Annotated[list[str], NoDecode, BeforeValidator(_split)]
"""Separated by commas."""
Hosts = Annotated[list[Annotated[str, AfterValidator(_check_host)]], NoDecode, BeforeValidator(_split)]
Origins = Annotated[list[Annotated[str, _check_http("https://x.org")]], NoDecode, BeforeValidator(_split)]
Level = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(_raise_letters)]
Limit = Annotated[int, Field(ge=0)]
Root = Annotated[str, AfterValidator(check_root)]
Master = Annotated[str, AfterValidator(check_master)]
METRICS_TOKEN = "STREAMWRIGHT_METRICS_TOKEN"
Token = Annotated[str, Field(min_length=16)]


def _make_field(name: str, default: Any, description: str) -> Any:
    return Field(default=default, validation_alias=name, description=description)


class Variables(BaseSettings):
    """The values of this process. Raises pydantic's ValidationError."""

    model_config = SettingsConfigDict(
        frozen=True, case_sensitive=True, extra="ignore", env_ignore_empty=True, validate_default=False
    )

    home: Path = _make_field(
        "STREAMWRIGHT_HOME",
        HOME,
        "Folder for all files that the product writes. Default: `.run` in a checkout, `~/.local/share/streamwright` of "
        "an installed package.",
    )
    secret_key_file: Path | None = _make_field(
        "SECRET_KEY_FILE",
        None,
        "File of the secret key, which also seals the secrets of clusters. Default: `secret-key` in the home folder.",
    )
    database_url: Annotated[
        str, _check_scheme("postgres", "postgresql", example="postgres://user:password@host:5432/streamwright")
    ] = _make_field("DATABASE_URL", "postgres:///streamwright", "Postgres. Default: what `make run` started.")
    redis_url: Annotated[str, _check_scheme("redis", "rediss", "unix", example="redis://host:6379/0")] = _make_field(
        "REDIS_URL",
        "redis://127.0.0.1:6379/0",
        "Redis: Celery's broker, live numbers, websocket groups. Default: what `make run` started.",
    )
    kafka_servers: str = _make_field(
        "KAFKA_BOOTSTRAP_SERVERS",
        "127.0.0.1:9092",
        "The Kafka cluster called `local`. Default: what `make run` started.",
    )
    registry_url: Annotated[str, _check_http(EXAMPLE)] = _make_field(
        "SCHEMA_REGISTRY_URL",
        "",
        "Schema registry of the cluster `local`, by Confluent's API, such as `http://registry:8081`. Its sign-in is on "
        "the page Clusters.",
    )
    prefix: Annotated[str, AfterValidator(_check_prefix)] = _make_field(
        "STREAMWRIGHT_PREFIX",
        "",
        "Prefix of the Kafka names that jobs create: groups, transactional ids and internal topics.",
    )
    checkpoints: Root = _make_field(
        "STREAMWRIGHT_CHECKPOINTS",
        "",
        "Folder for the checkpoints of jobs that run on a host of Streamwright. All hosts must see it: on HDFS, such "
        "as `hdfs://namenode:9000/streamwright`, in a bucket, such as `s3a://bucket/streamwright`, or a path of a "
        "shared file system. One host then takes over the jobs of another. Default: `checkpoints` in the home folder, "
        "which other hosts do not see.",
    )
    spark_master: Master = _make_field(
        "SPARK_MASTER",
        "",
        "Master of the Spark cluster called `default`, such as `spark://host:7077`. New jobs run on it, with "
        "their checkpoints in SPARK_CHECKPOINTS. Default: none. Jobs then run on the machine of their agent.",
    )
    spark_checkpoints: Root = _make_field(
        "SPARK_CHECKPOINTS",
        "",
        "Folder for the checkpoints of jobs on that cluster. All hosts must see it: on HDFS, such as "
        "`hdfs://namenode:9000/streamwright`, in a bucket, such as `s3a://bucket/streamwright`, or a path of a shared "
        "file system. Default: STREAMWRIGHT_CHECKPOINTS.",
    )
    allow_python: bool = _make_field(
        ALLOW, False, "Whether allowed users may run their own Python in `process` and `process_values`."
    )
    kernel: Literal["on", "off"] = _make_field(
        SWITCH, "on", "Whether jobs run on the kernel where it is built: `on` or `off`. Results are the same."
    )
    standby: bool = _make_field(
        "STREAMWRIGHT_STANDBY",
        True,
        "Whether the agent keeps one process started for the next run. Always 0 with SPARK_MASTER.",
    )
    host: str = _make_field(
        "STREAMWRIGHT_HOST",
        socket.gethostname(),
        "Names this machine to other hosts. Default: its host name.",
    )
    max_memory_mb: Limit = _make_field("STREAMWRIGHT_MAX_MEMORY_MB", 0, "Largest heap of a job, in MiB. 0: no limit.")
    max_slots: Limit = _make_field("STREAMWRIGHT_MAX_SLOTS", 0, "Most slots of a job. 0: no limit.")
    max_partitions: Limit = _make_field(
        "STREAMWRIGHT_MAX_PARTITIONS", 0, "Most partitions of a new topic. 0: no limit."
    )
    max_jobs_per_user: Limit = _make_field(
        "STREAMWRIGHT_MAX_JOBS_PER_USER", 0, "Most running jobs of a user. 0: no limit."
    )
    audit_days: Annotated[int, Field(ge=30)] = _make_field(
        "STREAMWRIGHT_AUDIT_DAYS", 400, "Days for which the audit keeps an entry, 30 or more."
    )
    metrics_token: Token | None = _make_field(
        METRICS_TOKEN,
        None,
        "Token that Prometheus sends to read `/metrics`, of 16 characters or more. Default: none. Without "
        "it they cannot be read.",
    )
    openlineage_url: Annotated[str, _check_http("https://marquez.example.com")] = _make_field(
        "OPENLINEAGE_URL",
        "",
        "Address of a collector of OpenLineage events, such as `https://marquez.example.com`. OpenLineage's client "
        "reads OPENLINEAGE_API_KEY and its other variables itself. Default: none. No events are sent.",
    )
    openlineage_config: Annotated[str, AfterValidator(_check_file)] = _make_field(
        "OPENLINEAGE_CONFIG",
        "",
        "File of OpenLineage's client in YAML, for another transport such as Kafka or a file.",
    )
    openlineage_namespace: str = _make_field(
        "OPENLINEAGE_NAMESPACE", "streamwright", "Namespace of the jobs in OpenLineage events."
    )
    schema_guard_seconds: Annotated[int, Field(ge=0)] = _make_field(
        "SCHEMA_GUARD_SECONDS",
        0,
        "Time between two looks for new versions of the subjects that drawings and jobs read. The guard judges each. "
        "0: no looks, except those that are asked for over HTTP.",
    )
    address: Annotated[str, _check_http("https://streams.example.com")] = _make_field(
        "STREAMWRIGHT_ADDRESS",
        "",
        "Address of the product for links in alerts, such as `https://streams.example.com`. Default: that of "
        "`make run` on this machine, else no links.",
    )
    email_host: str = _make_field(
        "EMAIL_HOST", "", "Mail server for alerts. Default: none. Alerts go to webhooks only."
    )
    email_port: Annotated[int, Field(gt=0, lt=65_536)] = _make_field("EMAIL_PORT", 587, "Port of the mail server.")
    email_security: Literal["starttls", "tls", "none"] = _make_field(
        "EMAIL_SECURITY", "starttls", "How the mail server is reached: `starttls`, `tls` or `none`."
    )
    email_user: str = _make_field("EMAIL_USER", "", "User of the mail server.")
    email_password: SecretStr = _make_field("EMAIL_PASSWORD", SecretStr(""), "Password of that user.")
    email_from: str = _make_field("EMAIL_FROM", "streamwright@localhost", "Sender of e-mails.")
    oidc_issuer: Annotated[str, _check_http("https://id.example.com/realms/team")] = _make_field(
        "OIDC_ISSUER",
        "",
        "Address of the OpenID Connect provider that signs users in, such as `https://id.example.com/realms/team`.",
    )
    oidc_client_id: str = _make_field("OIDC_CLIENT_ID", "streamwright", "Streamwright's client at the provider.")
    oidc_client_secret: SecretStr = _make_field("OIDC_CLIENT_SECRET", SecretStr(""), "Secret of that client.")
    oidc_name: Annotated[str, Field(max_length=40)] = _make_field(
        "OIDC_NAME", "single sign-on", "What the sign-in page calls the provider."
    )
    oidc_scopes: TextList = _make_field(
        "OIDC_SCOPES", ["openid", "profile", "email"], "Scopes that the provider is asked for, separated by commas."
    )
    oidc_groups_claim: str = _make_field(
        "OIDC_GROUPS_CLAIM",
        "",
        "Claim that lists the user's groups, such as `groups` or `realm_access.roles`. Groups that exist here become "
        "the user's groups at each sign-in, and a user without one is refused. Default: none. Groups then stay as "
        "they are here.",
    )
    oidc_administrators: str = _make_field(
        "OIDC_ADMINISTRATORS",
        "",
        "Group of the claim whose members are product administrators.",
    )
    allowed_hosts: Hosts = _make_field(
        "ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"], "Host names that browsers may use, separated by commas."
    )
    trusted_origins: Origins = _make_field(
        "CSRF_TRUSTED_ORIGINS",
        [],
        "Other origins whose pages may write and watch, such as `https://x.org`, separated by commas.",
    )
    trusted_proxies: Annotated[str, AfterValidator(_check_networks)] = _make_field(
        "TRUSTED_PROXIES", "", "Addresses or networks whose `X-Forwarded-For` and `-Proto` count, separated by commas."
    )
    https: bool = _make_field("HTTPS", False, "Whether browsers use https, through a proxy that ends TLS.")
    port: Annotated[int, Field(gt=0, lt=65_536)] | None = _make_field(
        "PORT", None, "Port of the page for `make run`. Default: the previous port, 8000, or the next free one."
    )
    registry: bool = _make_field(
        "REGISTRY",
        False,
        "Whether `make run` also starts a schema registry, Apicurio. Its first start downloads 142 MB.",
    )
    pages: Path = _make_field("STREAMWRIGHT_PAGES", PAGES, "Folder of the built pages. Default: those of this version.")
    log_level: Level = _make_field(
        "LOG_LEVEL", "INFO", "Lowest level of lines in the server's logs: DEBUG, INFO, WARNING, ERROR or CRITICAL."
    )

    @model_validator(mode="after")
    def _check_checkpoints(self) -> Variables:
        """Without a folder that all hosts see, each run on the cluster would be refused, one after the other."""
        if self.spark_master and not (self.spark_checkpoints or self.checkpoints):
            raise ValueError(
                "SPARK_MASTER is set without SPARK_CHECKPOINTS. Name a folder for checkpoints that all hosts of the "
                "Spark cluster see, such as hdfs://namenode:9000/streamwright"
            )
        return self

    @property
    def quotas(self) -> dict[str, int]:
        """The limits by name. 0 means no limit."""
        return {
            "MAX_MEMORY_MB": self.max_memory_mb,
            "MAX_SLOTS": self.max_slots,
            "MAX_PARTITIONS": self.max_partitions,
            "MAX_JOBS_PER_USER": self.max_jobs_per_user,
        }


def find_given_variables() -> dict[str, str]:
    """The variables in the environment of this process, by name."""
    names = [str(field.validation_alias) for field in Variables.model_fields.values()]
    return {name: os.environ[name] for name in names if name in os.environ}


def read_variables() -> Variables:
    """The variables of this process. Ends it with one sentence for each wrong one."""
    try:
        return Variables()
    except ValidationError as error:
        wrong = map(_describe_variable, error.errors())
        raise SystemExit("Streamwright cannot start. Correct the environment:\n" + "\n".join(wrong)) from None


def _describe_variable(problem: ErrorDetails) -> str:
    """The variable with its value, unless that is a secret, and what to write instead."""
    if not problem["loc"]:
        return _describe(problem)
    name, value = str(problem["loc"][0]), problem["input"]
    if isinstance(value, str):
        value = without_password(value)
    shown = "" if name == METRICS_TOKEN else f" is {value!r}"
    return f"{name}{shown}: {_describe(problem)}"


def _describe(problem: ErrorDetails) -> str:
    """What to write instead, as a sentence."""
    kind, message = problem["type"], problem["msg"].removeprefix("Value error, ").rstrip(".")
    if kind.startswith("int"):
        return "Write a whole number."
    if kind.startswith("bool"):
        return "Write 1 or 0."
    return f"{message.replace('Input should', 'It should')}."
