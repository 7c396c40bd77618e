"""Hosts of the product: each with an agent and its own home, on one Postgres, one Redis and one HDFS."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.cluster.conftest import Cluster
from tests.cluster.forwarding import forwarded
from tests.cluster.hosts import SHOWN, TEMPORARY, Host
from tests.cluster.standalone import await_there
from webapp.local.java import find_java

PARTS = ("DATABASE_URL", "REDIS_URL")
INSTALLED = TEMPORARY / "installed"
WORKERS = SHOWN / ".run" / "tests" / "workers"
"""Where the tests of a checkout keep the archives for executors (tests/parts.py)."""


@dataclass(frozen=True)
class Agents:
    """The agents of the hosts that have the product. Their logs, and those of their runs, lie in `folder`.

    `keys` is the content of the product's file of secret keys.
    """

    cluster: Cluster
    folder: Path
    keys: str
    environment: dict[str, str]
    is_alive: Callable[[str], bool]

    def start(self, name: str, version: str = "") -> None:
        """Starts the agent of a host with the product's secret key, and waits for its first beat.

        With a `version` another version of the product is installed there: its metadata say so.
        """
        log = self.folder / f"{name}.log"
        agent = [str(SHOWN / ".venv" / "bin" / "python"), str(SHOWN / "manage.py"), "agent"]
        script = [
            f"echo {shlex.quote(self.keys)} > $SECRET_KEY_FILE",
            f"mkdir -p {WORKERS} $STREAMWRIGHT_HOME && ln -s {WORKERS} $STREAMWRIGHT_HOME",
            *_install(version),
            f"exec {shlex.join(agent)}",
        ]
        installed = {"PYTHONPATH": str(INSTALLED)} if version else {}
        self.host(name).start(
            ["sh", "-ec", "\n".join(script)], log, STREAMWRIGHT_HOST=name, **self.environment, **installed
        )
        await_there(lambda: self.is_alive(name), log)

    def host(self, name: str) -> Host:
        return next(host for host in self.cluster.hosts if host.name.endswith(name))


def _install(version: str) -> Iterator[str]:
    """Commands that record a version of the package, as pip does."""
    if version:
        metadata = INSTALLED / f"streamwright-{version}.dist-info"
        yield f"mkdir -p {metadata}"
        yield f"printf 'Name: streamwright\\nVersion: {version}\\n' > {metadata}/METADATA"


@contextmanager
def agents(
    cluster: Cluster, folder: Path, keys: str, addresses: Mapping[str, str], is_alive: Callable[[str], bool]
) -> Iterator[Agents]:
    """Agents on both hosts, with the addresses of Postgres and Redis. `is_alive` says whether the product knows one."""
    with ExitStack() as stack:
        reached = {name: _reached(stack, cluster, addresses[name]) for name in PARTS}
        own = {
            "DJANGO_SETTINGS_MODULE": "webapp.settings",
            "STREAMWRIGHT_HOME": str(TEMPORARY / "home"),
            "SECRET_KEY_FILE": str(TEMPORARY / "secret-key"),
            "STREAMWRIGHT_CHECKPOINTS": checkpoints(cluster),
            "STREAMWRIGHT_JARS": str(SHOWN / ".run" / "jars" / "spark"),
            "STREAMWRIGHT_STANDBY": "0",
            "KAFKA_BOOTSTRAP_SERVERS": cluster.kafka,
            "JAVA_HOME": str(find_java().parents[1]),
            "JAVA_TOOL_OPTIONS": os.environ.get("JAVA_TOOL_OPTIONS", ""),
            "HOME": str(TEMPORARY),
        }
        found = Agents(cluster, folder, keys, own | reached, is_alive)
        try:
            for name in ("red", "blue"):
                found.start(name)
            yield found
        finally:
            for host in cluster.hosts:
                host.die()


def checkpoints(cluster: Cluster) -> str:
    """The folder of checkpoints that all hosts see."""
    return f"{cluster.files.uri}/checkpoints"


def _reached(stack: ExitStack, cluster: Cluster, url: str) -> str:
    """The address of a part of this machine, as hosts reach it."""
    address = cluster.spark.network.address
    port = urlsplit(url).port
    assert port is not None
    return url.replace(f"127.0.0.1:{port}", f"{address}:{stack.enter_context(forwarded(address, port))}")
